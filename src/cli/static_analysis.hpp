// `rta analyze --release static`: the bounds of a static order, in place of those for sporadic releases.
#pragma once

#include <boost/program_options/variables_map.hpp>
#include <memory>

#include "rta/analysis/analyze.hpp"
#include "rta/model/task_set.hpp"
#include "rta/static_order/graph.hpp"
#include "rta/static_order/periodic_proof.hpp"

namespace rta::cli {

/// Whether --release is `static`, which this command alone has. Throws `UsageError` for a value that nobody has.
[[nodiscard]] bool asks_for_static_order(const boost::program_options::variables_map& given);

/// A compilation of some effort; `--time-limit` makes it longer, and is shared by as many `readings` of the file. Throws `UsageError` for
/// options that have no effect on it, and `UserError` for a set that has no static orders: where kernels have blocks that stand for
/// switches of a measured device, too, since T15, T15w and T15g let a kernel start as soon as there is room.
[[nodiscard]] static_order::PeriodicProof analyze_static_order(const boost::program_options::variables_map& given,
                                                               const std::shared_ptr<const TaskSet>& task_set, bool kernel_switches,
                                                               int readings);

/// Says on standard error that the search has many jobs before it, where it has.
void tell_many_jobs(const boost::program_options::variables_map& given, const static_order::Graph& graph);

/// What a first order would give, or why there is none.
[[nodiscard]] analysis::PolicyOutcome first_static_order(const std::shared_ptr<const TaskSet>& task_set, bool kernel_switches);

}  // namespace rta::cli
