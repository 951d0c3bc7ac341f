// What slack says holds: each value was proven, and where it says so every value on its safe side holds, too.
#include "rta/analysis/slack.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string_view>

#include "analysis/advice/changed.hpp"
#include "rta/analysis/analyze.hpp"
#include "rta/analysis/deadlines.hpp"
#include "rta/io/task_set_file.hpp"
#include "support/random_system.hpp"

namespace {

using namespace rta;
using namespace rta::analysis;

bool keeps(const Proof& before, const Proof& after) {
  for (DagId d = 0; d < before.dags.size(); ++d) {
    const auto met = [d](const Proof& proof) { return proof.dags[d].bound && meets_deadlines(proof, d); };
    if (met(before) && !met(after)) return false;
  }
  return true;
}

std::shared_ptr<const TaskSet> parsed(std::string_view text) {
  return std::make_shared<const TaskSet>(io::parse_task_set(text, "test.yaml").task_set);
}

}  // namespace

TEST_CASE("At each value of slack all that was met is met, and below those that say so as well") {
  int covered = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const auto set =
        std::make_shared<const TaskSet>(test::random_system(seed, {.sequential = true, .priorities = false, .non_preemptive = true}));
    CAPTURE(io::format_task_set(*set));
    for (const Release release : {Release::offsets, Release::completion}) {
      CAPTURE(to_string(release));
      Options options;
      options.release = release;
      options.most_periods = 20;
      const Proof before = analyze(set, options).proof;
      const Slack found = slack(before, options);
      const DagKinds kinds = dag_kinds(*set);
      for (const NodeSlack& node : found.nodes) {
        const auto kind = kinds.kinds[kinds.of[node.dag]];
        const auto proof_at = [&](Time piece) {
          const auto changed =
              with_dags(*set, kind, [&](const Dag& dag) { return with_node(dag, node.node, with_piece(dag.nodes()[node.node], piece)); });
          return analyze(changed, options).proof;
        };
        CHECK(keeps(before, proof_at(node.piece.value)));
        if (!node.piece.covered) continue;
        ++covered;
        // On a GPU and for items nothing shorter than 1 ns can be said.
        for (const std::int64_t part : {1, 2, 3, 5, 8, 13}) {
          CAPTURE(part);
          CHECK(keeps(before, proof_at(std::max(Time(1), Time(node.piece.value.count() * part / 14)))));
        }
      }
    }
  }
  CHECK(covered > 5);
}

TEST_CASE("Slack under segments counts release jitter") {
  // b waits for jobs of a, which come up to 6 ms late: two of them within 10 ms.
  const auto set = parsed(R"(
platform: {cpu: {processors: 1, scheduler: FIFO}}
dags:
  - {name: a, T: 10 ms, jitter: 6 ms, D: 12 ms, nodes: {x: {on: cpu, C: 2 ms}}}
  - name: b
    T: 40 ms
    D: 20 ms
    nodes: {u: {on: cpu, C: 3 ms}, v: {on: cpu, C: 1 ms}}
    edges:
      - {from: u, to: v, cut: true}
)");
  Options options;
  options.release = Release::segments;
  const Proof before = analyze(set, options).proof;
  const Slack found = slack(before, options);
  REQUIRE(found.nodes.size() == 3);
  for (const NodeSlack& node : found.nodes) {
    CAPTURE(set->dags()[node.dag].nodes()[node.node].name);
    const auto kind = DagKinds::Kind{node.dag, node.dag};
    const auto changed = with_dags(
        *set, kind, [&](const Dag& dag) { return with_node(dag, node.node, with_piece(dag.nodes()[node.node], node.piece.value)); });
    CHECK(node.piece.value > longest_piece(set->dags()[node.dag].nodes()[node.node]));
    CHECK(keeps(before, analyze(changed, options).proof));
  }
}

TEST_CASE("Slack keeps chains within the limits that they meet") {
  // MRT = T + F of both stages: 10 + 2 + 20 + 5 = 37 ms, so that 3 ms are left for both, far less than to the deadlines.
  const auto set = parsed(R"(
platform:
  p: {processors: 1}
  q: {processors: 1}
dags:
  - {name: a, T: 10 ms, D: 10 ms, nodes: {x: {on: p, C: 2 ms}}}
  - {name: b, T: 20 ms, D: 20 ms, nodes: {y: {on: q, C: 5 ms}}}
chains:
  - {name: brake, stages: [a, b], reaction: 40 ms}
)");
  Options options;
  const Analysis before = analyze(set, options);
  REQUIRE(before.chains.at(0).bound->MRT == Time(37'000'000));
  const Slack found = slack(before.proof, options);
  REQUIRE(found.nodes.size() == 2);
  CHECK(found.nodes[0].piece.value > Time(4'800'000));
  CHECK(found.nodes[0].piece.value <= Time(5'000'000));
  CHECK(found.nodes[1].piece.value > Time(7'800'000));
  CHECK(found.nodes[1].piece.value <= Time(8'000'000));
  CHECK_FALSE(found.nodes[0].piece.covered);
}
