// Schedules that are really played, in a folder of their own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "processes.hpp"
#include "rta/validation/static_plan.hpp"
#include "schedules.hpp"
#include "validation/built_workload.hpp"

namespace rta::test {

/// A place for one schedule: its plan, its trace, and where master and clients meet.
class Stage {
 public:
  explicit Stage(const Schedule& schedule) : schedule_(schedule) {
    std::ofstream(plan(), std::ios::binary) << validation::plan_of(schedule, "schedule.yaml", std::string(64, 'a'));
  }

  [[nodiscard]] std::string plan() const { return (folder_ / "plan").string(); }
  [[nodiscard]] std::string trace() const { return (folder_ / "trace.jsonl").string(); }
  [[nodiscard]] std::filesystem::path meeting_place() const { return folder_ / "rta-static"; }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path; }
  [[nodiscard]] std::vector<std::string> environment() const {
    return {"XDG_RUNTIME_DIR=" + folder_.path.string(), "RTA_STATIC_MASTER=" + std::to_string(schedule_.identifier)};
  }

  /// A master with that plan and a trace; `words` go behind.
  std::unique_ptr<Process> master(std::vector<std::string> words) {
    words.insert(words.begin(), {STATIC_MASTER, plan(), "--output", trace(), "--scheduling", "other"});
    return std::make_unique<Process>(words, folder_ / ("master" + std::to_string(++count_)), environment());
  }
  /// A master that starts players.
  std::unique_ptr<Process> play(std::vector<std::string> words, const std::vector<std::string>& player = {}) {
    words.insert(words.end(), {"--", STATIC_PLAYER, "{}"});
    words.insert(words.end(), player.begin(), player.end());
    return master(words);
  }
  std::unique_ptr<Process> client(const std::string& program, std::vector<std::string> words, std::vector<std::string> variables = {}) {
    words.insert(words.begin(), program);
    const auto usual = environment();
    variables.insert(variables.end(), usual.begin(), usual.end());
    return std::make_unique<Process>(words, folder_ / ("client" + std::to_string(++count_)), variables);
  }

  [[nodiscard]] ReadTrace records() const { return read_trace(trace()); }
  /// Nothing is left of a run but its trace and what processes have said.
  [[nodiscard]] bool is_clean() const { return !std::filesystem::exists(meeting_place()) || std::filesystem::is_empty(meeting_place()); }

 private:
  TemporaryFolder folder_;
  Schedule schedule_;
  int count_ = 0;
};

}  // namespace rta::test
