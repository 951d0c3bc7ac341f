#include "exact.hpp"

#include <algorithm>
#include <bit>

namespace rta::static_order {
namespace {

constexpr std::size_t most_shaved = 3000;     // pairs, each of which is tried both ways at the start
constexpr std::uint64_t first_restart = 100;  // failures

}  // namespace

ExactSearch::ExactSearch(const Problem& problem)
    : problem_(problem),
      state_(problem),
      evaluate_(problem),
      weight_(problem.size(), 1.0),
      found_(problem),
      restart_after_(first_restart) {}

void ExactSearch::aim(std::span<const Ns> due, const Order& guide, std::span<const Ns> starts) {
  // Facts and the shaving that found them hold for earlier due times only.
  const bool later = due_.empty() || !std::ranges::equal(due, due_, std::ranges::less_equal{});
  if (later) {
    facts_.clear();
    shaved_ = false;
  }
  due_.assign(due.begin(), due.end());
  guide_ = guide;
  starts_.assign(starts.begin(), starts.end());
  begun_ = false;
}

ExactSearch::Answer ExactSearch::step(Random& random) {
  if (!begun_) return begin();
  const std::optional<Decision> decision = next_decision(random);
  if (!decision) {
    if (keep_order()) return Answer::found;
    return refute();
  }
  decisions_.push_back(*decision);
  if (take(*decision)) return Answer::unknown;
  blame();
  return refute();
}

// What was found to hold for later due times holds for earlier ones.
ExactSearch::Answer ExactSearch::begin() {
  decisions_.clear();
  if (!state_.reset(due_)) return Answer::impossible;
  for (const Fact& fact : facts_) {
    if (!state_.decide(fact.pair, fact.side)) return Answer::impossible;
  }
  if (!shaved_ && state_.pairs().size() <= most_shaved) {
    shaved_ = true;
    if (!shave()) return Answer::impossible;
  }
  begun_ = true;
  return Answer::unknown;
}

// Orders of pairs that are impossible on their own.
bool ExactSearch::shave() {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t pair = 0; pair < state_.pairs().size(); ++pair) {
      if (!state_.contended(pair)) continue;
      for (const Side side : {Side::a_first, Side::b_first}) {
        const WindowsState::Level level = state_.level();
        const bool possible = state_.decide(pair, side);
        state_.back_to(level);
        if (possible) continue;
        const Side other = side == Side::a_first ? Side::b_first : Side::a_first;
        if (!state_.decide(pair, other)) return false;
        facts_.push_back({pair, other});
        changed = true;
        break;
      }
    }
  }
  return true;
}

ExactSearch::Answer ExactSearch::refute() {
  if (++failures_ >= restart_after_) {
    failures_ = 0;
    restart_after_ += restart_after_ / 4;
    begun_ = false;
    return Answer::unknown;
  }
  while (!decisions_.empty()) {
    Decision& last = decisions_.back();
    state_.back_to(last.level);
    if (!last.refuted) {
      last.refuted = true;
      if (take_other_way(last)) return Answer::unknown;
      blame();
      state_.back_to(last.level);
    }
    decisions_.pop_back();
  }
  return Answer::impossible;
}

std::optional<ExactSearch::Decision> ExactSearch::next_decision(Random& random) const {
  std::optional<Decision> best;
  double best_score = 0;
  const auto offer = [&](double score, const Decision& decision) {
    if (best && (score > best_score || (score == best_score && random.below(2) == 0))) return;
    best = decision;
    best_score = score;
  };
  for (std::uint32_t pair = 0; pair < state_.pairs().size(); ++pair) {
    if (!state_.contended(pair)) continue;
    const auto [a, b, twin] = state_.pairs()[pair];
    const Ns both = problem_.tasks[a].length + problem_.tasks[b].length;
    const Ns room = (state_.end(a) - state_.start(b) - both) + (state_.end(b) - state_.start(a) - both);
    const Side side = starts_[a] <= starts_[b] ? Side::a_first : Side::b_first;
    offer(static_cast<double>(room + 1) / (weight_[a] + weight_[b]), {state_.level(), pair, none, static_cast<std::uint32_t>(side), false});
  }
  if (best) return best;
  for (ChoiceId choice = 0; choice < problem_.options.size(); ++choice) {
    const std::uint64_t left = state_.options(choice);
    if (std::has_single_bit(left)) continue;
    double weight = 0;
    for (const std::uint32_t need : problem_.needs_on(choice)) weight += weight_[problem_.needs[need].task];
    const std::uint32_t guided = guide_.option(choice);
    const bool possible = guided != none && (left >> guided & 1U) != 0;
    const std::uint32_t option = possible ? guided : static_cast<std::uint32_t>(std::countr_zero(left));
    offer(static_cast<double>(std::popcount(left)) / weight, {state_.level(), none, choice, option, false});
  }
  return best;
}

bool ExactSearch::take(const Decision& decision) {
  if (decision.pair != none) return state_.decide(decision.pair, static_cast<Side>(decision.value));
  return state_.keep_only(decision.choice, decision.value);
}

// Where an option is refuted, so are those whose machines nobody could tell from its own.
bool ExactSearch::take_other_way(const Decision& decision) {
  if (decision.pair != none) {
    const Side side = static_cast<Side>(decision.value) == Side::a_first ? Side::b_first : Side::a_first;
    return state_.decide(decision.pair, side);
  }
  std::uint64_t dropped = std::uint64_t{1} << decision.value;
  for (std::uint32_t option = 0; option < problem_.options[decision.choice]; ++option) {
    if ((state_.options(decision.choice) >> option & 1U) != 0 && state_.interchangeable(decision.choice, option, decision.value))
      dropped |= std::uint64_t{1} << option;
  }
  return state_.drop(decision.choice, dropped);
}

void ExactSearch::blame() { weight_[state_.culprit()] += 1; }

// All pairs that share a machine are ordered; false when tasks without length go round in a circle.
bool ExactSearch::keep_order() {
  found_ = Order(problem_);
  for (ChoiceId c = 0; c < problem_.options.size(); ++c)
    found_.choose(problem_, c, static_cast<std::uint32_t>(std::countr_zero(state_.options(c))));
  const std::vector<TaskId> order = state_.order();
  if (order.size() < problem_.size()) return false;
  for (const TaskId t : order) {
    for (std::uint32_t need = problem_.first_need[t]; need < problem_.first_need[t + 1]; ++need)
      found_.insert(need, found_.last(found_.machine(need)));
  }
  Times times;
  return evaluate_(found_, due_, times) && times.lateness <= 0;
}

}  // namespace rta::static_order
