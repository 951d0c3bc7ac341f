#include "rta/trace/run_file.hpp"

#include <doctest/doctest.h>

#include "rta/io/diagnostic.hpp"
#include "simulate/scene.hpp"

using namespace rta;
using namespace scene;

namespace {

TaskSet two_dags() {
  std::vector<Node> nodes{node("u", 0, CpuDemand{Time(10)}), node("v", 0, CpuDemand{Time(20)})};
  return {"two", {cpu(1)}, {Dag("chain[0]", Time(100), std::nullopt, nodes, {{0, 1}}), task("tau", 0, CpuDemand{Time(5)}, 50)}};
}

trace::RunFile run_of_two() {
  trace::RunFile file;
  file.task_set_sha256 = "00ff";
  file.release = "completion";
  file.options = {{"bounds", "safe"}};
  file.dag = 1;
  file.job = 3;
  file.response = Time(45);
  file.run.placement = simulate::Placement::round_robin;
  file.run.copy_rules = simulate::CopyRules::amert2017;
  file.run.streams = simulate::Streams::per_task;
  file.run.slices = simulate::SliceOrder::worst;
  file.run.block_times = simulate::BlockTimes::long_first;
  file.run.seed = 77;
  return file;
}

std::string message_of(const std::string& text) {
  try {
    (void)trace::parse_run(text, "w.yaml", two_dags());
  } catch (const io::InputError& error) {
    return error.what();
  }
  return "";
}

const std::string head = "run: 1\ntask_set_sha256: \"00\"\nrelease: completion\nshows: {dag: tau, job: 0, response: 5 ns}\n";

void check_rules(const trace::RunFile& read, const trace::RunFile& written) {
  CHECK(read.task_set_sha256 == written.task_set_sha256);
  CHECK(read.release == written.release);
  CHECK(read.options == written.options);
  CHECK(read.dag == written.dag);
  CHECK(read.job == written.job);
  CHECK(read.response == written.response);
  CHECK(read.run.placement == written.run.placement);
  CHECK(read.run.copy_rules == written.run.copy_rules);
  CHECK(read.run.streams == written.run.streams);
  CHECK(read.run.slices == written.run.slices);
  CHECK(read.run.block_times == written.run.block_times);
  CHECK(read.run.seed == written.run.seed);
}

}  // namespace

TEST_CASE("A scenario reads back equal") {
  trace::RunFile file = run_of_two();
  file.run.jobs = {{{Time(7), {{simulate::whole, 3}, {500'000, simulate::most_rank}}}},
                   {{Time(0), {{simulate::whole, 0}}}, {Time(50), {{0, 0}}}}};
  const auto read = trace::parse_run(trace::format_run(file, two_dags()), "w.yaml", two_dags());
  check_rules(read, file);
  CHECK(read.run.jobs == file.run.jobs);
}

TEST_CASE("A long run by its options reads back equal") {
  trace::RunFile file = run_of_two();
  file.run.duration = Time(12'345);
  file.run.ties = simulate::Ties::random;
  file.run.releases.jitter = 1'234;
  file.run.releases.phases = {Time(9), Time(0)};
  file.run.node_execution = {{simulate::worst_case, {1, 2}}, {{5, 5}}};
  const auto read = trace::parse_run(trace::format_run(file, two_dags()), "w.yaml", two_dags());
  check_rules(read, file);
  CHECK(read.run.jobs.empty());
  CHECK(read.run.duration == file.run.duration);
  CHECK(read.run.ties == file.run.ties);
  CHECK(read.run.releases == file.run.releases);
  CHECK(read.run.node_execution == file.run.node_execution);
}

TEST_CASE("A run that the task set does not allow is refused where it says so") {
  CHECK(message_of("") == "w.yaml:1:1: the file is empty: a run has `run`, `shows` and `jobs` or `duration`");
  CHECK(message_of(head).find("'duration' is missing: how long DAGs are released (or `jobs`)") != std::string::npos);
  CHECK(message_of(head + "jobs:\n  - {dag: tau, release: 0 ns}\n  - {dag: tau, release: 49 ns}\n") ==
        "w.yaml:7:25: release: the task set allows no such release of 'tau' after those above (T = 50 ns)");
  CHECK(message_of(head + "jobs:\n  - {dag: nau, release: 0 ns}\n").find("w.yaml:6:11: dag: the task set has no DAG 'nau'") == 0);
  CHECK(message_of(head + "jobs:\n  - {dag: tau, release: 0 ns, rank: [1, 2]}\n").find("rank: 2 values for 1 nodes") != std::string::npos);
  CHECK(message_of(head + "jobs:\n  - {dag: tau, release: 0 ns, execution: [1000001]}\n").find("whole numbers from 0 to 1000000") !=
        std::string::npos);
  CHECK(message_of(head + "jobs: []\n").find("jobs: there is none") != std::string::npos);
  CHECK(message_of(head + "jobs:\n  - {dag: tau, release: 0 ns}\nduration: 5 ns\n").find("duration: `jobs` says all of that") !=
        std::string::npos);
  CHECK(message_of(head + "duration: 5 ns\ndags:\n  - {dag: tau, execution: [[3, 2]]}\n").find("two with the lesser first") !=
        std::string::npos);
  CHECK(message_of(head + "duration: 5 ns\nplacement: left\n").find("w.yaml:6:12: placement: ") == 0);
}

namespace {

TaskSet periodic_pair() {
  Node u = node("u", 0, CpuDemand{Time(10)});
  u.variation = Variation{Time(4), std::nullopt};
  const DagAttributes clock{.jitter = Time(3), .phase = Time(5), .periodic = true};
  return {"pair", {cpu(1)}, {Dag("a", Time(47), std::nullopt, {u, node("v", 0, CpuDemand{Time(20)})}, {{0, 1}}, clock)}};
}

std::string message_of_pair(const std::string& jobs) {
  try {
    (void)trace::parse_run("run: 1\ntask_set_sha256: \"00\"\nrelease: completion\nshows: {dag: a, job: 0, response: 5 ns}\njobs:\n" + jobs,
                           "w.yaml", periodic_pair());
  } catch (const io::InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("A scenario of periodic DAGs, with times in place of shares, reads back equal") {
  trace::RunFile file = run_of_two();
  file.dag = 0;
  file.run.jobs = {{{Time(8), {{simulate::whole, 1, Time(4)}, {simulate::whole, 2, Time(19)}}},
                    {Time(55), {{simulate::whole, 0, Time(10)}, {simulate::whole, 0, Time(0)}}}}};
  const auto read = trace::parse_run(trace::format_run(file, periodic_pair()), "w.yaml", periodic_pair());
  check_rules(read, file);
  CHECK(read.run.jobs == file.run.jobs);
}

TEST_CASE("Scenarios of periodic DAGs keep to their clock, and to what their nodes take at least") {
  CHECK(message_of_pair("  - {dag: a, release: 5 ns, takes: [4 ns, 0 ns]}\n  - {dag: a, release: 58 ns}\n").empty());
  CHECK(message_of_pair("  - {dag: a, release: 4 ns}\n").find("release: 'a' is periodic, and its job 0 is released from 5 to 8 ns") !=
        std::string::npos);
  CHECK(message_of_pair("  - {dag: a, release: 8 ns}\n  - {dag: a, release: 59 ns}\n")
            .find("w.yaml:7:23: release: 'a' is periodic, and its job 1 is released from 55 to 58 ns") == 0);
  CHECK(message_of_pair("  - {dag: a, release: 5 ns, takes: [3 ns, 0 ns]}\n").find("takes: 'u' takes 4 ns at least") != std::string::npos);
  CHECK(message_of_pair("  - {dag: a, release: 5 ns, takes: [11 ns, 0 ns]}\n").find("takes: 'u' takes 10 ns at most") != std::string::npos);
  CHECK(message_of_pair("  - {dag: a, release: 5 ns, execution: [0, 1]}\n").find("execution: 'u' takes 4 ns at least") !=
        std::string::npos);
  CHECK(message_of_pair("  - {dag: a, release: 5 ns, takes: [4 ns]}\n").find("takes: 1 values for 2 nodes") != std::string::npos);
  CHECK(message_of_pair("  - {dag: a, release: 5 ns, takes: [4, soon]}\n").find("takes: a time is expected for each node") !=
        std::string::npos);
  CHECK(message_of_pair("  - {dag: a, release: 5 ns, takes: [4 ns, 0 ns], execution: [0, 0]}\n")
            .find("execution: `takes` says how long the nodes take") != std::string::npos);
}
