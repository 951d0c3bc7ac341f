#include "mixup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string_view>

#include "../io/file_kind.hpp"
#include "rta/io/choice_file.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/model/error.hpp"

namespace rta::cli {
namespace {

using io::FileIs;

struct Takes {
  std::string_view command;
  std::string_view wanted;  // what other files are not
  std::vector<FileIs> kinds;
  std::string_view traces = {};  // the command takes traces in front of these, and is called so
};

const std::array<Takes, 14>& takes_of_commands() {
  using enum FileIs;
  static const std::array<Takes, 14> all{{
      {"analyze", "no task set", {task_set}},
      {"simulate", "neither a task set nor an experiment", {task_set, experiment}},
      {"draw", "no task set, graph or schedule", {task_set, graph, schedule}},
      {"workload", "no task set and no schedule", {task_set, schedule}},
      {"run", "no task set and no schedule", {task_set, schedule}},
      {"compile", "no graph and no task set", {graph, task_set}},
      {"optimize", "no task set", {task_set}},
      {"sweep", "no sweep", {sweep, recipe}},
      {"generate", "no recipe of random task sets", {recipe, sweep}},
      {"compare", "no task set and no schedule", {task_set, schedule}, "rta compare TRACE... TASKSET"},
      {"calibrate", "no task set, schedule or graph", {task_set, schedule, graph}, "rta calibrate TRACE TASKSET"},
      {"lint", "no source and no recording", {source, recording, trace}},
      {"diff", "no result", {result}},
      {"plot", "no folder of a sweep", {}},
  }};
  return all;
}

// How many of so many files are traces: those in front.
std::size_t traces_of(const Takes& takes, std::size_t files) {
  if (takes.traces.empty()) return 0;
  return takes.command == "compare" ? files - std::min<std::size_t>(files, 1) : 1;
}

std::string head_of(const std::string& path) {
  constexpr std::size_t most = 1U << 16U;
  std::ifstream in(path, std::ios::binary);
  std::string head(most, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return head;
}

bool is_read(const std::function<void()>& read) {
  try {
    read();
    return true;
  } catch (const UserError&) {
  } catch (const Overflow&) {
  }
  return false;
}

/// What the file leaves open; empty where it is a task set, none with the first alternatives either, or has lists of one value alone, which
/// are rather a mistake.
std::vector<io::Choice> choices_of(const std::string& path) {
  const std::string text = io::read_task_set_text(path);
  if (is_read([&] { (void)io::parse_task_set(text, path); })) return {};
  std::vector<io::Choice> choices;
  const bool with_first = is_read([&] {
    const io::ChoiceFile file(text, path);
    choices.assign(file.choices().begin(), file.choices().end());
    (void)file.task_set(io::Selection(choices.size(), 0));
  });
  const bool open = std::ranges::any_of(choices, [](const io::Choice& one) { return one.alternatives.size() > 1; });
  return with_first && open ? choices : std::vector<io::Choice>();
}

}  // namespace

std::optional<std::string> file_with_choices(const Command& command, const std::vector<std::string>& arguments) {
  const auto* const takes = std::ranges::find(takes_of_commands(), std::string_view(command.name), &Takes::command);
  const bool asks = takes != takes_of_commands().end() && std::ranges::find(takes->kinds, FileIs::task_set) != takes->kinds.end();
  if (!asks || takes->command == "optimize") return std::nullopt;
  for (std::size_t i = traces_of(*takes, arguments.size()); i < arguments.size(); ++i) {
    const std::string& path = arguments[i];
    std::error_code missing;
    if (!std::filesystem::is_regular_file(path, missing)) continue;
    const std::vector<io::Choice> choices = choices_of(path);
    if (choices.empty()) continue;
    return fmt::format("{}:1:1: leaves {} choice{} open, the first of {}; rta optimize {} makes one task set of it", path, choices.size(),
                       choices.size() == 1 ? "" : "s", choices.front().what, path);
  }
  return std::nullopt;
}

std::optional<std::string> file_of_another_kind(const Command& command, const std::vector<std::string>& arguments) {
  const auto* const takes = std::ranges::find(takes_of_commands(), std::string_view(command.name), &Takes::command);
  if (takes == takes_of_commands().end()) return std::nullopt;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& path = arguments[i];
    std::error_code missing;
    if (!std::filesystem::is_regular_file(path, missing)) continue;
    const auto kind = io::file_kind(head_of(path), path);
    if (!kind) continue;
    if (i < traces_of(*takes, arguments.size())) {
      if (kind->is != FileIs::trace && kind->is != FileIs::recording)
        return path + ":1:1: " + mixup(*kind, fmt::format("no trace ({})", takes->traces));
    } else if (std::ranges::find(takes->kinds, kind->is) == takes->kinds.end()) {
      return path + ":1:1: " + mixup(*kind, takes->wanted);
    }
  }
  return std::nullopt;
}

}  // namespace rta::cli
