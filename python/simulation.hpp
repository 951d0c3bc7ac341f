// `rta.simulate`: what it takes, and the result of `rta simulate --format json`.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <optional>
#include <string>

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

/// `trace`: a level of records that are added to the result.
[[nodiscard]] py::object simulate_set(const Shared& shared, const SimulationChoices& choices, const std::optional<std::string>& trace,
                                      const py::kwargs& kwargs);

}  // namespace rta::python
