#include "rta/report/comparison_report.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "compare/traces.hpp"
#include "rta/report/format.hpp"

using namespace rta;
using namespace rta::test;

namespace {

std::string printed(const std::vector<compare::Comparison>& comparisons, std::string_view format, bool verbose = false) {
  const auto set = camera();
  std::ostringstream out;
  report::printer_of<report::ComparisonReport> (*report::format_named(format))({*set, comparisons, verbose, false}, out);
  return out.str();
}

compare::Comparison within() { return compared(header() + node_job("grab", 0, 0, 0, 1'000'000) + dag_job(0, 0, 3'500'000) + end_line()); }
compare::Comparison above() { return compared(header() + dag_job(7, 70'000'000, 78'000'000) + end_line()); }

}  // namespace

TEST_CASE("the verdict comes first and names what limits it") {
  CHECK(printed({within()}, "text").starts_with("within bounds: no job took longer than proven\n"));
  CHECK(printed({above()}, "text").starts_with("ABOVE THE BOUND: 1 job of DAGs and nodes took longer than proven\n"));
  CHECK(report::verdict_line(compared(header() + dag_job(0, 0, 1))).ends_with("the trace is INCOMPLETE"));
  CHECK(report::verdict_line(compared(header() + dag_job(0, 0, 1) + end_line(true, 3))).ends_with("3 records were lost"));
  CHECK(report::verdict_line(compared(header() + end_line())).starts_with("nothing compared"));
  const auto invalid =
      compared(header() + dag_job(0, 0, 1) + R"({"t": "check", "name": "C", "outcome": "failed", "text": "x"})" + "\n" + end_line());
  CHECK(report::verdict_line(invalid).find("INVALID") != std::string::npos);
}

TEST_CASE("a missed deadline is said first, marked, and counted") {
  // cam: D = 20 ms; its first job takes 25 ms, its second 15 ms.
  const auto late = compared(header() + dag_job(0, 0, 25'000'000) + dag_job(1, 30'000'000, 45'000'000) + end_line());
  CHECK_FALSE(late.met_deadlines());
  CHECK(late.missed == 1);
  CHECK(report::verdict_line(late).starts_with("DEADLINE MISSED: 1 job of DAGs and nodes ended too late; ABOVE THE BOUND: 2 jobs"));
  CHECK(printed({late}, "text").find("MISSED\n") != std::string::npos);
  CHECK(printed({late}, "html").find("<td class=\"bad\">MISSED</td>") != std::string::npos);
  const auto json = nlohmann::json::parse(printed({late}, "json"));
  CHECK(json["comparisons"][0]["dags"][0]["deadline_ns"] == 20'000'000);
  CHECK(json["comparisons"][0]["dags"][0]["missed"] == 1);
  CHECK(within().met_deadlines());
}

TEST_CASE("text: figures of each DAG, of each node when asked, and each job above its bound") {
  const std::string text = printed({within()}, "text");
  CHECK(text.find("3.5 ms") != std::string::npos);
  CHECK(text.find("2.00") != std::string::npos);  // bound 7 ms over max 3.5 ms
  CHECK(text.find("cam/grab") == std::string::npos);
  CHECK(printed({within()}, "text", true).find("cam/grab") != std::string::npos);
  CHECK(printed({above()}, "text", true).find("Job 7 of cam, released at 70 ms: 8 ms after its release, proven at most 7 ms") !=
        std::string::npos);
}

TEST_CASE("JSON and CSV hold whole nanoseconds") {
  const auto json = nlohmann::json::parse(printed({within(), above()}, "json"));
  REQUIRE(json["comparisons"].size() == 2);
  CHECK(json["comparisons"][0]["verdict"] == "within");
  CHECK(json["comparisons"][0]["dags"][0]["max_ns"] == 3'500'000);
  CHECK(json["comparisons"][1]["verdict"] == "above");
  CHECK(json["comparisons"][1]["violations"][0]["response_ns"] == 8'000'000);
  CHECK(json["comparisons"][1]["violations"][0]["job"] == 7);
  CHECK(printed({within()}, "csv") ==
        "trace,dag,node,count,max_ns,mean_ns,p99_ns,bound_ns,bound_over_max,over,deadline_ns,missed\r\n"
        "t.jsonl,cam,,1,3500000,3500000,3500000,7000000,2.00,0,20000000,0\r\n"
        "t.jsonl,cam,grab,1,1000000,1000000,1000000,3000000,3.00,0,,0\r\n");
}

TEST_CASE("the page draws the distribution with its bound, and the timeline") {
  const std::string page = printed({within()}, "html");
  CHECK(page.find("bound 7 ms") != std::string::npos);
  std::size_t charts = 0;
  for (std::size_t at = 0; (at = page.find("data-chart=", at)) != std::string::npos; ++at) ++charts;
  CHECK(charts == 2);
  CHECK(printed({within(), above()}, "html").find("Side by side") != std::string::npos);
}

TEST_CASE("traces of variants: one chart of all DAGs by granularity, and each trace with its own task set") {
  const auto set = camera();
  const auto coarse = compared(header(R"(, "granularity": "coarse")") + dag_job(0, 0, 80'000'000) + end_line());
  const std::vector<compare::Comparison> all{within(), coarse, above()};
  const std::vector<const TaskSet*> variants(all.size(), set.get());
  const auto text = [&](std::string_view format) {
    std::ostringstream out;
    report::printer_of<report::ComparisonReport> (*report::format_named(format))({*set, all, false, false, variants}, out);
    return out.str();
  };
  const std::string page = text("html");
  CHECK(page.find("Observed against bound: variants of a task set") != std::string::npos);
  CHECK(page.find("All DAGs") != std::string::npos);
  CHECK(page.find("Distribution of end-to-end response times; dashed") == std::string::npos);
  CHECK(page.find("response time (ms, logarithmic)") != std::string::npos);  // 3.5 and 80 ms
  // Two colours; the second of one granularity is dashed.
  CHECK(page.find(R"("range":["#0072b2","#d55e00","#0072b2"])") != std::string::npos);
  CHECK(page.find(R"("range":[[],[],[8,4]])") != std::string::npos);
  CHECK(nlohmann::json::parse(text("json"))["comparisons"][2]["task_set"] == set->name());
  CHECK(text("text").find("90 %") != std::string::npos);
  CHECK(printed(all, "html").find("All DAGs") == std::string::npos);
}
