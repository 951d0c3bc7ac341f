#include "values.hpp"

#include "rta/model/error.hpp"

namespace rta::python {

std::string as_json(const py::object& value) { return py::str(py::module_::import("json").attr("dumps")(value)); }

py::object from_json(const std::string& text) { return py::module_::import("json").attr("loads")(text); }

analysis::GivenOptions given_options(const py::kwargs& options) {
  analysis::GivenOptions given;
  for (const auto& [key, value] : options) {
    std::string name = py::str(key);
    for (char& c : name) c = c == '_' ? '-' : c;
    if (value.is_none()) continue;
    const analysis::OptionEntry* entry = analysis::find_option(name);
    if (entry == nullptr) throw UserError("no option '" + std::string(py::str(key)) + "' of an analysis");
    std::string text = py::isinstance<py::bool_>(value) ? (value.cast<bool>() ? "true" : "false") : std::string(py::str(value));
    if (entry->is_flag() && text == "false") continue;
    given.emplace_back(std::move(name), std::move(text));
  }
  return given;
}

}  // namespace rta::python
