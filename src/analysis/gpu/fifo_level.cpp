#include "analysis/gpu/fifo_level.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace rta::analysis::fifo {
namespace {

std::vector<Amounts> demands(std::span<const Task> tasks, const GpuPool& gpu) {
  std::vector<Amounts> demand;
  demand.reserve(tasks.size());
  for (const Task& t : tasks) demand.push_back(block_demand(t, gpu));
  return demand;
}

Sm level_sm(const Kernels& kernels, StreamPriority priority) {
  std::vector<bool> may_wait(kernels.classes.demand.size());
  for (std::size_t i = 0; i < kernels.tasks.size(); ++i) {
    if (kernels.tasks[i].priority >= priority) may_wait[kernels.classes.of[i]] = true;
  }
  return {kernels.gpu, kernels.classes.demand, std::move(may_wait)};
}

Wide credit(const WeightSet& set, const Task& task, std::size_t i) { return checked_mul(set.density[i], task.C.count()); }

// A common multiple of periods, for an exact rate; small enough to multiply with.
Wide rate_scale(const std::vector<Wide>& periods) {
  constexpr Wide most = Wide{1} << 40;
  Wide scale = 1;
  for (Wide T : periods) {
    scale = scale / gcd(scale, T) * T;
    if (scale > most) return Wide{1} << 16;
  }
  return scale;
}

}  // namespace

Kernels::Kernels(std::span<const Task> given, const GpuPool& on) : gpu(on), g(on.sms) {
  tasks.reserve(given.size());
  for (const Task& t : given) tasks.push_back(rounded_to_warps(t, gpu));
  classes = classify(demands(tasks, gpu));
  by_length.resize(tasks.size());
  std::iota(by_length.begin(), by_length.end(), 0U);
  std::sort(by_length.begin(), by_length.end(), [&](auto a, auto b) { return tasks[a].L > tasks[b].L; });
}

std::vector<StreamPriority> priorities_of(std::span<const Task> tasks) {
  std::vector<StreamPriority> priorities;
  priorities.reserve(tasks.size());
  for (const Task& t : tasks) priorities.push_back(t.priority);
  std::ranges::sort(priorities, std::greater());
  priorities.erase(std::unique(priorities.begin(), priorities.end()), priorities.end());
  return priorities;
}

Level::Level(const Kernels& kernels, StreamPriority priority) : kernels_(kernels), priority_(priority), sm_(level_sm(kernels, priority)) {
  for (const Task& t : kernels.tasks) {
    beneath_ = beneath_ || t.priority < priority;
    if (t.priority > priority) next_above_ = std::min(next_above_.value_or(t.priority), t.priority);
  }
}

std::optional<WeightSet> Level::weight_set(const Weights& weights) const {
  WeightSet set;
  set.guaranteed = weights.guaranteed;
  set.capacity = checked_mul(weights.guaranteed, static_cast<Wide>(kernels_.g));
  set.density.resize(kernels_.tasks.size());
  Utilization above_U;
  std::vector<Wide> above_periods;
  for (std::size_t i = 0; i < kernels_.tasks.size(); ++i) {
    set.density[i] = weights.density[kernels_.classes.of[i]];
    if (!counts(i)) continue;
    const Task& t = task(i);
    const Wide work = credit(set, t, i);
    set.U.add(checked_mul(work, static_cast<Wide>(t.B)), t.T.count());
    set.released = checked_add(set.released, fifo::released(t, work));
    if (above(i)) {
      above_U.add(checked_mul(work, static_cast<Wide>(t.B)), t.T.count());
      above_periods.push_back(t.T.count());
    }
  }
  if (set.U.compare(set.capacity) > 0) return std::nullopt;
  Wide unit = 0;
  for (std::size_t c = 0; c < weights.density.size(); ++c) {
    unit = gcd(unit, checked_mul(weights.density[c], static_cast<Wide>(sm_.demand()[c][Resource::threads])));
  }
  if (unit == 0) return std::nullopt;
  set.below_U = unit * std::max<Wide>(ceil_div(set.U.ceil(), unit) - 1, 0);
  set.rate = set.capacity;
  if (!above_periods.empty()) {
    set.rate_scale = rate_scale(above_periods);
    set.rate = checked_mul(set.capacity, set.rate_scale) - above_U.ceil_times(set.rate_scale);
    if (set.rate <= 0) return std::nullopt;
  }
  set.occupancy = std::all_of(weights.density.begin(), weights.density.end(), [](Wide d) { return d == 1; });
  set.worst = in_tasks(weights.worst);
  return set;
}

std::vector<Wide> Level::largest_credits(const WeightSet& set) const {
  std::vector<Wide> most(sm_.demand().size());
  for (std::size_t i = 0; i < kernels_.tasks.size(); ++i) {
    Wide& of_class = most[kernels_.classes.of[i]];
    of_class = std::max(of_class, credit(set, task(i), i));
  }
  return most;
}

Wide Level::resident(const WeightSet& set) const {
  const std::vector<Wide> most = largest_credits(set);
  const Wide K = sm_.most<Wide>(most);
  const Wide beside = std::min(K, sm_.most_non_blocking<Wide>(most));  // K', which coarse units may make too large
  return checked_add(checked_mul(static_cast<Wide>(kernels_.g) - 1, K), beside);
}

Basis Level::carry(const WeightSet& set) const {
  Basis basis;
  if (!lowest()) {
    basis.carry = Carry::all_resident;
    basis.carried = checked_mul(static_cast<Wide>(kernels_.g), sm_.most<Wide>(largest_credits(set)));
    return basis;
  }
  basis.carry = Carry::resident;
  basis.carried = resident(set);
  const Wide light = checked_mul(set.below_U, static_cast<Wide>(task(kernels_.by_length.front()).L.count()));
  if (light < basis.carried) {
    basis.carry = Carry::light;
    basis.carried = light;
  }
  return basis;
}

Basis Level::counted_carry(const WeightSet& set, std::span<const Wide> jobs) const {
  const std::size_t n = kernels_.tasks.size();
  const auto blocks = [&](std::size_t i) { return checked_mul(jobs[i], static_cast<Wide>(task(i).B)); };
  // (b): lambda U_w + sum N_i w_i max(0, L_i - lambda), convex in lambda: go down from the longest L while its slope is positive. Again
  // whole blocks hold less than U_w.
  auto slope = static_cast<double>(set.below_U);
  Wide lambda = 0;
  for (const std::uint32_t i : kernels_.by_length) {
    lambda = task(i).L.count();
    slope -= static_cast<double>(blocks(i)) * static_cast<double>(set.density[i]) * static_cast<double>(task(i).H);
    if (slope <= 0) break;
  }
  if (slope > 0) lambda = 0;
  Basis best;
  best.theorem = Theorem::T6c;
  best.carry = Carry::counted_light;
  best.lambda = lambda;
  best.carried = checked_mul(lambda, set.below_U);
  for (std::size_t i = 0; i < n; ++i) {
    const Wide rest = task(i).C.count() - checked_mul(lambda, static_cast<Wide>(task(i).H));
    if (rest > 0) best.carried = checked_add(best.carried, checked_mul(blocks(i), checked_mul(set.density[i], rest)));
  }
  // (a), one resource at a time: lambda (g cap - max d) + sum N_i max(0, w_i L_i - lambda d_i), convex in lambda.
  struct Ratio {
    double credit_per_unit;
    double units;
  };
  std::vector<Ratio> ratios;
  for (Resource r : sm_.binding()) {
    const auto demand = [&](std::size_t i) { return static_cast<Wide>(sm_.demand()[kernels_.classes.of[i]][r]); };
    const Wide room =
        checked_sub(checked_mul(static_cast<Wide>(kernels_.g), static_cast<Wide>(sm_.capacity()[r])), static_cast<Wide>(sm_.largest(r)));
    ratios.clear();
    for (std::size_t i = 0; i < n; ++i) {
      if (demand(i) == 0) continue;
      const auto d = static_cast<double>(demand(i));
      ratios.push_back({static_cast<double>(credit(set, task(i), i)) / d, static_cast<double>(blocks(i)) * d});
    }
    std::sort(ratios.begin(), ratios.end(), [](const Ratio& a, const Ratio& b) { return a.credit_per_unit > b.credit_per_unit; });
    auto free_units = static_cast<double>(room);
    double price = 0;
    for (const Ratio& ratio : ratios) {
      price = ratio.credit_per_unit;
      free_units -= ratio.units;
      if (free_units <= 0) break;
    }
    if (free_units > 0) price = 0;
    const auto whole_price = static_cast<Wide>(price);  // any lambda >= 0 will do
    Wide carried = checked_mul(whole_price, room);
    for (std::size_t i = 0; i < n && carried < best.carried; ++i) {
      const Wide rest = credit(set, task(i), i) - checked_mul(whole_price, demand(i));
      if (rest > 0) carried = checked_add(carried, checked_mul(blocks(i), rest));
    }
    if (carried < best.carried) {
      best.carry = Carry::counted;
      best.carried = carried;
      best.lambda = whole_price;
      best.resource = r;
    }
  }
  return best;
}

Time Level::bound(const WeightSet& set, const Basis& basis, std::size_t k) const {
  const Wide released = basis.carry == Carry::none ? 0 : set.released;
  const Wide backlog = checked_add(basis.carried, released) - credit(set, task(k), k);
  if (set.rate_scale == 1) return to_time(ceil_div(backlog, set.rate)) + task(k).L;
  return to_time(ceil_div(checked_mul(backlog, set.rate_scale), set.rate)) + task(k).L;
}

BlockingConfiguration Level::in_tasks(const LeastBlocking<Wide>& worst) const {
  Configuration x = worst.configuration;
  Resource binds = worst.binds;
  std::size_t blocked = worst.blocked;
  // The dynamic program looked at one resource. Take blocks off until the others suffice too: the last one taken off is blocked by what
  // is left, through the resource that was short.
  for (bool fits = false; !fits;) {
    fits = true;
    for (Resource r : all_resources) {
      if (sm_.used(x, r) <= static_cast<Wide>(sm_.capacity()[r])) continue;
      fits = false;
      std::size_t most = 0;
      for (std::size_t c = 0; c < x.size(); ++c) {
        if (x[c] > 0 && (x[most] == 0 || sm_.demand()[c][r] > sm_.demand()[most][r])) most = c;
      }
      --x[most];
      binds = r;
      blocked = most;
      break;
    }
  }
  const auto first = [&](std::size_t c) {
    return static_cast<std::size_t>(std::find(kernels_.classes.of.begin(), kernels_.classes.of.end(), c) - kernels_.classes.of.begin());
  };
  BlockingConfiguration result;
  for (std::size_t c = 0; c < x.size(); ++c) {
    if (x[c] > 0) result.residents.push_back({first(c), x[c]});
  }
  result.threads_in_use = sm_.used(x, Resource::threads);
  result.threads_unused = static_cast<Wide>(sm_.capacity()[Resource::threads]) - result.threads_in_use;
  result.binds = binds;
  result.blocked = first(blocked);
  return result;
}

}  // namespace rta::analysis::fifo
