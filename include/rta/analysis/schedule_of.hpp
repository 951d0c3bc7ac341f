// How a proof is played: the one place that knows it.
#pragma once

#include "rta/analysis/proof.hpp"
#include "rta/model/schedule.hpp"

namespace rta::analysis {

/// Whether every node is told when to be released: the nodes of a DAG that is released at offsets have none behind a node without a bound,
/// and groups of nodes are only analysed.
[[nodiscard]] bool is_playable(const Proof& proof);

/// Of a proof of groups: whether all of them have offsets, and so the bounds hold for a program that releases them there.
[[nodiscard]] bool groups_have_offsets(const Proof& proof);

/// When the nodes are released, in which order they run, and from where their response times count, as the bounds assume. Throws
/// `UserError` for a proof that is not playable, with the reason.
[[nodiscard]] Schedule schedule_of(const Proof& proof);

}  // namespace rta::analysis
