// Simulations: what they take, and the result of `rta simulate --format json`.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "values.hpp"

namespace rta::python {

/// What `simulate` takes beside the options of an analysis.
struct SimulationChoices {
  std::string duration, placement, ties, copy_rules;
  py::object execution;
  double jitter = 0;
  bool random_phases = false;
  std::uint64_t seed = 1;
  std::optional<double> time_limit;
};

/// The result, and the lines of a trace where one is asked for: the level of its records.
[[nodiscard]] std::pair<std::string, std::string> simulate_set(const Shared& shared, const SimulationChoices& choices,
                                                               const std::optional<std::string>& trace, const py::dict& analysis);

}  // namespace rta::python
