#include "passed_on.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>

namespace rta::static_order {

PassedOn most_passed_on(std::span<const std::int64_t> units, const std::vector<std::vector<std::size_t>>& before) {
  using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
  using Edge = Traits::edge_descriptor;
  using Flow = boost::adjacency_list<
      boost::vecS, boost::vecS, boost::directedS, boost::no_property,
      boost::property<boost::edge_capacity_t, std::int64_t,
                      boost::property<boost::edge_residual_capacity_t, std::int64_t, boost::property<boost::edge_reverse_t, Edge>>>>;
  const std::size_t n = units.size();
  Flow flow(2 * n + 2);
  const auto capacity = boost::get(boost::edge_capacity, flow);
  const auto residual = boost::get(boost::edge_residual_capacity, flow);
  const auto reverse = boost::get(boost::edge_reverse, flow);
  const auto add = [&](std::size_t from, std::size_t to, std::int64_t most) {
    const Edge there = boost::add_edge(from, to, flow).first;
    const Edge back = boost::add_edge(to, from, flow).first;
    capacity[there] = most;
    capacity[back] = 0;
    reverse[there] = back;
    reverse[back] = there;
    return there;
  };
  std::vector<std::vector<std::pair<std::size_t, Edge>>> into(n);
  for (std::size_t i = 0; i < n; ++i) {
    add(2 * n, i, units[i]);
    add(n + i, 2 * n + 1, units[i]);
    for (const std::size_t earlier : before[i]) into[i].emplace_back(earlier, add(earlier, n + i, units[earlier]));
  }
  PassedOn passed;
  passed.total = boost::push_relabel_max_flow(flow, 2 * n, 2 * n + 1);
  passed.from.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (const auto& [earlier, edge] : into[i]) {
      if (const std::int64_t part = capacity[edge] - residual[edge]; part > 0) passed.from[i].emplace_back(earlier, part);
    }
  }
  return passed;
}

}  // namespace rta::static_order
