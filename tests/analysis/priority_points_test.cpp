#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>

#include "analysis/explain/reason_words.hpp"
#include "analysis/search/lp_points.hpp"
#include "rta/analysis/cpu/gel.hpp"
#include "rta/analysis/cpu/priority_point.hpp"
#include "rta/model/error.hpp"
#include "support/hog_like.hpp"

namespace {

using namespace rta::literals;
using rta::Dag;
using rta::PerNode;
using rta::Scheduler;
using rta::TaskSet;
using rta::Time;
using rta::analysis::choose_lp_points;
using rta::analysis::Objective;
using rta::analysis::priority_point;
using Fixed = PerNode<std::optional<Time>>;

rta::Node cpu_node(const std::string& name, Time C) {
  rta::Node node;
  node.name = name;
  node.demand = rta::CpuDemand{C};
  return node;
}

Dag chain(const std::string& name, Time T, std::optional<Time> D, const std::vector<Time>& C) {
  std::vector<rta::Node> nodes;
  std::vector<rta::Edge> edges;
  for (std::size_t i = 0; i < C.size(); ++i) {
    nodes.push_back(cpu_node("n" + std::to_string(i), C[i]));
    if (i > 0) edges.push_back({i - 1, i});
  }
  return {name, T, D, nodes, edges};
}

TaskSet on_one_pool(std::uint32_t processors, std::vector<Dag> dags) {
  return {"test", {{"cpu", rta::CpuPool{processors, Scheduler::lp}}}, std::move(dags)};
}

Fixed nothing_fixed(const TaskSet& set) {
  Fixed fixed;
  for (const Dag& dag : set.dags()) fixed.emplace_back(dag.nodes().size());
  return fixed;
}

// End-to-end bounds by T1 without its shift, which is what the linear program sees. One CPU pool; in ns.
std::vector<double> end_to_end(const TaskSet& set, const Fixed& fixed, const PerNode<Time>& Y, rta::PoolId pool = 0) {
  const double m = std::get<rta::CpuPool>(set.pools()[pool].resource).processors;
  double U = 0, C_max = 0, demand = 0;
  const auto C_of = [&](rta::DagId d, rta::NodeId v) {
    return static_cast<double>(std::get<rta::CpuDemand>(set.dags()[d].nodes()[v].demand).C.count());
  };
  for (rta::DagId d = 0; d < set.dags().size(); ++d) {
    const auto T = static_cast<double>(set.dags()[d].period().count());
    for (rta::NodeId v = 0; v < fixed[d].size(); ++v) {
      if (fixed[d][v]) continue;
      U += C_of(d, v) / T;
      C_max = std::max(C_max, C_of(d, v));
      demand += C_of(d, v) * std::max(0.0, 1 - static_cast<double>(Y[d][v].count()) / T);
    }
  }
  const double backlog = (std::ceil(U - 1e-9) - 1) * C_max + demand;
  std::vector<double> E;
  for (rta::DagId d = 0; d < set.dags().size(); ++d) {
    const Dag& dag = set.dags()[d];
    std::vector<double> end(dag.nodes().size());
    double last = 0;
    for (const rta::NodeId v : dag.topological_order()) {
      double start = 0;
      for (const rta::NodeId u : dag.predecessors(v)) start = std::max(start, end[u]);
      end[v] = start + (fixed[d][v] ? static_cast<double>(fixed[d][v]->count())
                                    : static_cast<double>(Y[d][v].count()) + (backlog + (m - 1) * C_of(d, v)) / m);
      last = std::max(last, end[v]);
    }
    E.push_back(last);
  }
  return E;
}

double sum(const std::vector<double>& values) {
  double total = 0;
  for (const double value : values) total += value;
  return total;
}

double greatest_lateness(const TaskSet& set, const std::vector<double>& E) {
  double worst = -1e300;
  for (rta::DagId d = 0; d < E.size(); ++d) {
    worst = std::max(worst, E[d] - static_cast<double>(set.dags()[d].deadline().value_or(set.dags()[d].period()).count()));
  }
  return worst;
}

}  // namespace

TEST_CASE("priority points of G-EDF, G-FL and FIFO") {
  CHECK(priority_point(Scheduler::g_edf, 33_ms, 4_ms, 8) == 33_ms);
  CHECK(priority_point(Scheduler::lp, 33_ms, 4_ms, 8) == 33_ms);
  CHECK(priority_point(Scheduler::fifo, 33_ms, 4_ms, 8) == Time(0));
  CHECK(priority_point(Scheduler::g_fl, 33_ms, 4_ms, 8) == 29'500_us);  // 33 - 7/8 x 4
  CHECK(priority_point(Scheduler::g_fl, 33_ms, 4_ms, 1) == 33_ms);      // one processor: G-EDF
  CHECK(priority_point(Scheduler::g_fl, 2_ms, 8_ms, 4) == Time(-4'000'000));
  CHECK(priority_point(Scheduler::g_fl, Time(10), Time(1), 3) == Time(10));  // 10 - 2/3, rounded up
}

TEST_CASE("T2: a long chain makes its heavy node wait") {
  // m = 1, T = 10, C = 4, 1, 1: E = sum Y + 3 (6 - 0.4 Y_1 - 0.1 Y_2 - 0.1 Y_3). Y_1 costs 1 - 1.2 < 0: as large as possible, T.
  // The others cost 1 - 0.3 > 0: none. E = 10 + 3 x 2 = 16, less than 18 for Y = 0.
  const TaskSet set = on_one_pool(1, {chain("a", 10_ms, std::nullopt, {4_ms, 1_ms, 1_ms})});
  const auto Y = choose_lp_points(set, nothing_fixed(set), Objective::sum);
  REQUIRE(Y);
  CHECK(*Y == PerNode<Time>{{10_ms, Time(0), Time(0)}});
}

TEST_CASE("T2: sum and max-lateness on two DAGs, hand-worked") {
  // m = 1. a: chain of C = 1, 1, D = 20. b: one node, C = 4, D = 8. T = 10. S = 6 - 0.1 (Y_1 + Y_2) - 0.4 Y_3,
  // E_a = Y_1 + Y_2 + 2 S, E_b = Y_3 + S.
  // sum: Y_1, Y_2 cost 1 - 0.3, Y_3 costs 1 - 1.2: Y = (0, 0; 10).
  // max-lateness: with Y_3 = 0 and w = Y_1 + Y_2: E_b - 8 = -2 - 0.1 w, E_a - 20 = -8 + 0.8 w; equal at w = 20/3, lateness -8/3.
  // (Y_3 > 0 raises E_b by 0.6 Y_3 and can be made up for by no one.)
  const TaskSet set = on_one_pool(1, {chain("a", 10_ms, 20_ms, {1_ms, 1_ms}), chain("b", 10_ms, 8_ms, {4_ms})});
  const auto by_sum = choose_lp_points(set, nothing_fixed(set), Objective::sum);
  REQUIRE(by_sum);
  CHECK(*by_sum == PerNode<Time>{{Time(0), Time(0)}, {10_ms}});
  const auto by_lateness = choose_lp_points(set, nothing_fixed(set), Objective::max_lateness);
  REQUIRE(by_lateness);
  const auto& Y = *by_lateness;
  CHECK(std::abs((Y[0][0] + Y[0][1]).count() - 6'666'667) <= 20);
  CHECK(Y[1][0].count() <= 20);
  const double lateness = greatest_lateness(set, end_to_end(set, nothing_fixed(set), Y));
  CHECK(std::abs(lateness + 8e6 / 3) < 20);
}

TEST_CASE("T2: no point of a grid is better") {
  std::mt19937_64 random(7);
  const auto pick = [&](std::int64_t from, std::int64_t to) { return std::uniform_int_distribution(from, to)(random); };
  constexpr std::int64_t grid = 6;
  for (int round = 0; round < 60; ++round) {
    const auto m = static_cast<std::uint32_t>(pick(1, 3));
    const Time Ta = Time(pick(4, 12) * 1'000'000);
    const Time Tb = Time(pick(4, 12) * 1'000'000);
    std::vector<Time> a, b;
    for (std::int64_t i = pick(1, 3); i > 0; --i) a.emplace_back(pick(0, 3) * 500'000);
    for (std::int64_t i = pick(1, 2); i > 0; --i) b.emplace_back(pick(1, 6) * 500'000);
    const TaskSet set = on_one_pool(m, {chain("a", Ta, Time(pick(3, 30) * 1'000'000), a), chain("b", Tb, std::nullopt, b)});
    Fixed fixed = nothing_fixed(set);
    for (const Objective objective : {Objective::sum, Objective::max_lateness}) {
      const auto value = [&](const PerNode<Time>& Y) {
        const auto E = end_to_end(set, fixed, Y);
        return objective == Objective::sum ? sum(E) : greatest_lateness(set, E);
      };
      const auto chosen = choose_lp_points(set, fixed, objective);
      if (!chosen) break;  // U > m
      const double best = value(*chosen);
      PerNode<Time> Y{std::vector<Time>(a.size()), std::vector<Time>(b.size())};
      double least = 1e300;
      const std::function<void(std::size_t)> enumerate = [&](std::size_t i) {
        if (i == a.size() + b.size()) {
          least = std::min(least, value(Y));
          return;
        }
        const bool in_a = i < a.size();
        for (std::int64_t step = 0; step <= grid; ++step) {
          (in_a ? Y[0][i] : Y[1][i - a.size()]) = Time((in_a ? Ta : Tb).count() * step / grid);
          enumerate(i + 1);
        }
      };
      enumerate(0);
      CHECK(best <= least + 50);  // ns: the solver's tolerance and Y's rounding
    }
  }
}

TEST_CASE("T2: fixed bounds on another pool count as constants, and equal DAGs share their answer") {
  const TaskSet set = rta::test::hog_like(2, 8, 40);
  const Fixed fixed = rta::test::hog_kernel_bounds(set);
  const auto Y = choose_lp_points(set, fixed, Objective::sum);
  REQUIRE(Y);
  CHECK((*Y)[0] == (*Y)[1]);
  for (rta::NodeId v = 0; v < fixed[0].size(); ++v) {
    CHECK((*Y)[0][v] >= Time(0));
    CHECK((*Y)[0][v] <= 33_ms);
    if (fixed[0][v]) CHECK((*Y)[0][v] == Time(0));
  }
  // Different fixed bounds: no longer the same, and never worse for the sum than any one answer for both.
  Fixed uneven = fixed;
  for (auto& R : uneven[1]) {
    if (R) R = *R * 9;
  }
  const auto own = choose_lp_points(set, uneven, Objective::sum);
  REQUIRE(own);
  CHECK(sum(end_to_end(set, uneven, *own)) <= sum(end_to_end(set, uneven, *Y)) + 1000);
}

TEST_CASE("T2: a chain of 2,000 nodes, hand-worked") {
  // m = 1, T = 10 ms, C = 4 and 6 us in turn: U = 1, E = sum Y + 2,000 sum (C_i - u_i Y_i). Y_i costs 1 - 2,000 u_i: 0.2 where C_i = 4 us,
  // -0.2 where C_i = 6 us.
  std::vector<Time> C;
  for (int i = 0; i < 1000; ++i) C.insert(C.end(), {4_us, 6_us});
  const TaskSet set = on_one_pool(1, {chain("a", 10_ms, std::nullopt, C)});
  for (const Objective objective : {Objective::sum, Objective::max_lateness}) {
    const auto Y = choose_lp_points(set, nothing_fixed(set), objective);
    REQUIRE(Y);
    Time least_of_heavy = 10_ms, most_of_light(0);
    for (std::size_t i = 0; i < C.size(); i += 2) {
      most_of_light = std::max(most_of_light, (*Y)[0][i]);
      least_of_heavy = std::min(least_of_heavy, (*Y)[0][i + 1]);
    }
    CHECK(most_of_light <= Time(1));
    CHECK(least_of_heavy >= Time(9'999'999));
  }
}

TEST_CASE("T2: on 60 DAGs of 30 nodes no small change is better") {
  std::mt19937_64 random(11);
  const auto pick = [&](std::int64_t from, std::int64_t to) { return std::uniform_int_distribution(from, to)(random); };
  std::vector<Dag> dags;
  for (int d = 0; d < 60; ++d) {
    std::vector<Time> C;
    C.reserve(30);
    for (int v = 0; v < 30; ++v) C.emplace_back(pick(1'000, 100'000));
    dags.push_back(chain("d" + std::to_string(d), Time(pick(10'000'000, 100'000'000)), std::nullopt, C));
  }
  const TaskSet set = on_one_pool(8, std::move(dags));
  const Fixed fixed = nothing_fixed(set);
  for (const Objective objective : {Objective::sum, Objective::max_lateness}) {
    const auto chosen = choose_lp_points(set, fixed, objective);
    REQUIRE(chosen);
    const auto value = [&](const PerNode<Time>& Y) {
      const auto E = end_to_end(set, fixed, Y);
      return objective == Objective::sum ? sum(E) : greatest_lateness(set, E);
    };
    const double best = value(*chosen);
    for (int round = 0; round < 300; ++round) {  // the program is convex: what is best nearby is best
      PerNode<Time> Y = *chosen;
      for (std::int64_t changes = pick(1, 5); changes > 0; --changes) {
        const auto d = static_cast<std::size_t>(pick(0, 59));
        Time& y = Y[d][static_cast<std::size_t>(pick(0, 29))];
        y = std::clamp(y + Time(pick(-2'000'000, 2'000'000)), Time(0), set.dags()[d].period());
      }
      CHECK(best <= value(Y) + 1000);  // ns: the solver's tolerance and Y's rounding
    }
  }
}

TEST_CASE("T2: the HOG-like set's reference figures") {
  // End to end with T5 on the GPU and the published carry (m-1) C_max: G-EDF 179.6, G-FL 187.5, LP (sum) 169.0 ms. T1's carry here is
  // (ceil(U) - 1) C_max = 5 x 1.5 ms instead of 15 x 1.5 ms: 10 x 1.5/16 ms less for each of the path's 12 CPU nodes, 11.25 ms.
  const TaskSet set = rta::test::hog_like();
  const Fixed fixed = rta::test::hog_kernel_bounds(set);
  const auto bound = [&](const PerNode<Time>& Y) {
    std::vector<rta::analysis::gel::Task> tasks;
    for (rta::DagId d = 0; d < fixed.size(); ++d) {
      for (rta::NodeId v = 0; v < fixed[d].size(); ++v) {
        if (!fixed[d][v]) tasks.push_back({std::get<rta::CpuDemand>(set.dags()[d].nodes()[v].demand).C, 33_ms, Y[d][v]});
      }
    }
    const auto R = rta::analysis::gel::response_bounds(tasks, 16);
    REQUIRE(R);
    CHECK(R->terms.ceil_U == 6);
    std::size_t next = 0;
    double worst = 0;
    for (rta::DagId d = 0; d < fixed.size(); ++d) {
      std::vector<Time> own(fixed[d].size()), end(fixed[d].size());
      for (rta::NodeId v = 0; v < own.size(); ++v) own[v] = fixed[d][v] ? *fixed[d][v] : R->R[next++];
      for (const rta::NodeId v : set.dags()[d].topological_order()) {
        for (const rta::NodeId u : set.dags()[d].predecessors(v)) end[v] = std::max(end[v], end[u]);
        end[v] += own[v];
        worst = std::max(worst, static_cast<double>(end[v].count()) / 1e6);
      }
    }
    return worst;
  };
  const auto simple = [&](Scheduler scheduler) {
    PerNode<Time> Y;
    for (const Dag& dag : set.dags()) {
      for (auto& row = Y.emplace_back(); const rta::Node& node : dag.nodes()) {
        const auto* demand = std::get_if<rta::CpuDemand>(&node.demand);
        row.push_back(demand == nullptr ? Time(0) : priority_point(scheduler, dag.period(), demand->C, 16));
      }
    }
    return Y;
  };
  const auto near = [](double value, double reference) { return std::abs(value + 11.25 - reference) < 0.05; };
  CHECK(near(bound(simple(Scheduler::g_edf)), 179.6));
  CHECK(near(bound(simple(Scheduler::fifo)), 179.6));
  CHECK(near(bound(simple(Scheduler::g_fl)), 187.5));
  const auto Y = choose_lp_points(set, fixed, Objective::sum);
  REQUIRE(Y);
  CHECK(near(bound(*Y), 169.0));
  const auto late = choose_lp_points(set, fixed, Objective::max_lateness);  // six equal DAGs: the same optimum
  REQUIRE(late);
  CHECK(near(bound(*late), 169.0));
}

TEST_CASE("T2: says why there is no answer") {
  const TaskSet over = on_one_pool(1, {chain("a", 10_ms, std::nullopt, {6_ms, 6_ms})});
  const auto none = choose_lp_points(over, nothing_fixed(over), Objective::sum);
  REQUIRE(!none);
  CHECK(rta::analysis::in_words(none.reason()) == "pool 'cpu': U = 1.2 > 1 (exceeded by 0.2)");
  Fixed fixed = nothing_fixed(over);
  fixed[0].pop_back();
  CHECK_THROWS_AS((void)choose_lp_points(over, fixed, Objective::sum), rta::Defect);
  fixed[0].emplace_back(1_ms);  // one node of the pool chosen, the other fixed
  CHECK_THROWS_AS((void)choose_lp_points(over, fixed, Objective::sum), rta::Defect);
  const TaskSet hog = rta::test::hog_like(1);
  CHECK_THROWS_AS((void)choose_lp_points(hog, nothing_fixed(hog), Objective::sum), rta::Defect);  // kernels without bounds
}

TEST_CASE("T2: nothing to choose") {
  const TaskSet set = on_one_pool(1, {chain("a", 10_ms, std::nullopt, {1_ms})});
  Fixed fixed = nothing_fixed(set);
  fixed[0][0] = 5_ms;
  const auto Y = choose_lp_points(set, fixed, Objective::max_lateness);
  REQUIRE(Y);
  CHECK(*Y == PerNode<Time>{{Time(0)}});
}
