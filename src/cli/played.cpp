#include "played.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis_options.hpp"
#include "rta/analysis/analyze.hpp"
#include "rta/analysis/schedule_of.hpp"
#include "rta/report/time_text.hpp"

namespace rta::cli {
namespace {

using analysis::Analysis;
using analysis::GivenOptions;
using analysis::Options;
using analysis::Proof;

GivenOptions without_release(const GivenOptions& given) {
  GivenOptions others = given;
  std::erase_if(others, [](const auto& option) { return option.first == "release"; });
  return others;
}

/// Options that mean something for this release.
GivenOptions in_force(const GivenOptions& given, Release release) {
  GivenOptions kept = without_release(given);
  std::erase_if(kept, [&](const auto& option) {
    const auto& without = analysis::find_option(option.first)->without_effect;
    return std::ranges::find(without, release) != without.end();
  });
  return kept;
}

Analysis best(const std::shared_ptr<const TaskSet>& task_set, const Options& options) {
  Analysis analysis = analysis::analyze(task_set, options);
  if (analysis::is_playable(analysis.proof)) return analysis;
  Options on_completion = options;
  on_completion.release = Release::completion;
  return analysis::analyze(task_set, on_completion);
}

/// Where a release that was asked for misses a deadline, or has no bound for it, although another one meets it.
std::vector<std::string> missed_without_need(const Proof& asked, const Proof& best) {
  std::vector<std::string> notes;
  for (DagId d = 0; d < asked.dags.size(); ++d) {
    const Dag& dag = asked.task_set->dags()[d];
    if (asked.dags[d].meets(dag.deadline()) || !best.dags[d].meets(dag.deadline())) continue;
    const auto& bound = asked.dags[d].bound;
    const std::string deadline = dag.deadline() ? " D = " + report::time_text(*dag.deadline()) : std::string();
    notes.push_back(fmt::format("--release {}: {} of DAG '{}'{}; on {} it is bounded by {}{}", to_string(asked.release),
                                bound ? fmt::format("the bound {}", report::time_text(bound->R)) : "no bound", dag.name(),
                                bound ? " misses" + deadline : "", to_string(best.release), report::time_text(best.dags[d].bound->R),
                                dag.deadline() ? ", within D" : ""));
  }
  return notes;
}

/// Without a schedule: the groups of a program need none.
Played played_in_groups(const std::shared_ptr<const TaskSet>& task_set, const GivenOptions& given, const Options& options) {
  Played result;
  Analysis analysis = analysis::analyze(task_set, options);
  result.warnings = std::move(analysis.warnings);
  result.options = in_force(given, analysis.proof.release);
  const analysis::NoBound* why = analysis::why_unbounded(analysis.proof);
  if (!analysis::groups_have_offsets(analysis.proof)) {
    result.warnings.push_back(fmt::format("groups are released when those before them have ended, for which there are no bounds{}{}",
                                          why == nullptr ? "" : ": ", why == nullptr ? "" : in_words(analysis.proof, *why)));
  } else if (why != nullptr) {
    result.warnings.push_back(fmt::format("no bound: {}", in_words(analysis.proof, *why)));
  }
  result.proof = std::move(analysis.proof);
  return result;
}

}  // namespace

Played played_by_program(const std::shared_ptr<const TaskSet>& task_set, const GivenOptions& given) {
  const Options options = checked_options(given);
  if (options.granularity != analysis::Granularity::fine) return played_in_groups(task_set, given, options);
  Played result = played(task_set, given);
  if (result.proof.company) {
    result.warnings.emplace_back(
        "kernels that were measured alone are played as if all that they can meet were there as long as it ever may be: their "
        "blocks take as long as they do in the bounds");
  }
  return result;
}

void drop_bounds(Proof& proof) {
  for (analysis::DagProof& dag : proof.dags) {
    dag.bound.reset();  // and with it those of chains
    for (analysis::NodeProof& node : dag.nodes) node.bound.reset();
  }
}

Played played(const std::shared_ptr<const TaskSet>& task_set, const GivenOptions& given) {
  const Options options = checked_options(given);
  if (options.granularity != analysis::Granularity::fine) {
    Played groups = played_in_groups(task_set, given, options);
    groups.schedule = analysis::schedule_of(groups.proof);
    if (!analysis::groups_have_offsets(groups.proof)) drop_bounds(groups.proof);
    return groups;
  }
  Played result;
  Analysis analysis = options.release ? analysis::analyze(task_set, options) : best(task_set, options);
  result.schedule = analysis::schedule_of(analysis.proof);
  result.warnings = analysis.warnings;
  if (options.release && analysis.verdict != analysis::Verdict::schedulable) {
    GivenOptions others = in_force(given, Release::completion);
    const Analysis chosen = best(task_set, analysis::options_of(others));
    for (std::string& note : missed_without_need(analysis.proof, chosen.proof)) result.warnings.push_back(std::move(note));
  }
  if (const analysis::NoBound* why = analysis::why_unbounded(analysis.proof)) {
    result.warnings.push_back(fmt::format("no bound on {}: {}", to_string(analysis.proof.release), in_words(analysis.proof, *why)));
  }
  result.options = in_force(given, analysis.proof.release);
  result.proof = std::move(analysis.proof);
  return result;
}

}  // namespace rta::cli
