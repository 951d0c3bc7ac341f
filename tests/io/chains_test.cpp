// Chains and T_max in task-set files.
#include <doctest/doctest.h>

#include "messages.hpp"
#include "rta/io/canonical_json.hpp"
#include "rta/model/error.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::test;

namespace {

constexpr std::string_view platform_and_dags = R"(platform:
  cpu: {processors: 2, scheduler: G-EDF}
dags:
  - name: fusion
    T: 33 ms
    T_max: 40 ms
    nodes:
      read: {on: cpu, C: 1 ms}
      track: {on: cpu, C: 2 ms}
      log: {on: cpu, C: 1 ms}
    edges:
      - read -> track
tasks:
  - {name: camera, copies: 2, T: 10 ms, T_max: 12 ms, on: cpu, C: 1 ms}
  - {name: control, T: 20 ms, on: cpu, C: 1 ms}
)";

TaskSet read(const std::string& chains) { return io::parse_task_set(std::string(platform_and_dags) + chains, "f.yaml").task_set; }

Errors chain_errors(const std::string& chain) { return errors(std::string(platform_and_dags) + "chains:\n  - " + chain + "\n"); }

}  // namespace

TEST_CASE("Chains and T_max read back equal from both forms") {
  const std::string chains = R"(chains:
  - {name: brake, stages: ["camera[1]", fusion/read, fusion/track, control], reaction: 150 ms, age: 200 ms}
  - {name: let, stages: [control, fusion], communication: LET}
)";
  const TaskSet set = read(chains);
  REQUIRE(set.chains().size() == 2);
  CHECK(set.chains()[0] == Chain{"brake", {{2, {}}, {0, 0}, {0, 1}, {3, {}}}, Communication::registers, 150_ms, 200_ms});
  CHECK(set.chains()[1].communication == Communication::let);
  CHECK(set.dags()[0].longest_period() == 40_ms);
  CHECK(set.dags()[1].longest_period() == 12_ms);
  CHECK(set.dags()[3].longest_period() == 20_ms);
  CHECK(io::format_task_set(set) == std::string(platform_and_dags) + chains);
  CHECK(io::parse_task_set(io::canonical_json(set), "f.json").task_set == set);
  CHECK(io::canonical_json(set).find(R"({"name": "let", "stages": ["control", "fusion"], "communication": "LET"})") != std::string::npos);
}

TEST_CASE("Stages that are none are named with their place") {
  CHECK(chain_errors("{name: c, stages: [control, fusion/trak]}") ==
        Errors{"f.yaml:17:33: chain 'c': stages: 'fusion/trak' is neither a DAG nor a node as DAG/NODE; did you mean 'fusion/track'?"});
  CHECK(chain_errors("{name: c, stages: [control, fusion, control]}") ==
        Errors{"f.yaml:17:41: chain 'c': stages: the chain comes to stage 'control' twice"});
  CHECK(chain_errors("{name: c, stages: [control, control]}") ==
        Errors{"f.yaml:17:33: chain 'c': stages: the chain comes to stage 'control' twice"});
  CHECK(chain_errors("{name: c, stages: [fusion/track, fusion/log]}") ==
        Errors{"f.yaml:17:38: chain 'c': stages: no path leads from stage 'fusion/track' to stage 'fusion/log' inside their DAG"});
  CHECK(chain_errors("{name: c, stages: [fusion, fusion/log]}") ==
        Errors{"f.yaml:17:32: chain 'c': stages: no path leads from stage 'fusion' to stage 'fusion/log' inside their DAG"});
  CHECK(chain_errors("{name: c, stages: []}") == Errors{"f.yaml:17:23: chain 'c': stages: a chain has at least one stage"});
  CHECK(chain_errors("{name: c, stages: control}") ==
        Errors{"f.yaml:17:23: chain 'c': stages: a list of DAGs and nodes is expected, not a plain value"});
  CHECK(chain_errors("{name: c, stages: [[control]]}") ==
        Errors{"f.yaml:17:24: chain 'c': stages: a DAG or DAG/NODE is expected, not a list"});
}

TEST_CASE("Other mistakes in chains are named with their place") {
  CHECK(chain_errors("{name: c, stages: [control], reaction: 0 ms, age: -1 ms}") ==
        Errors{"f.yaml:17:44: chain 'c': reaction: must be positive, not '0 ms'",
               "f.yaml:17:55: chain 'c': age: must be positive, not '-1 ms'"});
  CHECK(chain_errors("{name: c, stages: [control], communication: mailbox}") ==
        Errors{"f.yaml:17:49: chain 'c': communication: 'mailbox' is not known (allowed: register, LET)"});
  CHECK(chain_errors("{name: fusion, stages: [control]}") == Errors{"f.yaml:17:12: the name 'fusion' is that of a DAG"});
  CHECK(chain_errors("{name: c, stages: [control]}\n  - {name: c, stages: [fusion]}") ==
        Errors{"f.yaml:18:12: the name 'c' is given twice (first at line 17)"});
  CHECK(chain_errors("{name: c}") ==
        Errors{"f.yaml:17:5: chain 'c': 'stages' is missing: DAGs and nodes (DAG/NODE) in the order of the data"});
  CHECK(errors(std::string(platform_and_dags) + "chains: {}\n") ==
        Errors{"f.yaml:16:9: chains: a list ('- name: …') is expected, not a mapping"});
}

TEST_CASE("T_max below T is refused") {
  CHECK(errors("platform:\n  cpu: {processors: 1}\ntasks:\n  - {name: t, T: 10 ms, T_max: 9 ms, on: cpu, C: 1 ms}\n") ==
        Errors{"f.yaml:4:32: task 't': T_max: the longest distance of two releases must not be below T, the shortest"});
  CHECK_THROWS_AS(Dag("d", 10_ms, std::nullopt, {cpu_node("a", 1_ms)}, {}, {.T_max = 9_ms}), Defect);
}

TEST_CASE("A stage that would read back as another is not written") {
  const Dag dag("a", 10_ms, std::nullopt, {cpu_node("b", 1_ms)}, {});
  const Dag slashed("a/b", 10_ms, std::nullopt, {cpu_node("c", 1_ms)}, {});
  const TaskSet set("test", {cpu_pool(1)}, {dag, slashed}, {{"chain", {{0, 0}}, Communication::registers, {}, {}}});
  CHECK_THROWS_AS((void)io::format_task_set(set), UserError);
  const TaskSet other("test", {cpu_pool(1)}, {dag, slashed}, {{"chain", {{1, {}}, {0, {}}}, Communication::registers, {}, {}}});
  CHECK(io::parse_task_set(io::format_task_set(other), "f.yaml").task_set == other);
}
