// `import rta`: task sets, analyses, simulations and random sets for Python. Results are those of the commands' JSON, as dicts.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/option_table.hpp"
#include "rta/generate/generator.hpp"
#include "rta/io/diagnostic.hpp"
#include "rta/io/new_file.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/model/error.hpp"
#include "rta/report/analysis_report.hpp"
#include "rta/report/format.hpp"
#include "rta/sweep/spec_file.hpp"
#include "simulation.hpp"
#include "values.hpp"

namespace rta::python {
namespace {

Shared parse(const std::string& text, const std::string& name) {
  auto read = io::parse_task_set(text, name);
  Shared result{std::make_shared<const TaskSet>(std::move(read.task_set)), {}};
  for (const io::Diagnostic& warning : read.warnings) result.warnings.push_back(warning.text());
  return result;
}

py::object analyze(const Shared& shared, const py::kwargs& kwargs) {
  const analysis::GivenOptions given = given_options(kwargs);
  std::string json;
  {
    const py::gil_scoped_release unlocked;
    analysis::Analysis analysis = analysis::analyze(shared.task_set, analysis::options_of(given));
    analysis.warnings.insert(analysis.warnings.begin(), shared.warnings.begin(), shared.warnings.end());
    json = json_of(report::AnalysisReport{analysis, {}, std::nullopt});
  }
  return from_json(json);
}

std::vector<Shared> drawn(const sweep::Plan& plan, std::optional<std::uint64_t> point, std::uint64_t first, std::uint64_t count) {
  if (!point && plan.points.size() > 1)
    throw UserError("the file has a grid of " + std::to_string(plan.points.size()) + " points; choose one with point=");
  const std::uint64_t chosen = point.value_or(0);
  if (chosen >= plan.points.size())
    throw UserError("point " + std::to_string(chosen) + ": the grid has " + std::to_string(plan.points.size()) + " points");
  const generate::Recipe& recipe = plan.points[chosen].recipe;
  generate::Generator generator(recipe);
  generate::RandomSet set;
  std::vector<Shared> all;
  for (std::uint64_t i = 0; i < count; ++i) {
    generator.draw({plan.seed, chosen, first + i}, set);
    all.push_back({std::make_shared<const TaskSet>(to_task_set(recipe, set, "random")), {}});
  }
  return all;
}

std::vector<Shared> generate_sets(const py::object& spec, std::uint64_t count, std::uint64_t first, std::optional<std::uint64_t> seed,
                                  std::optional<std::uint64_t> point) {
  const bool is_dict = py::isinstance<py::dict>(spec);
  const std::string given = is_dict ? as_json(spec) : std::string(py::str(spec));
  const py::gil_scoped_release unlocked;
  const sweep::Overrides overrides{.seed = seed, .sets = std::nullopt, .timing = false};
  return drawn(is_dict ? sweep::parse_plan(given, "<dict>", overrides) : sweep::read_plan(given, overrides), point, first, count);
}

/// One flat dict per item of a result's list `kind`, for `pandas.DataFrame`: nested values are left out, those of `details` (such as
/// `bound`) are not. Nodes within DAGs have the DAG's name as `dag`.
void add_row(const py::dict& item, const std::string& prefix, py::dict& row) {
  for (const auto& [key, value] : item) {
    const std::string name = prefix + std::string(py::str(key));
    if (py::isinstance<py::dict>(value)) {
      add_row(value.cast<py::dict>(), name + ".", row);
    } else if (!py::isinstance<py::list>(value)) {
      row[py::str(name)] = value;
    }
  }
}

py::list rows(const py::dict& result, const std::string& kind) {
  py::list all;
  const auto add = [&](const py::handle& item, const std::optional<py::object>& dag) {
    py::dict row;
    if (dag) row["dag"] = *dag;
    add_row(item.cast<py::dict>(), "", row);
    all.append(row);
  };
  if (result.contains(kind)) {
    for (const py::handle item : result[py::str(kind)].cast<py::list>()) add(item, std::nullopt);
  } else if (kind == "nodes" && result.contains("dags")) {
    for (const py::handle dag : result["dags"].cast<py::list>()) {
      for (const py::handle node : dag.cast<py::dict>()["nodes"].cast<py::list>()) add(node, dag.cast<py::dict>()["name"]);
    }
  } else {
    throw UserError("the result has no list '" + kind + "'");
  }
  return all;
}

/// `rta.InputError` with the place of the first thing that is wrong, and `diagnostics` with all of them.
void set_input_error(const py::handle& type, const io::InputError& error) {
  py::object value = type(error.what());
  py::list all;
  for (const io::Diagnostic& each : error.diagnostics()) all.append(py::make_tuple(each.file, each.line, each.column, each.message));
  value.attr("diagnostics") = all;
  if (!error.diagnostics().empty()) {
    const io::Diagnostic& first = error.diagnostics().front();
    value.attr("file") = first.file;
    value.attr("line") = first.line;
    value.attr("column") = first.column;
  }
  PyErr_SetObject(type.ptr(), value.ptr());
}

void add_exceptions(py::module_& module) {
  static py::handle user_error = py::exception<UserError>(module, "Error", PyExc_ValueError).release();
  static py::handle input_error = py::exception<io::InputError>(module, "InputError", user_error).release();
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(std::move(thrown));
    } catch (const io::InputError& error) {
      set_input_error(input_error, error);
    } catch (const UserError& error) {
      PyErr_SetString(user_error.ptr(), error.what());
    } catch (const Overflow& error) {
      PyErr_SetString(PyExc_OverflowError, error.what());
    } catch (const std::system_error& error) {
      PyErr_SetObject(PyExc_OSError, py::make_tuple(error.code().value(), error.what()).ptr());
    }
  });
}

void add_task_set(py::module_& module) {
  py::class_<Shared>(module, "TaskSet", "A task set; it never changes. Of `read`, `parse` or `task_set`.")
      .def_property_readonly("name", [](const Shared& self) { return self.task_set->name(); })
      .def_property_readonly(
          "warnings", [](const Shared& self) { return self.warnings; }, "What was doubtful when it was read.")
      .def_property_readonly("dags",
                             [](const Shared& self) {
                               std::vector<std::string> names;
                               for (const Dag& dag : self.task_set->dags()) names.push_back(dag.name());
                               return names;
                             })
      .def(
          "to_yaml", [](const Shared& self) { return io::format_task_set(*self.task_set); }, "The task set as a file's text.")
      .def(
          "write",
          [](const Shared& self, const py::object& path) {
            io::write_file(std::string(py::str(path)), io::format_task_set(*self.task_set));
          },
          py::arg("path"))
      .def(
          "__eq__", [](const Shared& self, const Shared& other) { return *self.task_set == *other.task_set; }, py::is_operator())
      .def("__repr__", [](const Shared& self) {
        return "<rta.TaskSet '" + self.task_set->name() + "', " + std::to_string(self.task_set->dags().size()) + " DAGs>";
      });
}

}  // namespace
}  // namespace rta::python

PYBIND11_MODULE(rta, module) {
  using namespace rta;
  using namespace rta::python;
  module.doc() = "Response-time bounds, simulations and random task sets; times in results are whole nanoseconds (keys that end in _ns).";
  module.attr("__version__") = RTA_VERSION;
  add_exceptions(module);
  add_task_set(module);
  module.def(
      "read",
      [](const py::object& path) {
        const std::string name = py::str(path);
        const py::gil_scoped_release unlocked;
        return parse(io::read_task_set_text(name), name);
      },
      py::arg("path"), "Reads a task-set file. Raises InputError with file, line and column.");
  module.def("parse", &parse, py::arg("text"), py::arg("name") = "<text>", py::call_guard<py::gil_scoped_release>(),
             "Reads a task set from text; `name` stands for the file in errors.");
  module.def(
      "task_set", [](const py::dict& content) { return parse(as_json(content), "<dict>"); }, py::arg("content"),
      "A task set of dicts and lists with the keys of a file.");
  module.def("analyze", &analyze, py::arg("task_set"),
             "Proves bounds: the result of `rta analyze --format json`. Options as on the command line, e.g. release=\"offsets\".");
  module.def(
      "simulate",
      [](const Shared& shared, const std::string& duration, const py::object& execution, const std::string& placement,
         const std::string& ties, const std::string& copy_rules, double jitter, bool random_phases, std::uint64_t seed,
         std::optional<double> time_limit, const std::optional<std::string>& trace, const py::kwargs& options) {
        return simulate_set(shared, {duration, placement, ties, copy_rules, execution, jitter, random_phases, seed, time_limit}, trace,
                            options);
      },
      py::arg("task_set"), py::kw_only(), py::arg("duration") = "10 s", py::arg("execution") = "worst", py::arg("placement") = "most-free",
      py::arg("ties") = "in-order", py::arg("copy_rules") = "yang2020", py::arg("jitter") = 0.0, py::arg("random_phases") = false,
      py::arg("seed") = 1, py::arg("time_limit") = py::none(), py::arg("trace") = py::none(),
      "Simulates: the result of `rta simulate --format json`. execution: worst, uniform, a percentage or a pair; jitter: percent of T; "
      "time_limit: seconds; trace: dag, job or block adds the records of that level and those above it as `trace`. Options of an analysis "
      "as for `analyze`.");
  module.def("generate", &generate_sets, py::arg("spec"), py::kw_only(), py::arg("count") = 1, py::arg("first") = 0,
             py::arg("seed") = py::none(), py::arg("point") = py::none(),
             "Random task sets as `rta generate`; spec: a file's path, or its content as a dict.");
  module.def("rows", &rows, py::arg("result"), py::arg("kind") = "dags",
             "Flat dicts of a result's DAGs, nodes or another list, for pandas.DataFrame.");
}
