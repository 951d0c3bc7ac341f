// A graph with the execution times that a played schedule showed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rta/compare/static_comparison.hpp"
#include "rta/static_order/graph.hpp"

namespace rta::compare {

struct StaticCalibration {
  static_order::Graph graph;
  std::size_t replaced = 0;  // runnables with an observed WCET
  std::vector<std::string> warnings;
};

/// The graph with each WCET replaced by what at least `ppm` millionths of its observed executions do not exceed (1'000'000: the maximum).
/// Runnables that the trace shows nothing of keep theirs, with a warning, and so do kernels whose blocks are known: how long one took
/// may hold waiting for others.
[[nodiscard]] StaticCalibration calibrate(const StaticComparison& comparison, const static_order::Graph& graph, std::uint32_t ppm);

}  // namespace rta::compare
