// The first frames of a played schedule as a timeline: what ran on each resource, and what waited in front of it or in a stream.
#pragma once

#include "rta/compare/static_comparison.hpp"
#include "rta/trace/timeline.hpp"

namespace rta::compare {

/// Of one hyperepoch. Pools are the resources that something ran on (processors and engines, or mutexes where it needs nothing else), DAGs
/// the clients. A job is released when its frame lets it start and all that it depends on has ended, but for
/// those before it in its stream; these, and the order of its resource, are what it waits for then.
[[nodiscard]] trace::Timeline static_timeline(const static_order::Schedule& schedule, const StaticComparison& comparison,
                                              std::size_t hyperepoch);

}  // namespace rta::compare
