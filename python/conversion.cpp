#include "conversion.hpp"

#include <algorithm>
#include <boost/program_options/errors.hpp>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <boost/program_options/variables_map.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "cli/convert_options.hpp"
#include "cli/recorded_model.hpp"
#include "interruptible.hpp"
#include "rta/io/diagnostic.hpp"
#include "rta/model/error.hpp"

namespace rta::python {
namespace {

namespace po = boost::program_options;

po::options_description described() {
  po::options_description all;
  all.add_options()("from", po::value<std::string>(), "what the file is (default: as its content shows)");
  cli::add_convert_options(all);
  all.add_options()("accept-difference", po::bool_switch(), "write a model though its jobs differ from recorded ones");
  return all;
}

/// `processors=4` as `--processors=4`, a list as the option repeated.
std::vector<std::string> words_of(const py::dict& options) {
  std::vector<std::string> words;
  for (const auto& [key, value] : options) {
    std::string name = "--" + std::string(py::str(key));
    std::ranges::replace(name, '_', '-');
    if (name == "--kind") name = "--from";  // which is a word of Python's own
    if (value.is_none() || (py::isinstance<py::bool_>(value) && !value.cast<bool>())) continue;
    if (py::isinstance<py::bool_>(value)) {
      words.push_back(name);
    } else if (py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value)) {
      for (const py::handle one : value) words.push_back(name + "=" + std::string(py::str(one)));
    } else {
      words.push_back(name + "=" + std::string(py::str(value)));
    }
  }
  return words;
}

po::variables_map parsed(const py::dict& options) {
  const po::options_description all = described();
  po::variables_map map;
  try {
    const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::store(po::command_line_parser(words_of(options)).options(all).style(style).run(), map);
  } catch (const po::error& error) {
    throw UserError(error.what());
  }
  return map;
}

}  // namespace

convert::Options chosen_options(const py::dict& options) { return cli::chosen_convert_options(parsed(options)); }

Shared converted(const std::string& path, bool accept_difference, const py::dict& options) {
  py::dict all = options;
  if (accept_difference) all["accept_difference"] = true;
  const po::variables_map chosen = parsed(all);
  return interruptible([&](const std::stop_token&) {
    convert::Converted read = convert::convert(path, cli::chosen_convert_options(chosen));
    cli::refuse_options_without_effect(chosen, read);
    cli::hold_to_recording(read, accept_difference, path);
    auto* set = std::get_if<TaskSet>(&read.content);
    if (set == nullptr) throw UserError(path + ": an experiment, no task set; the program rta plays it: rta convert, rta simulate");
    Shared made;
    made.task_set = std::make_shared<const TaskSet>(std::move(*set));
    for (const io::Diagnostic& warning : read.warnings) made.warnings.push_back(warning.text());
    made.found = std::move(read.found);
    made.assumed = std::move(read.assumed);
    return made;
  });
}

py::list convert_options() {
  py::list all;
  const po::options_description options = described();
  for (const auto& option : options.options()) {
    if (option->long_name() == "accept-difference") continue;  // a parameter of its own
    std::string key = option->long_name();
    std::ranges::replace(key, '-', '_');
    if (key == "from") key = "kind";
    const auto semantic = option->semantic();
    const char* const kind = semantic->max_tokens() == 0 ? "flag" : semantic->is_composing() ? "list" : "text";
    all.append(py::make_tuple(key, kind, option->description()));
  }
  return all;
}

}  // namespace rta::python
