#include "task_set_input.hpp"

#include "rta/io/task_set_file.hpp"

namespace rta::cli {

TaskSetInput read_input(const std::string& path) { return parse_input(io::read_task_set_text(path), path); }

TaskSetInput parse_input(std::string text, const std::string& path) {
  TaskSetInput input;
  input.text = std::move(text);
  auto read = io::parse_task_set(input.text, path == "-" ? "<stdin>" : path);
  for (const io::Diagnostic& warning : read.warnings) input.warnings.push_back(warning.text());
  input.task_set = std::make_shared<const TaskSet>(std::move(read.task_set));
  return input;
}

std::optional<std::string> text_of(const boost::program_options::variables_map& given, const char* option) {
  if (given.count(option) == 0) return std::nullopt;
  return given[option].as<std::string>();
}

std::vector<std::string> texts_of(const boost::program_options::variables_map& given, const char* option) {
  return given.count(option) != 0 ? given[option].as<std::vector<std::string>>() : std::vector<std::string>();
}

}  // namespace rta::cli
