#include "rta/analysis/gpu/configuration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "rta/model/error.hpp"

namespace rta::analysis::fifo {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
__extension__ using WideUnsigned = unsigned __int128;

// d / capacity of resource `r` never exceeds that of `by`, for any class, nor does what it needs to start: then whatever does not fit
// because of r does not fit because of `by` either (sum the inequalities over the blocks).
bool dominated(Resource r, Resource by, const Amounts& capacity, std::span<const Amounts> demand) {
  if (capacity[by] == 0) return false;
  return std::all_of(demand.begin(), demand.end(), [&](const Amounts& d) {
    return static_cast<WideUnsigned>(d[r]) * capacity[by] <= static_cast<WideUnsigned>(d[by]) * capacity[r];
  });
}

std::uint64_t rounded_up(std::uint64_t amount, std::uint64_t unit) {
  const Wide units = ceil_div(static_cast<Wide>(amount), static_cast<Wide>(std::max<std::uint64_t>(unit, 1)));
  const Wide result = units * static_cast<Wide>(std::max<std::uint64_t>(unit, 1));
  if (result > static_cast<Wide>(unlimited)) throw_overflow("block's demand");
  return static_cast<std::uint64_t>(result);
}

// The demand of resource r that all classes share (slots: one each); 0: they differ.
std::uint64_t common_demand(std::span<const Amounts> demand, Resource r) {
  const bool common = std::all_of(demand.begin(), demand.end(), [&](const Amounts& d) { return d[r] == demand.front()[r]; });
  return common ? demand.front()[r] : 0;
}

// Sums of at most `blocks` values stay in range.
void check_sums(std::span<const Wide> value, std::uint64_t blocks) {
  for (Wide v : value) static_cast<void>(checked_mul(v, static_cast<Wide>(blocks)));
}
void check_sums(std::span<const double> /*value*/, std::uint64_t /*blocks*/) {}

}  // namespace

std::string_view to_string(Resource resource) {
  switch (resource) {
    case Resource::threads: return "G-threads";
    case Resource::block_slots: return "block slots";
    case Resource::shared_memory: return "shared memory";
    case Resource::registers: return "registers";
  }
  return "";
}

std::string to_string(Resource resource, std::uint64_t amount) {
  if (resource != Resource::shared_memory) return fmt::format("{} {}", amount, to_string(resource));
  if (amount % 1024 == 0) return fmt::format("{} KiB of shared memory", amount / 1024);
  return fmt::format("{} B of shared memory", amount);
}

Amounts sm_capacity(const GpuPool& gpu) {
  Amounts capacity;
  capacity[Resource::threads] = gpu.sm.threads;
  capacity[Resource::block_slots] = gpu.sm.blocks;
  capacity[Resource::shared_memory] = gpu.sm.shared_memory.value_or(unlimited);
  capacity[Resource::registers] = gpu.sm.registers.value_or(unlimited);
  return capacity;
}

Amounts block_demand(std::uint32_t H, std::uint64_t shared_memory, std::uint32_t registers_per_thread, const GpuPool& gpu) {
  const Allocation& unit = gpu.allocation;
  Amounts demand;
  demand[Resource::threads] = rounded_up(H, unit.warp);
  demand[Resource::block_slots] = 1;
  if (gpu.sm.shared_memory) {
    demand[Resource::shared_memory] = rounded_up(checked_add(shared_memory, unit.reserved_shared_memory), unit.shared_memory);
  }
  if (gpu.sm.registers) {
    const std::uint64_t warp = std::max<std::uint32_t>(unit.warp, 1);
    const std::uint64_t warps = demand[Resource::threads] / warp;
    demand[Resource::registers] = checked_mul(rounded_up(registers_per_thread * warp, unit.registers_per_warp), warps);
  }
  return demand;
}

// The most that is free while the parts have no room for all of the warps: with f_p of them in part p, sum f_p = warps - 1, each part has
// less than one more free. From the last warp that a part may hold on it has no more than all of it.
std::uint64_t registers_to_start(std::uint64_t warps, std::uint64_t per_warp, std::uint64_t unit, const GpuPool& gpu) {
  const std::uint64_t demand = checked_mul(warps, per_warp);
  const std::uint64_t parts = gpu.allocation.register_parts;
  if (!gpu.sm.registers || parts <= 1 || demand == 0) return demand;
  const std::uint64_t capacity = *gpu.sm.registers;
  const std::uint64_t part = capacity / parts;
  const std::uint64_t whole = part / per_warp;
  require(warps <= parts * whole && unit > 0, "every block fits on an empty SM");
  const std::uint64_t others = warps - 1;
  const std::uint64_t loose = parts * (whole - 1);  // warps for which no part is all free
  const std::uint64_t most_free = others <= loose
                                      ? others * per_warp + parts * (per_warp - unit)
                                      : parts * (whole * per_warp - unit) + (others - loose) * (part - (whole * per_warp - unit));
  return std::max(demand, most_free + unit + (capacity - parts * part));
}

std::vector<Amounts> needed_to_start(std::span<const Amounts> demand, const GpuPool& gpu) {
  std::vector<Amounts> needed(demand.begin(), demand.end());
  if (!gpu.sm.registers || gpu.allocation.register_parts <= 1) return needed;
  const auto warps = [&](const Amounts& d) { return d[Resource::threads] / std::max<std::uint32_t>(gpu.allocation.warp, 1); };
  std::uint64_t unit = *gpu.sm.registers / gpu.allocation.register_parts;
  for (const Amounts& d : demand) unit = std::gcd(unit, d[Resource::registers] / warps(d));
  for (Amounts& d : needed) d[Resource::registers] = registers_to_start(warps(d), d[Resource::registers] / warps(d), unit, gpu);
  return needed;
}

DemandClasses classify(std::span<const Amounts> demand) {
  std::vector<std::uint32_t> order(demand.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return demand[a] < demand[b]; });
  DemandClasses classes;
  classes.of.resize(demand.size());
  for (std::uint32_t i : order) {
    if (classes.demand.empty() || classes.demand.back() != demand[i]) classes.demand.push_back(demand[i]);
    classes.of[i] = static_cast<std::uint32_t>(classes.demand.size() - 1);
  }
  return classes;
}

Sm::Sm(const Amounts& capacity, std::vector<Amounts> demand, std::vector<bool> may_wait, std::vector<Amounts> to_start)
    : capacity_(capacity), demand_(std::move(demand)), may_wait_(std::move(may_wait)), to_start_(std::move(to_start)) {
  if (to_start_.empty()) to_start_ = demand_;
  require(to_start_.size() == demand_.size(), "every class needs something to start");
  if (may_wait_.empty()) may_wait_.assign(demand_.size(), true);
  require(may_wait_.size() == demand_.size() && std::find(may_wait_.begin(), may_wait_.end(), true) != may_wait_.end(),
          "an SM's configurations need a class of blocks that may wait");
  for (std::size_t c = 0; c < demand_.size(); ++c) {
    require(demand_[c][Resource::threads] > 0 && demand_[c][Resource::block_slots] > 0,
            "a block occupies at least one G-thread and one slot");
    for (Resource r : all_resources) {
      require(demand_[c][r] <= to_start_[c][r] && to_start_[c][r] <= capacity_[r], "every block fits on an empty SM");
      if (!may_wait_[c]) continue;
      largest_[r] = std::max(largest_[r], demand_[c][r]);
      enough_[r] = std::max(enough_[r], to_start_[c][r]);
    }
  }
  std::array<bool, all_resources.size()> kept{};
  kept.fill(true);
  for (Resource r : all_resources) {
    for (Resource by : all_resources) {
      if (by == r || !kept[static_cast<std::size_t>(by)]) continue;
      if (dominated(r, by, capacity_, demand_) && dominated(r, by, capacity_, to_start_)) {
        kept[static_cast<std::size_t>(r)] = false;
        break;
      }
    }
    // Of two that dominate each other the first goes; G-threads stay, whoever else demands as much.
    if (r == Resource::threads) kept[0] = true;
  }
  for (Resource r : all_resources) {
    if (kept[static_cast<std::size_t>(r)]) binding_.push_back(r);
  }
}

std::uint64_t Sm::coarsened() const {
  std::uint64_t most = 0;
  for (const Resource r : binding_) {
    if (enough_[r] == 0 || common_demand(demand_, r) > 0) continue;
    std::uint64_t unit = 0;
    for (const Amounts& d : demand_) unit = std::gcd(unit, d[r]);
    most = std::max(most, capacity_[r] / unit);  // NOLINT(clang-analyzer-core.DivideZero): some demand is above 0
  }
  return most > most_units ? most : 0;
}

Wide Sm::used(const Configuration& x, Resource r) const {
  Wide sum = 0;
  for (std::size_t c = 0; c < x.size(); ++c) {
    sum = checked_add(sum, checked_mul(static_cast<Wide>(x[c]), static_cast<Wide>(demand_[c][r])));
  }
  return sum;
}

bool Sm::feasible(const Configuration& x) const {
  return std::all_of(all_resources.begin(), all_resources.end(), [&](Resource r) { return used(x, r) <= static_cast<Wide>(capacity_[r]); });
}

bool Sm::blocking(const Configuration& x) const {
  return feasible(x) && std::any_of(all_resources.begin(), all_resources.end(), [&](Resource r) {
           return used(x, r) + static_cast<Wide>(enough_[r]) > static_cast<Wide>(capacity_[r]);
         });
}

// Minimum knapsack cover: at least capacity - enough + 1 of resource r, at the least value. Other resources are ignored: that adds
// configurations, so the minimum is safe; and it is exact over all resources, since taking blocks off an infeasible cover until it fits
// leaves a blocking configuration that is no dearer (with registers in parts it may be one that has room for all).
template <class Value>
std::optional<LeastBlocking<Value>> Sm::least_blocking(std::span<const Value> value, Resource r) const {
  if (enough_[r] == 0) return std::nullopt;
  const std::uint64_t target = capacity_[r] - enough_[r];  // to be exceeded
  LeastBlocking<Value> result;
  result.configuration.assign(demand_.size(), 0);
  result.binds = r;
  for (std::size_t c = 0; c < demand_.size(); ++c) {
    if (may_wait_[c] && to_start_[c][r] == enough_[r]) result.blocked = c;
  }
  if (const std::uint64_t d = common_demand(demand_, r); d > 0) {
    const std::uint64_t blocks = target / d + 1;
    check_sums(value, blocks);
    const auto cheapest = std::min_element(value.begin(), value.end());
    result.configuration[static_cast<std::size_t>(cheapest - value.begin())] = blocks;
    result.value = *cheapest * static_cast<Value>(blocks);
    return result;
  }
  std::uint64_t unit = 0;
  for (const Amounts& d : demand_) unit = std::gcd(unit, d[r]);
  // Sums are multiples of `unit`. Coarser units: demands up, target down to them; every cover stays one.
  std::uint64_t units = target / unit + 1;  // NOLINT(clang-analyzer-core.DivideZero): some demand is above 0, as enough_[r] is
  if (units > most_units) {
    unit = target / most_units + 1;
    units = target / unit + 1;
  }
  check_sums(value, units + 1);
  struct Item {
    std::uint64_t units;
    Value value;
    std::uint32_t of;
  };
  std::vector<Item> items;
  items.reserve(demand_.size());
  for (std::size_t c = 0; c < demand_.size(); ++c) {
    if (demand_[c][r] > 0) {
      items.push_back(
          {demand_[c][r] / unit + static_cast<std::uint64_t>(demand_[c][r] % unit > 0), value[c], static_cast<std::uint32_t>(c)});
    }
  }
  std::vector<Value> least(units + 1);
  std::vector<std::uint32_t> choice(units + 1);
  for (std::uint64_t j = 1; j <= units; ++j) {
    bool first = true;
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      const Value v = items[i].value + (j > items[i].units ? least[j - items[i].units] : Value{});
      if (first || v < least[j]) {
        least[j] = v;
        choice[j] = i;
        first = false;
      }
    }
  }
  result.value = least[units];
  for (std::uint64_t j = units; j > 0;) {
    const Item& item = items[choice[j]];
    ++result.configuration[item.of];
    j = j > item.units ? j - item.units : 0;
  }
  return result;
}

template <class Value>
std::optional<LeastBlocking<Value>> Sm::least_blocking(std::span<const Value> value) const {
  std::optional<LeastBlocking<Value>> best;
  for (Resource r : binding_) {
    auto candidate = least_blocking(value, r);
    if (candidate && (!best || candidate->value < best->value)) best = std::move(candidate);
  }
  return best;
}

// Unbounded knapsack over one resource at a time: ignoring the others only adds configurations, so each maximum is safe, and so is the
// least of them.
template <class Value>
Value Sm::most_within(std::span<const Value> value, bool leave_room, Configuration* x) const {
  std::optional<Value> best;
  std::vector<Value> most;
  std::vector<std::uint32_t> choice;
  for (Resource r : all_resources) {
    // Slots always give an answer; the other resources only where they may bind.
    if (r != Resource::block_slots && std::find(binding_.begin(), binding_.end(), r) == binding_.end()) continue;
    const std::uint64_t room = capacity_[r] - (leave_room ? largest_[r] : 0);
    if (const std::uint64_t d = common_demand(demand_, r); d > 0) {
      const std::uint64_t blocks = room / d;
      check_sums(value, blocks);
      const auto dearest = std::max_element(value.begin(), value.end());
      const Value full = *dearest * static_cast<Value>(blocks);
      if (best && !(full < *best)) continue;
      best = full;
      if (x != nullptr) {
        x->assign(demand_.size(), 0);
        (*x)[static_cast<std::size_t>(dearest - value.begin())] = blocks;
      }
      continue;
    }
    std::uint64_t unit = 0;
    for (const Amounts& d : demand_) unit = std::gcd(unit, d[r]);
    if (unit == 0) continue;
    if (room / unit > most_units) unit = room / most_units + 1;  // coarser: demands down to the unit
    const std::uint64_t units = room / unit;
    bool limits = true;
    for (std::size_t c = 0; c < demand_.size(); ++c) limits = limits && (demand_[c][r] >= unit || !(Value{} < value[c]));
    if (!limits) continue;
    check_sums(value, units + 1);
    most.assign(units + 1, Value{});
    choice.assign(units + 1, std::numeric_limits<std::uint32_t>::max());
    for (std::uint64_t j = 1; j <= units; ++j) {
      most[j] = most[j - 1];
      for (std::uint32_t c = 0; c < demand_.size(); ++c) {
        const std::uint64_t d = demand_[c][r] / unit;
        if (d == 0 || d > j) continue;
        if (most[j] < most[j - d] + value[c]) {
          most[j] = most[j - d] + value[c];
          choice[j] = c;
        }
      }
    }
    if (best && !(most[units] < *best)) continue;
    best = most[units];
    if (x != nullptr) {
      x->assign(demand_.size(), 0);
      for (std::uint64_t j = units; j > 0;) {
        if (choice[j] == std::numeric_limits<std::uint32_t>::max()) {
          --j;
        } else {
          ++(*x)[choice[j]];
          j -= demand_[choice[j]][r] / unit;
        }
      }
    }
  }
  require(best.has_value(), "an SM's block slots are limited");
  return *best;
}

template <class Value>
Value Sm::most(std::span<const Value> value, Configuration* x) const {
  return most_within(value, false, x);
}

template <class Value>
Value Sm::most_non_blocking(std::span<const Value> value, Configuration* x) const {
  return most_within(value, true, x);
}

template std::optional<LeastBlocking<double>> Sm::least_blocking(std::span<const double>) const;
template std::optional<LeastBlocking<Wide>> Sm::least_blocking(std::span<const Wide>) const;
template std::optional<LeastBlocking<double>> Sm::least_blocking(std::span<const double>, Resource) const;
template std::optional<LeastBlocking<Wide>> Sm::least_blocking(std::span<const Wide>, Resource) const;
template double Sm::most(std::span<const double>, Configuration*) const;
template Wide Sm::most(std::span<const Wide>, Configuration*) const;
template double Sm::most_non_blocking(std::span<const double>, Configuration*) const;
template Wide Sm::most_non_blocking(std::span<const Wide>, Configuration*) const;

}  // namespace rta::analysis::fifo
