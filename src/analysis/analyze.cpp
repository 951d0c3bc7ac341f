#include "rta/analysis/analyze.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "analysis/assign_priorities.hpp"
#include "analysis/best_policy.hpp"
#include "analysis/company/fixed_point.hpp"
#include "analysis/policies/components.hpp"
#include "analysis/policies/executor_bounds.hpp"
#include "analysis/policies/hard_bounds.hpp"
#include "analysis/policies/limited_jobs.hpp"
#include "analysis/policies/periodic_bounds.hpp"
#include "analysis/policies/policies.hpp"
#include "analysis/policies/thread_bounds.hpp"
#include "analysis/policies/urgent_dags.hpp"
#include "analysis/search/cost.hpp"
#include "rta/model/error.hpp"
#include "rta/model/fixed_priority.hpp"

namespace rta::analysis {
namespace {

/// The task set with all CPU pools as `options` ask for.
std::shared_ptr<const TaskSet> with_cpu_pools(std::shared_ptr<const TaskSet> task_set, const Options& options) {
  std::vector<Pool> pools(task_set->pools().begin(), task_set->pools().end());
  for (Pool& pool : pools) {
    auto* cpu = std::get_if<CpuPool>(&pool.resource);
    if (cpu == nullptr) continue;
    const bool was_fp = cpu->scheduler == Scheduler::fp;
    cpu->scheduler = options.scheduler.value_or(cpu->scheduler);
    const bool is_fp = cpu->scheduler == Scheduler::fp;
    if (is_fp != was_fp) cpu->equals = is_fp ? usual_equals(cpu->processors) : Equals::any;
    cpu->preemptive = options.preemptive.value_or(cpu->preemptive);
    cpu->callbacks = cpu->callbacks && may_have_callbacks(*cpu);
    if (!may_be_reserved(*cpu)) cpu->reservation.reset();
  }
  if (std::ranges::equal(pools, task_set->pools())) return task_set;
  const auto dags = task_set->dags();
  return std::make_shared<const TaskSet>(task_set->name(), std::move(pools), std::vector<Dag>(dags.begin(), dags.end()), task_set->chains(),
                                         task_set->requirements());
}

void tell_priorities(Proof& proof) {
  const FixedPriorities priorities = fixed_priorities(*proof.task_set);
  for (const PoolId p : priorities.deadline_monotonic) proof.pools[p].deadline_monotonic = true;
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    const auto nodes = proof.task_set->dags()[d].nodes();
    for (NodeId v = 0; v < nodes.size(); ++v) {
      const auto* cpu = std::get_if<CpuPool>(&proof.task_set->pools()[nodes[v].pool].resource);
      if (cpu != nullptr && cpu->scheduler == Scheduler::fp) proof.dags[d].nodes[v].priority = priorities.of[d][v];
    }
  }
}

/// Whose bounds stand or fall together.
enum class Stand : std::uint8_t { alone, together };  // each DAG's with those that it needs (T37); those of all that share pools

Proof prove_by_policy(Release release, const std::shared_ptr<const TaskSet>& task_set, const Options& options, const Proof* at_offsets,
                      Stand stand) {
  switch (release) {
    case Release::offsets:
    case Release::early: return prove_at_offsets(task_set, options);
    case Release::completion: {
      Proof proof = prove_by_components(task_set, [&](std::shared_ptr<const TaskSet> part) {
        if (first_executor(part->pools(), part->dags())) return prove_with_executors(std::move(part), options);
        if (first_on_threads(part->dags())) return prove_on_threads(std::move(part), options);
        const bool whole = part == task_set;
        return prove_on_completion(std::move(part), options, whole ? at_offsets : nullptr);
      });
      if (stand == Stand::alone) add_urgent_dags(proof, options);
      return proof;
    }
    case Release::segments:
      return prove_by_components(task_set,
                                 [&](std::shared_ptr<const TaskSet> part) { return prove_on_segments(std::move(part), options); });
    case Release::grouped: return prove_grouped(task_set, options);
    case Release::fixed_order: break;  // static_order/periodic_proof, which is told the order
  }
  throw_defect("every release has a policy");
}

/// What is asked of periodic DAGs by their phases: nothing, T35, T36 too.
enum class Phases : std::uint8_t { ignored, windows, followed };

Proof prove_with_durations(Release release, const std::shared_ptr<const TaskSet>& task_set, const Options& options, const Proof* at_offsets,
                           Stand stand, Phases phases) {
  Proof proof = prove_by_policy(release, task_set, options, at_offsets, stand);
  tell_priorities(proof);
  if (first_on_threads(task_set->dags())) return proof;  // the others are of jobs that start when they are released
  add_hard_bounds(proof, options);
  if (first_executor(task_set->pools(), task_set->dags())) return proof;
  if (phases != Phases::ignored) add_periodic_bounds(proof, options, phases == Phases::followed);
  return proof;
}

/// As if no DAG had a limit of jobs under way or history edges.
Proof prove_without_limits(Stand stand, Release release, const std::shared_ptr<const TaskSet>& task_set, const Options& options,
                           const Proof* at_offsets, Phases phases) {
  if (!measured_alone(*task_set)) return prove_with_durations(release, task_set, options, at_offsets, stand, phases);
  return prove_in_company(task_set, release, [&](const std::shared_ptr<const TaskSet>& in_company) {
    return prove_with_durations(release, in_company, options, nullptr, Stand::together, std::min(phases, Phases::windows));
  });
}

Proof prove_standing(Stand stand, Release release, const std::shared_ptr<const TaskSet>& task_set, const Options& options,
                     const Proof* at_offsets) {
  const bool limited = jobs_may_wait(*task_set);
  Proof proof = prove_without_limits(stand, release, task_set, options, at_offsets, limited ? Phases::windows : Phases::followed);
  if (!limited || none_waits(proof)) return proof;
  // T35 is of all jobs of the set.
  if (all_periodic(*task_set)) proof = prove_without_limits(stand, release, task_set, options, at_offsets, Phases::ignored);
  keep_beside_limits(proof, options);
  tell_priorities(proof);
  return proof;
}

Proof prove(Release release, const std::shared_ptr<const TaskSet>& task_set, const Options& options, const Proof* at_offsets) {
  // Where deadlines are enough, one DAG without a bound is the answer.
  const Stand stand = options.enough == Enough::deadlines ? Stand::together : Stand::alone;
  return prove_standing(stand, release, task_set, options, at_offsets);
}

Analysis prove_one(Release release, const std::shared_ptr<const TaskSet>& task_set, const Options& options) {
  Analysis analysis;
  analysis.proof = prove(release, task_set, options, nullptr);
  analysis.policies.push_back(outcome_of(analysis.proof));
  return analysis;
}

Analysis prove_given(const std::shared_ptr<const TaskSet>& task_set, const Options& options) {
  return options.release ? prove_one(*options.release, task_set, options) : prove_best(task_set, options, prove);
}

/// The search is for release on completion and on segments.
bool assigns_priorities(const TaskSet& task_set, const Options& options) {
  const bool bounded = !options.release || options.release == Release::completion || options.release == Release::segments;
  return options.optimize_priorities && bounded && first_pool_under_fp(task_set);
}

/// With the fixed priorities that are best, found for the release that is asked for, or else for release on completion.
Analysis prove_assigned(const std::shared_ptr<const TaskSet>& task_set, const Options& options) {
  Options plain = options;
  plain.enough = Enough::bounds;      // they steer the search
  plain.optimize_priorities = false;  // of priority points on other pools, which the last proof searches
  const Release release = options.release.value_or(Release::completion);
  AssignedSet assigned = assign_priorities(task_set, plain, [&](const std::shared_ptr<const TaskSet>& candidate) {
    return prove_standing(Stand::together, release, candidate, plain, nullptr);
  });
  Analysis analysis = prove_given(assigned.task_set, options);
  if (assigned.assignment.by != AssignedBy::given) {
    Analysis as_given = prove_given(task_set, options);
    if (!better(analysis.proof, as_given.proof, options.objective)) {
      analysis = std::move(as_given);
      assigned.assignment.by = AssignedBy::given;
      assigned.assignment.dags.clear();
    }
  }
  analysis.assignment = std::move(assigned.assignment);
  return analysis;
}

/// A chain's name is no DAG's.
Explanation explain_any(const Analysis& analysis, const std::string& wanted) {
  const auto& chains = set_with_chains(analysis.proof).chains();
  const auto named = std::ranges::find(chains, wanted, &Chain::name);
  if (named == chains.end()) return explain(analysis.proof, wanted);
  return explain_chain(analysis.proof, *named, analysis.chains[static_cast<std::size_t>(named - chains.begin())]);
}

}  // namespace

Verdict verdict_with_chains(const Analysis& analysis) {
  const Verdict verdict = verdict_of(analysis.proof);
  const auto& chains = set_with_chains(analysis.proof).chains();
  for (std::size_t c = 0; c < chains.size(); ++c) {
    if (verdict == Verdict::schedulable && !analysis.chains[c].meets(chains[c])) return Verdict::deadline_missed;
  }
  return verdict;
}

Analysis analyze(std::shared_ptr<const TaskSet> task_set, const Options& given) {
  Options options = given;
  if (!task_set->chains().empty()) options.enough = Enough::bounds;  // their latencies are of all bounds
  // Whatever competes with what the search found is judged as the search judges.
  if (options.optimize_priorities) options.objective = Objective::max_lateness;
  if (first_on_threads(task_set->dags())) {
    refuse_options_for_threads(*task_set, options);
    options.release = Release::completion;
  }
  if (jobs_may_wait(*task_set)) {
    refuse_options_for_limits(*task_set, options);
    options.enough = Enough::bounds;  // F <= N T and F <= k T may ask for less than deadlines do
  }
  if (const auto executor = first_executor(task_set->pools(), task_set->dags())) {
    refuse_options_for_executors(task_set->pools()[*executor].name, options);
    options.release = Release::completion;
  }
  refuse_other_orders(*task_set, options);
  if (options.granularity != Granularity::fine) {
    if (measured_alone(*task_set))
      throw UserError(
          "kernels were measured alone (`alone`), and what company adds to them is counted for fine nodes only; leave "
          "--granularity out, or give durations beside company");
    if (options.release && options.release != Release::offsets) {
      throw UserError("coarse-grained and monolithic DAGs are released at offsets; other releases need fine nodes");
    }
    options.release = Release::grouped;
    options.scheduler = options.scheduler.value_or(Scheduler::g_edf);
  }
  task_set = with_cpu_pools(std::move(task_set), options);
  Analysis analysis = assigns_priorities(*task_set, options) ? prove_assigned(task_set, options) : prove_given(task_set, options);
  analysis.chains = prove_chains(analysis.proof);
  analysis.verdict = verdict_with_chains(analysis);
  analysis.warnings = analysis.proof.warnings;
  if (auto unused = unused_clock(*task_set)) analysis.warnings.push_back(std::move(*unused));
  for (const std::string& wanted : options.explain) analysis.explanations.push_back(explain_any(analysis, wanted));
  if (options.suggest) analysis.suggestions = suggest_block_sizes(*analysis.proof.task_set);
  return analysis;
}

}  // namespace rta::analysis
