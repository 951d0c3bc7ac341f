#include "rta/compare/comparison.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

#include "rta/io/diagnostic.hpp"
#include "traces.hpp"

using namespace rta;
using namespace rta::test;

namespace {

// Three jobs: DAG responses 6, 5 and 7 ms; grab 1, 2, 1 ms; blur from its offset (3 ms): 3, 2, 4 ms.
std::string three_jobs() {
  return node_job("grab", 0, 0, 0, 1'000'000) + node_job("blur", 0, 3'000'000, 3'100'000, 6'000'000) + dag_job(0, 0, 6'000'000) +
         node_job("grab", 1, 10'000'000, 10'500'000, 12'000'000) + node_job("blur", 1, 13'000'000, 13'000'000, 15'000'000) +
         dag_job(1, 10'000'000, 15'000'000) + node_job("grab", 2, 20'000'000, 20'000'000, 21'000'000) +
         node_job("blur", 2, 23'000'000, 24'000'000, 27'000'000) + dag_job(2, 20'000'000, 27'000'000);
}

bool mentions(const std::vector<std::string>& texts, const std::string& part) {
  return std::ranges::any_of(texts, [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("count, maximum, mean and percentile per DAG and node, from the DAG's release and the node's offset") {
  const auto c = compared(header() + three_jobs() + end_line());
  CHECK(c.complete);
  CHECK(c.within_bounds());
  CHECK(c.conclusive());
  CHECK(c.valid());
  CHECK(c.violations.empty());
  REQUIRE(c.dags.size() == 1);
  CHECK(c.dags[0].count() == 3);
  CHECK(c.dags[0].max() == 7_ms);
  CHECK(c.dags[0].mean() == 6_ms);  // (6 + 5 + 7) / 3
  CHECK(c.dags[0].worst_job == 2);
  CHECK(c.dags[0].bound == 7_ms);
  REQUIRE(c.nodes.size() == 2);
  CHECK(c.nodes[0].max() == 2_ms);
  CHECK(c.nodes[0].mean() == Time(1'333'334));  // 4/3 ms, rounded up
  CHECK(c.nodes[1].max() == 4_ms);
  CHECK(c.nodes[1].sorted == std::vector<Time>{2_ms, 3_ms, 4_ms});
}

TEST_CASE("the 99th percentile is the least value that 99 % do not exceed") {
  compare::Responses row;
  for (int i = 1; i <= 200; ++i) row.sorted.emplace_back(i);
  CHECK(row.quantile(990'000) == 198_ns);  // 0.99 * 200 = 198 exactly
  CHECK(row.quantile(990'001) == 199_ns);
  CHECK(row.quantile(1'000'000) == 200_ns);
  CHECK(row.quantile(1) == 1_ns);
}

TEST_CASE("a response time equal to its bound is within it, one ns more is not") {
  const auto exact = compared(header() + dag_job(0, 0, 7'000'000) + end_line());
  CHECK(exact.within_bounds());
  const auto over = compared(header() + dag_job(0, 0, 7'000'001) + end_line());
  CHECK_FALSE(over.within_bounds());
  CHECK(over.dags[0].over == 1);
  REQUIRE(over.violations.size() == 1);
  CHECK(over.violations[0].response == Time(7'000'001));
  CHECK(over.violations[0].bound == 7_ms);
  CHECK_FALSE(over.violations[0].node.has_value());
}

TEST_CASE("a job above its bound comes with what the trace shows: C exceeded, predecessor late, entry late") {
  const std::string run =
      R"({"t": "run", "dag": "cam", "node": "grab", "job": 4, "cpu": 0, "start_ns": 0, "end_ns": 3500000, "consumed_ns": 3400000})"
      "\n";
  const auto c = compared(header() + run + node_job("grab", 4, 0, 0, 3'500'000) + node_job("blur", 4, 3'500'000, 3'500'000, 7'200'000) +
                          dag_job(4, 0, 7'200'000) + end_line());
  CHECK(c.over == 3);  // grab 3.5 > 3, blur 4.2 > 4, cam 7.2 > 7 ms
  REQUIRE(c.violations.size() == 3);
  CHECK(c.violations[0].response - c.violations[0].bound == Time(500'000));  // the largest excess first
  const auto of = [&](std::optional<NodeId> node) {
    return *std::ranges::find_if(c.violations, [&](const auto& v) { return v.node == node; });
  };
  CHECK(mentions(of(0).reasons, "cam/grab exceeded its C: 3400.000 us of 1000.000 us"));
  CHECK(mentions(of(1).reasons, "predecessor cam/grab was above its own bound"));
  CHECK(mentions(of(1).reasons, "entered its queue 500.000 us after its offset"));
  CHECK(mentions(of(std::nullopt).reasons, "cam/grab exceeded its C"));
}

TEST_CASE("an execution that is longer by a clock's reading is no reason") {
  const std::string run =
      R"({"t": "run", "dag": "cam", "node": "grab", "job": 0, "cpu": 0, "start_ns": 0, "end_ns": 3500000, "consumed_ns": 1000400})"
      "\n";
  const auto c = compared(header() + run + node_job("grab", 0, 0, 0, 3'500'000) + dag_job(0, 0, 3'500'000) + end_line());
  REQUIRE(c.violations.size() == 1);
  CHECK_FALSE(mentions(c.violations[0].reasons, "exceeded its C"));
  CHECK(mentions(c.violations[0].reasons, "nothing that the trace shows"));
}

TEST_CASE("a block longer than L and a failed self-check are reasons") {
  const std::string block =
      R"({"t": "block", "dag": "cam", "node": "blur", "job": 0, "block": 1, "sm": 0, "start_ns": 3000000, "end_ns": 7500000})"
      "\n";
  const std::string check = R"({"t": "check", "name": "scheduling of cpu", "outcome": "warning", "text": "SCHED_OTHER"})"
                            "\n";
  const auto c =
      compared(header() + block + node_job("blur", 0, 3'000'000, 3'000'000, 7'500'000) + dag_job(0, 0, 7'500'000) + check + end_line());
  REQUIRE(c.violations.size() == 2);
  CHECK(mentions(c.violations[0].reasons, "cam/blur exceeded its L: 4500.000 us of 2000.000 us"));
  CHECK(mentions(c.violations[0].reasons, "SCHED_OTHER"));
  CHECK(c.valid());  // a warning does not make a run invalid
}

TEST_CASE("a run with a failed check is invalid, whatever it observed") {
  const auto c =
      compared(header() + three_jobs() + R"({"t": "check", "name": "C", "outcome": "failed", "text": "too long"})" + "\n" + end_line());
  CHECK(c.within_bounds());
  CHECK_FALSE(c.valid());
}

TEST_CASE("a trace that ends early is compared as far as it goes, and says so") {
  const std::string whole = header() + three_jobs() + end_line();
  const std::size_t first_line = whole.find('\n') + 1;
  // Cut anywhere behind the header: never an error, never complete.
  for (std::size_t length = first_line; length + 1 < whole.size(); length += 7) {
    const auto c = compared(whole.substr(0, length));
    CHECK_FALSE(c.complete);
    CHECK(mentions(c.warnings, "incomplete"));
    CHECK(c.within_bounds());
    CHECK(c.dags[0].count() <= 3);
  }
}

TEST_CASE("records of nodes may come after that of their DAG's job, which other threads of a run have written") {
  const std::string grab = node_job("grab", 4, 300'000, 300'000, 3'500'000);  // 3.5 > 3 ms after the release, not after its entry
  const std::string blur = node_job("blur", 4, 3'500'000, 3'500'000, 7'200'000);
  const std::string dag = dag_job(4, 0, 7'200'000);
  const auto before = compared(header() + grab + blur + dag + end_line());
  const std::vector<compare::Comparison> others{compared(header() + dag + grab + blur + end_line()),
                                                compared(header() + grab + dag + blur + end_line())};
  for (const compare::Comparison& after : others) {
    CHECK(after.warnings.empty());
    CHECK(after.over == 3);
    REQUIRE(after.nodes.size() == 2);
    for (std::size_t v = 0; v < 2; ++v) CHECK(after.nodes[v].sorted == before.nodes[v].sorted);
    CHECK(mentions(after.violations[0].reasons, "after its offset"));
  }
}

TEST_CASE("a job of a node whose DAG job has no end counts from its entry into the queue") {
  const auto c = compared(header() + node_job("grab", 0, 100'000, 200'000, 1'100'000));
  CHECK(c.dags[0].count() == 0);
  REQUIRE(c.nodes.size() == 1);
  CHECK(c.nodes[0].max() == 1_ms);
  CHECK(mentions(c.warnings, "1 DAG jobs have no end"));
}

TEST_CASE("lost records are said") {
  const auto c = compared(header() + three_jobs() + end_line(true, 12));
  CHECK(c.lost_records == 12);
  CHECK(mentions(c.warnings, "12 records were lost"));
}

TEST_CASE("a trace of another task set is refused") {
  std::string other = header() + three_jobs() + end_line();
  other.replace(other.find(digest), 64, std::string(64, 'b'));
  CHECK_THROWS_AS(compared(other), io::InputError);
}

TEST_CASE("a trace that does not say what it is of is compared by names, with a warning") {
  const auto c = compared(R"({"schema": 1, "kind": "trace", "source": "simulation", "task_set": "cam.yaml"})"
                          "\n" +
                          three_jobs() + end_line());
  CHECK(c.dags[0].count() == 3);
  CHECK(mentions(c.warnings, "does not say which task-set file"));
}

TEST_CASE("names that the task set does not have are refused") {
  CHECK_THROWS_AS(compared(header() + node_job("sharpen", 0, 0, 0, 1) + end_line()), io::InputError);
  std::string dag = dag_job(0, 0, 1);
  dag.replace(dag.find("cam"), 3, "car");
  CHECK_THROWS_AS(compared(header() + dag + end_line()), io::InputError);
}

TEST_CASE("broken traces are errors with their line, never a crash") {
  for (const char* broken : {"", "\n", "{}", "nonsense", R"({"schema": 2, "kind": "trace", "source": "x", "task_set": "y"})"}) {
    CAPTURE(broken);
    CHECK_THROWS_AS(compared(broken), io::InputError);
  }
  for (const char* broken :
       {"nonsense\n", "[1]\n", R"({"t": "job"})", R"({"t": "dag", "dag": "cam", "job": -1, "release_ns": 0, "end_ns": 1})",
        R"({"t": "dag", "dag": "cam", "job": 0, "release_ns": 5, "end_ns": 1})",
        R"({"t": "dag", "dag": "cam", "job": 0, "release_ns": 0.5, "end_ns": 1})", R"({"t": "check", "name": "x"})",
        R"({"t": "run", "dag": "cam", "node": "grab", "job": 0, "cpu": 0, "start_ns": 0, "end_ns": 1, "consumed_ns": -4})"}) {
    CAPTURE(broken);
    CHECK_THROWS_AS(compared(header() + broken + "\n" + end_line()), io::InputError);
  }
}

TEST_CASE("a node that ended before its offset (early release) has response time 0") {
  const auto c = compared(header() + node_job("blur", 0, 1'000'000, 1'000'000, 2'900'000) + dag_job(0, 0, 2'900'000) + end_line());
  REQUIRE(c.nodes.size() == 1);
  CHECK(c.nodes[0].max() == 0_ms);
}

TEST_CASE("without any bound nothing is concluded") {
  const auto c = compared(header() + three_jobs() + end_line(), {{{0_ms, 0_ms}}, {{std::nullopt, std::nullopt}}, {std::nullopt}});
  CHECK(c.within_bounds());
  CHECK_FALSE(c.conclusive());
}

TEST_CASE("only the worst of many violations are kept, all are counted") {
  std::string text = header();
  for (int j = 0; j < 100; ++j) text += dag_job(j, j * 10'000'000LL, j * 10'000'000LL + 8'000'000 + j);
  const auto c = compared(text + end_line());
  CHECK(c.over == 100);
  REQUIRE(c.violations.size() == compare::most_violations);
  CHECK(c.violations.front().job == 99);
  CHECK(c.violations.back().job == 80);
}

namespace {

/// `cam` (T = 10 ms) is read by `act` (T = 20 ms, one node of 1 ms); at most 45 ms from event to output.
std::shared_ptr<const TaskSet> camera_and_actuator() {
  Chain chain;
  chain.name = "brake";
  chain.stages = {{0, std::nullopt}, {1, std::nullopt}};
  chain.reaction = 45_ms;
  return std::make_shared<const TaskSet>("cam.yaml", std::vector<Pool>{cpu_pool(2)},
                                         std::vector<Dag>{Dag("cam", 10_ms, std::nullopt, {cpu_node("grab", 1_ms)}, {}),
                                                          Dag("act", 20_ms, std::nullopt, {cpu_node("move", 1_ms)}, {})},
                                         std::vector<Chain>{chain});
}

std::string one_job(const std::string& dag, const std::string& node, int job, int release, int start, int end) {
  const auto ns = [](int ms) { return std::to_string(1'000'000 * ms); };
  return R"({"t": "job", "dag": ")" + dag + R"(", "node": ")" + node + R"(", "job": )" + std::to_string(job) + R"(, "release_ns": )" +
         ns(release) + R"(, "start_ns": )" + ns(start) + R"(, "end_ns": )" + ns(end) + "}\n" + R"({"t": "dag", "dag": ")" + dag +
         R"(", "job": )" + std::to_string(job) + R"(, "release_ns": )" + ns(release) + R"(, "end_ns": )" + ns(end) + "}\n";
}

compare::Comparison chains_compared(const std::string& jobs, Time reaction_bound) {
  const auto set = camera_and_actuator();
  compare::Bounds bounds = compare::no_bounds(*set);
  bounds.dag = {3_ms, 3_ms};
  bounds.phased_chains = bounds.chains = {analysis::ChainLatencies{.MRT = reaction_bound, .MRRT = 33_ms, .MRDA = 33_ms, .MDA = 53_ms}};
  std::istringstream in(header() + jobs + end_line());
  trace::Reader reader(in, "t.jsonl");
  return compare::compare(*set, bounds, digest, reader, "t.jsonl");
}

const std::string brake_jobs = one_job("cam", "grab", 0, 0, 0, 1) + one_job("cam", "grab", 1, 10, 10, 12) +
                               one_job("act", "move", 0, 11, 11, 12) + one_job("cam", "grab", 2, 20, 20, 21) +
                               one_job("cam", "grab", 3, 30, 30, 31) + one_job("act", "move", 1, 31, 31, 32) +
                               one_job("cam", "grab", 4, 40, 40, 41) + one_job("act", "move", 2, 51, 51, 52);

}  // namespace

TEST_CASE("latencies of chains stand beside what is proven of them and their limits") {
  const auto c = chains_compared(brake_jobs, 53_ms);
  REQUIRE(c.chains.size() == 1);
  const compare::ComparedChain& brake = c.chains[0];
  // `act` reads at 11, 31 and 51. An event just after the read at 0 is read at 10 and written at 12, too late for the read at 11: it is out
  // at 32. Those just after 10 and 20 are out at 32, too, one just after 30 at 52.
  CHECK(brake.reaction.seen == 32_ms);
  // The job of `cam` that reads at 10 is out at 32.
  CHECK(brake.reduced_reaction.seen == 22_ms);
  CHECK(brake.reaction.bound == 53_ms);
  CHECK(brake.reaction_limit == 45_ms);
  CHECK(c.within_bounds());
  CHECK(c.met_deadlines());

  const auto above = chains_compared(brake_jobs, 31_ms);
  CHECK_FALSE(above.within_bounds());
  CHECK(above.chains_over() == 1);
  CHECK(above.over == 0);
}

TEST_CASE("a chain has no bound in a trace whose releases are further apart than its DAGs' periods") {
  const auto c = chains_compared(brake_jobs + one_job("act", "move", 3, 72, 72, 73), 53_ms);
  REQUIRE(c.chains.size() == 1);
  CHECK_FALSE(c.chains[0].reaction.bound);
  CHECK(mentions(c.warnings, "chain 'brake': releases of 'act' are further apart than its T: no bound holds"));
}

TEST_CASE("what is proven of known phases holds of a trace whose releases come by them, counted from any instant") {
  Chain chain;
  chain.name = "brake";
  chain.stages = {{0, std::nullopt}, {1, std::nullopt}};
  DagAttributes at_once;
  at_once.phase = 0_ms;
  DagAttributes later;
  later.phase = 1_ms;
  const TaskSet set("cam.yaml", {cpu_pool(2)},
                    {Dag("cam", 10_ms, std::nullopt, {cpu_node("grab", 1_ms)}, {}, at_once),
                     Dag("act", 20_ms, std::nullopt, {cpu_node("move", 1_ms)}, {}, later)},
                    {chain});
  compare::Bounds bounds = compare::no_bounds(set);
  bounds.chains = {analysis::ChainLatencies{.MRT = 60_ms, .MRRT = 60_ms, .MRDA = 60_ms, .MDA = 60_ms}};
  bounds.phased_chains = {analysis::ChainLatencies{.MRT = 40_ms, .MRRT = 40_ms, .MRDA = 40_ms, .MDA = 40_ms}};
  const auto bound_of = [&](const std::string& jobs) {
    std::istringstream in(header() + jobs + end_line());
    trace::Reader reader(in, "t.jsonl");
    return compare::compare(set, bounds, digest, reader, "t.jsonl").chains.at(0).reaction.bound;
  };
  // Jobs 2 to 4 of `cam` from 120 on, job 1 of `act` at 121: both as if released at 100 and 101 first. Then `act` is 1 ms late.
  const std::string cam =
      one_job("cam", "grab", 2, 120, 120, 121) + one_job("cam", "grab", 3, 130, 130, 131) + one_job("cam", "grab", 4, 140, 140, 141);
  CHECK(bound_of(cam + one_job("act", "move", 1, 121, 121, 122)) == 40_ms);
  CHECK(bound_of(cam + one_job("act", "move", 1, 122, 122, 123)) == 60_ms);
}

TEST_CASE("late jobs are grouped by what most of their excess is from") {
  // Job 0: `grab` ran 3 ms of its 1 ms, the DAG is 1.5 ms above 7 ms. Job 1: nothing ran too long.
  const auto run = [](int job, long long start, long long length) {
    return R"({"t": "run", "dag": "cam", "node": "grab", "job": )" + std::to_string(job) + R"(, "cpu": 0, "start_ns": )" +
           std::to_string(start) + R"(, "end_ns": )" + std::to_string(start + length) + "}\n";
  };
  const auto block = [](int job, long long start, long long length) {
    return R"({"t": "block", "dag": "cam", "node": "blur", "job": )" + std::to_string(job) + R"(, "block": 0, "sm": 0, "start_ns": )" +
           std::to_string(start) + R"(, "end_ns": )" + std::to_string(start + length) + "}\n";
  };
  const std::string jobs = run(0, 0, 3'000'000) + node_job("grab", 0, 0, 0, 3'000'000) + block(0, 6'400'000, 2'000'000) +
                           node_job("blur", 0, 3'000'000, 6'400'000, 8'500'000) + dag_job(0, 0, 8'500'000) + run(1, 10'000'000, 1'000'000) +
                           node_job("grab", 1, 10'000'000, 10'000'000, 11'000'000) + block(1, 15'500'000, 2'000'000) +
                           node_job("blur", 1, 13'000'000, 15'500'000, 17'600'000) + dag_job(1, 10'000'000, 17'600'000);
  const auto c = compared(header() + jobs + end_line());
  REQUIRE(c.late.size() == 2);
  CHECK(c.late[0].cause == compare::LateCause::execution);
  CHECK(c.late[0].jobs == 2);  // the DAG's and `blur`'s
  CHECK(c.late[0].worst.response - c.late[0].worst.bound == Time(1'500'000));
  CHECK(c.late[1].cause == compare::LateCause::machine);
  CHECK(c.late[1].jobs == 2);
  const auto blind = compared(header() + dag_job(0, 0, 8'000'000) + end_line());
  REQUIRE(blind.late.size() == 1);
  CHECK(blind.late[0].cause == compare::LateCause::unseen);
  CHECK(compared(header() + three_jobs() + end_line()).late.empty());
}
