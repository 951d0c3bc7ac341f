// Audsley's assignment against all orders: it finds one whenever there is one that its test accepts, and what it finds meets all deadlines.
#include "analysis/search/audsley.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "analysis/path/path_in_time.hpp"
#include "analysis/path/system/ticks.hpp"
#include "rta/analysis/analyze.hpp"
#include "support/build.hpp"

namespace {

using rta::Time;
using rta::analysis::analyze;
using rta::analysis::audsley_order;
using rta::analysis::Options;
using rta::analysis::Verdict;
using rta::analysis::path::Dag;
using rta::analysis::path::ends_in_time;
using rta::analysis::path::Limits;
using rta::analysis::path::Node;
using rta::analysis::path::node_bounds;
using rta::analysis::path::Order;
using rta::analysis::path::Refinement;
using rta::analysis::path::System;
using rta::test::cpu_node;

constexpr std::int64_t unit = 1'000;

class RandomSystems {
 public:
  explicit RandomSystems(std::uint64_t seed) : random_(seed) {}

  System system(bool preemptive) {
    System system;
    for (std::size_t p = 0; p < 1 + below(2); ++p) {
      rta::analysis::path::Pool pool;
      pool.name = "p" + std::to_string(p);
      pool.order = preemptive ? Order::fixed : Order::fixed_non_preemptive;
      pool.capacity = static_cast<std::uint32_t>(1 + below(2));
      pool.equals_any = below(2) == 0;
      system.pools.push_back(pool);
    }
    const std::size_t dags = 2 + below(3);
    for (std::size_t d = 0; d < dags; ++d) {
      Dag dag;
      dag.name = "d" + std::to_string(d);
      const std::size_t nodes = 1 + below(3);
      std::int64_t C = 0;
      for (std::size_t v = 0; v < nodes; ++v) {
        const auto length = static_cast<std::int64_t>(1 + below(4)) * unit;
        Node node{below(system.pools.size()), Time(length), length, length, {}};
        dag.nodes.push_back(node);
        C += length;
        if (v > 0 && below(3) > 0) dag.edges.push_back({below(v), v});
      }
      dag.T = Time(C + static_cast<std::int64_t>(below(16)) * unit);
      system.dags.push_back(std::move(dag));
    }
    return system;
  }

  std::vector<Time> deadlines(const System& system) {
    std::vector<Time> D;
    for (const Dag& dag : system.dags) D.emplace_back(dag.T.count() * static_cast<std::int64_t>(2 + below(4)) / 3);
    return D;
  }

 private:
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  std::mt19937_64 random_;
};

void set_priorities(System& system, const std::vector<std::size_t>& order) {
  for (std::size_t place = 0; place < order.size(); ++place) {
    for (Node& node : system.dags[order[place]].nodes) node.priority = static_cast<std::uint32_t>(order.size() - place);
  }
}

bool fits(System& system, std::size_t which, std::span<const std::size_t> above, std::span<const Time> D, Refinement refinement) {
  for (std::size_t d = 0; d < system.dags.size(); ++d) {
    const bool is_above = std::ranges::find(above, d) != above.end();
    for (Node& node : system.dags[d].nodes) node.priority = d == which ? 2 : is_above ? 3 : 1;
  }
  return ends_in_time(system, which, D, refinement, Limits{});
}

std::vector<std::size_t> all_of(const System& system) {
  std::vector<std::size_t> all(system.dags.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  return all;
}

bool some_order_fits(System& system, std::span<const Time> D, Refinement refinement) {
  std::vector<std::size_t> order = all_of(system);
  do {
    bool all = true;
    for (std::size_t place = 0; place < order.size() && all; ++place) {
      all = fits(system, order[place], std::span(order).first(place), D, refinement);
    }
    if (all) return true;
  } while (std::ranges::next_permutation(order).found);
  return false;
}

bool meets(System& system, const std::vector<std::size_t>& order, std::span<const Time> D, Refinement refinement) {
  set_priorities(system, order);
  const auto bounds = node_bounds(system, refinement);
  if (!bounds) return false;
  for (std::size_t d = 0; d < D.size(); ++d) {
    if (bounds->R[d] > D[d]) return false;
  }
  return true;
}

std::optional<std::vector<std::size_t>> assigned(System& system, std::span<const Time> D, Refinement refinement) {
  return audsley_order(all_of(system),
                       [&](std::size_t which, std::span<const std::size_t> above) { return fits(system, which, above, D, refinement); });
}

std::shared_ptr<const rta::TaskSet> task_set(const System& system, std::span<const Time> D) {
  std::vector<rta::Pool> pools;
  for (const auto& pool : system.pools) {
    const auto equals = pool.equals_any ? rta::Equals::any : rta::Equals::fifo;
    pools.push_back({pool.name, rta::CpuPool{pool.capacity, rta::Scheduler::fp, true, equals}});
  }
  std::vector<rta::Dag> dags;
  for (std::size_t d = 0; d < system.dags.size(); ++d) {
    const Dag& dag = system.dags[d];
    std::vector<rta::Node> nodes;
    for (const Node& node : dag.nodes) nodes.push_back(cpu_node("n" + std::to_string(nodes.size()), node.e, node.pool));
    std::vector<rta::Edge> edges;
    for (const auto& edge : dag.edges) edges.push_back({edge.from, edge.to, false});
    const rta::DagAttributes attributes{.priority = dag.nodes.front().priority};
    dags.emplace_back(dag.name, dag.T, D[d], std::move(nodes), std::move(edges), attributes);
  }
  return rta::test::task_set(std::move(pools), std::move(dags));
}

struct Counts {
  int systems = 0;
  int found = 0;
  int above_deadline = 0;  // found, and its real bounds miss
  int overlooked = 0;      // not found, though some order fits
  int caught = 0;          // as above_deadline, of a test that takes others to end in half their time
};

Counts compare(bool preemptive, Refinement refinement) {
  Counts counts;
  for (std::uint64_t seed = 1; counts.found < 100 && seed < 5'000; ++seed) {
    RandomSystems random(seed);
    System system = random.system(preemptive);
    if (rta::analysis::path::overloaded_pool(system)) continue;
    const auto D = random.deadlines(system);
    ++counts.systems;
    const auto order = assigned(system, D, refinement);
    if (order) {
      ++counts.found;
      counts.above_deadline += meets(system, *order, D, refinement) ? 0 : 1;
    } else {
      counts.overlooked += some_order_fits(system, D, refinement) ? 1 : 0;
    }
    const auto hopeful = audsley_order(all_of(system), [&](std::size_t which, std::span<const std::size_t> above) {
      std::vector<Time> half(D);
      for (std::size_t d = 0; d < half.size(); ++d) half[d] = d == which ? D[d] : Time(D[d].count() / 2);
      return fits(system, which, above, half, refinement);
    });
    if (hopeful && !meets(system, *hopeful, D, refinement)) ++counts.caught;
  }
  return counts;
}

}  // namespace

TEST_CASE("Audsley's assignment meets all deadlines, and with preemption it overlooks no order that the test accepts") {
  for (const bool preemptive : {true, false}) {
    for (const Refinement refinement : {Refinement::T10v, Refinement::T10g, Refinement::T10d}) {
      CAPTURE(preemptive);
      const Counts counts = compare(preemptive, refinement);
      CHECK(counts.found == 100);
      CHECK(counts.found < counts.systems);
      CHECK(counts.above_deadline == 0);
      if (preemptive) CHECK(counts.overlooked == 0);
      CHECK(counts.caught > 0);
    }
  }
}

TEST_CASE("What Audsley's assignment accepts by T10d is schedulable with these priorities") {
  int found = 0;
  int by_T10d_alone = 0;
  for (std::uint64_t seed = 1; by_T10d_alone < 15 && seed < 5'000; ++seed) {
    RandomSystems random(seed);
    System system = random.system(true);
    if (rta::analysis::path::overloaded_pool(system)) continue;
    const auto D = random.deadlines(system);
    const auto order = assigned(system, D, Refinement::T10d);
    if (!order) continue;
    const bool alone = !assigned(system, D, Refinement::T10g);
    if (!alone && ++found > 15) continue;
    by_T10d_alone += alone ? 1 : 0;
    set_priorities(system, *order);
    Options options;
    options.release = rta::Release::completion;
    CAPTURE(seed);
    CHECK(analyze(task_set(system, D), options).verdict == Verdict::schedulable);
  }
  CHECK(by_T10d_alone == 15);
}
