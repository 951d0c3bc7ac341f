// The release policies that compete, and the best one's proof.
#pragma once

#include <functional>
#include <memory>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/options.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

/// What a policy proves. `at_offsets`: the proof at offsets, where there is one already.
using ProvePolicy =
    std::function<Proof(Release release, const std::shared_ptr<const TaskSet>& task_set, const Options& options, const Proof* at_offsets)>;

/// What has been proven by one policy, in short.
[[nodiscard]] PolicyOutcome outcome_of(const Proof& proof);

/// Of one policy among several: where its numbers leave the range, or it finds no memory, it has no bound, and the others stand.
[[nodiscard]] Proof prove_if_possible(Release release, const std::shared_ptr<const TaskSet>& task_set, const Options& options,
                                      const Proof* at_offsets, const ProvePolicy& prove);

/// Release at offsets, and where another policy may be of use those on completion and in segments: the best one's proof. Of policies that
/// meet everything that is the one which needs least at run time (completion, then segments, then offsets), unless the bounds of a later
/// one are less by a fifth or more. Where deadlines are enough, on completion first, and none after one that meets them.
[[nodiscard]] Analysis prove_best(const std::shared_ptr<const TaskSet>& task_set, const Options& options, const ProvePolicy& prove);

}  // namespace rta::analysis
