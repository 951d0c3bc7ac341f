// Law 1 for T19, T19j, T20 and T22 over random systems with executors: by a simulator of their own, against an oracle of their own; and
// wrong variants, which schedules exceed.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "rta/analysis/executors/wait_set.hpp"
#include "support/executor_oracle.hpp"

using namespace rta;
using namespace rta::test::executor;
namespace executors = rta::analysis::executors;
namespace path = rta::analysis::path;

namespace {

std::int64_t pick(std::mt19937_64& random, std::int64_t from, std::int64_t to) { return std::uniform_int_distribution(from, to)(random); }

/// DAGs of a few nodes, mostly chains; loads about 1/2 to 1.
System random_system(std::mt19937_64& random) {
  System system;
  system.executors = static_cast<std::size_t>(pick(random, 1, 3));
  system.processors = pick(random, 0, 2);
  const std::int64_t dags = pick(random, 2, 4);
  const bool chains = pick(random, 0, 2) > 0;
  for (std::int64_t d = 0; d < dags; ++d) {
    Dag& dag = system.dags.emplace_back();
    dag.T = pick(random, 4, 40);
    const std::int64_t nodes = pick(random, 1, 4);
    for (std::int64_t v = 0; v < nodes; ++v) {
      Node& node = dag.nodes.emplace_back();
      const std::int64_t pools = static_cast<std::int64_t>(system.executors) + (system.processors > 0 ? 1 : 0);
      node.pool = static_cast<std::size_t>(pick(random, 0, pools - 1));
      node.C = pick(random, 0, std::max<std::int64_t>(1, dag.T / 3));
      if (v > 0) node.before.push_back(static_cast<std::size_t>(chains ? v - 1 : pick(random, 0, v - 1)));
      if (v > 1 && !chains && pick(random, 0, 1) == 0 && node.before.front() != static_cast<std::size_t>(v - 1))
        node.before.push_back(static_cast<std::size_t>(v - 1));
    }
  }
  return system;
}

bool all_chains(const System& system) {
  for (const Dag& dag : system.dags) {
    for (std::size_t v = 1; v < dag.nodes.size(); ++v) {
      if (dag.nodes[v].before != std::vector<std::size_t>{v - 1}) return false;
    }
  }
  return true;
}

path::Order order_of(Kind kind) {
  switch (kind) {
    case Kind::wait_set: return path::Order::wait_set;
    case Kind::events: return path::Order::fifo;
    case Kind::priority: return path::Order::fixed_non_preemptive;
    case Kind::threads: break;
  }
  return path::Order::multi_threaded;
}

path::System as_paths(const System& system) {
  path::System out;
  for (std::size_t p = 0; p < system.executors; ++p) {
    out.pools.emplace_back();
    out.pools.back().name = "x" + std::to_string(p);
    out.pools.back().order = order_of(system.kind(p));
    out.pools.back().equals_any = system.kind(p) == Kind::priority;
    if (const Server* const reserved = system.reservation(p))
      out.pools.back().supply = path::Supply{Time(reserved->runtime), Time(reserved->period)};
    if (system.kind(p) == Kind::threads) out.pools.back().capacity = static_cast<std::uint32_t>(system.threads[p]);
  }
  if (system.processors > 0) {
    out.pools.emplace_back();
    out.pools.back().name = "p";
    out.pools.back().capacity = static_cast<std::uint32_t>(system.processors);
  }
  for (const Dag& dag : system.dags) {
    path::Dag& of = out.dags.emplace_back();
    of.T = Time(dag.T);
    for (std::size_t v = 0; v < dag.nodes.size(); ++v) {
      path::Node& node = of.nodes.emplace_back();
      node.pool = dag.nodes[v].pool;
      node.e = Time(dag.nodes[v].C);
      node.s = node.vol = dag.nodes[v].C;
      node.priority = dag.nodes[v].priority;
      if (node.pool < system.executors && system.kind(node.pool) == Kind::threads) node.group = dag.nodes[v].group;
      for (const std::size_t u : dag.nodes[v].before) of.edges.push_back({u, v});
    }
  }
  return out;
}

std::string text_of(const System& system) {
  std::string text = std::to_string(system.executors) + " executors, " + std::to_string(system.processors) + " processors";
  for (const Dag& dag : system.dags) {
    text += "\nT " + std::to_string(dag.T) + ":";
    for (const Node& node : dag.nodes) {
      text += " " + std::to_string(node.C) + "@" + std::to_string(node.pool) + "g" + std::to_string(node.group) + "(";
      for (const std::size_t u : node.before) text += std::to_string(u) + " ";
      text += ")";
    }
  }
  return text;
}

Ends ends_of(const executors::Bounds& bounds) {
  Ends ends;
  for (const auto& F : bounds.F) {
    auto& of = ends.emplace_back();
    for (const Time end : F) of.push_back(end.count());
  }
  return ends;
}

Player::How how(std::uint64_t run) { return {.synchronous = run % 3 == 0, .worst = run % 4 != 3, .late_messages = false, .length = 300}; }
/// Callbacks publish early in two runs of three; threads take what they may by each of three rules.
Player::How by_threads(std::uint64_t run) {
  Player::How as = how(run);
  as.early = run % 3 > 0;
  as.rule = static_cast<int>(run / 3 % 3);
  return as;
}

/// Reservations hold back at once, late, at random or by budgets.
Player::How by_supply(std::uint64_t run) {
  Player::How as = how(run);
  as.early = run % 3 > 0;
  as.supply = run % 2 == 1 ? 3 : static_cast<int>(run / 2 % 3);
  return as;
}

/// Whether `runs` schedules exceed these ends somewhere.
bool exceeded(const System& system, const Ends& ends, std::mt19937_64& random, std::uint64_t runs, bool late = false) {
  for (std::uint64_t run = 0; run < runs; ++run) {
    const bool threads = std::ranges::find(system.kinds, Kind::threads) != system.kinds.end();
    Player::How as = threads ? by_threads(run) : system.reservations.empty() ? how(run) : by_supply(run);
    as.late_messages = late;
    const Ends seen = Player(system, random, as).play();
    for (std::size_t d = 0; d < ends.size(); ++d) {
      for (std::size_t v = 0; v < ends[d].size(); ++v) {
        if (seen[d][v] > ends[d][v]) return true;
      }
    }
  }
  return false;
}

/// Executors of all kinds.
System random_kinds(std::mt19937_64& random) {
  System system = random_system(random);
  for (std::size_t p = 0; p < system.executors; ++p) system.kinds.push_back(static_cast<Kind>(pick(random, 0, 2)));
  for (Dag& dag : system.dags) {
    for (Node& node : dag.nodes) node.priority = static_cast<std::uint32_t>(pick(random, 1, 3));
  }
  return system;
}

/// Executors of several threads, and wait sets beside them; loads above 1 among them.
System random_threads(std::mt19937_64& random) {
  System system;
  system.executors = static_cast<std::size_t>(pick(random, 1, 2));
  system.processors = pick(random, 0, 2);
  for (std::size_t p = 0; p < system.executors; ++p) {
    system.kinds.push_back(p == 0 || pick(random, 0, 3) > 0 ? Kind::threads : Kind::wait_set);
    system.threads.push_back(pick(random, 2, 4));
  }
  const std::int64_t longest = pick(random, 0, 1) == 0 ? 14 : 40;
  const bool chains = pick(random, 0, 2) > 0;
  const std::int64_t dags = pick(random, 1, 4);
  for (std::int64_t d = 0; d < dags; ++d) {
    Dag& dag = system.dags.emplace_back();
    dag.T = pick(random, 4, longest);
    const std::int64_t nodes = pick(random, 1, 5);
    for (std::int64_t v = 0; v < nodes; ++v) {
      Node& node = dag.nodes.emplace_back();
      const std::int64_t pools = static_cast<std::int64_t>(system.executors) + (system.processors > 0 ? 1 : 0);
      node.pool = pick(random, 0, 2) > 0 ? 0 : static_cast<std::size_t>(pick(random, 0, pools - 1));
      node.C = pick(random, 0, std::max<std::int64_t>(1, dag.T / 2));
      node.group = static_cast<std::uint32_t>(pick(random, 0, 3));
      if (v > 0) node.before.push_back(static_cast<std::size_t>(chains ? v - 1 : pick(random, 0, v - 1)));
      if (v > 1 && !chains && pick(random, 0, 1) == 0 && node.before.front() != static_cast<std::size_t>(v - 1))
        node.before.push_back(static_cast<std::size_t>(v - 1));
    }
  }
  return system;
}

/// Executors in reservations, of some kind but several threads, and others beside them.
System random_reservations(std::mt19937_64& random) {
  System system = random_system(random);
  for (std::size_t p = 0; p < system.executors; ++p) {
    system.kinds.push_back(pick(random, 0, 1) == 0 ? Kind::wait_set : static_cast<Kind>(pick(random, 0, 2)));
    const std::int64_t period = pick(random, 2, 9);
    system.reservations.emplace_back();
    if (p == 0 || pick(random, 0, 3) > 0) system.reservations.back() = Server{pick(random, (period + 1) / 2, period), period};
  }
  for (Dag& dag : system.dags) {
    dag.T *= 2;
    for (Node& node : dag.nodes) {
      node.C = (node.C + 1) / 2;
      node.priority = static_cast<std::uint32_t>(pick(random, 1, 3));
    }
  }
  return system;
}

/// A chain that comes seldom beside callbacks that come often, on one executor that has nearly all of its processor.
System seldom_beside_often(std::mt19937_64& random) {
  const std::int64_t period = pick(random, 3, 12);
  System system{.executors = 1, .processors = 0, .dags = {{60, {{0, pick(random, 1, 3), {}}}}}};
  system.reservations = {Server{std::max<std::int64_t>(1, period - pick(random, 1, 6)), period}};
  const std::int64_t often = pick(random, 1, 3);
  if (pick(random, 0, 1) == 0) system.dags[0].nodes.push_back({0, pick(random, 1, 3), {0}});
  for (std::int64_t d = 0; d < often; ++d) system.dags.push_back({pick(random, 2, 12), {{0, pick(random, 1, 3), {}}}});
  return system;
}

/// One group and a processor of their own for what is between: much of a reentrant group, where jobs overtake one another.
System overtaking_threads(std::mt19937_64& random) {
  System system{.executors = 1,
                .processors = 0,
                .dags = {{pick(random, 3, 9), {{0, 0, {}, 0, 1}, {0, pick(random, 5, 12), {0}, 0, 0}, {0, pick(random, 1, 3), {1}, 0, 1}}}},
                .kinds = {Kind::threads},
                .threads = {pick(random, 4, 8)}};
  return system;
}

/// 0 on x, then much on processors, where jobs overtake one another, then on x again.
System overtaking(std::mt19937_64& random) {
  return {.executors = 1,
          .processors = pick(random, 2, 8),
          .dags = {{pick(random, 6, 12), {{0, 0, {}}, {1, pick(random, 5, 9), {0}}, {0, pick(random, 1, 3), {1}}}}}};
}

/// Whether some schedule of some system, from seed `first` on, exceeds bounds by the wrong variant.
bool caught(By by, Wrong wrong, System (*made)(std::mt19937_64&), std::uint64_t first = 0) {
  for (std::uint64_t seed = first; seed < first + 1000; ++seed) {
    std::mt19937_64 random(seed);
    const System system = made(random);
    const auto ends = Oracle(system, by, wrong).ends();
    if (!ends || ends == Oracle(system, by).ends()) continue;
    if (exceeded(system, *ends, random, 24)) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("no schedule of random executors exceeds T19 or T19j, which are what brute force finds") {
  std::size_t bounded = 0, reached = 0, by_visit = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    std::mt19937_64 random(seed);
    const System system = random_system(random);
    CAPTURE(text_of(system));
    const path::System paths = as_paths(system);
    const bool chains = all_chains(system);
    path::Limits limits;
    limits.periods = 200;
    for (const By by : {By::path, By::visit, By::both}) {
      const auto bounds = executors::bounds(paths, limits, {.path = by != By::visit, .local = by != By::path, .successor = false});
      const auto oracle = Oracle(system, by).ends();
      if (!bounds) continue;
      REQUIRE(oracle);  // it is never above
      const Ends ends = ends_of(*bounds);
      for (std::size_t d = 0; d < ends.size(); ++d) {
        for (std::size_t v = 0; v < ends[d].size(); ++v) {
          if (by != By::visit || system.is_executor(system.dags[d].nodes[v].pool)) CHECK(ends[d][v] >= (*oracle)[d][v]);
        }
      }
      if (chains && by != By::visit) CHECK(ends == *oracle);
    }
    const auto least = executors::bounds(paths, limits);
    if (!least) continue;
    ++bounded;
    const Ends ends = ends_of(*least);
    for (const auto& of : least->carrier) by_visit += static_cast<std::size_t>(std::ranges::count(of, executors::Carrier::local));
    Ends most(ends.size());
    for (std::size_t d = 0; d < ends.size(); ++d) most[d].assign(ends[d].size(), -1);
    for (std::uint64_t run = 0; run < 16; ++run) {
      const Ends seen = Player(system, random, how(run)).play();
      for (std::size_t d = 0; d < ends.size(); ++d) {
        for (std::size_t v = 0; v < ends[d].size(); ++v) {
          most[d][v] = std::max(most[d][v], seen[d][v]);
          REQUIRE(seen[d][v] <= ends[d][v]);
        }
      }
    }
    for (std::size_t d = 0; d < ends.size(); ++d) {
      for (std::size_t v = 0; v < ends[d].size(); ++v) {
        reached += most[d][v] == ends[d][v] ? 1 : 0;
        const auto of = executors::derivation(paths, *least, d, v);
        CHECK(ceil_to_time(of.total).count() <= ends[d][v]);
      }
    }
  }
  CHECK(bounded > 200);
  CHECK(reached > 200);
  CHECK(by_visit > 200);
}

TEST_CASE("schedules exceed wrong variants of T19") {
  for (const Wrong wrong : {Wrong::no_rest, Wrong::none_pending, Wrong::no_carry_in, Wrong::lim_is_ready}) {
    CAPTURE(static_cast<int>(wrong));
    CHECK(caught(By::path, wrong, random_system));
  }
  CHECK(caught(By::path, Wrong::in_order, overtaking));
}

TEST_CASE("a path that visits an executor twice waits for the rest of two windows") {
  // v: 0 on x, 0 elsewhere, 0 on x again, released at 2, just after the poll that found 25 and 5 (T = 10), which came while 2 ran. Until 32
  // for these; the next window has 5 and the first 0; before 0 elsewhere has ended, a third one has begun, with 5; and 5 in the fourth: 47.
  const System system{
      .executors = 2,
      .processors = 0,
      .dags = {{150, {{0, 0, {}}, {1, 0, {0}}, {0, 0, {1}}}}, {10, {{0, 5, {}}}}, {150, {{0, 25, {}}}}, {150, {{0, 2, {}}}}}};
  const auto right = Oracle(system, By::path).ends();
  const auto wrong = Oracle(system, By::path, Wrong::one_visit).ends();
  REQUIRE(right);
  REQUIRE(wrong);
  CHECK((*right)[0][2] == 25 + 4 * 5 + 2);
  CHECK((*wrong)[0][2] == 25 + 3 * 5 + 2);
  std::int64_t worst = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    std::mt19937_64 random(seed);
    worst = std::max(worst, Player(system, random, {.length = 100, .phases = {2, 1, 1, 0}}).play()[0][2]);
  }
  CHECK(worst == 45);
}

TEST_CASE("schedules exceed wrong variants of T19j") {
  CHECK(caught(By::visit, Wrong::no_rest, random_system, 3000));
  for (const Wrong wrong : {Wrong::begins_early, Wrong::no_jitter, Wrong::only_zero, Wrong::not_just_after}) {
    CAPTURE(static_cast<int>(wrong));
    CHECK(caught(By::visit, wrong, random_system));
  }
}

TEST_CASE("a message that comes after the poll that follows its callback exceeds T19") {
  // 0, 0, 0 beside 11 (T = 56) and 2 (T = 4): 19 where messages are there when their callbacks end.
  const System system{
      .executors = 1, .processors = 0, .dags = {{100, {{0, 0, {}}, {0, 0, {0}}, {0, 0, {1}}}}, {56, {{0, 11, {}}}}, {4, {{0, 2, {}}}}}};
  const auto ends = Oracle(system, By::path).ends();
  REQUIRE(ends);
  std::mt19937_64 random(1);
  CHECK_FALSE(exceeded(system, *ends, random, 200));
  CHECK(exceeded(system, *ends, random, 2000, true));
}

TEST_CASE("no schedule of executors by events or by priority exceeds T10n, wherever callbacks publish before they end") {
  std::size_t bounded = 0, reached = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    std::mt19937_64 random(seed);
    const System system = random_kinds(random);
    CAPTURE(text_of(system));
    path::Limits limits;
    limits.periods = 200;
    const auto least = executors::bounds(as_paths(system), limits);
    if (!least) continue;
    ++bounded;
    const Ends ends = ends_of(*least);
    for (std::uint64_t run = 0; run < 24; ++run) {
      Player::How as = how(run);
      as.early = run % 4 > 0;
      const Ends seen = Player(system, random, as).play();
      for (std::size_t d = 0; d < ends.size(); ++d) {
        for (std::size_t v = 0; v < ends[d].size(); ++v) {
          reached += seen[d][v] == ends[d][v] ? 1 : 0;
          REQUIRE(seen[d][v] <= ends[d][v]);
        }
      }
    }
  }
  CHECK(bounded > 200);
  CHECK(reached > 200);
}

TEST_CASE("a callback that publishes at once lets its successor pass what the chain would have behind it") {
  // a (3) -> b (2), and c (2), T = 20, by events: c comes 1 after a began, when b is there already, and ends at 7. A chain has at most one
  // node ahead of c, so theorems that count chains say 5.
  const System system{
      .executors = 1, .processors = 0, .dags = {{20, {{0, 3, {}}, {0, 2, {0}}}}, {20, {{0, 2, {}}}}}, .kinds = {Kind::events}};
  const auto bounds = executors::bounds(as_paths(system));
  REQUIRE(bounds);
  CHECK(bounds->F[1][0].count() == 7);
  std::int64_t at_ends = 0, early = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    at_ends = std::max(at_ends, Player(system, random, {.synchronous = seed % 2 == 0, .length = 100}).play()[1][0]);
    early = std::max(early, Player(system, random, {.synchronous = seed % 2 == 0, .early = true, .length = 100}).play()[1][0]);
  }
  CHECK(at_ends == 5);
  CHECK(early == 7);
}

TEST_CASE("schedules exceed an executor by priority that counts nothing less urgent") {
  bool exceeds = false;
  for (std::uint64_t seed = 0; seed < 400 && !exceeds; ++seed) {
    std::mt19937_64 random(seed);
    System system = random_kinds(random);
    for (Kind& kind : system.kinds) kind = Kind::priority;
    path::System wrong = as_paths(system);
    for (path::Pool& pool : wrong.pools) pool.order = pool.order == path::Order::fixed_non_preemptive ? path::Order::fixed : pool.order;
    const auto bounds = executors::bounds(wrong);
    exceeds = bounds && exceeded(system, ends_of(*bounds), random, 24);
  }
  CHECK(exceeds);
}

TEST_CASE("no schedule of executors of several threads exceeds T20, which is what brute force finds") {
  std::size_t bounded = 0, reached = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    std::mt19937_64 random(seed);
    const System system = random_threads(random);
    CAPTURE(text_of(system));
    const path::System paths = as_paths(system);
    path::Limits limits;
    limits.periods = 200;
    const auto by_path = executors::bounds(paths, limits, {.path = true, .local = false, .successor = false});
    if (by_path) {
      const auto oracle = Oracle(system, By::path).ends();
      REQUIRE(oracle);
      const Ends ends = ends_of(*by_path);
      for (std::size_t d = 0; d < ends.size(); ++d) {
        for (std::size_t v = 0; v < ends[d].size(); ++v) CHECK(ends[d][v] >= (*oracle)[d][v]);
      }
      if (all_chains(system)) CHECK(ends == *oracle);
    }
    const auto least = executors::bounds(paths, limits);
    if (!least) continue;
    ++bounded;
    const Ends ends = ends_of(*least);
    Ends most(ends.size());
    for (std::size_t d = 0; d < ends.size(); ++d) most[d].assign(ends[d].size(), -1);
    for (std::uint64_t run = 0; run < 18; ++run) {
      const Ends seen = Player(system, random, by_threads(run)).play();
      for (std::size_t d = 0; d < ends.size(); ++d) {
        for (std::size_t v = 0; v < ends[d].size(); ++v) {
          most[d][v] = std::max(most[d][v], seen[d][v]);
          REQUIRE(seen[d][v] <= ends[d][v]);
        }
      }
    }
    for (std::size_t d = 0; d < ends.size(); ++d) {
      for (std::size_t v = 0; v < ends[d].size(); ++v) {
        reached += most[d][v] == ends[d][v] ? 1 : 0;
        const auto of = executors::derivation(paths, *least, d, v);
        CHECK(ceil_to_time(of.total).count() <= ends[d][v]);
        if (of.local) continue;
        analysis::FineTime sum = analysis::fine(of.by_path.elsewhere);
        for (const executors::Visited& visited : of.by_path.pools) sum += visited.length;
        CHECK(sum == of.total);
      }
    }
  }
  CHECK(bounded > 250);
  CHECK(reached > 500);
}

TEST_CASE("schedules exceed wrong variants of T20") {
  for (const Wrong wrong : {Wrong::no_own_jobs, Wrong::no_groups, Wrong::groups_by_m, Wrong::no_carry_in}) {
    CAPTURE(static_cast<int>(wrong));
    CHECK(caught(By::path, wrong, random_threads));
  }
  CHECK(caught(By::path, Wrong::in_order, overtaking_threads));
}

TEST_CASE("a callback that takes longer than its period on several threads: exclusive without bound, reentrant with one") {
  const auto one = [](std::uint32_t group) {
    return System{.executors = 1, .processors = 0, .dags = {{4, {{0, 5, {}, 0, group}}}}, .kinds = {Kind::threads}, .threads = {3}};
  };
  CHECK_FALSE(executors::bounds(as_paths(one(1))));
  CHECK_FALSE(Oracle(one(1), By::path).ends());
  CHECK(Oracle(one(1), By::path, Wrong::no_own_jobs).ends());
  const auto reentrant = executors::bounds(as_paths(one(0)));
  REQUIRE(reentrant);
  CHECK(reentrant->F[0][0].count() == 7);  // 5 + 5/3
  std::mt19937_64 random(1);
  CHECK(Player(one(1), random, {.length = 200}).play()[0][0] > 50);
  CHECK(Player(one(0), random, {.length = 200}).play()[0][0] == 5);
}

TEST_CASE("no schedule of executors in reservations exceeds T22, which is what brute force finds") {
  std::size_t bounded = 0, reserved = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    std::mt19937_64 random(seed);
    const System system = seed % 3 > 0 ? random_reservations(random) : seldom_beside_often(random);
    CAPTURE(text_of(system));
    const path::System paths = as_paths(system);
    path::Limits limits;
    limits.periods = 200;
    const auto by_path = executors::bounds(paths, limits, {.path = true, .local = false, .successor = false});
    const bool wait_sets = std::ranges::all_of(system.kinds, [](Kind kind) { return kind == Kind::wait_set; });
    if (by_path && wait_sets) {
      const auto oracle = Oracle(system, By::path).ends();
      REQUIRE(oracle);
      const Ends ends = ends_of(*by_path);
      for (std::size_t d = 0; d < ends.size(); ++d) {
        for (std::size_t v = 0; v < ends[d].size(); ++v) CHECK(ends[d][v] >= (*oracle)[d][v]);
      }
      if (all_chains(system)) CHECK(ends == *oracle);
    }
    const auto least = executors::bounds(paths, limits);
    if (!least) continue;
    ++bounded;
    const Ends ends = ends_of(*least);
    for (std::uint64_t run = 0; run < 18; ++run) {
      const Ends seen = Player(system, random, by_supply(run)).play();
      for (std::size_t d = 0; d < ends.size(); ++d) {
        for (std::size_t v = 0; v < ends[d].size(); ++v) REQUIRE(seen[d][v] <= ends[d][v]);
      }
    }
    for (std::size_t d = 0; d < ends.size(); ++d) {
      for (std::size_t v = 0; v < ends[d].size(); ++v) {
        const auto of = executors::derivation(paths, *least, d, v);
        CHECK(ceil_to_time(of.total).count() <= ends[d][v]);
        if (of.local) continue;
        analysis::FineTime sum = analysis::fine(of.by_path.elsewhere);
        for (const executors::Visited& visited : of.by_path.pools) {
          sum += visited.length;
          reserved += visited.reserved ? 1 : 0;
        }
        CHECK(sum == of.total);
      }
    }
  }
  CHECK(bounded > 200);
  CHECK(reserved > 500);
}

TEST_CASE("schedules exceed wrong variants of T22") {
  CHECK(caught(By::path, Wrong::one_gap, seldom_beside_often, 1500));
  // Four visits of 1 each to 3 every 5, with 6 elsewhere between: Y = 4 in n = 4 visits is held back 2 (8 - 1 + 2). In one it would be held
  // back 2 (1 + 2), to end at 28, but each visit finds the server asleep, and may have to wait for 2: 4 x 3 + 18.
  System system{.executors = 1, .processors = 1, .dags = {{200, {{0, 1, {}}}}}, .kinds = {Kind::wait_set}};
  system.reservations = {Server{3, 5}};
  for (std::size_t v = 1; v < 7; ++v) system.dags[0].nodes.push_back({v % 2, v % 2 == 1 ? 6 : 1, {v - 1}});
  const auto right = Oracle(system, By::path).ends();
  const auto wrong = Oracle(system, By::path, Wrong::one_stretch).ends();
  REQUIRE(right);
  REQUIRE(wrong);
  CHECK((*right)[0].back() == 22 + 18);
  CHECK((*wrong)[0].back() == 22 + 6);
  std::mt19937_64 random(1);
  CHECK(Player(system, random, {.supply = 1, .length = 100}).play()[0].back() == 30);
}
