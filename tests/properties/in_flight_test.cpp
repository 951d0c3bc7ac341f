// Law 1 for T38: limits of jobs under way. All that `analyze` proves of random sets with limits, as it is simulated; and the theorem by the
// letter, with antichains that are searched for, on small FIFO pools, with wrong variants, which schedules exceed.
#include "rta/analysis/in_flight.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "properties/law_1.hpp"
#include "support/admitted.hpp"

using namespace rta;
using test::Dice;

namespace {

constexpr std::int64_t unit = 6;  // a multiple of all numbers of processors

enum class Wrong { nothing, one_fewer, no_other_own, one_node, nothing_beside, a_place_more, meeting, by_releases };
constexpr std::size_t variants = 8;

/// Small DAGs on one or two FIFO pools, each with a limit.
TaskSet small_system(Dice& dice) {
  std::vector<Pool> pools;
  const auto pool_count = dice.between(1, 2);
  for (std::int64_t p = 0; p < pool_count; ++p)
    pools.push_back({fmt::format("p{}", p), CpuPool{static_cast<std::uint32_t>(dice.between(1, 3)), Scheduler::fifo}});
  std::vector<Dag> dags;
  const auto dag_count = dice.between(1, 3);
  for (std::int64_t d = 0; d < dag_count; ++d) {
    std::vector<Node> nodes;
    std::vector<Edge> edges;
    const auto node_count = static_cast<NodeId>(dice.between(1, 4));
    std::int64_t work = 0;
    for (NodeId v = 0; v < node_count; ++v) {
      Node node;
      node.name = fmt::format("n{}", v);
      node.pool = static_cast<PoolId>(dice.between(0, pool_count - 1));
      const std::int64_t C = dice.between(0, 6);
      work += C;
      node.demand = CpuDemand{Time(C)};
      nodes.push_back(std::move(node));
      for (NodeId u = 0; u < v; ++u) {
        if (dice.one_in(2)) edges.push_back({u, v, false});
      }
    }
    DagAttributes attributes;
    attributes.in_flight = static_cast<std::uint32_t>(dice.between(1, 3));
    const std::int64_t T = std::max<std::int64_t>(1, work * dice.between(1, 4) / dice.between(1, 4));
    dags.emplace_back(fmt::format("d{}", d), Time(T), std::nullopt, std::move(nodes), std::move(edges), attributes);
  }
  return {"small", std::move(pools), std::move(dags)};
}

/// T38 term by term; H of each DAG, in 1/unit ns.
class Naive {
 public:
  Naive(const TaskSet& set, Wrong wrong) : set_(set), wrong_(wrong), jobs_(set.dags().size(), 1) {}

  std::vector<std::int64_t> holds() {
    std::vector<std::int64_t> H(jobs_.size());
    for (bool grown = true; grown;) {
      grown = false;
      for (DagId d = 0; d < jobs_.size(); ++d) {
        H[d] = hold(d);
        const std::int64_t T = set_.dags()[d].period().count() * unit;
        const std::int64_t jobs = std::min(limit(d), H[d] / T + (wrong_ == Wrong::meeting && H[d] > 0 && H[d] % T == 0 ? 0 : 1));
        grown = grown || jobs > jobs_[d];
        jobs_[d] = std::max(jobs_[d], jobs);
      }
    }
    return H;
  }
  /// Whether no job waits to be admitted.
  [[nodiscard]] bool in_time(DagId d, std::int64_t H) const { return H <= limit(d) * set_.dags()[d].period().count() * unit; }

 private:
  [[nodiscard]] std::int64_t limit(DagId d) const {
    const std::int64_t N = *set_.dags()[d].attributes().in_flight;
    return wrong_ == Wrong::one_fewer ? std::max<std::int64_t>(N - 1, 1) : N;
  }
  [[nodiscard]] static std::int64_t C(const Node& node) { return std::get<CpuDemand>(node.demand).C.count(); }

  /// Work and number of nodes of the heaviest, and of the largest, set of nodes on the pool none of which is before another.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> antichain(DagId d, PoolId p, std::optional<NodeId> beside) const {
    const Dag& dag = set_.dags()[d];
    const auto parallel = [&](NodeId u, NodeId v) { return u != v && !dag.precedes(u, v) && !dag.precedes(v, u); };
    std::vector<NodeId> all;
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      if (dag.nodes()[v].pool == p && (!beside || parallel(v, *beside))) all.push_back(v);
    }
    std::int64_t work = 0;
    std::int64_t count = 0;
    for (std::uint32_t some = 1; some < (1U << all.size()); ++some) {
      std::vector<NodeId> nodes;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if ((some >> i & 1U) != 0) nodes.push_back(all[i]);
      }
      bool apart = wrong_ != Wrong::one_node || nodes.size() == 1;
      for (const NodeId u : nodes) {
        for (const NodeId v : nodes) apart = apart && (u == v || parallel(u, v));
      }
      if (!apart) continue;
      std::int64_t sum = 0;
      for (const NodeId u : nodes) sum += C(dag.nodes()[u]);
      work = std::max(work, sum);
      count = std::max(count, static_cast<std::int64_t>(nodes.size()));
    }
    return {work, count};
  }

  [[nodiscard]] std::int64_t waiting(DagId d, NodeId q) const {
    const PoolId p = set_.dags()[d].nodes()[q].pool;
    const std::int64_t m = std::get<CpuPool>(set_.pools()[p].resource).processors;
    std::int64_t work = 0;
    std::int64_t nodes = 0;
    const auto add = [&](std::int64_t times, std::pair<std::int64_t, std::int64_t> front) {
      work += times * front.first;
      nodes += times * front.second;
    };
    for (DagId e = 0; e < jobs_.size(); ++e) {
      std::int64_t times = jobs_[e];
      if (e == d) times = wrong_ == Wrong::no_other_own ? 0 : times - 1;
      add(times, antichain(e, p, std::nullopt));
    }
    if (wrong_ != Wrong::nothing_beside) add(1, antichain(d, p, q));
    if (nodes < m + (wrong_ == Wrong::a_place_more ? 1 : 0)) return 0;
    return work * unit / m;
  }

  [[nodiscard]] std::int64_t hold(DagId d) const {
    const Dag& dag = set_.dags()[d];
    std::vector<std::int64_t> ends(dag.nodes().size());
    for (const NodeId v : dag.topological_order()) {
      for (const NodeId u : dag.predecessors(v)) ends[v] = std::max(ends[v], ends[u]);
      ends[v] += C(dag.nodes()[v]) * unit + waiting(d, v);
    }
    return *std::ranges::max_element(ends);
  }

  const TaskSet& set_;
  Wrong wrong_;
  std::vector<std::int64_t> jobs_;
};

struct Seen {
  std::vector<Time> from_admission, from_release;  // the longest
  bool within_limits = true;
};

Seen seen_in(const TaskSet& set, const Schedule& schedule, Dice& dice, int runs) {
  Seen all{std::vector<Time>(set.dags().size()), std::vector<Time>(set.dags().size())};
  for (int run = 0; run < runs; ++run) {
    test::Admissions admissions(set.dags().size());
    const auto seen = simulate::simulate(set, schedule, test::random_options(dice, set), &admissions);
    for (DagId d = 0; d < set.dags().size(); ++d) {
      all.from_admission[d] = std::max(all.from_admission[d], admissions.longest(d));
      if (seen.dags[d].response.count() > 0) all.from_release[d] = std::max(all.from_release[d], seen.dags[d].response.max());
      const auto& limit = set.dags()[d].attributes().in_flight;
      all.within_limits = all.within_limits && (!limit || admissions.most_at_once(d) <= *limit);
    }
  }
  return all;
}

}  // namespace

TEST_CASE("T38 by the letter: no job exceeds H from its admission, and wrong variants are exceeded") {
  std::array<std::uint64_t, variants> exceeded{};
  std::uint64_t dags = 0;
  std::uint64_t waiting = 0;
  std::uint64_t reached = 0;
  for (std::uint64_t seed = 1; seed <= 2'000; ++seed) {
    Dice dice(seed);
    const TaskSet set = small_system(dice);
    const Schedule schedule = test::on_completion(set, std::vector<Time>(set.dags().size()));
    const Seen seen = seen_in(set, schedule, dice, 8);
    CAPTURE(seed);
    REQUIRE(seen.within_limits);
    for (std::size_t w = 0; w < variants; ++w) {
      const auto wrong = static_cast<Wrong>(w);
      Naive naive(set, wrong == Wrong::by_releases ? Wrong::nothing : wrong);
      const std::vector<std::int64_t> H = naive.holds();
      bool above = false;
      for (DagId d = 0; d < set.dags().size(); ++d) {
        const bool in_time = naive.in_time(d, H[d]);
        above = above || seen.from_admission[d].count() * unit > H[d];
        if (in_time || wrong == Wrong::by_releases) above = above || seen.from_release[d].count() * unit > H[d];
        if (wrong != Wrong::nothing) continue;
        ++dags;
        waiting += in_time ? 0 : 1;
        reached += seen.from_admission[d].count() * unit == H[d] ? 1 : 0;
      }
      exceeded[w] += above ? 1 : 0;
    }
  }
  MESSAGE(dags, " DAGs, ", waiting, " whose jobs may wait, ", reached, " reach H");
  CHECK(waiting > 500);
  CHECK(reached > 500);
  CHECK(exceeded[0] == 0);
  for (std::size_t w = 1; w < variants; ++w) {
    CAPTURE(w);
    MESSAGE("wrong variant ", w, " exceeded in ", exceeded[w], " systems");
    CHECK(exceeded[w] > 0);
  }
}

TEST_CASE("no schedule exceeds what is proven of sets with limits of jobs under way") {
  std::uint64_t by_T38 = 0;
  std::uint64_t without = 0;
  std::uint64_t by_others = 0;
  std::uint64_t waiting = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    Dice dice(seed);
    const TaskSet plain = test::random_system(
        seed, test::Ingredients{.sequential = seed % 4 == 0, .priorities = seed % 5 == 0, .non_preemptive = true, .fixed = seed % 3 == 0});
    const auto set = std::make_shared<const TaskSet>(test::with_limits(plain, seed));
    analysis::GivenOptions given;
    if (seed % 3 == 1) given = {{"release", "completion"}};
    if (seed % 12 == 0) given = {{"release", "offsets"}};
    if (seed % 12 == 6) given = {{"release", "segments"}};
    const analysis::Proof proof = analysis::analyze(set, analysis::options_of(given)).proof;
    const auto is_bounded = [](const analysis::DagProof& dag) { return dag.bound.has_value(); };
    const bool may_be_played = std::ranges::all_of(proof.dags, [](const analysis::DagProof& dag) {
      return std::ranges::all_of(dag.nodes, [](const analysis::NodeProof& node) { return node.reference.has_value(); });
    });
    if (!may_be_played) continue;  // at offsets, which are made of bounds
    const Seen seen = seen_in(*set, schedule_of(proof), dice, 3);
    CAPTURE(seed);
    REQUIRE(seen.within_limits);
    for (DagId d = 0; d < proof.dags.size(); ++d) {
      CAPTURE(d);
      const auto H = analysis::from_admission(proof, d);
      if (H && proof.release == Release::completion) REQUIRE(seen.from_admission[d] <= *H);
      if (!is_bounded(proof.dags[d])) {
        ++(H ? waiting : without);
        continue;
      }
      REQUIRE(seen.from_release[d] <= proof.dags[d].bound->R);
      ++(proof.dags[d].bound->basis.theorem == analysis::Theorem::T38 ? by_T38 : by_others);
    }
  }
  MESSAGE(by_T38, " DAGs by T38, ", by_others, " by others, ", waiting, " from their admission alone, ", without, " without a bound");
  CHECK(by_T38 > 50);
  CHECK(by_others > 200);
  CHECK(waiting > 50);
}

TEST_CASE("bounds as if there was no limit are exceeded where jobs may wait") {
  std::uint64_t exceeded = 0;
  std::uint64_t others = 0;  // DAGs whose own jobs never wait, too
  for (std::uint64_t seed = 1; seed <= 1'000; ++seed) {
    Dice dice(seed);
    const TaskSet set = small_system(dice);
    std::vector<Dag> dags;
    for (const Dag& dag : set.dags()) dags.push_back(test::with_limit(dag, std::nullopt, dag.period()));
    const auto unlimited =
        std::make_shared<const TaskSet>(set.name(), std::vector<Pool>(set.pools().begin(), set.pools().end()), std::move(dags));
    const auto proof = analysis::analyze(unlimited, analysis::options_of({{"release", "completion"}})).proof;
    const Seen seen = seen_in(set, schedule_of(proof), dice, 4);
    for (DagId d = 0; d < proof.dags.size(); ++d) {
      const auto& bound = proof.dags[d].bound;
      if (!bound || seen.from_release[d] <= bound->R) continue;
      ++exceeded;
      const auto jobs = analysis::jobs_in_flight(proof, d);
      others += *jobs <= std::int64_t{*set.dags()[d].attributes().in_flight} ? 1 : 0;
    }
  }
  MESSAGE(exceeded, " bounds exceeded, ", others, " of DAGs whose own jobs never wait");
  CHECK(exceeded > 0);
}
