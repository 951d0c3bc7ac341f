// Law 1 for T37: what is proven of some DAGs alone, beside others that overload the processors; and wrong notions of who may be left out.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/policies/components.hpp"
#include "properties/law_1.hpp"
#include "rta/model/fixed_priority.hpp"

using namespace rta;
using test::Dice;

namespace {

/// The system, with some DAGs released so often that they overload what they run on.
TaskSet overloaded(const TaskSet& set, Dice& dice) {
  std::vector<Dag> dags;
  for (const Dag& dag : set.dags()) {
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    const Time T = dice.one_in(2) ? Time(std::max<std::int64_t>(1, dag.period().count() / dice.between(2, 6))) : dag.period();
    auto attributes = dag.attributes();
    attributes.priority = static_cast<FixedPriority>(dice.between(1, 4));
    dags.emplace_back(dag.name(), T, std::nullopt, std::move(nodes), std::vector<Edge>(dag.edges().begin(), dag.edges().end()), attributes);
  }
  return {set.name(), std::vector<Pool>(set.pools().begin(), set.pools().end()), std::move(dags)};
}

/// Who may be left out beside the DAGs from a priority on.
enum class Wrong { other_pools, equals, non_preemptive };

/// Whether by this notion no DAG of the first kind needs one of the second.
bool may_part(const TaskSet& set, const std::vector<DagId>& kept, const std::vector<DagId>& rest, Wrong wrong) {
  const FixedPriorities priorities = fixed_priorities(set);
  for (const DagId d : kept) {
    for (const DagId e : rest) {
      for (NodeId v = 0; v < set.dags()[d].nodes().size(); ++v) {
        for (NodeId u = 0; u < set.dags()[e].nodes().size(); ++u) {
          const PoolId p = set.dags()[d].nodes()[v].pool;
          if (set.dags()[e].nodes()[u].pool != p) continue;
          const auto* const cpu = std::get_if<CpuPool>(&set.pools()[p].resource);
          const bool fixed = cpu != nullptr && cpu->scheduler == Scheduler::fp;
          if (!fixed && wrong == Wrong::other_pools) continue;
          if (!fixed || (!cpu->preemptive && wrong != Wrong::non_preemptive)) return false;
          if (priorities.of[e][u] > priorities.of[d][v] || (priorities.of[e][u] == priorities.of[d][v] && wrong != Wrong::equals))
            return false;
        }
      }
    }
  }
  return true;
}

analysis::Options on_completion() { return analysis::options_of({{"release", "completion"}, {"most-periods", "50"}}); }

/// Whether a schedule of all passes what is proven of some alone.
bool is_exceeded(const std::shared_ptr<const TaskSet>& set, const std::vector<DagId>& kept, Dice& dice) {
  const auto proven = analysis::analyze(analysis::part_of(*set, kept), on_completion());
  if (proven.verdict == analysis::Verdict::unbounded) return false;
  const Schedule schedule = test::on_completion(*set, std::vector<Time>(set->dags().size()));
  for (int run = 0; run < 4; ++run) {
    const auto seen = simulate::simulate(*set, schedule, test::random_options(dice, *set));
    for (std::size_t i = 0; i < kept.size(); ++i) {
      const auto& response = seen.dags[kept[i]].response;
      if (response.count() > 0 && response.max() > proven.proof.dags[i].bound->R) return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("T37: no bound is exceeded beside less urgent DAGs that have none") {
  test::Compared compared;
  std::uint64_t parted = 0;
  std::uint64_t dags = 0;
  for (std::uint64_t seed = 1; parted < 400; ++seed) {
    Dice dice(seed);
    const auto set = std::make_shared<const TaskSet>(overloaded(test::random_system(seed, test::fixed_priorities), dice));
    const auto proven = analysis::analyze(set, on_completion());
    const auto bounded = std::ranges::count_if(proven.proof.dags, [](const auto& dag) { return dag.bound.has_value(); });
    if (proven.verdict != analysis::Verdict::unbounded || bounded == 0) continue;
    if (analysis::components(*set).size() > 1) continue;  // they need no theorem
    ++parted;
    dags += static_cast<std::uint64_t>(bounded);
    const auto broken = test::broken_in_proof(dice, proven.proof, {{"release", "completion"}, {"most-periods", "50"}}, compared);
    if (broken) FAIL_CHECK("seed " << seed << ": " << *broken << "\n" << io::format_task_set(*set));
  }
  MESSAGE(parted, " systems, ", dags, " DAGs, ", compared.tight, " of ", compared.nodes, " times a node within 1 % of its bound");
  CHECK(compared.tight * 25 >= compared.nodes);
}

TEST_CASE("T37: wrong notions of who may be left out are caught") {
  std::array<int, 3> caught{};
  for (std::uint64_t seed = 1; seed <= 4'000; ++seed) {
    Dice dice(seed);
    const auto set = std::make_shared<const TaskSet>(overloaded(test::random_system(seed, test::fixed_priorities), dice));
    std::vector<DagId> kept, rest;
    for (DagId d = 0; d < set->dags().size(); ++d) (dice.one_in(2) ? kept : rest).push_back(d);
    if (kept.empty() || rest.empty()) continue;
    for (const Wrong wrong : {Wrong::other_pools, Wrong::equals, Wrong::non_preemptive}) {
      auto& count = caught[static_cast<std::size_t>(wrong)];
      if (count < 3 && may_part(*set, kept, rest, wrong) && is_exceeded(set, kept, dice)) ++count;
    }
  }
  CHECK(caught[0] >= 3);
  CHECK(caught[1] >= 3);
  CHECK(caught[2] >= 3);
}
