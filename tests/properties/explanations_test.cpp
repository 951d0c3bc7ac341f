// Whatever is proven can be explained, under every policy, and the names of DAGs and nodes mean the same under all.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "rta/analysis/analyze.hpp"
#include "rta/io/task_set_file.hpp"
#include "support/random_system.hpp"

namespace {

using namespace rta;
using namespace rta::analysis;

struct Counts {
  int nodes = 0;
  int by_path = 0;
  int without = 0;
};

void check_proof(const Proof& proof, Counts& counts) {
  const TaskSet& set = *proof.task_set;
  for (DagId d = 0; d < set.dags().size(); ++d) {
    const Dag& dag = set.dags()[d];
    const Explanation whole = explain(proof, dag.name());
    const bool single = dag.nodes().size() == 1;
    CHECK(whole.node == (single ? dag.name() + "/" + dag.nodes()[0].name : dag.name()));
    REQUIRE_FALSE(whole.lines.empty());
    CHECK(whole.lines.front().starts_with("no bound: ") == !proof.dags[d].bound);
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const auto& bound = proof.dags[d].nodes[v].bound;
      const std::string name = dag.name() + "/" + dag.nodes()[v].name;
      CAPTURE(name);
      const Explanation explanation = explain(proof, name);
      CHECK(explanation.node == name);
      REQUIRE_FALSE(explanation.lines.empty());
      ++counts.nodes;
      if (!bound) {
        CHECK(explanation.lines.front().starts_with("no bound: "));
        ++counts.without;
        continue;
      }
      // The theorem is named and its last line ends in the bound, from the node's release or its DAG's.
      const std::string theorem(to_string(bound->basis.theorem));
      const auto& lines = explanation.lines;
      CHECK(std::ranges::any_of(lines, [&](const auto& line) { return line.starts_with(theorem); }));
      const std::string R = std::to_string(bound->R.count()) + " ns";
      const Time released = proof.dags[d].nodes[v].reference.value_or(Time::zero());
      const std::string end = std::to_string((bound->R + released).count()) + " ns";
      CAPTURE(lines.back());
      CHECK((lines.back().find(R) != std::string::npos || lines.back().find(end) != std::string::npos));
      counts.by_path += theorem.starts_with("T10") ? 1 : 0;
    }
  }
  for (PoolId p = 0; p < set.pools().size(); ++p) {
    if (!proof.pools[p].tasks.empty()) CHECK_FALSE(pool_in_words(proof, p).empty());
  }
}

}  // namespace

TEST_CASE("Every node and every DAG of random task sets is explained under every policy") {
  Counts counts;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    const auto set =
        std::make_shared<const TaskSet>(test::random_system(seed, {.sequential = true, .priorities = true, .non_preemptive = true}));
    CAPTURE(io::format_task_set(*set));
    for (const Release release : {Release::offsets, Release::early, Release::completion, Release::segments}) {
      CAPTURE(to_string(release));
      Options options;
      options.release = release;
      options.most_periods = 50;
      check_proof(analyze(set, options).proof, counts);
    }
    check_proof(analyze(set).proof, counts);
  }
  MESSAGE(counts.nodes, " nodes, ", counts.by_path, " by a path bound, ", counts.without, " without a bound");
  CHECK(counts.by_path > 500);
  CHECK(counts.without > 300);
  CHECK(counts.nodes > counts.by_path + counts.without + 500);
}
