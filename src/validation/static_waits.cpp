#include "static_waits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "../static_order/waiting.hpp"
#include "rta/model/error.hpp"

namespace rta::validation {
namespace {

using static_order::both;
using static_order::Role;
using static_order::ScheduledHyperepoch;
using static_order::Turn;

class Waits {
 public:
  Waits(const ScheduledHyperepoch& hyperepoch, const Predecessors& predecessors, const std::vector<PlayedStep>& steps)
      : predecessors_(predecessors), played_(hyperepoch.runnables.size()), empty_(hyperepoch.runnables.size()) {
    for (std::size_t s = 0; s < steps.size(); ++s) played_[steps[s].runnable].push_back(s);
    // Runnables stand behind what they wait for, so that one pass is enough.
    behind_.resize(hyperepoch.runnables.size());
    for (std::size_t r = 0; r < hyperepoch.runnables.size(); ++r) {
      empty_[r] = static_order::empty_turns(hyperepoch, hyperepoch.runnables[r]);
      if (!empty_[r].empty()) behind_[r] = before(r);
    }
  }

  /// What must have happened before the runnable starts, whichever step takes its slot.
  [[nodiscard]] std::vector<PlayedWait> before(std::size_t r) const {
    std::vector<PlayedWait> waits;
    for (const std::size_t p : predecessors_.ended[r]) add(p, false, waits);
    for (const std::size_t p : predecessors_.started[r]) add(p, true, waits);
    const auto key = [](const PlayedWait& w) { return std::tuple(w.on, w.started, w.turn.cycle, w.turn.phase); };
    std::ranges::sort(waits, {}, key);
    const auto same = [&](const PlayedWait& a, const PlayedWait& b) { return key(a) == key(b); };
    waits.erase(std::unique(waits.begin(), waits.end(), same), waits.end());
    return waits;
  }

 private:
  void add(std::size_t p, bool started, std::vector<PlayedWait>& waits) const {
    for (const std::size_t s : played_[p]) waits.push_back({s, started, Turn{}});
    for (const Turn& empty : empty_[p]) {
      for (const PlayedWait& wait : behind_[p]) {
        if (const auto turn = both(wait.turn, empty)) waits.push_back({wait.on, wait.started, *turn});
      }
    }
  }

  const Predecessors& predecessors_;
  std::vector<std::vector<std::size_t>> played_;  // steps, by runnable
  std::vector<std::vector<Turn>> empty_;          // by runnable
  std::vector<std::vector<PlayedWait>> behind_;   // of runnables that are empty in some frame
};

}  // namespace

Predecessors predecessors_of(const ScheduledHyperepoch& hyperepoch) {
  const static_order::Waiting waiting = static_order::waiting_of(hyperepoch);
  Predecessors result{std::vector<std::vector<std::size_t>>(hyperepoch.runnables.size()),
                      std::vector<std::vector<std::size_t>>(hyperepoch.runnables.size())};
  for (std::size_t r = 0; r < hyperepoch.runnables.size(); ++r) {
    for (const static_order::Decision& decision : waiting.before[r]) {
      if (decision.predecessor >= r) {
        throw UserError(fmt::format("hyperepoch '{}': '{}' stands before '{}', for which it waits", hyperepoch.name,
                                    hyperepoch.runnables[r].full_name(), hyperepoch.runnables[decision.predecessor].full_name()));
      }
      const bool start = decision.by == static_order::Decision::By::submitter_start;
      (start ? result.started : result.ended)[r].push_back(decision.predecessor);
    }
    for (auto* list : {&result.ended[r], &result.started[r]}) {
      std::ranges::sort(*list);
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
  }
  return result;
}

std::vector<PlayedStep> played_steps(const ScheduledHyperepoch& hyperepoch) {
  std::vector<PlayedStep> steps;
  for (std::size_t r = 0; r < hyperepoch.runnables.size(); ++r) {
    for (static_order::Step& step : static_order::steps_of(hyperepoch, hyperepoch.runnables[r])) steps.push_back({r, std::move(step)});
  }
  return steps;
}

std::vector<std::vector<PlayedWait>> played_waits(const ScheduledHyperepoch& hyperepoch, const Predecessors& predecessors,
                                                  const std::vector<PlayedStep>& steps) {
  const Waits all(hyperepoch, predecessors, steps);
  std::vector<std::vector<PlayedWait>> result;
  for (const PlayedStep& step : steps) {
    auto& waits = result.emplace_back(all.before(step.runnable));
    std::erase_if(waits, [&](const PlayedWait& wait) {
      const auto common = both(wait.turn, step.step.turn);
      return !common || !both(*common, steps[wait.on].step.turn);
    });
  }
  return result;
}

std::vector<Time> played_releases(const ScheduledHyperepoch& hyperepoch, const Predecessors& predecessors) {
  std::vector<Time> releases;
  for (std::size_t r = 0; r < hyperepoch.runnables.size(); ++r) {
    Time release = hyperepoch.runnables[r].release;
    for (const auto* list : {&predecessors.ended[r], &predecessors.started[r]}) {
      for (const std::size_t p : *list) {
        if (hyperepoch.runnables[p].role == Role::frame_sync) release = std::max(release, releases[p]);
      }
    }
    releases.push_back(release);
  }
  return releases;
}

}  // namespace rta::validation
