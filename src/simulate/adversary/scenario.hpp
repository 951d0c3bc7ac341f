// Scenarios: where a search for them starts, and what it changes.
#pragma once

#include "dice.hpp"
#include "ground.hpp"

namespace rta::simulate {

/// Jobs around one of `target`, the last of its DAG: those that are released until it may have ended, after about `response`, and in some
/// scenarios one or more before. The others come first always, or stage by stage up to some stage and always from there on; some scenarios
/// make the others' sources 0 long, so that all of their work is there at once.
[[nodiscard]] Options scenario_start(const Ground& ground, DagId target, Time response, Dice& dice);

/// Changes releases, execution times, ranks, the number of jobs or the placement of a scenario for `target`.
void change_scenario(const Ground& ground, DagId target, Options& scenario, Dice& dice);

/// Nodes of all jobs.
[[nodiscard]] std::size_t size_of(const Options& scenario);

}  // namespace rta::simulate
