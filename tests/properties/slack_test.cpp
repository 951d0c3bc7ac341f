// What slack says holds: each value was proven, and where it says so every value on its safe side holds, too.
#include "rta/analysis/slack.hpp"

#include <doctest/doctest.h>

#include <memory>

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
