#include "analysis/best_policy.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <utility>
#include <variant>

#include "analysis/explain/reason_words.hpp"
#include "analysis/policies/path_proof.hpp"
#include "analysis/policies/periodic_bounds.hpp"
#include "analysis/search/cost.hpp"
#include "analysis/search/segment_search.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis {
namespace {

/// Whether another policy can be of use: a DAG of one node is released at its DAG's release under every policy, and T1n and T6n are then
/// T10n. T10g is left for release on completion, and without preemption T10n, which T1bn may not come down to; under FP, all but T11; and
/// whatever there is where jobs of one node overlap, which at offsets one processor alone allows to sequential ones.
bool others_can_help(const Proof& at_offsets) {
  if (all_periodic(*at_offsets.task_set)) return true;  // T35, T36
  const bool preemptive = std::ranges::all_of(at_offsets.task_set->pools(), [](const Pool& pool) {
    const auto* cpu = std::get_if<CpuPool>(&pool.resource);
    if (cpu == nullptr) return true;
    return cpu->scheduler == Scheduler::fifo || (cpu->preemptive && cpu->scheduler != Scheduler::fp);
  });
  const bool single_nodes = std::ranges::all_of(at_offsets.task_set->dags(), [](const Dag& dag) { return dag.nodes().size() == 1; });
  if (!preemptive || !single_nodes || verdict_of(at_offsets) != Verdict::schedulable) return true;
  const auto& dags = at_offsets.task_set->dags();
  for (DagId d = 0; d < dags.size(); ++d) {
    if (dags[d].nodes().front().sequential && at_offsets.dags[d].bound->R > dags[d].period()) return true;
  }
  return false;
}

/// Cuts that are not given are searched for.
bool too_many_for_cuts(const TaskSet& task_set) { return !segments_of_cuts(task_set) && affordable_evaluations(task_set) == 0; }

/// Points per node are searched for on completion from those at offsets.
bool starts_from_offsets(const TaskSet& task_set, const Options& options) {
  return options.priorities ? options.priorities != Priorities::dag : has_lp(task_set);
}

/// Policies enter in the order of what they need at run time: nothing on completion, a fixed offset for each segment or for each node.
class Competition {
 public:
  explicit Competition(Objective objective) : objective_(objective) {}

  void enter(Proof proof) {
    const bool meets = meets_everything(proof);
    const Cost cost = cost_of(proof, objective_);
    if (meets && (!least_ || cost.first < least_->cost)) least_ = {proof.release, cost.first};
    if (winner_ && !goes_before(proof, meets, cost)) return;
    winner_ = std::move(proof);
    winner_meets_ = meets;
  }

  /// What the least bounds that meet everything would be, where they are others than the winner's.
  [[nodiscard]] std::optional<Forgone> forgone() const {
    if (!winner_meets_ || !least_) return std::nullopt;
    const Wide here = cost_of(*winner_, objective_).first;
    if (least_->cost >= here || here > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
    const auto percent = static_cast<int>((here - least_->cost) * 100 / whole_of(*winner_, objective_));
    return Forgone{least_->release, objective_, to_time(least_->cost), to_time(here), percent};
  }

  [[nodiscard]] Proof winner() && { return *std::move(winner_); }

 private:
  struct Least {
    Release release;
    Wide cost;
  };

  /// Where both meet everything, only for bounds that are less by a fifth. Else offsets, which are simplest to see through, come first
  /// among equals.
  [[nodiscard]] bool goes_before(const Proof& proof, bool meets, const Cost& cost) const {
    if (meets && winner_meets_) {
      const Wide less = cost_of(*winner_, objective_).first - cost.first;
      return less * 5 >= whole_of(*winner_, objective_);
    }
    if (proof.release == Release::offsets) return !better(*winner_, proof, objective_);
    return better(proof, *winner_, objective_);
  }

  Objective objective_;
  std::optional<Proof> winner_;
  bool winner_meets_ = false;
  std::optional<Least> least_;
};

}  // namespace

PolicyOutcome outcome_of(const Proof& proof) {
  PolicyOutcome outcome{proof.release, verdict_of(proof), Time(), {}, proof.left_out};
  for (const DagProof& dag : proof.dags) {
    outcome.largest_R = dag.bound && outcome.largest_R ? std::optional(std::max(*outcome.largest_R, dag.bound->R)) : std::nullopt;
  }
  const NoBound* why = why_unbounded(proof);
  if (!outcome.largest_R && why != nullptr) outcome.reason = in_words(proof, *why);
  return outcome;
}

Proof prove_if_possible(Release release, const std::shared_ptr<const TaskSet>& task_set, const Options& options, const Proof* at_offsets,
                        const ProvePolicy& prove) {
  try {
    return prove(release, task_set, options, at_offsets);
  } catch (const Overflow& overflow) {
    return without_bounds(task_set, release, reason::OutOfRange{overflow.what()});
  } catch (const std::bad_alloc&) {
    return without_bounds(task_set, release, reason::OutOfMemory{});
  }
}

Analysis prove_best(const std::shared_ptr<const TaskSet>& task_set, const Options& options, const ProvePolicy& prove) {
  Analysis analysis;
  const bool deadlines_are_enough = options.enough == Enough::deadlines;
  std::optional<Proof> on_completion;
  if (deadlines_are_enough) {
    on_completion = prove_if_possible(Release::completion, task_set, options, nullptr, prove);
    if (verdict_of(*on_completion) == Verdict::schedulable) {
      analysis.policies.push_back(outcome_of(*on_completion));
      analysis.proof = *std::move(on_completion);
      return analysis;
    }
    if (starts_from_offsets(*task_set, options)) on_completion.reset();
  }
  Proof at_offsets = prove(Release::offsets, task_set, options, nullptr);
  analysis.policies.push_back(outcome_of(at_offsets));
  if (!others_can_help(at_offsets) || (deadlines_are_enough && verdict_of(at_offsets) == Verdict::schedulable)) {
    analysis.proof = std::move(at_offsets);
    return analysis;
  }
  Competition competition(options.objective);
  for (const Release release : {Release::completion, Release::segments}) {
    if (release == Release::segments && too_many_for_cuts(*task_set)) {
      const Reason reason = reason::TooManyNodes{reason::TooManyNodes::For::cuts};
      analysis.policies.push_back({release, std::nullopt, std::nullopt, in_words(reason), {}});
      continue;
    }
    const bool known = release == Release::completion && on_completion;
    Proof proof = known ? *std::exchange(on_completion, std::nullopt) : prove_if_possible(release, task_set, options, &at_offsets, prove);
    analysis.policies.push_back(outcome_of(proof));
    competition.enter(std::move(proof));
  }
  competition.enter(std::move(at_offsets));
  analysis.forgone = competition.forgone();
  analysis.proof = std::move(competition).winner();
  return analysis;
}

}  // namespace rta::analysis
