#include "report/parts/still_chart.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "report/parts/still_expression.hpp"
#include "report/parts/still_scale.hpp"
#include "rta/model/error.hpp"

using namespace rta::report;
using Json = nlohmann::ordered_json;

namespace {

class OneDatum : public StillScope {
 public:
  [[nodiscard]] const Json& datum() const override { return datum_; }
  [[nodiscard]] Json signal(const std::string& name) const override { return name == "width" ? Json(500) : Json(); }
  [[nodiscard]] double place(const std::string&, const Json& value) const override { return 10 * value.get<double>(); }
  [[nodiscard]] double bandwidth(const std::string&) const override { return 8; }

 private:
  Json datum_ = {{"at", 3}, {"style", "runs"}, {"none", nullptr}};
};

Json evaluated(const char* text) { return still_expression(text)(OneDatum()); }

// A bar per row, from 0 to its value, cut at 8 in a group of its own.
std::string bars(const std::vector<double>& values, bool clips = false) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < values.size(); ++i) rows.push_back({{"name", "n" + std::to_string(i)}, {"value", values[i]}});
  Json spec = Json::parse(R"({"height": 60, "signals": [{"name": "width", "value": 900}],
    "scales": [{"name": "x", "type": "linear", "range": "width", "zero": true, "nice": true, "domain": {"data": "rows", "field": "value"}},
               {"name": "row", "type": "band", "range": "height", "domain": {"data": "rows", "field": "name"}}],
    "axes": [{"orient": "bottom", "scale": "x", "title": "time <ms>"}, {"orient": "left", "scale": "row"}]})");
  const Json bar = Json::parse(R"({"type": "rect", "from": {"data": "rows"}, "encode": {"update": {"x": {"scale": "x", "value": 0},
    "x2": {"scale": "x", "field": "value"}, "y": {"scale": "row", "field": "name"}, "height": {"scale": "row", "band": 1},
    "fill": [{"test": "datum.value > 8", "value": "#ff0000"}, {"value": "#0000ff"}], "tooltip": {"signal": "'not ' + drawn"}}}})");
  spec["data"] = Json::array({{{"name", "rows"}, {"values", rows}}});
  spec["marks"] = Json::array({clips ? Json{{"type", "group"}, {"clip", true}, {"marks", Json::array({bar})}} : bar});
  return still_chart(spec.dump());
}

std::vector<double> widths(const std::string& svg, const std::string& fill) {
  std::vector<double> out;
  std::smatch path;
  if (!std::regex_search(svg, path, std::regex("<path fill=\"" + fill + "\" d=\"([^\"]*)\""))) return out;
  const std::string d = path[1];
  const std::regex width(R"(M[-\d.]+ [-\d.]+h([-\d.]+)v)");
  for (std::sregex_iterator at(d.begin(), d.end(), width), end; at != end; ++at) out.push_back(std::stod((*at)[1].str()));
  return out;
}

}  // namespace

TEST_CASE("expressions of charts mean what they mean in Vega") {
  CHECK(evaluated("2 + 3 * 4") == Json(14.0));
  CHECK(evaluated("(2 + 3) * 4 - 6 / 2") == Json(17.0));
  CHECK(evaluated("datum.at > 2 ? 'late' : 'soon'") == Json("late"));
  CHECK(evaluated("datum.style === 'runs' && width < 500 ? 1 : 0") == Json(0.0));
  CHECK(evaluated("hover === null || hover === datum.at") == Json(true));
  CHECK(evaluated("max(1, floor(width / 140))") == Json(3.0));
  CHECK(evaluated("scale('x', datum.at) + bandwidth('row') - 3") == Json(35.0));
  CHECK(evaluated("-datum.at + length('four')") == Json(1.0));
  CHECK(evaluated("datum.none ? [3, 2] : []") == Json::array());
  CHECK(evaluated("datum.absent") == Json());
  CHECK_THROWS_AS((void)still_expression("alert(1)"), rta::Defect);
  CHECK_THROWS_AS((void)still_expression("datum.at +"), rta::Defect);
  CHECK_THROWS_AS((void)still_expression("1; 2"), rta::Defect);
}

TEST_CASE("scales take numbers and names to pixels") {
  // 8.3 with steps of 1 ends at 9: 4.5 is half of 300 pixels.
  const StillScale linear({{"type", "linear"}, {"zero", true}, {"nice", true}}, {Json(2), Json(8.3)}, {0, 300});
  CHECK(linear.place(4.5) == doctest::Approx(150));
  CHECK(linear.ticks(5, false).back().text == "8");
  const StillScale log({{"type", "log"}, {"nice", true}}, {Json(2), Json(500)}, {0, 300});  // 1 to 1000: a decade is 100 pixels
  CHECK(log.place(10) == doctest::Approx(100));
  CHECK(log.ticks(4, false).size() == 4);
  // Three bands and a quarter of a step between and around them: 3 - .25 + .5 steps in 325 pixels.
  const StillScale band({{"type", "band"}, {"padding", 0.25}}, {Json("a"), Json("b"), Json("a"), Json("c")}, {0, 325});
  CHECK(band.bandwidth() == doctest::Approx(75));
  CHECK(band.place("b") == doctest::Approx(125));
  const StillScale colour({{"type", "ordinal"}, {"range", {"red", "blue"}}}, {Json("a"), Json("b")}, {0, 0});
  CHECK(colour.value("b") == Json("blue"));
  CHECK(colour.value("z") == Json());
  const StillScale flat({{"type", "linear"}}, {Json(5), Json(5)}, {0, 100});  // no length
  CHECK(std::isfinite(flat.place(5)));
  CHECK(viridis(0) == "#440154");
  CHECK(viridis(1) == "#fde725");
}

TEST_CASE("bars that stand still have the lengths of their values, and their tests' colours") {
  const std::string svg = bars({4, 8, 10});
  const auto blue = widths(svg, "#0000ff"), red = widths(svg, "#ff0000");
  REQUIRE(blue.size() == 2);
  REQUIRE(red.size() == 1);
  CHECK(blue[1] / blue[0] == doctest::Approx(2).epsilon(0.01));
  CHECK(red[0] / blue[0] == doctest::Approx(2.5).epsilon(0.01));
  CHECK(svg.find("time &lt;ms&gt;") != svg.npos);
  for (const char* const name : {">n0<", ">n1<", ">n2<", ">10<"}) CHECK_MESSAGE(svg.find(name) != svg.npos, name);
  const std::regex tag("<(\\w+)");
  for (std::sregex_iterator at(svg.begin(), svg.end(), tag), end; at != end; ++at) {
    const std::string name = (*at)[1];
    CHECK_MESSAGE((name == "svg" || name == "path" || name == "text"), name);
  }
}

TEST_CASE("what is cut takes no room") {
  CHECK(bars({4, 8, 10}, true).find("overflow=\"hidden\"") != std::string::npos);
  const auto width = [](const std::string& svg) { return std::stod(svg.substr(svg.find("width=\"") + 7)); };
  CHECK(width(bars({4, 8, 10}, true)) == doctest::Approx(width(bars({4, 8, 10}))).epsilon(0.02));
}

TEST_CASE("a chart of nothing, and of what Vega knows and our charts do not use") {
  CHECK(still_chart(R"({"title": "t"})").find("<svg") == 0);
  CHECK_THROWS_AS((void)still_chart(R"({"data": [{"name": "d", "values": [{}]}], "marks": [{"type": "image", "from": {"data": "d"}}]})"),
                  rta::Defect);
}
