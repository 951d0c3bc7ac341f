// What an analysis proves, as JSON, as a certificate and as a graph; and beside what was observed.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "values.hpp"

namespace rta::python {

/// The result of `rta analyze --format json` but for its evidence and its advice.
[[nodiscard]] std::string analyzed(const Shared& shared, const std::vector<std::string>& explain, const std::optional<double>& time_limit,
                                   const py::dict& analysis);

/// A certificate of what is proven, and the bounds that it does not carry.
[[nodiscard]] std::pair<std::string, std::vector<std::string>> certified(const Shared& shared, const py::dict& analysis);

/// The DAGs as Graphviz's text, with what is proven where `bounds` asks for it.
[[nodiscard]] std::string drawn(const Shared& shared, bool bounds, const py::dict& analysis);
[[nodiscard]] py::bytes picture_of(const std::string& dot, const std::string& format);

/// The result of `rta compare --format json`.
[[nodiscard]] std::string compared(const std::vector<std::string>& traces, const Shared& shared, const py::dict& recording,
                                   const py::dict& analysis);

/// Options of an analysis: (key, kind, values, text), where the kind is `flag`, `number` or `choice`.
[[nodiscard]] py::list analysis_options();

}  // namespace rta::python
