#include "static_waits.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include "rta/model/error.hpp"

namespace rta::validation {
namespace {

class Waits {
 public:
  Waits(const StaticHyperepoch& hyperepoch, const std::vector<PlayedStep>& steps)
      : hyperepoch_(hyperepoch), predecessors_(predecessors(hyperepoch)), played_(hyperepoch.jobs.size()), empty_(hyperepoch.jobs.size()) {
    for (std::size_t s = 0; s < steps.size(); ++s) played_[steps[s].job].push_back(s);
    // Jobs stand behind what they wait for, so one pass is enough.
    behind_.resize(hyperepoch.jobs.size());
    for (std::size_t j = 0; j < hyperepoch.jobs.size(); ++j) {
      empty_[j] = empty_turns(j);
      if (!empty_[j].empty()) behind_[j] = before(j);
    }
  }

  /// What must have happened before the job starts, whichever step takes it.
  [[nodiscard]] std::vector<PlayedWait> before(std::size_t j) const {
    std::vector<PlayedWait> waits;
    for (const std::size_t p : predecessors_[j]) add(p, false, waits);
    for (const std::size_t p : hyperepoch_.jobs[j].after_start) add(p, true, waits);
    const auto key = [](const PlayedWait& w) { return std::tuple(w.on, w.started, w.turn.cycle, w.turn.phase); };
    std::ranges::sort(waits, {}, key);
    waits.erase(std::ranges::unique(waits, {}, key).begin(), waits.end());
    return waits;
  }

 private:
  /// Frames in which nobody takes the job.
  [[nodiscard]] std::vector<StaticTurn> empty_turns(std::size_t j) const {
    const StaticJob& job = hyperepoch_.jobs[j];
    if (job.steps.empty()) return {StaticTurn{}};
    std::vector<StaticTurn> turns;
    for (std::size_t s = 0; s < job.steps.size(); ++s) {
      if (job.steps[s]) continue;
      if (const auto is = turn(hyperepoch_, job, s)) turns.push_back(*is);
    }
    return turns;
  }

  void add(std::size_t p, bool started, std::vector<PlayedWait>& waits) const {
    for (const std::size_t s : played_[p]) waits.push_back({s, started, StaticTurn{}});
    for (const StaticTurn& empty : empty_[p]) {
      for (const PlayedWait& wait : behind_[p]) {
        if (const auto turn = both(wait.turn, empty)) waits.push_back({wait.on, wait.started, *turn});
      }
    }
  }

  const StaticHyperepoch& hyperepoch_;
  std::vector<std::vector<std::size_t>> predecessors_;
  std::vector<std::vector<std::size_t>> played_;  // steps, by job
  std::vector<std::vector<StaticTurn>> empty_;    // by job
  std::vector<std::vector<PlayedWait>> behind_;   // of jobs that are empty in some frame
};

}  // namespace

std::optional<StaticTurn> both(const StaticTurn& a, const StaticTurn& b) {
  const std::uint64_t g = std::gcd(a.cycle, b.cycle);
  if (a.phase % g != b.phase % g) return std::nullopt;
  const std::uint64_t cycle = a.cycle / g * b.cycle;  // both below 2^32
  if (cycle > std::numeric_limits<std::uint32_t>::max())
    throw UserError("the alias groups of a hyperepoch come together again only after more than 2^32 frames");
  for (std::uint64_t n = a.phase; n < cycle; n += a.cycle) {
    if (n % b.cycle == b.phase) return StaticTurn{cycle, n};
  }
  return std::nullopt;
}

std::vector<PlayedStep> played_steps(const StaticHyperepoch& hyperepoch) {
  std::vector<PlayedStep> steps;
  for (std::size_t j = 0; j < hyperepoch.jobs.size(); ++j) {
    const StaticJob& job = hyperepoch.jobs[j];
    for (std::size_t s = 0; s < job.steps.size(); ++s) {
      if (!job.steps[s]) continue;
      if (const auto is = turn(hyperepoch, job, s)) steps.push_back({j, s, *is});
    }
  }
  return steps;
}

std::vector<std::vector<PlayedWait>> played_waits(const StaticHyperepoch& hyperepoch, const std::vector<PlayedStep>& steps) {
  const Waits all(hyperepoch, steps);
  std::vector<std::vector<PlayedWait>> result;
  for (const PlayedStep& step : steps) {
    auto& waits = result.emplace_back(all.before(step.job));
    std::erase_if(waits, [&](const PlayedWait& wait) {
      const auto common = both(wait.turn, step.turn);
      return !common || !both(*common, steps[wait.on].turn);
    });
  }
  return result;
}

std::vector<Time> played_releases(const StaticHyperepoch& hyperepoch) {
  const auto before = predecessors(hyperepoch);
  std::vector<Time> releases;
  for (std::size_t j = 0; j < hyperepoch.jobs.size(); ++j) {
    Time release = hyperepoch.jobs[j].release;
    const auto come_after = [&](std::size_t p) {
      if (hyperepoch.jobs[p].steps.empty()) release = std::max(release, releases[p]);
    };
    for (const std::size_t p : before[j]) come_after(p);
    for (const std::size_t p : hyperepoch.jobs[j].after_start) come_after(p);
    releases.push_back(release);
  }
  return releases;
}

}  // namespace rta::validation
