#include "rta/compare/calibration.hpp"

#include <doctest/doctest.h>

#include "rta/io/diagnostic.hpp"
#include "traces.hpp"

using namespace rta;
using namespace rta::test;

namespace {

std::string run(int job, long long consumed, long long length) {
  return R"({"t": "run", "dag": "cam", "node": "grab", "job": )" + std::to_string(job) + R"(, "cpu": 0, "start_ns": 0, "end_ns": )" +
         std::to_string(length) + (consumed < 0 ? "" : R"(, "consumed_ns": )" + std::to_string(consumed)) + "}\n";
}
std::string block(int job, int number, long long length) {
  return R"({"t": "block", "dag": "cam", "node": "blur", "job": )" + std::to_string(job) + R"(, "block": )" + std::to_string(number) +
         R"(, "sm": 1, "start_ns": 100, "end_ns": )" + std::to_string(100 + length) + "}\n";
}

compare::Calibration calibrated(const std::string& text, std::uint32_t ppm = 1'000'000, const std::map<std::string, Time>& overheads = {}) {
  std::istringstream in(text);
  trace::Reader reader(in, "t.jsonl");
  const auto set = camera();
  return compare::calibrate(*set, digest, ppm, reader, "t.jsonl", overheads);
}

Time C_of(const compare::Calibration& c) { return std::get<CpuDemand>(c.task_set.dags()[0].nodes()[0].demand).C; }
const GpuDemand& blur_of(const compare::Calibration& c) { return std::get<GpuDemand>(c.task_set.dags()[0].nodes()[1].demand); }

}  // namespace

TEST_CASE("C is the largest CPU time of a job, L the longest block") {
  const auto c = calibrated(header() + run(0, 1'100'000, 5'000'000) + node_job("grab", 0, 0, 0, 5'000'000) + run(1, 1'300'000, 2'000'000) +
                            node_job("grab", 1, 0, 0, 2'000'000) + block(0, 0, 1'900'000) + block(0, 1, 2'050'000) + end_line());
  CHECK(C_of(c) == Time(1'300'000));
  CHECK(blur_of(c).L == Time(2'050'000));
  CHECK(blur_of(c).C == Workload(Wide{2'050'000} * 32));
  CHECK(c.replaced == 2);
  CHECK(c.complete);
  CHECK(c.warnings.empty());
}

TEST_CASE("overheads of the run belong to C and L") {
  const auto c = calibrated(header(R"(, "overhead_ns": {"cpu": 100000, "gpu": 400000})") + run(0, 1'100'000, 1'100'000) +
                            node_job("grab", 0, 0, 0, 1'100'000) + block(0, 0, 1'900'000) + end_line());
  CHECK(C_of(c) == Time(1'200'000));
  CHECK(blur_of(c).L == Time(2'300'000));
  CHECK_THROWS_AS(calibrated(header(R"(, "overhead_ns": {"cpu": -1})") + end_line()), io::InputError);
  CHECK_THROWS_AS(calibrated(header(R"(, "overhead_ns": "much")") + end_line()), io::InputError);
}

TEST_CASE("overheads that are given stand in place of those of the run") {
  const auto c = calibrated(header(R"(, "overhead_ns": {"cpu": 100000, "gpu": 400000})") + run(0, 1'100'000, 1'100'000) +
                                node_job("grab", 0, 0, 0, 1'100'000) + block(0, 0, 1'900'000) + end_line(),
                            1'000'000, {{"cpu", 250_us}});
  CHECK(C_of(c) == Time(1'350'000));
  CHECK(blur_of(c).L == Time(2'300'000));
}

TEST_CASE("the shortest time stays below what was observed") {
  const auto set = camera();
  std::vector<Node> nodes(set->dags()[0].nodes().begin(), set->dags()[0].nodes().end());
  nodes[0].variation = Variation{Time(900'000), Time(950'000)};
  const auto edges = set->dags()[0].edges();
  const TaskSet varied(set->name(), {set->pools().begin(), set->pools().end()},
                       {Dag(set->dags()[0].name(), set->dags()[0].period(), std::nullopt, nodes, {edges.begin(), edges.end()})});
  std::istringstream in(header() + run(0, 800'000, 1) + node_job("grab", 0, 0, 0, 1) + end_line());
  trace::Reader reader(in, "t.jsonl");
  const auto c = compare::calibrate(varied, digest, 1'000'000, reader, "t.jsonl");
  CHECK(C_of(c) == Time(800'000));
  CHECK(c.task_set.dags()[0].nodes()[0].variation == Variation{Time(800'000), Time(800'000)});
}

TEST_CASE("the shortest time is no longer than what was observed, whatever the longest is") {
  const auto set = camera();
  std::vector<Node> nodes(set->dags()[0].nodes().begin(), set->dags()[0].nodes().end());
  nodes[0].variation = Variation{Time(900'000), Time(950'000)};
  const auto edges = set->dags()[0].edges();
  const TaskSet varied(set->name(), {set->pools().begin(), set->pools().end()},
                       {Dag(set->dags()[0].name(), set->dags()[0].period(), std::nullopt, nodes, {edges.begin(), edges.end()})});
  std::istringstream in(header() + run(0, 1'100'000, 1) + node_job("grab", 0, 0, 0, 1) + run(1, 300'000, 1) + node_job("grab", 1, 0, 0, 1) +
                        end_line());
  trace::Reader reader(in, "t.jsonl");
  const auto c = compare::calibrate(varied, digest, 1'000'000, reader, "t.jsonl");
  CHECK(C_of(c) == Time(1'100'000));
  CHECK(c.task_set.dags()[0].nodes()[0].variation == Variation{Time(300'000), Time(950'000)});
}

TEST_CASE("a simulated job's pieces add up") {
  const auto c = calibrated(header() + run(0, -1, 400'000) + run(0, -1, 500'000) + node_job("grab", 0, 0, 0, 5'000'000) + end_line());
  CHECK(C_of(c) == Time(900'000));
}

TEST_CASE("a percentile leaves outliers out and is never below the exact one") {
  std::string text = header();
  for (int j = 0; j < 100; ++j) text += run(j, j == 50 ? 9'000'000 : 1'000'000 + j, 1) + node_job("grab", j, 0, 0, 1);
  const auto c = calibrated(text + end_line(), 990'000);
  CHECK(C_of(c) >= Time(1'000'099));  // 99 of 100 are at most that
  CHECK(C_of(c) <= Time(1'000'099 + 1'000'099 / 128 + 1));
}

TEST_CASE("a node that the trace does not show keeps its value, with a warning") {
  const auto c = calibrated(header() + block(0, 0, 1'900'000) + end_line());
  CHECK(C_of(c) == 1_ms);
  CHECK(c.replaced == 1);
  REQUIRE(c.warnings.size() == 1);
  CHECK(c.warnings[0].find("cam/grab") != std::string::npos);
}

TEST_CASE("a trace of another task set calibrates nothing") {
  std::string other = header() + block(0, 0, 1) + end_line();
  other.replace(other.find(digest), 64, std::string(64, 'b'));
  CHECK_THROWS_AS(calibrated(other), io::InputError);
}

TEST_CASE("copies of a DAG share their observations") {
  const auto dag = [](const char* name) { return Dag(name, 10_ms, std::nullopt, {cpu_node("grab", 1_ms)}, {}); };
  const auto set = task_set({cpu_pool(1)}, {dag("cam[0]"), dag("cam[1]"), dag("other")});
  std::istringstream in(header() +
                        R"({"t": "run", "dag": "cam[1]", "node": "grab", "job": 0, "cpu": 0, "start_ns": 0, "end_ns": 700000})"
                        "\n"
                        R"({"t": "job", "dag": "cam[1]", "node": "grab", "job": 0, "release_ns": 0, "start_ns": 0, "end_ns": 700000})"
                        "\n" +
                        end_line());
  trace::Reader reader(in, "t.jsonl");
  const auto c = compare::calibrate(*set, digest, 1'000'000, reader, "t.jsonl");
  const auto C = [&](DagId d) { return std::get<CpuDemand>(c.task_set.dags()[d].nodes()[0].demand).C; };
  CHECK(C(0) == Time(700'000));
  CHECK(C(1) == Time(700'000));
  CHECK(C(2) == 1_ms);
}
