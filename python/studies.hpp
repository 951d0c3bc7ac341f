// Many task sets: random ones, sweeps over them, and the best of those that a file with choices stands for.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "values.hpp"

namespace rta::python {

/// `spec`: the path of a specification, or its text.
[[nodiscard]] std::vector<Shared> generated(const std::string& spec, bool is_text, std::uint64_t count, std::uint64_t first,
                                            std::optional<std::uint64_t> seed, std::optional<std::uint64_t> point);

/// Whether the sweep is complete in `folder`; the tables are there then.
[[nodiscard]] bool swept(const std::string& spec, bool is_text, const std::string& folder, std::optional<std::uint64_t> count,
                         std::optional<std::uint64_t> seed, unsigned jobs, bool timing);

/// The result of `rta optimize --format json`, and the task set that was chosen.
[[nodiscard]] std::pair<std::string, Shared> optimized(const std::string& text, const std::string& name, std::uint64_t seed,
                                                       std::uint64_t effort, const std::optional<double>& time_limit,
                                                       const py::dict& analysis);

}  // namespace rta::python
