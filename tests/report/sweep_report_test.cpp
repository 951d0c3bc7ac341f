#include "rta/report/sweep_report.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "report/sweep_panels.hpp"
#include "report/sweep_printers.hpp"
#include "rta/model/error.hpp"

using namespace rta;
using namespace rta::report;

namespace {

// Two parameters, two analyses; acceptance falls along the load and is lower with 8 SMs.
sweep::Results small_sweep() {
  sweep::Results sweep;
  sweep.name = "small";
  sweep.parameters = {"platform.gpu.sms", "random.gpu.utilization"};
  sweep.analyses = {"T5", "T6"};
  std::uint64_t point = 0;
  for (const char* sms : {"8", "16"}) {
    for (const char* load : {"60 %", "20 %"}) {
      for (const char* analysis : {"T5", "T6"}) {
        sweep::SummaryEntry entry;
        entry.point = point;
        entry.values = {sms, load};
        entry.analysis = analysis;
        entry.sets = 100;
        entry.acceptance = load[0] == '2' ? 0.9 : 0.1;
        entry.low = entry.acceptance - 0.05;
        entry.high = entry.acceptance + 0.05;
        if (load[0] == '2') entry.over_period = sweep::Spread{1.5, 1, 1.2, 1.4, 1.6, 2, 3};
        sweep.entries.push_back(entry);
        if (entry.analysis == "T6")
          sweep.ratios.push_back({point, {sms, load}, "T6", "T5", 90, sweep::Spread{0.8, 0.6, 0.7, 0.8, 0.9, 1, 1}});
      }
      ++point;
    }
  }
  sweep.points = 4;
  sweep.sets = 400;
  sweep.weighted = {{"platform.gpu.sms", "analysis", "weighted_schedulability"}, {"8", "T5", "0.3"}};
  return sweep;
}

}  // namespace

TEST_CASE("axes: numbers with a common unit, else names") {
  const sweep::Results sweep = small_sweep();
  const SweepAxis load = axis_of(sweep, 1);
  CHECK(load.numeric);
  CHECK(load.label == "gpu utilization [%]");
  CHECK(load.position("60 %") == 60);
  CHECK(curve_parameter(sweep) == 1);
  sweep::Results mixed = sweep;
  mixed.entries[0].values[1] = "[1, 2]";
  const SweepAxis names = axis_of(mixed, 1);
  CHECK_FALSE(names.numeric);
  CHECK(names.texts == std::vector<std::string>{"[1, 2]", "60 %", "20 %"});
  CHECK(names.position("20 %") == 2);
  CHECK(curve_parameter(mixed) == 0);
  mixed.parameters.clear();
  CHECK_FALSE(curve_parameter(mixed).has_value());
}

TEST_CASE("panels: one for each value of the other parameters, a curve for each analysis, points in order") {
  const Panels panels = panels_of(small_sweep(), SweepChart::acceptance, 1);
  REQUIRE(panels.panels.size() == 2);
  CHECK(panels.panels[0].title == "platform.gpu.sms = 8");
  REQUIRE(panels.panels[0].curves.size() == 2);
  const Curve& curve = panels.panels[0].curves[1];
  CHECK(curve.name == "T6");
  REQUIRE(curve.points.size() == 2);
  CHECK(curve.points[0].x == 20);
  CHECK(curve.points[0].y == 0.9);
  CHECK(curve.points[1].low == doctest::Approx(0.05));
  CHECK(curve.points[0].tooltip == "T6: random.gpu.utilization = 20 %, 90.00 % of 100 sets (95 %: 85.00 to 95.00 %)");
  // Points without bounds are left out.
  CHECK(panels_of(small_sweep(), SweepChart::bounds, 1).panels[0].curves[0].points.size() == 1);
  CHECK(panels_of(small_sweep(), SweepChart::ratios, 1).panels[0].curves.size() == 1);
}

TEST_CASE("no axis goes below 0 where no value does") {
  sweep::Results sweep = small_sweep();
  for (sweep::SummaryRatio& r : sweep.ratios) *r.ratio = {0.1, 0.01, 0.05, 0.1, 2, 3, 4};
  const Panels panels = panels_of(sweep, SweepChart::ratios, 1);
  double least = 1;
  for (const CurvePoint& point : panels.panels[0].curves[0].points) least = std::min(least, point.low);
  CHECK(least > 0);
  CHECK(panels.least_y >= 0);
  CHECK(panels.least_y <= least);
}

TEST_CASE("heat maps: one for each analysis") {
  const auto maps = heat_maps(small_sweep(), 1, 0);
  REQUIRE(maps.size() == 2);
  CHECK(maps[0].title == "T5");
  CHECK(maps[0].cells.size() == 4);
  CHECK(heat_parameter(small_sweep(), 1) == 0);
}

TEST_CASE("the page: charts are valid JSON with the data inlined") {
  const Page page = sweep_page(small_sweep());
  CHECK(page.summary == "400 random task sets at 4 points, 2 analyses each");
  int charts = 0;
  for (const auto& part : page.content) {
    const auto* chart = std::get_if<Chart>(&part);
    if (chart == nullptr) continue;
    ++charts;
    const auto spec = nlohmann::json::parse(chart->specification);
    CHECK(spec.at("$schema") == "https://vega.github.io/schema/vega/v5.json");
    CHECK_FALSE(spec.at("data").at(0).at("values").empty());
  }
  CHECK(charts == 2 + 2 + 2 + 2);  // acceptance, bounds and ratios for 8 and 16 SMs; a map for each analysis
}

TEST_CASE("gnuplot scripts break titles that are wider than their panel") {
  sweep::Results sweep = small_sweep();
  sweep.parameters[0] = "platform.accelerator.multiprocessors";
  for (const std::string name : {"random.tasks", "random.cpu.utilization"}) {
    sweep.parameters.push_back(name);
    std::size_t i = 0;
    for (sweep::SummaryEntry& e : sweep.entries) e.values.push_back(i++ < sweep.entries.size() / 2 ? "1" : "2");
  }
  const std::string script = gnuplot_script(sweep, SweepChart::acceptance, "fig.pdf", {.along = 1});
  CHECK(script.find("set title 'platform.accelerator.multiprocessors = 8,'.\"\\n\".'random.tasks = 1, random.cpu.utilization = 1'") !=
        std::string::npos);
}

TEST_CASE("gnuplot scripts quote what they show") {
  sweep::Results sweep = small_sweep();
  sweep.analyses[0] = "a\"b\\c`d`'e";
  for (sweep::SummaryEntry& e : sweep.entries) {
    if (e.analysis == "T5") e.analysis = sweep.analyses[0];
  }
  const std::string script = gnuplot_script(sweep, SweepChart::acceptance, "it's.pdf");
  CHECK(script.find("set output 'it''s.pdf'") != std::string::npos);
  CHECK(script.find("title 'a\"b\\c`d`''e'") != std::string::npos);
  CHECK(gnuplot_script(sweep, SweepChart::heat, "fig.png").find("'20 %%'") != std::string::npos);
  CHECK_THROWS_AS(static_cast<void>(gnuplot_script(sweep, SweepChart::acceptance, "fig.txt")), UserError);
  sweep.ratios.clear();
  CHECK_THROWS_AS(static_cast<void>(gnuplot_script(sweep, SweepChart::ratios, "fig.pdf")), UserError);
  // Between double quotes gnuplot runs what stands in back-quotes; a name that begins with | is a command, with ~ somebody's home.
  for (const char* output : {"|touch x.pdf", "~/x.pdf"})
    CHECK(gnuplot_script(sweep, SweepChart::acceptance, output).find(std::string("set output './") + output + "'") != std::string::npos);
  for (const char* output : {"a\nb.pdf", "a\x1b.pdf"})
    CHECK_THROWS_AS(static_cast<void>(gnuplot_script(sweep, SweepChart::acceptance, output)), UserError);
}

TEST_CASE("the table: one line for each point and analysis") {
  std::ostringstream out;
  print_sweep_text(small_sweep(), out);
  const std::string table = out.str();
  CHECK(std::count(table.begin(), table.end(), '\n') == 9);
  CHECK(table.find("8                 20 %                    T5         100   90.00 %") != std::string::npos);
}

TEST_CASE("an analysis has one colour in every panel and chart, also where the first is not drawn") {
  const sweep::Results sweep = small_sweep();
  const Panels acceptance = panels_of(sweep, SweepChart::acceptance, 1);
  for (const Panel& panel : acceptance.panels) {
    CHECK(panel.curves[0].colour == 0);
    CHECK(panel.curves[1].colour == 1);
  }
  // Ratios are drawn of T6 alone.
  CHECK(panels_of(sweep, SweepChart::ratios, 1).panels[0].curves[0].colour == 1);
  const std::string ratios = gnuplot_script(sweep, SweepChart::ratios, "fig.pdf");
  const std::string both = gnuplot_script(sweep, SweepChart::acceptance, "fig.pdf");
  const std::string of_t6 = "linecolor rgb \"#d55e00\"";  // the second of the series
  CHECK(ratios.find(of_t6) != std::string::npos);
  CHECK(ratios.find("#0072b2") == std::string::npos);
  CHECK(both.find(of_t6) != std::string::npos);
}

TEST_CASE("there is a gap where points are missing") {
  sweep::Results sweep = small_sweep();
  sweep.parameters = {"load"};
  sweep.entries.clear();
  for (const char* load : {"10 %", "20 %", "30 %", "40 %"}) {
    sweep::SummaryEntry entry;
    entry.values = {load};
    entry.analysis = "T5";
    entry.sets = 10;
    if (load[0] != '3') entry.over_period = sweep::Spread{1, 1, 1, 1, 1, 1, 1};
    sweep.entries.push_back(entry);
  }
  const Panels panels = panels_of(sweep, SweepChart::bounds, 0);
  using Runs = std::vector<std::pair<std::size_t, std::size_t>>;
  CHECK(runs_of(panels.panels[0].curves[0]) == Runs{{0, 2}, {2, 3}});
  CHECK(gnuplot_script(sweep, SweepChart::bounds, "fig.pdf").find("10 1 1 1\n20 1 1 1\n\n40 1 1 1\n") != std::string::npos);
  CHECK(runs_of(panels_of(sweep, SweepChart::acceptance, 0).panels[0].curves[0]) == Runs{{0, 4}});
}

TEST_CASE("panels share their scales unless they are to be free; the legend stands below all of them") {
  const std::string shared = gnuplot_script(small_sweep(), SweepChart::bounds, "fig.pdf");
  // 90 % of the sets are in 1 to 2, with a twentieth of that as room.
  CHECK(shared.find("set yrange [0.95:2.05]") != std::string::npos);
  const std::string free = gnuplot_script(small_sweep(), SweepChart::bounds, "fig.pdf", {.shared_scales = false});
  CHECK(free.find("set yrange [0.95") == std::string::npos);
  CHECK(shared.find("unset key") < shared.find("plot $curve"));
  CHECK(shared.find("set key center") > shared.rfind("plot $curve"));
}

TEST_CASE("analyses and parameters are shown under their labels") {
  sweep::Results sweep = small_sweep();
  sweep.labels = {{"T6", "ours"}, {"random.gpu.utilization", "GPU load"}};
  const Panels panels = panels_of(sweep, SweepChart::acceptance, 1);
  CHECK(panels.x.label == "GPU load [%]");
  CHECK(panels.panels[0].curves[1].name == "ours");
  CHECK(panels.panels[0].curves[1].colour == 1);
  CHECK(gnuplot_script(sweep, SweepChart::acceptance, "fig.pdf").find("title 'ours'") != std::string::npos);
}

TEST_CASE("panels: bounds and ratios over more than two decades have a logarithmic axis, and say so") {
  sweep::Results sweep = small_sweep();
  CHECK_FALSE(panels_of(sweep, SweepChart::bounds, 1).logarithmic);
  CHECK_FALSE(panels_of(sweep, SweepChart::ratios, 1).logarithmic);
  for (sweep::SummaryEntry& entry : sweep.entries) {
    if (entry.over_period && entry.point == 1) entry.over_period->p95 = 1'000 * entry.over_period->p05;
  }
  sweep.ratios.front().ratio = sweep::Spread{0.8, 0.6, 0.7, 0.8, 0.9, 61, 100};
  for (const SweepChart chart : {SweepChart::bounds, SweepChart::ratios}) {
    const Panels panels = panels_of(sweep, chart, 1);
    CHECK(panels.logarithmic);
    CHECK(panels.y_label.ends_with("(logarithmic)"));
    CHECK(panels.least_y > 0);
  }
  sweep.ratios.front().ratio->p05 = 0;  // no place on such an axis
  CHECK_FALSE(panels_of(sweep, SweepChart::ratios, 1).logarithmic);
}
