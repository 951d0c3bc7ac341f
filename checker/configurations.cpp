// docs/theory/gpu.md, "Configurations"
#include "configurations.hpp"

#include <algorithm>
#include <optional>

#include "kernel_blocks.hpp"

namespace checker {

Int warps_with_registers(const Amounts& block, const Pool& gpu) {
  const Int per_warp = floor_div(block[registers], floor_div(block[threads], gpu.warp));
  return gpu.parts * floor_div(floor_div(*gpu.sm[registers], gpu.parts), per_warp);
}

namespace {

constexpr Int most_units = 8192;  // of a table; larger amounts are counted in coarser units, safely rounded

Int unit_of(const Sm& sm, std::size_t r) {
  Int unit = 0;
  for (const Amounts& d : sm.demand) unit = gcd(unit, d[r]);
  return unit;
}

/// "Registers in parts": what must be free, so that warps of a block find room wherever it is.
Int registers_to_start(const Amounts& block, Int unit, const Pool& gpu) {
  const Int warps = floor_div(block[threads], gpu.warp);
  const Int per_warp = floor_div(block[registers], warps);
  const Int capacity = *gpu.sm[registers];
  const Int part = floor_div(capacity, gpu.parts);
  const Int whole = floor_div(part, per_warp);
  need(warps <= warps_with_registers(block, gpu), "a block fits on no SM");
  const Int others = warps - 1;
  const Int loose = gpu.parts * (whole - 1);
  Int most_free = others * per_warp + gpu.parts * (per_warp - unit);
  if (others > loose) {
    const Int almost = whole * per_warp - unit;
    most_free = gpu.parts * almost + (others - loose) * (part - almost);
  }
  return std::max(block[registers], most_free + unit + (capacity - gpu.parts * part));
}

std::vector<Amounts> needed_to_start(const std::vector<Amounts>& demand, const Pool& gpu) {
  std::vector<Amounts> needed = demand;
  if (!gpu.sm[registers] || gpu.parts == Int(1)) return needed;
  Int unit = floor_div(*gpu.sm[registers], gpu.parts);
  for (const Amounts& d : demand) unit = gcd(unit, floor_div(d[registers], floor_div(d[threads], gpu.warp)));
  for (std::size_t c = 0; c < demand.size(); ++c) {
    if (demand[c][registers] > 0) needed[c][registers] = registers_to_start(demand[c], unit, gpu);
  }
  return needed;
}

}  // namespace

Int blocks_per_sm(const Amounts& block, const Pool& gpu) {
  std::optional<Int> blocks;
  for (std::size_t r = 0; r < block.size(); ++r) {
    if (!gpu.sm[r] || block[r] <= 0) continue;
    const Int here =
        r == registers ? floor_div(warps_with_registers(block, gpu), floor_div(block[threads], gpu.warp)) : floor_div(*gpu.sm[r], block[r]);
    blocks = std::min(blocks.value_or(here), here);
  }
  need(blocks.value_or(0) > 0, "a block fits on no SM");
  return *blocks;
}

bool counts(const Task& task, const Level& level) { return !level || task.node->priority >= *level; }

Sm sm_of(std::span<const Task> tasks, const Pool& gpu, const Classes& classes, const Level& level) {
  Sm sm;
  sm.demand = classes.demand;
  sm.needed = needed_to_start(classes.demand, gpu);
  sm.may_wait.assign(classes.demand.size(), false);
  for (const Task& task : tasks) {
    if (counts(task, level)) sm.may_wait[classes.of(block_demand(*task.node, gpu))] = true;
  }
  for (std::size_t r = 0; r < sm.capacity.size(); ++r) {
    if (!gpu.sm[r]) continue;
    sm.limited.push_back(r);
    sm.capacity[r] = *gpu.sm[r];
    for (std::size_t c = 0; c < sm.demand.size(); ++c) {
      need(sm.demand[c][r] <= sm.capacity[r], "a block fits on no SM");
      if (!sm.may_wait[c]) continue;
      sm.largest[r] = std::max(sm.largest[r], sm.demand[c][r]);
      sm.enough[r] = std::max(sm.enough[r], sm.needed[c][r]);
    }
  }
  return sm;
}

/// "Which resources matter": where d^r/cap^r <= d^s/cap^s for every class, and so for e, r never blocks before s. Of two equal ones the
/// first is kept.
std::vector<std::size_t> binding(const Sm& sm) {
  std::vector<std::size_t> kept;
  const auto no_more = [&](std::size_t r, std::size_t s) {
    const auto less = [&](const Amounts& d) { return d[r] * sm.capacity[s] <= d[s] * sm.capacity[r]; };
    return std::all_of(sm.demand.begin(), sm.demand.end(), less) && std::all_of(sm.needed.begin(), sm.needed.end(), less);
  };
  for (const std::size_t r : sm.limited) {
    const bool left_out = std::any_of(sm.limited.begin(), sm.limited.end(),
                                      [&](std::size_t s) { return s != r && no_more(r, s) && (s < r || !no_more(s, r)); });
    if (!left_out) kept.push_back(r);
  }
  return kept;
}

/// "One resource at a time is exact": min of sum x_c value_c over x with sum x_c d_c^r > cap^r - max e^r, by a table over the amounts.
Int least_cover(const Sm& sm, std::span<const Int> value, std::size_t r) {
  const Int target = sm.capacity[r] - sm.enough[r];
  Int unit = unit_of(sm, r);
  if (floor_div(target, unit) + 1 > most_units) unit = floor_div(target, most_units) + 1;  // demands up: more covers
  const auto units = static_cast<std::size_t>((floor_div(target, unit) + 1).raw());
  std::vector<Int> least(units + 1, 0);
  for (std::size_t amount = 1; amount <= units; ++amount) {
    bool first = true;
    for (std::size_t c = 0; c < sm.demand.size(); ++c) {
      const auto d = static_cast<std::size_t>(ceil_div(sm.demand[c][r], unit).raw());
      if (d == 0) continue;
      const Int cost = value[c] + (amount > d ? least[amount - d] : Int(0));
      if (first || cost < least[amount]) least[amount] = cost;
      first = false;
    }
  }
  return least[units];
}

/// The least of the maxima of sum x_c value_c over sum x_c d_c^r <= cap^r (less max d^r where the configuration is not blocking).
Int most(const Sm& sm, std::span<const Int> value, bool not_blocking) {
  std::optional<Int> best;
  for (const std::size_t r : sm.limited) {
    const Int room = sm.capacity[r] - (not_blocking ? sm.largest[r] : Int(0));
    Int unit = unit_of(sm, r);
    if (unit == Int(0)) continue;
    if (floor_div(room, unit) > most_units) unit = floor_div(room, most_units) + 1;  // demands down: more configurations
    bool limits = true;
    for (std::size_t c = 0; c < sm.demand.size(); ++c) limits = limits && (sm.demand[c][r] >= unit || value[c] <= 0);
    if (!limits) continue;
    std::vector<Int> table(static_cast<std::size_t>(floor_div(room, unit).raw()) + 1, 0);
    for (std::size_t amount = 1; amount < table.size(); ++amount) {
      table[amount] = table[amount - 1];
      for (std::size_t c = 0; c < sm.demand.size(); ++c) {
        const auto d = static_cast<std::size_t>(floor_div(sm.demand[c][r], unit).raw());
        if (d > 0 && d <= amount) table[amount] = std::max(table[amount], table[amount - d] + value[c]);
      }
    }
    best = std::min(best.value_or(table.back()), table.back());
  }
  need(best.has_value(), "nothing limits what an SM can hold");
  return *best;
}

std::size_t Classes::of(const Amounts& block) const {
  return static_cast<std::size_t>(std::lower_bound(demand.begin(), demand.end(), block) - demand.begin());
}

Classes classes_of(std::span<const Task> tasks, const Pool& gpu) {
  Classes classes;
  for (const Task& task : tasks) classes.demand.push_back(block_demand(*task.node, gpu));
  std::sort(classes.demand.begin(), classes.demand.end());
  classes.demand.erase(std::unique(classes.demand.begin(), classes.demand.end()), classes.demand.end());
  return classes;
}

}  // namespace checker
