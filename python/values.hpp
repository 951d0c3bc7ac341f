// Task sets, options and results between Python and C++.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "rta/analysis/option_table.hpp"
#include "rta/model/task_set.hpp"
#include "rta/report/format.hpp"

namespace rta::python {

namespace py = pybind11;

/// What Python holds: shared with the analyses of it, never changed.
struct Shared {
  std::shared_ptr<const TaskSet> task_set;
  std::vector<std::string> warnings;  // of reading
};

/// JSON is YAML, so that what Python has as dicts and lists is read like a file.
[[nodiscard]] std::string as_json(const py::object& value);
[[nodiscard]] py::object from_json(const std::string& text);

template <class Report>
[[nodiscard]] std::string json_of(const Report& report) {
  std::ostringstream out;
  report::printer_of<Report> (*report::format_named("json"))(report, out);
  return std::move(out).str();
}

/// Options of an analysis: `cpu_bound="..."` as `--cpu-bound`. Throws `UserError` for what is none.
[[nodiscard]] analysis::GivenOptions given_options(const py::kwargs& options);

}  // namespace rta::python
