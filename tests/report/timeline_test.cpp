// The layout of timelines: nothing overlaps, nothing is invisible, no colour says what is not so, and no name becomes markup.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "report/parts/series_colours.hpp"
#include "report/parts/text_width.hpp"
#include "report/parts/xml_text.hpp"
#include "report/timeline_chart.hpp"
#include "report/timeline_drawing.hpp"
#include "report/timeline_figure.hpp"
#include "report/timeline_places.hpp"
#include "rta/io/experiment_file.hpp"
#include "rta/simulate/simulate.hpp"

using namespace rta;
using namespace rta::report;

namespace {

const std::filesystem::path experiments = std::filesystem::path(RTA_SOURCE_DIR) / "tasksets/literature/experiments";

TimelineDrawing drawn(const Experiment& experiment) {
  trace::Timeline timeline = trace::timeline(experiment, Time::zero(), simulate::longest_time, 20'000);
  (void)simulate::simulate(experiment, simulate::Options{}, &timeline);
  return drawing_of(timeline, trace::waiting(timeline));
}

TimelineDrawing drawn(const std::filesystem::path& path) {
  std::ifstream in(path);
  return drawn(io::parse_experiment(std::string(std::istreambuf_iterator<char>(in), {}), path.string()).experiment);
}

TimelineDrawing drawn_text(const std::string& operations) {
  return drawn(io::parse_experiment("platform:\n  gpu: {sms: 1, threads: 1024}\n  copy: {engines: 1}\nexperiment:\n" + operations, "e.yaml")
                   .experiment);
}

bool overlap(const DrawnBar& a, const DrawnBar& b) {
  constexpr double slack = 1e-6;
  return a.start < b.end && b.start < a.end && a.top + slack < b.bottom && b.top + slack < a.bottom;
}

// Texts of a figure as boxes: left, right, baseline.
struct Label {
  double left, right, baseline;
  std::string text;
};
std::vector<Label> labels_of(const std::string& svg) {
  static const std::regex pattern(R"re(<text class="label" x="([0-9.]+)" y="([0-9.]+)"( text-anchor="middle")?[^>]*>([^<]*)</text>)re");
  std::vector<Label> labels;
  for (std::sregex_iterator at(svg.begin(), svg.end(), pattern), end; at != end; ++at) {
    const double x = std::stod((*at)[1]);
    const double width = text_width((*at)[4].str(), 10);
    const double left = (*at)[3].matched ? x - width / 2 : x;
    labels.push_back({left, left + width, std::stod((*at)[2]), (*at)[4]});
  }
  return labels;
}

}  // namespace

TEST_CASE("a block takes the lowest free place of its SM, in parts where places are scattered") {
  SmPlaces sm(1024);
  CHECK(sm.place(256, Time(0), Time(10)) == std::vector<SmPlaces::Part>{{0, 256}});
  CHECK(sm.place(256, Time(0), Time(30)) == std::vector<SmPlaces::Part>{{256, 512}});
  CHECK(sm.place(256, Time(1), Time(20)) == std::vector<SmPlaces::Part>{{512, 768}});
  // At 10 the lowest quarter and the highest are free: neither holds a half.
  CHECK(sm.place(512, Time(10), Time(40)) == std::vector<SmPlaces::Part>{{0, 256}, {768, 1024}});
  CHECK(sm.place(256, Time(20), Time(40)) == std::vector<SmPlaces::Part>{{512, 768}});
  // More than there is stands on top of the others.
  CHECK(sm.place(512, Time(21), Time(22)) == std::vector<SmPlaces::Part>{{512, 1024}});
}

TEST_CASE("what overlaps in time stands in lanes, and what finds none is told") {
  CHECK(lanes_of({{0, 10}, {2, 5}, {5, 7}, {6, 8}, {10, 12}}, 8) == std::vector<std::size_t>{0, 1, 1, 2, 0});
  CHECK(lanes_of({{0, 10}, {1, 10}, {2, 10}, {11, 12}}, 2) == std::vector<std::size_t>{0, 1, 2, 0});
  CHECK(letters("K\xC3\xB6") == 2);
}

TEST_CASE("in no published experiment do bars, labels or launch marks overlap, and every block is drawn") {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(experiments)) {
    CAPTURE(entry.path().filename().string());
    const TimelineDrawing drawing = drawn(entry.path());
    ++files;
    for (std::size_t i = 0; i < drawing.bars.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) CHECK_FALSE(overlap(drawing.bars[i], drawing.bars[k]));
    }
    std::set<std::pair<std::int64_t, double>> places;
    for (const DrawnMark& mark : drawing.marks) CHECK(places.emplace(mark.at.count(), mark.y).second);
    const auto labels = labels_of(timeline_svg(drawing, "t"));
    CHECK(labels.size() >= drawing.marks.size());
    for (std::size_t i = 0; i < labels.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        CAPTURE(labels[i].text);
        CAPTURE(labels[k].text);
        const bool apart = std::abs(labels[i].baseline - labels[k].baseline) >= 10 || labels[i].right <= labels[k].left ||
                           labels[k].right <= labels[i].left;
        CHECK(apart);
      }
    }
  }
  CHECK(files == 9);
}

TEST_CASE("the head of line that blocks is framed, and who could run stands behind it") {
  const TimelineDrawing drawing = drawn(experiments / "amert2017-table-5.yaml");
  CHECK(drawing.blocked);
  const auto of = [&](const std::string& text, BarStyle style) {
    return std::ranges::find_if(drawing.bars, [&](const DrawnBar& bar) { return bar.text == text && bar.style == style; });
  };
  const auto head = of("K8: no room", BarStyle::blocked);
  REQUIRE(head != drawing.bars.end());
  CHECK(head->start == Time(650'000'000));
  CHECK(head->end == Time(1'100'000'000));
  const auto behind = of("K9", BarStyle::waits);
  REQUIRE(behind != drawing.bars.end());
  CHECK(behind->waits.find("K8, the head of the queue: 400 ms") != std::string::npos);
  CHECK(std::ranges::any_of(drawing.rows, [](const DrawnRow& row) { return row.queue && row.name == "tx2 EE queue, high"; }));
}

TEST_CASE("copies have the colour of their own kernel, or one that no kernel has") {
  const TimelineDrawing drawing = drawn(experiments / "yang2020-table-3.1.yaml");
  std::map<std::string, std::string> kernels;
  for (const DrawnMark& mark : drawing.marks) {
    if (mark.text.find(':') == std::string::npos) CHECK(kernels.emplace(mark.text, mark.fill).second);
  }
  CHECK(kernels.size() == 6);
  std::size_t copies = 0;
  for (const DrawnBar& bar : drawing.bars) {
    if (bar.style != BarStyle::copies) continue;
    ++copies;
    CHECK(bar.fill == kernels.at(bar.text.substr(0, 2)));
  }
  CHECK(copies == 6);
  std::set<std::string> fills;
  for (const auto& [name, fill] : kernels) fills.insert(fill);
  CHECK(fills.size() == kernels.size());
}

TEST_CASE("no two of the first 24 colours are the same") {
  std::set<std::string> fills;
  for (std::size_t i = 0; i < 24; ++i) fills.insert(series_colour(i).fill);
  CHECK(fills.size() == 24);
  CHECK(series_colour(8).fill == "#005e45");  // #009e73 at three fifths: 158 -> 94, 115 -> 69
}

TEST_CASE("a kernel that is a millionth of its figure is still visible, and its tooltip tells when it ran") {
  const std::string svg = timeline_svg(drawn_text("  - {kernel: short, on: gpu, stream: S, at: 0 s, B: 1, H: 1024, L: 1 us}\n"
                                                  "  - {kernel: long, on: gpu, stream: T, at: 0 s, B: 1, H: 1024, L: 1 s}\n"),
                                       "t");
  static const std::regex bar(R"re(<rect class="runs" [^>]*width="([0-9.]+)"[^>]*><title>short, block 0\n0 ms to 1 us, 1 us)re");
  std::smatch found;
  REQUIRE(std::regex_search(svg, found, bar));
  CHECK(std::stod(found[1]) >= 1.5);
}

TEST_CASE("blocks of a task set's job that run together are one bar") {
  trace::TimelineSystem system;
  system.labels = {{{"gpu", PoolKind::gpu}}, {{"dag", {{"node", 0}}}}};
  system.threads = {2048};
  system.nodes = {{{256, false, false, ""}}};
  system.deadlines = {Time(40)};
  trace::Timeline timeline(system, Time::zero(), Time(100), 10);
  for (std::uint64_t block = 0; block < 12; ++block) {
    timeline.block({0, 0, 0}, block, static_cast<std::uint32_t>(block % 2), Time::zero(), Time(50));
  }
  timeline.job({0, 0, 0}, Time::zero(), Time::zero(), Time(50));
  timeline.dag(0, 0, Time::zero(), Time(50));
  CHECK(timeline.bars().size() == 2);
  CHECK(timeline.bars()[0].blocks == 6);
  const TimelineDrawing drawing = drawing_of(timeline, trace::waiting(timeline));
  REQUIRE(drawing.bars.size() == 2);
  // 6 x 256 of 2048 G-threads: three quarters of the row.
  CHECK((drawing.bars[0].bottom - drawing.bars[0].top) / (drawing.rows[1].bottom - drawing.rows[1].top) == doctest::Approx(0.75));
  REQUIRE(drawing.marks.size() == 2);
  CHECK(drawing.marks[1].kind == MarkKind::missed);
  CHECK(drawing.marks[1].tooltip.find("missed by 10 ns") != std::string::npos);
}

TEST_CASE("names cannot become markup, and none can turn the direction of text") {
  const std::string name = "</script><b>\\'\"&\xE2\x80\xAE";
  trace::TimelineSystem system;
  system.labels = {{{name, PoolKind::gpu}}, {{name, {{name, 0}}}}};
  system.threads = {1024};
  system.nodes = {{{1024, false, false, name}}};
  system.deadlines = {std::nullopt};
  system.experiment = true;
  trace::Timeline timeline(system, Time::zero(), Time(100), 10);
  timeline.block({0, 0, 0}, 0, 0, Time::zero(), Time(50));
  timeline.job({0, 0, 0}, Time::zero(), Time::zero(), Time(50));
  const TimelineDrawing drawing = drawing_of(timeline, trace::waiting(timeline));
  const std::string svg = timeline_svg(drawing, name);
  CHECK(svg.find("<b>") == std::string::npos);
  CHECK(svg.find("</script>") == std::string::npos);
  CHECK(svg.find("\xE2\x80\xAE") == std::string::npos);
  CHECK(svg.find("&lt;/script&gt;&lt;b&gt;\\'&quot;&amp;U+202E") != std::string::npos);
  CHECK(xml_text("a\x01") == "a\xEF\xBF\xBD");
  CHECK(nlohmann::json::parse(timeline_specification(drawing)).at("data").at(0).at("values").at(1).at("row") == name + " SM 0");
}
