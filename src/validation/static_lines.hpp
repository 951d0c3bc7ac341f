// Which thread of which process runs what: lines of played steps.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "static_waits.hpp"

namespace rta::validation {

/// Steps of one process that one thread runs in every frame, one after the other: those of a processor or engine, of a stream, or some
/// that follow one another anyway.
struct PlayedLine {
  std::string client;
  std::optional<std::size_t> resource;  // processor or engine
  std::optional<std::size_t> stream;
  std::vector<std::size_t> steps;  // of the played steps
};

/// Every step is in one line. Lines put nothing in an order that the schedule does not put in that order.
[[nodiscard]] std::vector<PlayedLine> played_lines(const static_order::ScheduledHyperepoch& hyperepoch, const Predecessors& predecessors,
                                                   const std::vector<PlayedStep>& steps);

}  // namespace rta::validation
