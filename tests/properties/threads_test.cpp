// Law 1 for T21h: schedules of threads that wait for their kernels, over random systems, by a simulator of their own; and wrong variants,
// which schedules exceed.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "properties/law_1.hpp"
#include "rta/analysis/threads/hold.hpp"
#include "support/durations.hpp"
#include "support/on_threads.hpp"
#include "support/played_threads.hpp"

using namespace rta;
using test::pick;
using test::PlayedBody;
using test::PlayedPiece;
using test::PlayedPool;
using test::PlayedSystem;
using test::PlayedThreads;
using test::Random;
namespace held = rta::analysis::threads;

namespace {

enum class Wrong { nothing, any_H, own_threads, no_runs, no_overtaking };

/// H in whole ns, with everything in 12ths; by its own sums, without a word of the product's.
std::int64_t naive_hold(const PlayedSystem& system, std::size_t b, Wrong wrong) {
  constexpr std::int64_t unit = 12;  // a multiple of all numbers of servers
  const PlayedBody& body = system.bodies[b];
  const auto longest = [&](const PlayedBody& of, std::size_t p) {
    std::int64_t most = 0, run = 0;
    for (std::size_t i = 0; i < of.pieces.size(); ++i) {
      const PlayedPiece& piece = of.pieces[i];
      const bool goes_on = i > 0 && of.pieces[i - 1].pool == piece.pool && system.pools[piece.pool].processors;
      run = goes_on ? run + piece.items * piece.length : piece.items * piece.length;
      if (piece.pool == p) most = std::max(most, run);
    }
    return most;
  };
  const auto ahead = [&](std::size_t p) {
    std::int64_t threads = 0, work = 0;
    for (std::size_t y = 0; y < system.bodies.size(); ++y) {
      const PlayedBody& of = system.bodies[y];
      const bool visits = std::ranges::any_of(of.pieces, [&](const PlayedPiece& piece) { return piece.pool == p; });
      if (visits) threads += of.threads;
      const std::int64_t own = y != b ? 0 : wrong == Wrong::own_threads ? of.threads : 1;
      work += (of.threads - own) * longest(of, p);
    }
    const PlayedPool& pool = system.pools[p];
    if (pool.processors && (threads <= pool.servers || wrong == Wrong::no_runs)) return std::int64_t{0};
    return work;
  };
  std::int64_t H = 0;
  for (std::size_t i = 0; i < body.pieces.size(); ++i) {
    const PlayedPiece& piece = body.pieces[i];
    const PlayedPool& pool = system.pools[piece.pool];
    H += unit * piece.length + unit * (piece.items - 1) * piece.length / pool.servers;
    const bool goes_on = i > 0 && body.pieces[i - 1].pool == piece.pool && pool.processors;
    if (!goes_on) H += unit * ahead(piece.pool) / pool.servers;
  }
  return (H + unit - 1) / unit;
}

/// F of each body; none: no bound.
std::vector<std::optional<std::int64_t>> naive_bounds(const PlayedSystem& system, Wrong wrong) {
  std::vector<std::optional<std::int64_t>> F(system.bodies.size());
  std::vector<bool> overtaken(system.bodies.size());
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    const PlayedBody& body = system.bodies[b];
    std::optional<std::int64_t> A = 0;
    for (const std::size_t u : body.after) {
      A = A && F[u] ? std::optional(std::max(*A, *F[u])) : std::nullopt;
      overtaken[b] = overtaken[b] || overtaken[u] || system.bodies[u].threads > 1;
    }
    if (!A) continue;
    const std::int64_t T = system.T[body.dag];
    const std::int64_t H = naive_hold(system, b, wrong);
    std::int64_t before = H == 0 ? 0 : (H + T - 1) / T - 1;
    if (overtaken[b] && wrong != Wrong::no_overtaking) before += *A / T;
    if (wrong == Wrong::any_H || before < body.threads) F[b] = *A + H;
  }
  return F;
}

std::vector<held::Pool> pools_of(const PlayedSystem& system) {
  std::vector<held::Pool> pools;
  for (const PlayedPool& pool : system.pools) {
    pools.push_back(
        {.rate = pool.servers, .places = pool.processors ? static_cast<std::uint64_t>(pool.servers) : 0, .processors = pool.processors});
  }
  return pools;
}

std::vector<held::Body> bodies_of(const PlayedSystem& system) {
  std::vector<held::Body> bodies;
  for (const PlayedBody& body : system.bodies) {
    held::Body& out = bodies.emplace_back();
    out.threads = body.threads;
    out.T = Time(system.T[body.dag]);
    out.after = body.after;
    for (const PlayedPiece& piece : body.pieces) {
      out.pieces.push_back({piece.pool, Time(piece.length), Wide{piece.length}, Wide{piece.length} * piece.items});
    }
  }
  return bodies;
}

/// One to three DAGs of one to three bodies. Periods are about those at which the bodies have bounds, or what `wrong` takes for one.
PlayedSystem random_threads(Random& random, Wrong wrong) {
  PlayedSystem system;
  const std::int64_t cpus = pick(random, 1, 2), devices = pick(random, 1, 2);
  const bool room = pick(random, 0, 3) == 0;
  for (std::int64_t p = 0; p < cpus; ++p) system.pools.push_back({room ? 12 : pick(random, 1, 3), true});
  for (std::int64_t p = 0; p < devices; ++p) system.pools.push_back({pick(random, 1, 3), false});
  const std::int64_t dags = room ? 1 : pick(random, 1, 3);
  for (std::int64_t d = 0; d < dags; ++d) {
    const std::size_t first = system.bodies.size();
    const std::int64_t bodies = pick(random, 1, room ? 3 : 2);
    for (std::int64_t b = 0; b < bodies; ++b) {
      PlayedBody body;
      body.dag = static_cast<std::size_t>(d);
      body.threads = static_cast<std::uint32_t>(pick(random, 0, 1) == 0 ? 1 : pick(random, 1, 3));
      if (b > 0) body.after.push_back(first + static_cast<std::size_t>(pick(random, 0, b - 1)));
      const std::int64_t pieces = pick(random, 1, 4);
      for (std::int64_t i = 0; i < pieces; ++i) {
        const auto p = static_cast<std::size_t>(pick(random, 0, room ? cpus - 1 : cpus + devices - 1));
        body.pieces.push_back({p, system.pools[p].processors ? 1 : pick(random, 1, 4), pick(random, 0, 6)});
      }
      system.bodies.push_back(std::move(body));
    }
  }
  system.T.assign(static_cast<std::size_t>(dags), 1);
  for (const PlayedBody& body : system.bodies) {
    const std::int64_t H = naive_hold(system, static_cast<std::size_t>(&body - system.bodies.data()), wrong);
    system.T[body.dag] = std::max(system.T[body.dag], (H + body.threads - 1) / body.threads);
  }
  for (std::int64_t& T : system.T) {
    if (pick(random, 0, 1) == 0) T += pick(random, 0, T);
    if (wrong == Wrong::any_H) T = std::max<std::int64_t>(1, T - pick(random, 0, T / 2));
  }
  return system;
}

struct Seen {
  std::size_t bodies = 0, reached = 0;
  std::optional<std::string> above;
};

void play(const PlayedSystem& system, const std::vector<std::optional<std::int64_t>>& F, Random& random, int runs, Seen& seen) {
  const std::int64_t longest = *std::ranges::max_element(system.T);
  std::vector<std::int64_t> worst(system.bodies.size());
  for (int run = 0; run < runs; ++run) {
    const auto latest = PlayedThreads(system, random).run(12 * longest);
    for (std::size_t b = 0; b < worst.size(); ++b) worst[b] = std::max(worst[b], latest[b]);
  }
  for (std::size_t b = 0; b < worst.size(); ++b) {
    if (!F[b]) continue;
    ++seen.bodies;
    if (worst[b] == *F[b]) ++seen.reached;
    if (worst[b] > *F[b] && !seen.above) seen.above = fmt::format("body {}: {} > {}", b, worst[b], *F[b]);
  }
}

/// How many systems until a schedule exceeds what the variant takes for a bound; none: it never did.
std::optional<int> caught_after(Wrong wrong, int systems) {
  for (int i = 0; i < systems; ++i) {
    Random random(static_cast<std::uint64_t>(i) + 1);
    const PlayedSystem system = random_threads(random, wrong);
    Seen seen;
    play(system, naive_bounds(system, wrong), random, 10, seen);
    if (seen.above) return i;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("no schedule of threads exceeds T21h") {
  constexpr int systems = 30'000;
  Seen seen;
  for (int i = 0; i < systems; ++i) {
    Random random(static_cast<std::uint64_t>(i) * 7 + 5);
    const PlayedSystem system = random_threads(random, Wrong::nothing);
    const auto naive = naive_bounds(system, Wrong::nothing);
    const std::vector<held::Body> bodies = bodies_of(system);
    const held::Holds holds = held::holds(bodies, pools_of(system));
    std::vector<std::optional<std::int64_t>> F;
    for (const held::Hold& hold : holds.bodies) F.push_back(hold.F ? std::optional(hold.F->count()) : std::nullopt);
    bool same = true;
    for (std::size_t b = 0; b < F.size(); ++b) {
      const std::int64_t H = naive_hold(system, b, Wrong::nothing);
      REQUIRE(holds.bodies[b].H.count() >= H);
      REQUIRE(holds.bodies[b].H.count() <= H + 1);  // fractions of several pools are rounded up each
      same = same && holds.bodies[b].H.count() == H;
    }
    if (same) REQUIRE(F == naive);
    play(system, F, random, 12, seen);
    REQUIRE_MESSAGE(!seen.above, "system ", i, ": ", seen.above.value_or(""));
  }
  MESSAGE(seen.bodies, " bodies with a bound, ", seen.reached, " of which reach it");
  CHECK(seen.bodies > std::size_t{systems});
  CHECK(10 * seen.reached > seen.bodies);
}

TEST_CASE("wrong variants of T21h are exceeded by schedules") {
  const std::vector<std::pair<Wrong, std::string>> variants{{Wrong::any_H, "H > k T accepted"},
                                                            {Wrong::own_threads, "own other threads not ahead"},
                                                            {Wrong::no_runs, "no waiting for processors"},
                                                            {Wrong::no_overtaking, "overtaking ignored"}};
  for (const auto& variant : variants) {
    const auto after = caught_after(variant.first, 20'000);
    CHECK_MESSAGE(after, variant.second);
    if (after) MESSAGE(variant.second, ": system ", *after);
  }
}

TEST_CASE("jobs that arrive at one instant are taken in the order of their releases, or the bound does not hold") {
  // The third body has the jobs released at -20 and -10 from -5 to 3 and from 3 to 11. J, released at 0, is in the second from 0 to 10;
  // there the job released at 10 takes no time. If it is taken at 11, before J, J ends at 11 + 8 + 8, and 5 + 10 + 8 = 23 is its bound.
  PlayedSystem system;
  system.pools = {{12, true}};
  system.T = {10};
  system.bodies = {{1, 0, {}, {{0, 1, 3}, {0, 1, 2}}}, {1, 0, {0}, {{0, 1, 5}, {0, 1, 5}}}, {1, 0, {1}, {{0, 1, 4}, {0, 1, 4}}}};
  REQUIRE(naive_bounds(system, Wrong::nothing)[2] == 23);
  for (const bool any_order : {false, true}) {
    Random random(1);
    std::int64_t worst = 0;
    for (int run = 0; run < 5'000; ++run) worst = std::max(worst, PlayedThreads(system, random, any_order).run(400)[2]);
    CHECK((worst > 23) == any_order);
  }
}

TEST_CASE("law 1 for DAGs that are played by threads, as they are analysed and simulated") {
  const auto law = [](const TaskSet& plain, std::uint64_t seed, test::Compared& compared) -> std::optional<std::string> {
    if (!test::all_fit(plain)) return std::nullopt;
    const TaskSet set = test::with_threads(seed % 3 == 0 ? test::with_durations(plain, seed) : plain, seed);
    const auto proven = analysis::analyze(std::make_shared<const TaskSet>(set), {});
    if (proven.verdict == analysis::Verdict::unbounded) return std::nullopt;
    test::Dice dice(seed);
    return test::broken_in_proof(dice, proven.proof, {}, compared);
  };
  test::check_law_1(1, 3'000, test::one_fifo, law, 2'000, {"T21h"});
}
