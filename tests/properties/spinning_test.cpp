// Law 1 for T41: schedules of threads some of which keep their processors while they wait, by a simulator of their own and as task sets are
// simulated; and wrong variants, which schedules exceed.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
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

enum class WrongSpin { nothing, runs_alone, kept_without_waiting, one_processor_less, blocking_as_spinning, any_hold };

/// All by sums of its own, in 36ths of a ns: a multiple of twice the numbers of servers.
class NaiveSpin {
 public:
  NaiveSpin(const PlayedSystem& system, WrongSpin wrong) : system_(system), wrong_(wrong) {}

  [[nodiscard]] std::int64_t hold(std::size_t b) const {
    const PlayedBody& body = system_.bodies[b];
    std::int64_t H = 0;
    for (std::size_t i = 0; i < body.pieces.size(); ++i) {
      const PlayedPiece& piece = body.pieces[i];
      H += alone(piece);
      const bool on_cpu = system_.pools[piece.pool].processors;
      const bool stays = on_cpu && i > 0 && (body.spins || body.pieces[i - 1].pool == piece.pool);
      if (!stays) H += unit * (on_cpu ? before_on_cpu(b, piece.pool) : before_on_device(b, piece.pool)) / system_.pools[piece.pool].servers;
    }
    return up(H);
  }

  [[nodiscard]] std::vector<std::optional<std::int64_t>> bounds() const {
    std::vector<std::optional<std::int64_t>> F(system_.bodies.size());
    for (std::size_t b = 0; b < F.size(); ++b) {
      const PlayedBody& body = system_.bodies[b];
      const std::int64_t H = hold(b);
      if (wrong_ == WrongSpin::any_hold || H <= body.threads * system_.T[body.dag]) F[b] = H;
    }
    return F;
  }

 private:
  static constexpr std::int64_t unit = 36;
  static std::int64_t up(std::int64_t units) { return (units + unit - 1) / unit; }

  [[nodiscard]] std::int64_t alone(const PlayedPiece& piece) const {
    return unit * piece.length + unit * (piece.items - 1) * piece.length / system_.pools[piece.pool].servers;
  }
  [[nodiscard]] std::int64_t longest(const PlayedBody& body, std::size_t p) const {
    std::int64_t most = 0, run = 0;
    for (std::size_t i = 0; i < body.pieces.size(); ++i) {
      const PlayedPiece& piece = body.pieces[i];
      const bool goes_on = i > 0 && system_.pools[p].processors && body.pieces[i - 1].pool == p && piece.pool == p;
      if (piece.pool != p) continue;
      run = goes_on ? run + piece.length : piece.items * piece.length;
      most = std::max(most, run);
    }
    return most;
  }
  /// How long body y keeps a processor, in ns.
  [[nodiscard]] std::int64_t kept(std::size_t y) const {
    std::int64_t S = 0;
    for (const PlayedPiece& piece : system_.bodies[y].pieces) {
      S += alone(piece);
      if (!system_.pools[piece.pool].processors && wrong_ != WrongSpin::kept_without_waiting)
        S += unit * before_on_device(y, piece.pool) / system_.pools[piece.pool].servers;
    }
    return up(S);
  }
  [[nodiscard]] std::int64_t before_on_cpu(std::size_t b, std::size_t p) const {
    std::int64_t threads = 0, work = 0;
    for (std::size_t y = 0; y < system_.bodies.size(); ++y) {
      const PlayedBody& body = system_.bodies[y];
      if (std::ranges::any_of(body.pieces, [&](const PlayedPiece& piece) { return piece.pool == p; })) threads += body.threads;
      const bool keeps = body.spins && body.pieces.front().pool == p && wrong_ != WrongSpin::runs_alone;
      work += (body.threads - (y == b ? 1 : 0)) * (keeps ? kept(y) : longest(body, p));
    }
    return threads <= system_.pools[p].servers ? 0 : work;
  }
  [[nodiscard]] std::int64_t before_on_device(std::size_t b, std::size_t p) const {
    std::int64_t work = 0;
    std::vector<std::vector<std::int64_t>> spinning(system_.pools.size());
    for (std::size_t y = 0; y < system_.bodies.size(); ++y) {
      const PlayedBody& body = system_.bodies[y];
      for (std::uint32_t i = y == b ? 1 : 0; i < body.threads; ++i) {
        const bool holds = body.spins || (wrong_ == WrongSpin::blocking_as_spinning && system_.pools[body.pieces.front().pool].processors);
        if (holds) spinning[body.pieces.front().pool].push_back(longest(body, p));
        if (!holds) work += longest(body, p);
      }
    }
    for (std::size_t c = 0; c < spinning.size(); ++c) {
      std::ranges::sort(spinning[c], std::greater<>());
      const bool own = system_.bodies[b].spins && system_.bodies[b].pieces.front().pool == c;
      const std::int64_t m = system_.pools[c].servers - (own ? 1 : 0) - (wrong_ == WrongSpin::one_processor_less ? 1 : 0);
      for (std::int64_t i = 0; i < m && i < std::ssize(spinning[c]); ++i) work += spinning[c][static_cast<std::size_t>(i)];
    }
    return work;
  }

  const PlayedSystem& system_;
  WrongSpin wrong_;
};

/// One to four DAGs of one body each, some of which spin. Periods are about those at which they have bounds, or what `wrong` takes for one.
PlayedSystem random_spinning(Random& random, WrongSpin wrong) {
  PlayedSystem system;
  const std::int64_t cpus = pick(random, 1, 2), devices = pick(random, 1, 2);
  for (std::int64_t p = 0; p < cpus; ++p) system.pools.push_back({pick(random, 1, 3), true});
  for (std::int64_t p = 0; p < devices; ++p) system.pools.push_back({pick(random, 1, 2), false});
  const std::int64_t dags = pick(random, 1, 4);
  for (std::int64_t d = 0; d < dags; ++d) {
    PlayedBody body;
    body.dag = static_cast<std::size_t>(d);
    body.spins = pick(random, 0, 2) > 0;
    body.threads = static_cast<std::uint32_t>(pick(random, 0, 1) == 0 ? 1 : pick(random, 1, 3));
    const std::int64_t own = pick(random, 0, cpus - 1);
    const std::int64_t pieces = pick(random, 1, 4);
    for (std::int64_t i = 0; i < pieces; ++i) {
      auto p = static_cast<std::size_t>(pick(random, 0, cpus + devices - 1));
      if (body.spins && (i == 0 || system.pools[p].processors)) p = static_cast<std::size_t>(own);
      body.pieces.push_back({p, system.pools[p].processors ? 1 : pick(random, 1, 3), pick(random, 0, 6)});
    }
    system.bodies.push_back(std::move(body));
  }
  system.T.assign(static_cast<std::size_t>(dags), 1);
  const NaiveSpin naive(system, wrong);
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    const std::int64_t k = system.bodies[b].threads;
    std::int64_t& T = system.T[b];
    T = std::max<std::int64_t>(1, (naive.hold(b) + k - 1) / k);
    if (pick(random, 0, 1) == 0) T += pick(random, 0, T);
    if (wrong == WrongSpin::any_hold) T = std::max<std::int64_t>(1, T - pick(random, 0, T / 2));
  }
  return system;
}

struct SeenSpinning {
  std::size_t bodies = 0, reached = 0, spinning = 0;
  std::optional<std::string> above;
};

void play_spinning(const PlayedSystem& system, const std::vector<std::optional<std::int64_t>>& F, Random& random, int runs,
                   SeenSpinning& seen) {
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
    if (system.bodies[b].spins) ++seen.spinning;
    if (worst[b] > *F[b] && !seen.above) seen.above = fmt::format("body {}: {} > {}", b, worst[b], *F[b]);
  }
}

held::Holds holds_of_played(const PlayedSystem& system) {
  std::vector<held::Pool> pools;
  for (const PlayedPool& pool : system.pools) {
    pools.push_back(
        {.rate = pool.servers, .places = pool.processors ? static_cast<std::uint64_t>(pool.servers) : 0, .processors = pool.processors});
  }
  std::vector<held::Body> bodies;
  for (const PlayedBody& body : system.bodies) {
    held::Body& out = bodies.emplace_back();
    out.threads = body.threads;
    out.T = Time(system.T[body.dag]);
    out.spins = body.spins;
    for (const PlayedPiece& piece : body.pieces)
      out.pieces.push_back({piece.pool, Time(piece.length), Wide{piece.length}, Wide{piece.length} * piece.items});
  }
  return held::holds(bodies, pools);
}

std::optional<int> spin_caught_after(WrongSpin wrong, int systems) {
  for (int i = 0; i < systems; ++i) {
    Random random(static_cast<std::uint64_t>(i) + 1);
    const PlayedSystem system = random_spinning(random, wrong);
    SeenSpinning seen;
    play_spinning(system, NaiveSpin(system, wrong).bounds(), random, 10, seen);
    if (seen.above) return i;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("no schedule of threads that spin or block exceeds T41") {
  constexpr int systems = 20'000;
  SeenSpinning seen;
  for (int i = 0; i < systems; ++i) {
    Random random(static_cast<std::uint64_t>(i) * 7 + 3);
    const PlayedSystem system = random_spinning(random, WrongSpin::nothing);
    const held::Holds holds = holds_of_played(system);
    const NaiveSpin naive(system, WrongSpin::nothing);
    std::vector<std::optional<std::int64_t>> F;
    for (std::size_t b = 0; b < system.bodies.size(); ++b) {
      // Fractions of several pools are rounded up each, and so is what each other thread keeps.
      std::int64_t threads = 1;
      for (const PlayedBody& body : system.bodies) threads += body.threads;
      REQUIRE(holds.bodies[b].H.count() >= naive.hold(b));
      REQUIRE(holds.bodies[b].H.count() <= naive.hold(b) + threads);
      F.push_back(holds.bodies[b].F ? std::optional(holds.bodies[b].F->count()) : std::nullopt);
    }
    play_spinning(system, F, random, 12, seen);
    REQUIRE_MESSAGE(!seen.above, "system ", i, ": ", seen.above.value_or(""));
  }
  MESSAGE(seen.bodies, " bodies with a bound, ", seen.spinning, " of which spin; ", seen.reached, " reach it");
  CHECK(seen.spinning > std::size_t{systems} / 2);
  CHECK(10 * seen.reached > seen.bodies);
}

TEST_CASE("wrong variants of T41 are exceeded by schedules") {
  const std::vector<std::pair<WrongSpin, std::string>> variants{
      {WrongSpin::runs_alone, "others keep a processor for their runs alone"},
      {WrongSpin::kept_without_waiting, "others keep it as if their kernels never waited"},
      {WrongSpin::one_processor_less, "one kernel less of those that spin"},
      {WrongSpin::blocking_as_spinning, "threads that block have no more kernels than processors"},
      {WrongSpin::any_hold, "H > k T accepted"}};
  for (const auto& variant : variants) {
    const auto after = spin_caught_after(variant.first, 20'000);
    CHECK_MESSAGE(after, variant.second);
    if (after) MESSAGE(variant.second, ": system ", *after);
  }
}

TEST_CASE("law 1 for threads that spin, as they are analysed and simulated") {
  const auto law = [](const TaskSet& plain, std::uint64_t seed, test::Compared& compared) -> std::optional<std::string> {
    if (!test::all_fit(plain)) return std::nullopt;
    const TaskSet set = test::with_spinning(seed % 3 == 0 ? test::with_durations(plain, seed) : plain, seed);
    const auto proven = analysis::analyze(std::make_shared<const TaskSet>(set), {});
    if (proven.verdict == analysis::Verdict::unbounded) return std::nullopt;
    test::Dice dice(seed);
    return test::broken_in_proof(dice, proven.proof, {}, compared);
  };
  test::check_law_1(1, 2'000, test::one_fifo, law, 1'000, {"T41"});
}
