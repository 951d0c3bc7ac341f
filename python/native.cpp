// `rta._native`, what the Python package `rta` is made on: functions that take task sets and give the commands' JSON as text.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "conversion.hpp"
#include "proofs.hpp"
#include "rta/convert/convert.hpp"
#include "rta/io/canonical_json.hpp"
#include "rta/io/diagnostic.hpp"
#include "rta/io/new_file.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/model/error.hpp"
#include "simulation.hpp"
#include "studies.hpp"
#include "values.hpp"

namespace rta::python {
namespace {

/// `InputError` with the place of the first thing that is wrong, and `diagnostics` with all of them.
void set_input_error(const py::handle& type, const io::InputError& error) {
  py::object value = type(in_python(error.what()));
  py::list all;
  for (const io::Diagnostic& each : error.diagnostics())
    all.append(py::make_tuple(each.file, each.line, each.column, in_python(each.message)));
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
  py::exception<UserError> base(module, "Error", PyExc_ValueError);
  py::exception<io::InputError> input(module, "InputError", base);
  for (const py::handle& type : {py::handle(base), py::handle(input)}) type.attr("__module__") = "rta";
  base.attr("__doc__") = "What the command line answers with exit status 2; the message says what is allowed.";
  input.attr("__doc__") =
      "A file says something that is wrong: `file`, `line` and `column` of the first of it, and in `diagnostics` all as (file, line, "
      "column, "
      "message).";
  static py::handle user_error = base.release();
  static py::handle input_error = input.release();
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(std::move(thrown));
    } catch (const io::InputError& error) {
      set_input_error(input_error, error);
    } catch (const UserError& error) {
      PyErr_SetString(user_error.ptr(), in_python(error.what()).c_str());
    } catch (const Overflow& error) {
      PyErr_SetString(PyExc_OverflowError, error.what());
    } catch (const std::system_error& error) {
      PyErr_SetObject(PyExc_OSError, py::make_tuple(error.code().value(), error.what()).ptr());
    }
  });
}

void add_task_sets(py::module_& module) {
  py::class_<Shared>(module, "TaskSet")
      .def_property_readonly("name", [](const Shared& self) { return self.task_set->name(); })
      .def_readonly("warnings", &Shared::warnings)
      .def_readonly("found", &Shared::found)
      .def_readonly("assumed", &Shared::assumed)
      .def_property_readonly("dags",
                             [](const Shared& self) {
                               std::vector<std::string> names;
                               for (const Dag& dag : self.task_set->dags()) names.push_back(dag.name());
                               return names;
                             })
      .def("text", &Shared::as_file)
      .def("to_yaml", [](const Shared& self) { return io::format_task_set(*self.task_set); })
      .def("to_json", [](const Shared& self) { return io::canonical_json(*self.task_set); })
      .def("to_dot", [](const Shared& self) { return convert::format_dot(*self.task_set); })
      .def("equals", [](const Shared& self, const Shared& other) { return *self.task_set == *other.task_set; });
  module.def(
      "read",
      [](const std::string& path) {
        const py::gil_scoped_release unlocked;
        return parse(io::read_task_set_text(path), path);
      },
      py::arg("path"));
  module.def("parse", &parse, py::arg("text"), py::arg("name"), py::call_guard<py::gil_scoped_release>());
  module.def(
      "restored",
      [](const std::string& text, const std::string& name, std::vector<std::string> warnings, std::vector<std::string> found,
         std::vector<std::string> assumed) {
        Shared made = parse(text, name);
        made.warnings = std::move(warnings);
        made.found = std::move(found);
        made.assumed = std::move(assumed);
        return made;
      },
      py::arg("text"), py::arg("name"), py::arg("warnings"), py::arg("found"), py::arg("assumed"));
  module.def("convert", &converted, py::arg("path"), py::arg("accept_difference"), py::arg("options"));
  module.def("generate", &generated, py::arg("spec"), py::arg("is_text"), py::arg("count"), py::arg("first"), py::arg("seed"),
             py::arg("point"));
}

void add_results(py::module_& module) {
  module.def("analyze", &analyzed, py::arg("task_set"), py::arg("explain"), py::arg("time_limit"), py::arg("analysis"));
  module.def("certificate", &certified, py::arg("task_set"), py::arg("analysis"));
  module.def("graph", &drawn, py::arg("task_set"), py::arg("bounds"), py::arg("analysis"));
  module.def("picture", &picture_of, py::arg("dot"), py::arg("format"));
  module.def("compare", &compared, py::arg("traces"), py::arg("task_set"), py::arg("recording"), py::arg("analysis"));
  module.def(
      "simulate",
      [](const Shared& shared, std::string duration, py::object execution, std::string placement, std::string ties, std::string copy_rules,
         double jitter, bool random_phases, std::uint64_t seed, std::optional<double> time_limit, const std::optional<std::string>& trace,
         const py::dict& analysis) {
        return simulate_set(shared,
                            {std::move(duration), std::move(placement), std::move(ties), std::move(copy_rules), std::move(execution),
                             jitter, random_phases, seed, time_limit},
                            trace, analysis);
      },
      py::arg("task_set"), py::arg("duration"), py::arg("execution"), py::arg("placement"), py::arg("ties"), py::arg("copy_rules"),
      py::arg("jitter"), py::arg("random_phases"), py::arg("seed"), py::arg("time_limit"), py::arg("trace"), py::arg("analysis"));
  module.def("optimize", &optimized, py::arg("text"), py::arg("name"), py::arg("seed"), py::arg("effort"), py::arg("time_limit"),
             py::arg("analysis"));
  module.def("sweep", &swept, py::arg("spec"), py::arg("is_text"), py::arg("folder"), py::arg("count"), py::arg("seed"), py::arg("jobs"),
             py::arg("timing"));
}

}  // namespace
}  // namespace rta::python

PYBIND11_MODULE(_native, module) {
  using namespace rta::python;
  module.attr("__version__") = RTA_VERSION;
  add_exceptions(module);
  add_task_sets(module);
  add_results(module);
  module.def(
      "write_file", [](const std::string& path, const py::bytes& content) { rta::io::write_file(path, std::string(content)); },
      py::arg("path"), py::arg("content"));
  module.def(
      "read_text", [](const std::string& path) { return rta::io::read_task_set_text(path); }, py::arg("path"));
  module.def("analysis_options", &analysis_options);
  module.def("convert_options", &convert_options);
}
