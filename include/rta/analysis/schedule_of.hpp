// How a proof is played: the one place that knows it.
#pragma once

#include <vector>

#include "rta/analysis/proof.hpp"
#include "rta/model/body.hpp"
#include "rta/model/schedule.hpp"

namespace rta::analysis {

/// The task set whose nodes are played: where groups are tasks of the proof, the one before.
[[nodiscard]] const TaskSet& nodes_played(const Proof& proof);

/// The same as a simulation plays it: durations that were measured alone stay so, as it plays company itself.
[[nodiscard]] const TaskSet& nodes_simulated(const Proof& proof);

/// DAG -> task of the proof -> the nodes of `nodes_played` that it is, in the order in which its jobs play them: one, where it is no group.
[[nodiscard]] std::vector<std::vector<std::vector<NodeId>>> nodes_of_tasks(const Proof& proof);

/// Whether every node is told when to be released: the nodes of a DAG that is released at offsets have none behind a node without a bound.
/// Groups without a bound are released when those before them have ended.
[[nodiscard]] bool is_playable(const Proof& proof);

/// Of a proof of groups: whether all of them have offsets, and so the bounds hold for a program that releases them there.
[[nodiscard]] bool groups_have_offsets(const Proof& proof);

/// When the nodes of `nodes_played` are released, in which order they run, and from where their response times count, as the bounds assume;
/// the nodes of a group count from the group's offset. Throws `UserError` for a proof that is not playable, with the reason.
[[nodiscard]] Schedule schedule_of(const Proof& proof);

/// Where groups are tasks, their nodes and each CPU node without a group; else none.
[[nodiscard]] Bodies bodies_of_groups(const Proof& proof);

}  // namespace rta::analysis
