// T21h, T41: response-time bounds of threads that wait for their kernels, blocking or spinning, from how long a job may hold its thread
// (docs/theory/threads.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rta/analysis/fine.hpp"
#include "rta/model/quantity.hpp"

namespace rta::analysis::threads {

/// A FIFO by ready time, of which nobody but the bodies' threads has pieces. While a piece waits there, what precedes it is worked off at
/// `rate` units per ns: processors, engines, workers; g W on a GPU whose blocks weigh n/W.
struct Pool {
  Wide rate = 1;
  /// So many threads have room at once, and none of them ever waits. 0: not known.
  std::uint64_t places = 0;
  bool processors = false;  // pieces of one thread that follow one another here are one run, for which it queues once
};

/// Alone on its pool a piece takes no more than e + (vol - s)/rate; e in ns, s and vol in the pool's units (as `path::Node`).
struct Piece {
  std::size_t pool = 0;
  Time e;
  Wide s = 0;
  Wide vol = 0;
};

/// `threads` alike: each takes the job that arrived first (of equals the first released), plays its pieces in order, waits for each.
struct Body {
  std::uint32_t threads = 1;
  Time T;                          // releases of its DAG are at least T apart
  std::vector<std::size_t> after;  // bodies of the same DAG, earlier in the list, whose ends a job awaits; none: it arrives at its release
  std::vector<Piece> pieces;
  bool spins = false;  // T41: keeps its processor from the first piece, which is on processors, to the end of the last
};

/// Of one body.
struct Hold {
  std::vector<Time> ends;  // of its pieces, after the job has its thread
  Time H;                  // the last of them: a job holds its thread no longer
  bool overtaken = false;  // jobs may arrive in another order than they were released
  std::optional<Time> A;   // latest arrival after the release; none where a body before it has no bound
  Wide before = 0;         // jobs of the DAG, others than one itself, that may have taken threads when it needs one
  std::optional<Time> F;   // end after the release: A + H where `before` is less than the threads, else none
};

struct Holds {
  std::vector<Hold> bodies;
  /// Body, pool: its longest piece there, on processors run, in units; of one that spins as long as it may keep its processor.
  std::vector<std::vector<Wide>> longest;
  std::vector<std::uint64_t> threads;  // that have pieces on each pool

  /// How long a thread of body b, which spins, may keep its processor.
  [[nodiscard]] Time kept(std::span<const Body> bodies_of, std::span<const Pool> pools, std::size_t b) const;

  /// How many threads of body y other than one of b that waits there may be ahead of it on pool p. No more threads that spin can be there
  /// than have processors: of these the ones with the longest pieces.
  [[nodiscard]] std::vector<Wide> others(std::span<const Body> bodies_of, std::span<const Pool> pools, std::size_t b, std::size_t p) const;
  /// The work, in units, that is ahead of a piece of body b on pool p at most: of each of these its longest.
  [[nodiscard]] Wide ahead(std::span<const Body> bodies_of, std::span<const Pool> pools, std::size_t b, std::size_t p) const;
};

/// Where a piece of a body begins to wait: pieces on processors that follow another one there do not, nor those of a thread that has kept
/// its processor.
[[nodiscard]] bool queues(const Body& body, std::span<const Pool> pools, std::size_t piece);

/// Requires T > 0, threads and rates above 0, no negative work, pools in range. Throws `Overflow`.
[[nodiscard]] Holds holds(std::span<const Body> bodies, std::span<const Pool> pools);

}  // namespace rta::analysis::threads
