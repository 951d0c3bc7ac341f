// Task sets, options and results between Python and C++.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rta/analysis/option_table.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/model/task_set.hpp"
#include "rta/report/format.hpp"

namespace rta::python {

namespace py = pybind11;

/// What Python holds: shared with the analyses of it, never changed.
struct Shared {
  std::shared_ptr<const TaskSet> task_set;
  std::vector<std::string> warnings;        // of reading
  std::shared_ptr<const std::string> text;  // that it was read from; null: it was drawn or converted
  std::vector<std::string> found, assumed;  // of a conversion

  /// What a certificate of it is a proof about.
  [[nodiscard]] std::string as_file() const { return text ? *text : io::format_task_set(*task_set); }
};

[[nodiscard]] Shared parse(std::string text, const std::string& name);

/// Results are handed to Python as JSON, and read there by its own reader.
template <class Report>
[[nodiscard]] std::string json_of(const Report& report) {
  std::ostringstream out;
  report::printer_of<Report> (*report::format_named("json"))(report, out);
  return std::move(out).str();
}

/// A message that names options of the command line with those of Python: `give --processors N` as `give processors=N`.
[[nodiscard]] std::string in_python(std::string_view message);

/// Options of an analysis: `cpu_bound="..."` as `--cpu-bound`. Throws `UserError` for what is none.
[[nodiscard]] analysis::GivenOptions given_options(const py::dict& options);

}  // namespace rta::python
