#include "good_orders.hpp"

#include <algorithm>
#include <array>

namespace rta::static_order {
namespace {

constexpr std::size_t most_candidates = 12;
constexpr int strictly = 1000;  // patience: by key alone

std::vector<Ns> finite(const Problem& problem, std::span<const Ns> due) {
  Ns horizon = 0;
  for (const Task& task : problem.tasks) horizon = std::max(horizon, task.release);
  for (const Task& task : problem.tasks) horizon += task.length;
  std::vector<Ns> bounded(due.begin(), due.end());
  for (Ns& d : bounded) d = std::min(d, horizon);
  return bounded;
}

bool can_turn(const Problem& problem) {
  return std::ranges::none_of(problem.arcs, [](const Arc& arc) { return arc.from_start; });
}

// Tasks as late as the ends of this order allow, then as early as possible in that order, as long as it helps (Valls et al., EJOR 165,
// 2005).
void turn_round(const Problem& problem, const Problem& back, Evaluation& evaluate, Candidate best, GoodOrders& pool,
                const std::function<bool()>& enough) {
  constexpr int most_turns = 20;
  Evaluation evaluate_back(back);
  const std::vector<Ns> no_due(problem.size(), 0);
  for (int turn = 0; turn < most_turns; ++turn) {
    std::vector<Ns> keys(problem.size());
    for (TaskId t = 0; t < problem.size(); ++t) keys[t] = -(best.times.start[t] + problem.tasks[t].length);
    const auto late = list_schedule(back, {keys, strictly, nullptr}, enough);
    Times times;
    if (!late || !evaluate_back(*late, no_due, times)) return;
    for (TaskId t = 0; t < problem.size(); ++t) keys[t] = -(times.start[t] + problem.tasks[t].length);
    auto early = list_schedule(problem, {keys, strictly, nullptr}, enough);
    auto next = early ? candidate(problem, evaluate, std::move(*early)) : std::nullopt;
    if (!next) return;
    const bool better = next->cost < best.cost;
    pool.add(*next);
    if (!better) return;
    best = std::move(*next);
  }
}

}  // namespace

std::vector<Ns> due_for(const Problem& problem, Ns objective) {
  std::vector<Ns> due(problem.size());
  for (TaskId t = 0; t < problem.size(); ++t) due[t] = std::min(problem.tasks[t].due, objective - problem.tasks[t].weight);
  return due;
}

std::vector<Ns> due_below(const Problem& problem, const Cost& cost) {
  if (cost.late == 0) return due_for(problem, cost.objective - 1);
  std::vector<Ns> due(problem.size());
  for (TaskId t = 0; t < problem.size(); ++t) due[t] = std::min(never, problem.tasks[t].due + cost.late - 1);
  return due;
}

void GoodOrders::add(Candidate candidate) {
  const auto same = [&](const Candidate& c) { return c.cost == candidate.cost && c.times.start == candidate.times.start; };
  if (std::ranges::any_of(candidates_, same)) return;
  const auto at = std::ranges::upper_bound(candidates_, candidate.cost, {}, &Candidate::cost);
  candidates_.insert(at, std::move(candidate));
  if (candidates_.size() > most_candidates) candidates_.pop_back();
}

std::optional<Order> GoodOrders::between(Random& random, const std::function<bool()>& enough) const {
  const auto count = static_cast<std::uint32_t>(candidates_.size());
  const Candidate& a = candidates_[std::min(random.below(count), random.below(count))];
  const Candidate& b = candidates_[random.below(count)];
  std::vector<Ns> keys(problem_.size());
  Order options(problem_);
  const bool one = &a == &b || random.below(4) == 0;
  const std::uint32_t share = one ? 100 : random.between(30, 70);
  for (TaskId t = 0; t < problem_.size(); ++t)
    keys[t] = static_cast<Ns>(a.times.place[t]) * share + static_cast<Ns>(b.times.place[t]) * (100 - share);
  for (ChoiceId c = 0; c < problem_.options.size(); ++c) {
    if (one && random.below(8) == 0) continue;  // left to the list schedule
    options.choose(problem_, c, (random.below(100) < share ? a : b).order.option(c));
  }
  if (one) keys = shaken(std::move(keys), random.between(1, 15), random);
  return list_schedule(problem_, {std::move(keys), strictly, &options}, enough);
}

std::optional<Candidate> candidate(const Problem& problem, Evaluation& evaluate, Order order) {
  Candidate result{std::move(order), {}, {}};
  const std::vector<Ns> due = due_for(problem, 0);
  if (!evaluate(result.order, due, result.times)) return std::nullopt;
  result.cost = cost(problem, result.times);
  return result;
}

void add_list_schedules(const Problem& problem, GoodOrders& pool, const std::function<bool()>& enough,
                        const std::function<bool()>& hopeless) {
  Evaluation evaluate(problem);
  const std::vector<Ns> due = finite(problem, due_for(problem, never / 2));
  const bool turns = can_turn(problem);
  const Problem back = turns ? reversed(problem, due) : Problem{};
  const std::array keys{longest_tail_keys(problem, due), work_behind_keys(problem, due), least_slack_keys(problem, due)};
  const auto ends = [&] { return pool.empty() ? hopeless() : enough(); };
  bool begun = false;  // a first order is tried whatever has ended by then: of few jobs it is there at once
  for (const int patience : {0, 30, 100, strictly}) {
    for (const auto& key : keys) {
      if (begun && ends()) return;
      begun = true;
      auto order = list_schedule(problem, {key, patience, nullptr}, ends);
      auto found = order ? candidate(problem, evaluate, std::move(*order)) : std::nullopt;
      if (!found) continue;
      pool.add(*found);
      if (turns) turn_round(problem, back, evaluate, std::move(*found), pool, ends);
    }
  }
}

}  // namespace rta::static_order
