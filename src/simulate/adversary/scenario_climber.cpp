#include "scenario_climber.hpp"

#include <algorithm>
#include <utility>

#include "scenario.hpp"

namespace rta::simulate {
namespace {

constexpr std::size_t starts = 12;  // that are compared before a climb

// Of a climb, in simulations: longer for larger scenarios, and several of them in a search of so many simulations.
std::uint64_t climb_length(const SearchOptions& options, std::size_t size) {
  const std::uint64_t length = 10 * options.climb + 2 * size;
  return options.max_runs == 0 ? length : std::clamp<std::uint64_t>(options.max_runs / 24, 20, length);
}

}  // namespace

std::optional<std::pair<std::size_t, Trial>> ScenarioClimber::offer() {
  if (!best_ || !std::exchange(offers_, false)) return std::nullopt;
  return std::pair(target_, *best_);
}

void ScenarioClimber::step() {
  if (!climbing_) {
    begin();
    return;
  }
  Trial next = *current_;
  const std::int64_t changes = dice_.one_in(2) ? 1 : dice_.between(1, 4);
  for (std::int64_t i = 0; i < changes; ++i) change_scenario(ground_, ground_.targets[target_], next.run, dice_);
  const auto seen = response(next.run, ground_.targets[target_]);
  ++steps_;
  ++idle_;
  if (seen) {
    next.response = *seen;
    // The threshold falls with the square of what is left of the climb.
    const auto left = static_cast<Wide>(length_ - std::min(length_, steps_));
    const auto threshold = static_cast<std::int64_t>(left * left * threshold_ / (static_cast<Wide>(length_) * length_));
    if (next.response > best_->response) {
      best_ = next;
      offers_ = true;
      idle_ = 0;
    }
    if (next.response >= current_->response - Time(dice_.between(0, threshold))) current_ = std::move(next);
  }
  climbing_ = steps_ < length_ || idle_ < ground_.options.climb;
}

// From what was found before, or from the best of some starts.
void ScenarioClimber::begin() {
  target_ = next_++ % ground_.targets.size();
  current_.reset();
  const auto& elite = known_.elite[target_];
  std::int64_t parts = 100;
  if (!elite.empty() && !dice_.one_in(3)) {
    current_ = dice_.pick(elite);
    parts = dice_.one_in(2) ? 200 : 1'000;
  } else {
    race();
  }
  if (!current_) return;
  best_ = current_;
  offers_ = true;
  steps_ = 0;
  idle_ = 0;
  length_ = climb_length(ground_.options, size_of(current_->run));
  threshold_ = current_->response.count() / parts;
  climbing_ = true;
}

void ScenarioClimber::race() {
  const DagId target = ground_.targets[target_];
  const auto& seen = known_.records.result().dags[target];
  const Time expected = seen ? seen->response : ground_.task_set.dags()[target].nominal_period();
  for (std::size_t i = 0; i < starts && may_go_on(); ++i) {
    Trial trial{Time::zero(), scenario_start(ground_, target, expected, dice_)};
    const auto shown = response(trial.run, target);
    if (!shown || (current_ && *shown <= current_->response)) continue;
    trial.response = *shown;
    current_ = std::move(trial);
  }
}

}  // namespace rta::simulate
