#include "mixup.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "../io/file_kind.hpp"

namespace rta::cli {
namespace {

using io::FileIs;

struct Takes {
  std::string_view command;
  std::string_view wanted;  // what other files are not
  std::vector<FileIs> kinds;
};

const std::array<Takes, 13>& takes_of_commands() {
  using enum FileIs;
  static const std::array<Takes, 13> all{{
      {"analyze", "no task set", {task_set, schedule}},
      {"simulate", "neither a task set nor an experiment", {task_set, experiment}},
      {"draw", "no task set, graph or schedule", {task_set, graph, schedule}},
      {"workload", "no task set and no schedule", {task_set, schedule}},
      {"run", "no task set and no schedule", {task_set, schedule}},
      {"compile", "no graph and no task set", {graph, task_set}},
      {"optimize", "no task set", {task_set}},
      {"sweep", "no sweep", {sweep, recipe}},
      {"generate", "no recipe of random task sets", {recipe, sweep}},
      {"compare", "neither a trace nor a task set", {trace, recording, task_set, schedule}},
      {"calibrate", "neither a trace nor a task set", {trace, recording, task_set, schedule, graph}},
      {"diff", "no result", {result}},
      {"plot", "no folder of a sweep", {}},
  }};
  return all;
}

std::string head_of(const std::string& path) {
  constexpr std::size_t most = 1U << 16U;
  std::ifstream in(path, std::ios::binary);
  std::string head(most, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return head;
}

}  // namespace

std::optional<std::string> file_of_another_kind(const Command& command, const std::vector<std::string>& arguments) {
  const auto* const takes = std::ranges::find(takes_of_commands(), std::string_view(command.name), &Takes::command);
  if (takes == takes_of_commands().end()) return std::nullopt;
  for (const std::string& path : arguments) {
    std::error_code missing;
    if (!std::filesystem::is_regular_file(path, missing)) continue;
    const auto kind = io::file_kind(head_of(path), path);
    if (kind && std::ranges::find(takes->kinds, kind->is) == takes->kinds.end()) return path + ":1:1: " + mixup(*kind, takes->wanted);
  }
  return std::nullopt;
}

}  // namespace rta::cli
