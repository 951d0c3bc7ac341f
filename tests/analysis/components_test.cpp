// Path bounds of DAGs that share no pool with an overloaded one.
#include "analysis/policies/components.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/schedule_of.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::analysis;
using namespace rta::test;

namespace {

Dag chain(const char* name, std::vector<Node> nodes) {
  std::vector<Edge> edges;
  for (NodeId v = 1; v < nodes.size(); ++v) edges.push_back({v - 1, v});
  return {name, 10_ms, std::nullopt, std::move(nodes), std::move(edges)};
}

// Pools 0 (overloaded) to 3. `full` and `beside` share pool 0; `one` and `two` share pool 2; `alone` has pool 3.
std::shared_ptr<const TaskSet> three_parts() {
  const auto edf = Scheduler::g_edf;
  return task_set({cpu_pool(1, edf, "p0"), cpu_pool(1, edf, "p1"), cpu_pool(1, edf, "p2"), cpu_pool(1, edf, "p3")},
                  {chain("one", {cpu_node("a", 1_ms, 2), cpu_node("b", 1_ms, 1)}), chain("full", {cpu_node("a", 11_ms, 0)}),
                   chain("alone", {cpu_node("a", 3_ms, 3), cpu_node("b", 1_ms, 3)}), chain("beside", {cpu_node("a", 1_ms, 0)}),
                   chain("two", {cpu_node("a", 2_ms, 2)})});
}

}  // namespace

TEST_CASE("components: DAGs that share a pool, directly or through others") {
  CHECK(components(*three_parts()) == std::vector<std::vector<DagId>>{{0, 4}, {1, 3}, {2}});
  const auto through = task_set({cpu_pool(1), cpu_pool(1, Scheduler::g_edf, "p1"), cpu_pool(1, Scheduler::g_edf, "p2")},
                                {chain("a", {cpu_node("x", 1_ms, 0)}), chain("b", {cpu_node("x", 1_ms, 2)}),
                                 chain("c", {cpu_node("x", 1_ms, 0), cpu_node("y", 1_ms, 2)})});
  CHECK(components(*through) == std::vector<std::vector<DagId>>{{0, 1, 2}});
}

TEST_CASE("components: what an overloaded pool cannot reach keeps the bounds that it has without it") {
  const auto set = three_parts();
  const auto rest = std::make_shared<const TaskSet>("rest", std::vector<Pool>(set->pools().begin(), set->pools().end()),
                                                    std::vector<Dag>{set->dags()[0], set->dags()[2], set->dags()[4]});
  for (const Release release : {Release::completion, Release::segments}) {
    CAPTURE(to_string(release));
    Options options;
    options.release = release;
    options.explain = {"one", "one/b", "full", "beside", "alone/b", "two"};
    const auto result = analyze(set, options);
    options.explain.clear();
    const auto without = analyze(rest, options);
    CHECK(result.verdict == Verdict::unbounded);
    const std::vector<DagId> bounded{0, 2, 4};
    for (DagId d = 0; d < bounded.size(); ++d) {
      CAPTURE(d);
      const DagProof& dag = result.proof.dags[bounded[d]];
      const DagProof& same = without.proof.dags[d];
      REQUIRE(dag.bound);
      CHECK(dag.bound->R == same.bound->R);
      CHECK(dag.critical_path == same.critical_path);
      for (NodeId v = 0; v < dag.nodes.size(); ++v) {
        REQUIRE(dag.nodes[v].bound);
        CHECK(dag.nodes[v].bound->R == same.nodes[v].bound->R);
        CHECK(dag.nodes[v].reference == same.nodes[v].reference);
        CHECK(dag.nodes[v].priority_point == same.nodes[v].priority_point);
      }
    }
    for (const DagId d : {DagId{1}, DagId{3}}) CHECK_FALSE(result.proof.dags[d].bound);
    for (PoolId p = 0; p < 4; ++p) CHECK(result.proof.pools[p].bounded() == (p != 0));
    // 12 ms every 10 ms.
    CHECK(pool_in_words(result.proof, 0).find("U = 1.2 > 1") != std::string::npos);
    CHECK(is_playable(result.proof));

    // Explained as what they are, each from its own part.
    REQUIRE(result.explanations.size() == 6);
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}, std::size_t{4}, std::size_t{5}}) {
      CAPTURE(result.explanations[i].node);
      CHECK(result.explanations[i].lines.front().starts_with("T10"));
    }
    for (const std::size_t i : {std::size_t{2}, std::size_t{3}}) {
      CHECK(result.explanations[i].lines.front().find("U = 1.2 > 1") != std::string::npos);
    }
    CHECK(result.explanations[4].lines[1].starts_with("path a -> b: execution 4000000 ns"));
  }
}
