// A task-set file as the commands that deal with traces need it: its bytes and what they say.
#pragma once

#include <boost/program_options/variables_map.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rta/model/task_set.hpp"

namespace rta::cli {

struct TaskSetInput {
  std::string text;  // the file's bytes
  std::shared_ptr<const TaskSet> task_set;
  std::vector<std::string> warnings;  // of reading
};

/// `-` is standard input. Throws as io::parse_task_set does.
[[nodiscard]] TaskSetInput read_input(const std::string& path);
/// The same of what was read from there already.
[[nodiscard]] TaskSetInput parse_input(std::string text, const std::string& path);

/// The value of an option without default.
[[nodiscard]] std::optional<std::string> text_of(const boost::program_options::variables_map& given, const char* option);
/// The values of an option that may be repeated.
[[nodiscard]] std::vector<std::string> texts_of(const boost::program_options::variables_map& given, const char* option);

}  // namespace rta::cli
