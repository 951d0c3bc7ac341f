#include "values.hpp"

#include "rta/io/diagnostic.hpp"
#include "rta/model/error.hpp"

namespace rta::python {

Shared parse(std::string text, const std::string& name) {
  auto read = io::parse_task_set(text, name);
  Shared result;
  result.task_set = std::make_shared<const TaskSet>(std::move(read.task_set));
  result.text = std::make_shared<const std::string>(std::move(text));
  for (const io::Diagnostic& warning : read.warnings) result.warnings.push_back(warning.text());
  return result;
}

std::string in_python(std::string_view message) {
  const auto is_name = [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; };
  std::string text;
  for (std::size_t at = 0; at < message.size(); ++at) {
    const bool begins = at == 0 || message[at - 1] == ' ' || message[at - 1] == '(' || message[at - 1] == '`';
    if (!begins || !message.substr(at).starts_with("--") || at + 2 >= message.size() || message[at + 2] == '-' ||
        !is_name(message[at + 2])) {
      text += message[at];
      continue;
    }
    for (at += 2; at < message.size() && is_name(message[at]); ++at) text += message[at] == '-' ? '_' : message[at];
    text += '=';
    const bool value =
        at + 1 < message.size() && message[at] == ' ' && (message[at + 1] == '\'' || (message[at + 1] >= 'A' && message[at + 1] <= 'Z'));
    if (!value) --at;  // what follows is copied, but for the space before a value
  }
  return text;
}

analysis::GivenOptions given_options(const py::dict& options) {
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
