// A simulator of its own for threads that play bodies on FIFO pools, in whole ns: of schedules that bounds are compared with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <queue>
#include <random>
#include <tuple>
#include <vector>

namespace rta::test {

/// What is simulated: items of a piece are alike; on processors a piece is one item.
struct PlayedPiece {
  std::size_t pool = 0;
  std::int64_t items = 1;
  std::int64_t length = 0;
};
/// A node that no thread plays is a body of its own, of one piece, with threads enough.
struct PlayedBody {
  std::uint32_t threads = 1;
  std::size_t dag = 0;
  std::vector<std::size_t> after;
  std::vector<PlayedPiece> pieces;
  bool spins = false;  // keeps the processor of the first piece, where all on processors are, to the end of the last
};
struct PlayedPool {
  std::int64_t servers = 1;
  bool processors = false;
};
struct PlayedSystem {
  std::vector<PlayedPool> pools;
  std::vector<PlayedBody> bodies;
  std::vector<std::int64_t> T;  // of each DAG
};

using Random = std::mt19937_64;
inline std::int64_t pick(Random& random, std::int64_t from, std::int64_t to) { return std::uniform_int_distribution(from, to)(random); }

/// One schedule; the latest end of each body after its DAG's release.
class PlayedThreads {
 public:
  PlayedThreads(const PlayedSystem& system, Random& random, bool any_order = false)
      : system_(system),
        random_(random),
        idle_(system.bodies.size()),
        arrived_(system.bodies.size()),
        queues_(system.pools.size()),
        free_(system.pools.size()),
        latest_(system.bodies.size()),
        overtaken_(system.bodies.size(), any_order) {
    for (std::size_t b = 0; b < system.bodies.size(); ++b) idle_[b] = system.bodies[b].threads;
    for (std::size_t p = 0; p < system.pools.size(); ++p) free_[p] = system.pools[p].servers;
    for (std::size_t b = 0; b < system.bodies.size(); ++b) {
      for (const std::size_t u : system.bodies[b].after) overtaken_[b] = overtaken_[b] || overtaken_[u] || system.bodies[u].threads > 1;
    }
    lengths_ = static_cast<Lengths>(pick(random, 0, 3));
    sporadic_ = pick(random, 0, 3) == 0;
    const bool together = pick(random, 0, 1) == 0;
    for (std::size_t d = 0; d < system.T.size(); ++d) events_.push({together ? 0 : pick(random, 0, system.T[d]), Kind::release, d, 0});
  }

  std::vector<std::int64_t> run(std::int64_t until) {
    until_ = until;
    while (!events_.empty()) {
      now_ = events_.top().at;
      while (!events_.empty() && events_.top().at == now_) {
        const Event event = events_.top();
        events_.pop();
        if (event.kind == Kind::release) release(event.which);
        if (event.kind == Kind::end) item_ended(event.which, event.pool);
      }
      take_jobs();
      dispatch();
    }
    return latest_;
  }

 private:
  enum class Kind { end, release };
  enum class Lengths { full, full_too, any, all_or_nothing };  // the last: of a job in a body
  struct Event {
    std::int64_t at;
    Kind kind;
    std::size_t which;
    std::size_t pool;
    bool operator<(const Event& other) const { return at > other.at; }
  };
  struct DagJob {
    std::size_t dag;
    std::int64_t release;
    std::vector<std::size_t> awaited;  // per body: how many before it have not ended
  };
  struct BodyJob {
    std::size_t job = 0, body = 0, piece = 0;
    std::int64_t items = 0;  // that have not ended
    bool nothing = false;
  };
  struct Waiting {
    std::int64_t ready;
    std::uint64_t place;
    std::size_t job;  // of a body
    std::int64_t items;
    bool operator<(const Waiting& other) const { return std::tie(ready, place) < std::tie(other.ready, other.place); }
  };

  void release(std::size_t d) {
    DagJob& job = jobs_.emplace_back(DagJob{d, now_, std::vector<std::size_t>(system_.bodies.size())});
    const std::size_t id = jobs_.size() - 1;
    for (std::size_t b = 0; b < system_.bodies.size(); ++b) job.awaited[b] = system_.bodies[b].after.size();
    for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
      if (system_.bodies[b].dag == d && system_.bodies[b].after.empty()) arrive(id, b);
    }
    const std::int64_t next = now_ + system_.T[d] + (sporadic_ ? pick(random_, 0, system_.T[d] / 2) : 0);
    if (next < until_) events_.push({next, Kind::release, d, 0});
  }
  /// Of jobs that arrive at one instant, as after a job that took no time, the first released is taken first, unless jobs overtake.
  void arrive(std::size_t job, std::size_t b) { arrived_[b].push_back({now_, overtaken_[b] ? random_() : job, job, 0}); }

  /// Threads that are idle take what arrived first.
  void take_jobs() {
    for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
      while (idle_[b] > 0 && !arrived_[b].empty()) {
        const auto first = std::ranges::min_element(arrived_[b], [](const Waiting& x, const Waiting& y) { return x < y; });
        running_.push_back({.job = first->job, .body = b, .nothing = pick(random_, 0, 1) == 0});
        arrived_[b].erase(first);
        --idle_[b];
        begin_piece(running_.size() - 1, false);
      }
    }
  }

  void begin_piece(std::size_t id, bool same_run) {
    BodyJob& job = running_[id];
    const PlayedPiece& piece = system_.bodies[job.body].pieces[job.piece];
    job.items = piece.items;
    if (same_run) {  // the processor stays
      start_item(id, piece);
      return;
    }
    queues_[piece.pool].push_back({now_, random_(), id, piece.items});
  }
  void start_item(std::size_t id, const PlayedPiece& piece) {
    std::int64_t length = piece.length;
    if (lengths_ == Lengths::any) length = pick(random_, 0, piece.length);
    if (lengths_ == Lengths::all_or_nothing && running_[id].nothing) length = 0;
    events_.push({now_ + length, Kind::end, id, piece.pool});
  }

  void item_ended(std::size_t id, std::size_t p) {
    BodyJob& job = running_[id];
    const PlayedBody& body = system_.bodies[job.body];
    if (--job.items > 0) {
      ++free_[p];
      return;
    }
    ++job.piece;
    const bool on_cpu = system_.pools[p].processors;
    if (job.piece < body.pieces.size()) {
      const std::size_t next = body.pieces[job.piece].pool;
      const bool same_run = body.spins ? system_.pools[next].processors : on_cpu && next == p;
      const bool stays = on_cpu && (body.spins || same_run);
      if (!stays) ++free_[p];
      begin_piece(id, same_run);
      return;
    }
    ++free_[p];
    if (body.spins && !on_cpu) ++free_[body.pieces.front().pool];
    ++idle_[job.body];
    DagJob& of = jobs_[job.job];
    latest_[job.body] = std::max(latest_[job.body], now_ - of.release);
    for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
      const auto& after = system_.bodies[b].after;
      if (std::ranges::find(after, job.body) != after.end() && --of.awaited[b] == 0) arrive(job.job, b);
    }
  }

  void dispatch() {
    for (std::size_t p = 0; p < queues_.size(); ++p) {
      while (free_[p] > 0 && !queues_[p].empty()) {
        const auto first = std::ranges::min_element(queues_[p], [](const Waiting& x, const Waiting& y) { return x < y; });
        --free_[p];
        const BodyJob& job = running_[first->job];
        start_item(first->job, system_.bodies[job.body].pieces[job.piece]);
        if (--first->items == 0) queues_[p].erase(first);
      }
    }
  }

  const PlayedSystem& system_;
  Random& random_;
  std::priority_queue<Event> events_;
  std::vector<DagJob> jobs_;
  std::vector<BodyJob> running_;
  std::vector<std::uint32_t> idle_;
  std::vector<std::vector<Waiting>> arrived_, queues_;
  std::vector<std::int64_t> free_, latest_;
  std::vector<bool> overtaken_;  // bodies
  std::int64_t now_ = 0, until_ = 0;
  Lengths lengths_ = Lengths::full;
  bool sporadic_ = false;
};

}  // namespace rta::test
