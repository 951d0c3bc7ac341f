// A task set in, a proven bound for every node and every DAG out.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rta/analysis/chains.hpp"
#include "rta/analysis/explain.hpp"
#include "rta/analysis/job_bounds.hpp"
#include "rta/analysis/largest_rate.hpp"
#include "rta/analysis/measured_device.hpp"
#include "rta/analysis/options.hpp"
#include "rta/analysis/priority_assignment.hpp"
#include "rta/analysis/proof.hpp"
#include "rta/analysis/remedies.hpp"
#include "rta/analysis/slack.hpp"
#include "rta/analysis/suggestion.hpp"
#include "rta/analysis/why.hpp"
#include "rta/model/task_set.hpp"

namespace rta::analysis {

/// What a release policy gives, chosen or not.
struct PolicyOutcome {
  Release release = Release::offsets;
  std::optional<Verdict> verdict;      // none: the policy was not tried
  std::optional<Time> largest_R;       // of any DAG; none when some DAG has no bound
  std::string reason;                  // why some DAG has no bound, or why the policy was not tried
  std::vector<LeftOut> left_out = {};  // of what this policy was asked for
};

/// Of a policy that needs more at run time than the chosen one: how much less its bounds are, which was not worth it.
struct Forgone {
  Release release = Release::offsets;
  Objective objective = Objective::sum;  // what is compared: sums of bounds, or largest latenesses
  Time there;
  Time here;        // of the chosen one
  int percent = 0;  // by how much it is less there: of the sum, or of the latest DAG's bound; rounded down
};

struct Analysis {
  Proof proof;                                   // of the policy that was asked for, or of the best
  Verdict verdict = Verdict::unbounded;          // limits of chains are deadlines, too
  std::vector<ChainProof> chains;                // as the chains of set_with_chains(proof)
  std::vector<PolicyOutcome> policies;           // all that were considered
  std::optional<Forgone> forgone;                // where others meet everything, too
  std::optional<PriorityAssignment> assignment;  // where fixed priorities were searched for: those of the proof
  std::vector<Explanation> explanations;
  std::vector<Why> whys;             // of late DAGs and of those that were asked for
  std::size_t whys_left_out = 0;     // late DAGs that are not among them
  std::optional<Remedies> remedies;  // where something is not met
  std::optional<Slack> slack;        // where it was asked for
  std::vector<LargestRate> rates;    // likewise
  std::optional<JobBounds> jobs;     // likewise, and where there are some
  Suggestions suggestions;
  std::vector<std::string> warnings;
  std::optional<RuleCheck> rules;  // where there is a device profile
};

/// That of the proof; a chain that may miss a limit is a deadline that may be missed.
[[nodiscard]] Verdict verdict_with_chains(const Analysis& analysis);

/// Proves what `options` ask for, and keeps the best. A task set without a bound is a result, not an error. Throws `UserError` when the
/// options do not fit the task set (an unknown node to explain, a group that cannot be one task) and `Overflow` when a number leaves the
/// exact range.
[[nodiscard]] Analysis analyze(std::shared_ptr<const TaskSet> task_set, const Options& options = {});

}  // namespace rta::analysis
