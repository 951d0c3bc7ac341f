#include "analysis/path/system/whole_nodes.hpp"

#include <algorithm>
#include <cstdint>

namespace rta::analysis::path {
namespace {

constexpr std::size_t least_nodes_per_dag = 4;  // with fewer there is little to save

Class as_one_node(const Class& c) {
  Class one;
  one.dags = c.dags;
  one.copies = c.copies;
  one.T = c.T;
  one.J = c.J;
  one.Y = c.Y;
  one.limit = c.limit;
  one.pools = c.pools;
  one.order = one.sinks = one.pool_of = one.priority = {0};
  one.first_predecessor = {0, 0};
  one.total = one.rest = one.vol = one.s = one.s_up = c.total;
  Tick least = Tick::max();
  for (std::size_t v = 0; v < c.size(); ++v) least = std::min(least, length_and_rest(c, v));
  one.e = {least};
  one.proven = {no_bound};
  one.point = {0};
  one.longest = {*std::ranges::min_element(c.longest)};
  one.slot_pool = {0};
  one.levels.resize(1);
  one.pays = {bit_of(0)};
  return one;
}

}  // namespace

Tick length_and_rest(const Class& c, std::size_t v) { return c.pool_sets_of(v).front().length + c.rest[v]; }

std::optional<Ticks> with_whole_nodes(const Ticks& ticks) {
  const auto applies = [](const Class& c) {
    return c.slot_pool.size() == 1 && std::ranges::all_of(c.proven, [](std::int64_t end) { return end == no_bound; });
  };
  std::size_t nodes = 0;
  for (const Class& c : ticks.classes) nodes += c.size();
  if (nodes < least_nodes_per_dag * ticks.classes.size() || !std::ranges::all_of(ticks.classes, applies)) return std::nullopt;
  Ticks whole;
  whole.system = ticks.system;
  whole.Q = ticks.Q;
  whole.class_of = ticks.class_of;
  whole.users = ticks.users;
  whole.local_pool = ticks.local_pool;
  whole.classes.reserve(ticks.classes.size());
  for (const Class& c : ticks.classes) whole.classes.push_back(as_one_node(c));
  return whole;
}

}  // namespace rta::analysis::path
