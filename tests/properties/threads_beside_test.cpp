// Law 1 for T21b: threads beside nodes that no thread plays. T10n by the letter, where the jobs of a body are no more than its threads,
// against schedules of a simulator of its own, over random systems; wrong variants, which schedules exceed; and all that `analyze` proves
// of such sets, as it is simulated.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "properties/law_1.hpp"
#include "support/durations.hpp"
#include "support/on_threads.hpp"
#include "support/played_threads.hpp"

using namespace rta;
using test::pick;
using test::PlayedBody;
using test::PlayedPiece;
using test::PlayedSystem;
using test::PlayedThreads;
using test::Random;

namespace {

constexpr std::uint32_t enough = 1'000;  // threads of a node that none plays
constexpr std::int64_t unit = 12;        // a multiple of all numbers of servers

enum class Wrong { nothing, any_F, no_processors, no_kernels };

/// A piece, or a node that no thread plays.
struct NaiveNode {
  std::size_t body = 0, dag = 0, pool = 0;
  std::int64_t length = 0, items = 1;
  std::vector<std::size_t> before;
};

/// T10n on FIFO pools, term by term.
class Naive {
 public:
  Naive(const PlayedSystem& system, Wrong wrong) : system_(system), wrong_(wrong) {
    for (std::size_t b = 0; b < system.bodies.size(); ++b) {
      const PlayedBody& body = system.bodies[b];
      for (std::size_t i = 0; i < body.pieces.size(); ++i) {
        const PlayedPiece& piece = body.pieces[i];
        NaiveNode node{b, body.dag, piece.pool, piece.length, piece.items, {}};
        if (i > 0) node.before = {nodes_.size() - 1};
        if (i == 0) {
          for (const std::size_t u : body.after) node.before.push_back(last_[u]);
        }
        nodes_.push_back(std::move(node));
      }
      last_.push_back(nodes_.size() - 1);
    }
    ancestors_.resize(nodes_.size());
    for (std::size_t v = 0; v < nodes_.size(); ++v) {
      ancestors_[v].assign(nodes_.size(), false);
      for (const std::size_t u : nodes_[v].before) {
        ancestors_[v][u] = true;
        for (std::size_t w = 0; w < u; ++w) ancestors_[v][w] = ancestors_[v][w] || ancestors_[u][w];
      }
    }
  }

  /// Of each body; none where the iteration does not end or a body has more jobs under way than threads.
  std::optional<std::vector<std::int64_t>> bounds() {
    F_.assign(nodes_.size(), 0);
    for (std::size_t v = 0; v < nodes_.size(); ++v) F_[v] = nodes_[v].length + ready(v);
    const std::int64_t most = 50 * *std::ranges::max_element(system_.T);
    for (bool grows = true; grows;) {
      grows = false;
      for (std::size_t v = 0; v < nodes_.size(); ++v) {
        const std::int64_t right = (right_hand_side(v) + unit - 1) / unit;
        if (right > most) return std::nullopt;
        grows = grows || right > F_[v];
        F_[v] = std::max(F_[v], right);
      }
    }
    std::vector<std::int64_t> of_bodies;
    for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
      const PlayedBody& body = system_.bodies[b];
      of_bodies.push_back(F_[last_[b]]);
      if (wrong_ != Wrong::any_F && of_bodies.back() > body.threads * system_.T[body.dag]) return std::nullopt;
    }
    return of_bodies;
  }

 private:
  [[nodiscard]] std::int64_t ready(std::size_t v) const {
    std::int64_t A = 0;
    for (const std::size_t u : nodes_[v].before) A = std::max(A, F_[u]);
    return A;
  }

  /// Over all paths to v.
  [[nodiscard]] std::int64_t right_hand_side(std::size_t v) const {
    std::int64_t most = 0;
    std::vector<std::size_t> path;
    const std::function<void(std::size_t)> walk = [&](std::size_t x) {
      path.push_back(x);
      if (nodes_[x].before.empty()) most = std::max(most, of_path(v, path));
      for (const std::size_t u : nodes_[x].before) walk(u);
      path.pop_back();
    };
    walk(v);
    return most;
  }

  [[nodiscard]] std::int64_t of_path(std::size_t v, const std::vector<std::size_t>& path) const {
    std::int64_t sum = 0;
    std::vector<bool> visited(system_.pools.size());
    for (const std::size_t x : path) {
      const NaiveNode& node = nodes_[x];
      sum += unit * node.length - unit * node.length / system_.pools[node.pool].servers;
      visited[node.pool] = true;
    }
    for (std::size_t p = 0; p < visited.size(); ++p) {
      if (visited[p]) sum += counted(v, p) * unit / system_.pools[p].servers;
    }
    return sum;
  }

  /// Volume on p that may precede.
  [[nodiscard]] std::int64_t counted(std::size_t v, std::size_t p) const {
    const std::size_t k = nodes_[v].dag;
    std::int64_t a = 0, volume = 0;
    for (std::size_t q = 0; q < nodes_.size(); ++q) {
      if (nodes_[q].pool == p && (q == v || ancestors_[v][q])) a = std::max(a, ready(q));
    }
    for (std::size_t u = 0; u < nodes_.size(); ++u) {
      const NaiveNode& node = nodes_[u];
      if (node.pool != p) continue;
      const std::int64_t T = system_.T[node.dag];
      std::int64_t n = (F_[u] + a + T - 1) / T;
      if (node.dag == k) n = (ancestors_[u][v] ? 0 : 1) + std::max<std::int64_t>(0, (F_[u] + T - 1) / T - 1) + a / T;
      const bool played = system_.bodies[node.body].threads < enough;
      if (node.dag != k && wrong_ == Wrong::no_processors && system_.pools[p].processors) n = 0;
      if (node.dag != k && wrong_ == Wrong::no_kernels && played && !system_.pools[p].processors) n = 0;
      volume += n * node.items * node.length;
    }
    return volume;
  }

  const PlayedSystem& system_;
  Wrong wrong_;
  std::vector<NaiveNode> nodes_;
  std::vector<std::size_t> last_;             // body -> its last piece
  std::vector<std::vector<bool>> ancestors_;  // node -> whether another is a strict ancestor
  std::vector<std::int64_t> F_;
};

/// Two to four DAGs, the first of which threads play, and one not; periods at which many have bounds by what `wrong` takes for one.
PlayedSystem random_beside(Random& random, Wrong wrong) {
  PlayedSystem system;
  const std::int64_t cpus = pick(random, 1, 2), devices = pick(random, 1, 2);
  for (std::int64_t p = 0; p < cpus; ++p) system.pools.push_back({pick(random, 1, 3), true});
  for (std::int64_t p = 0; p < devices; ++p) system.pools.push_back({pick(random, 1, 3), false});
  const auto piece = [&] {
    const auto p = static_cast<std::size_t>(pick(random, 0, cpus + devices - 1));
    return PlayedPiece{p, system.pools[p].processors ? 1 : pick(random, 1, 4), pick(random, 0, 6)};
  };
  const std::int64_t dags = pick(random, 2, 4);
  for (std::int64_t d = 0; d < dags; ++d) {
    const bool played = d == 0 || (d > 1 && pick(random, 0, 1) == 0);
    const std::int64_t pieces = pick(random, 1, 4);
    const std::size_t first = system.bodies.size();
    for (std::int64_t i = 0; i < pieces; ++i) {
      if (!played || i == 0) {
        PlayedBody body;
        body.dag = static_cast<std::size_t>(d);
        body.threads = played ? static_cast<std::uint32_t>(pick(random, 1, 3)) : enough;
        if (i > 0 && pick(random, 0, 3) > 0) body.after.push_back(first + static_cast<std::size_t>(pick(random, 0, i - 1)));
        system.bodies.push_back(std::move(body));
      }
      system.bodies.back().pieces.push_back(piece());
    }
  }
  constexpr std::int64_t seldom = 100'000;
  system.T.assign(static_cast<std::size_t>(dags), seldom);
  const auto rare = Naive(system, Wrong::nothing).bounds();
  if (!rare) return system;
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    const PlayedBody& body = system.bodies[b];
    std::int64_t& T = system.T[body.dag];
    if (body.threads < enough) {
      const std::int64_t k = body.threads;
      const std::int64_t least = std::max<std::int64_t>(1, ((*rare)[b] + k - 1) / k);
      T = wrong == Wrong::any_F ? std::max<std::int64_t>(1, least - pick(random, 0, least / 2)) : least + pick(random, 0, least);
    } else if (T == seldom) {
      T = std::max<std::int64_t>(1, (*rare)[b] / pick(random, 1, 2) + pick(random, 0, 20));
    }
  }
  return system;
}

struct Seen {
  std::size_t systems = 0, bodies = 0, reached = 0;
  std::optional<std::string> above;
};

void play(const PlayedSystem& system, const std::vector<std::int64_t>& F, Random& random, int runs, Seen& seen) {
  const std::int64_t longest = *std::ranges::max_element(system.T);
  std::vector<std::int64_t> worst(F.size());
  for (int run = 0; run < runs; ++run) {
    const auto latest = PlayedThreads(system, random).run(12 * longest);
    for (std::size_t b = 0; b < worst.size(); ++b) worst[b] = std::max(worst[b], latest[b]);
  }
  ++seen.systems;
  for (std::size_t b = 0; b < worst.size(); ++b) {
    ++seen.bodies;
    if (worst[b] == F[b]) ++seen.reached;
    if (worst[b] > F[b] && !seen.above) seen.above = fmt::format("body {}: {} > {}", b, worst[b], F[b]);
  }
}

std::optional<int> caught_after(Wrong wrong, int systems) {
  for (int i = 0; i < systems; ++i) {
    Random random(static_cast<std::uint64_t>(i) + 1);
    const PlayedSystem system = random_beside(random, wrong);
    const auto F = Naive(system, wrong).bounds();
    if (!F) continue;
    Seen seen;
    play(system, *F, random, 10, seen);
    if (seen.above) return i;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("no schedule of threads beside others exceeds T10n where F <= k T") {
  constexpr int systems = 20'000;
  Seen seen;
  for (int i = 0; i < systems; ++i) {
    Random random(static_cast<std::uint64_t>(i) * 11 + 3);
    const PlayedSystem system = random_beside(random, Wrong::nothing);
    const auto F = Naive(system, Wrong::nothing).bounds();
    if (!F) continue;
    play(system, *F, random, 12, seen);
    REQUIRE_MESSAGE(!seen.above, "system ", i, ": ", seen.above.value_or(""));
  }
  MESSAGE(seen.systems, " systems, ", seen.bodies, " bodies and nodes, ", seen.reached, " of which reach their bound");
  CHECK(5 * seen.systems > systems);
  CHECK(20 * seen.reached > seen.bodies);
}

TEST_CASE("wrong variants of T21b are exceeded by schedules") {
  const std::vector<std::pair<Wrong, std::string>> variants{{Wrong::any_F, "F > k T accepted: nobody waits for a thread"},
                                                            {Wrong::no_processors, "no waiting for processors"},
                                                            {Wrong::no_kernels, "kernels of threads not counted"}};
  for (const auto& variant : variants) {
    const auto after = caught_after(variant.first, 20'000);
    CHECK_MESSAGE(after, variant.second);
    if (after) MESSAGE(variant.second, ": system ", *after);
  }
}

TEST_CASE("law 1 for threads beside other nodes, as they are analysed and simulated") {
  const auto law = [](const TaskSet& plain, std::uint64_t seed, test::Compared& compared) -> std::optional<std::string> {
    if (!test::all_fit(plain)) return std::nullopt;
    const TaskSet set = test::with_some_threads(seed % 3 == 0 ? test::with_durations(plain, seed) : plain, seed);
    const auto proven = analysis::analyze(std::make_shared<const TaskSet>(set), {});
    if (proven.verdict == analysis::Verdict::unbounded) return std::nullopt;
    test::Dice dice(seed);
    return test::broken_in_proof(dice, proven.proof, {}, compared);
  };
  test::check_law_1(1, 1'000, test::one_fifo, law, 300, {"T10n"});
  test::check_law_1(1, 1'000, test::fixed_priorities, law, 300, {"T11"});
}
