// A system as the path bounds work on it: identical DAGs once, and every amount of work as the time that its pool takes for it, in ticks
// of 1/Q ns, so that sums over pools are sums of integers. Times and ends are in ns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/path/system/tick.hpp"
#include "rta/analysis/fine.hpp"
#include "rta/analysis/path/path.hpp"

namespace rta::analysis::path {

/// A set of pools that paths visit, and the longest path that visits no others: bit i is the DAG's i-th slot, a pool or a part of the work
/// on one (`Class::slot_pool`). The last bit stands for all further slots together (a path that pays for one of them pays for all: safe).
struct PoolSet {
  std::uint64_t mask = 0;
  Tick length;  // sum of e - s/capacity
};
inline constexpr std::size_t last_bit = 63;
[[nodiscard]] inline std::uint64_t bit_of(std::size_t slot) { return std::uint64_t{1} << (slot < last_bit ? slot : last_bit); }

/// A pool under fixed priorities, as a class uses it: its own nodes' different priorities there, lowest first. A path pays for the work
/// that is at least as urgent as its least urgent node on the pool: for the slot of each of its DAG's priorities from there on.
struct Levels {
  std::vector<std::uint32_t> priority;
  std::vector<std::size_t> slot;  // level i: of work of at least priority[i], and below priority[i + 1]
};

/// All DAGs equal to one another but for the name.
struct Class {
  std::vector<std::size_t> dags;  // indices into System::dags
  std::int64_t copies = 1;
  std::int64_t T = 0;      // ns
  std::int64_t J = 0;      // ns; release jitter
  std::int64_t Y = 0;      // ns
  std::int64_t limit = 0;  // ns; a bound above it is none

  std::vector<std::size_t> pools;      // visited, as indices into System::pools, increasing; the i-th is local pool i
  std::vector<std::uint32_t> order;    // nodes, predecessors first
  std::vector<std::uint32_t> pool_of;  // node -> local pool
  std::vector<Tick> e;
  std::vector<Tick> s;                  // rounded down: it is subtracted
  std::vector<Tick> s_up;               // rounded up
  std::vector<Tick> vol;                // rounded up
  std::vector<std::int64_t> proven;     // ns; no_bound where there is none
  std::vector<std::int64_t> point;      // ns; relative priority point on pools ordered by node
  std::vector<std::uint32_t> priority;  // on pools under fixed priorities
  std::vector<std::int64_t> longest;    // ns, rounded up: longest sum of e over paths that end in the node
  std::vector<Tick> total;              // local pool -> sum of vol
  std::vector<Tick> rest;               // node * pools.size() + local pool -> sum of vol over nodes that are no strict descendants of it
  std::vector<std::uint32_t> sinks;
  std::vector<std::size_t> slot_pool;  // slot -> local pool; the i-th is local pool i's, further ones are those of levels below the highest
  std::vector<Levels> levels;          // local pool -> of pools under fixed priorities; else empty
  std::vector<std::uint64_t> pays;     // node -> the slots that paths through it pay for

  // Compressed rows: node -> its predecessors, and node -> the pool sets of the paths that end in it (static part: without blocking).
  std::vector<std::uint32_t> predecessor, first_predecessor;
  std::vector<PoolSet> pool_sets;
  std::vector<std::uint32_t> first_pool_set;

  [[nodiscard]] std::size_t size() const { return e.size(); }
  [[nodiscard]] std::span<const std::uint32_t> predecessors(std::size_t v) const {
    return std::span(predecessor).subspan(first_predecessor[v], first_predecessor[v + 1] - first_predecessor[v]);
  }
  [[nodiscard]] std::span<const PoolSet> pool_sets_of(std::size_t v) const {
    return std::span(pool_sets).subspan(first_pool_set[v], first_pool_set[v + 1] - first_pool_set[v]);
  }
};

inline constexpr std::int64_t no_bound = INT64_MAX;
inline constexpr Tick unbounded = Tick::max();  // the same of a right-hand side in ticks

struct Ticks {
  const System* system = nullptr;
  std::int64_t Q = 1;  // ticks per ns
  std::vector<Class> classes;
  std::vector<std::size_t> class_of;                 // DAG -> class
  std::vector<std::vector<std::size_t>> users;       // pool -> classes with nodes on it
  std::vector<std::vector<std::size_t>> local_pool;  // class, pool -> local pool; SIZE_MAX where the class does not visit it

  /// Releases are so far apart, ns: T, less the release jitter.
  [[nodiscard]] static std::int64_t least_distance(const Class& c) { return c.T - c.J; }
  /// Smallest number of ns >= t.
  [[nodiscard]] std::int64_t ns(Tick t) const { return t.count() / Q + static_cast<std::int64_t>(t.count() % Q > 0); }
  /// Largest number of ns <= t, for t >= 0: just t where it is a sum of e.
  [[nodiscard]] std::int64_t whole_ns(Tick t) const { return t.count() / Q; }
  [[nodiscard]] Tick of_ns(std::int64_t ns) const { return Tick(ns * Q); }
  [[nodiscard]] FineTime fine_ns(Tick t) const { return fine_ceil(t.count(), Q); }
};

/// Of larger DAGs Class::rest is all work.
inline constexpr std::size_t most_nodes_with_descendants = 40'000;  // 200 MB

/// Checks the system and converts it. With `descendants`, fills Class::rest. Throws as `bounds`.
[[nodiscard]] Ticks to_ticks(const System& system, const Limits& limits, bool descendants);

/// The same for bounds of up to `periods` of their DAG's periods, but no more than `longest`.
[[nodiscard]] Ticks to_ticks(const System& system, std::int64_t periods, Time longest, bool descendants);

/// Ticks per ns for bounds of up to `largest_limit` ns: so many that nothing is rounded where sums then fit.
[[nodiscard]] std::int64_t ticks_per_ns(const System& system, std::int64_t largest_limit);

/// One DAG as a class, of a well-formed system, without copies, limit, `rest` and pool sets.
[[nodiscard]] Class class_alone(const System& system, std::size_t dag, std::int64_t Q);

/// Fills Class::slot_pool, levels and pays.
void set_slots(Class& c, const System& system);

/// The maximal pool sets of the paths that end in each node, when node v adds length[v] to a path.
void set_pool_sets(Class& c, std::span<const Tick> length);
/// e - s per node.
[[nodiscard]] std::vector<Tick> static_lengths(const Class& c);
/// Adds a pool set to `sets` unless another one dominates it: more pools to wait for, and no shorter. Drops those that it dominates.
void add_pool_set(std::vector<PoolSet>& sets, PoolSet added);
/// max over `sets` of length + the waiting for the slots of the set; `waiting`: per slot.
[[nodiscard]] Tick longest_with_waiting(std::span<const PoolSet> sets, std::span<const Tick> waiting, std::uint64_t* mask = nullptr);

/// The pool whose utilization exceeds its capacity, if any.
[[nodiscard]] std::optional<Reason> overloaded_pool(const System& system);
/// Of its capacity, 1: all; for people.
[[nodiscard]] double load_of(const System& system, std::size_t pool);
/// A DAG whose bound passes its limit, and the pool on which it waits most.
[[nodiscard]] Reason past_limit(const Ticks& ticks, std::size_t class_index, std::size_t pool, const Limits& limits);

/// How many releases a half-open interval holds at most: max(0, ceil(length / T)); T > 0.
[[nodiscard]] inline std::int64_t jobs_in(std::int64_t length, std::int64_t T) {
  if (length <= 0) return 0;
  if (length <= T) return 1;
  if (length <= 2 * T) return 2;
  return (length - 1) / T + 1;
}

/// Non-preemptive pools: the pieces that may block, longest first.
struct Pieces {
  struct Piece {
    Tick length;        // C_u / m
    std::size_t c = 0;  // class
    std::size_t u = 0;  // node
  };
  std::int64_t processors = 1;
  std::vector<Piece> pieces;
};
[[nodiscard]] Pieces blocking_pieces(const Ticks& ticks, std::size_t pool);

/// Non-preemptive GEL: Blk_q (theory section 5) of a node ready by A of a DAG of class k: the `processors` longest pieces among nodes of
/// lower priority that may have started before. `F(c, u)` bounds the end of node u of class c.
template <class EndOf>
[[nodiscard]] Tick blocking(const Ticks& ticks, const Pieces& pieces, std::size_t k, std::int64_t A, const EndOf& F) {
  std::int64_t free = pieces.processors;
  Tick sum;
  const Class& own = ticks.classes[k];
  for (const auto& piece : pieces.pieces) {
    if (free == 0) break;
    const Class& c = ticks.classes[piece.c];
    const std::int64_t T = ticks.least_distance(c);
    std::int64_t others = c.copies;
    std::int64_t count = 0;
    if (piece.c == k) {
      count = A / T;
      --others;
    }
    const std::int64_t since = std::max(own.Y - c.Y, -F(piece.c, piece.u));
    count += std::min(free, others) * jobs_in(A - since, T);
    count = std::min(count, free);
    sum += count * piece.length;
    free -= count;
  }
  return sum;
}

}  // namespace rta::analysis::path
