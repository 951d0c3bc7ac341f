// Task sets of other tools' files.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "rta/convert/convert.hpp"
#include "values.hpp"

namespace rta::python {

/// What a file of another tool holds, as `rta convert` reads it. Throws `UserError` for an experiment.
[[nodiscard]] Shared converted(const std::string& path, bool accept_difference, const py::dict& options);

/// Options of `rta convert`, as it takes them.
[[nodiscard]] convert::Options chosen_options(const py::dict& options);

/// Those that there are: (key, kind, text), where the kind is `flag`, `list` or `text`.
[[nodiscard]] py::list convert_options();

}  // namespace rta::python
