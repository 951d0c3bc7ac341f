// T19, T19j, T20, T22: bounds of DAGs that use executors under the wait-set rule or of several threads, released on completion
// (docs/theory/executors.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rta/analysis/fine.hpp"
#include "rta/analysis/path/path.hpp"
#include "rta/analysis/result.hpp"
#include "rta/model/quantity.hpp"

namespace rta::analysis::executors {

/// What carries a node's bound.
enum class Carrier : std::uint8_t {
  path,      // T19, or T20 with executors of several threads: F is at least the inequality's right-hand side
  local,     // T19j, likewise
  successor  // it ends before a node that follows it does, by one of these
};

/// Which of them may carry bounds.
struct Carriers {
  bool path = true;
  bool local = true;
  bool successor = true;
};

/// Per DAG and node of the system.
struct Bounds {
  std::vector<std::vector<Time>> F;  // end of the node after its DAG's release
  std::vector<std::vector<Carrier>> carrier;
  std::vector<std::vector<std::size_t>> by;  // the node that carries it: itself, or the one that follows
};

/// The least solution, in whole ns, from below. Requires that each pool of order `wait_set` has one processor, and that the others are
/// `multi_threaded`, `fifo`, `gel`, `fixed` or `fixed_non_preemptive`, without slices; with a supply `wait_set`, or `fifo` or
/// `fixed_non_preemptive` of one processor. Unbounded where a pool, a group or a reservation has more to do than it can, or past `limits`.
/// Throws `Overflow`.
[[nodiscard]] Result<Bounds> bounds(const path::System& system, const path::Limits& limits = {}, Carriers carriers = {});

/// A node of which n jobs count.
struct Counted {
  std::size_t dag = 0;
  std::size_t node = 0;
  Wide n = 0;
  bool whole = false;  // T20: it shares a group with the path, so that each counts in full and not by 1/m
};

/// T22: what is executed on a pool with a supply, the path's own nodes and what had started before among it, and how long it is held back.
struct Reserved {
  Wide visits = 0;                   // n
  Time runtime = Time::zero();       // Q
  Time period = Time::zero();        // P
  FineTime work = FineTime::zero();  // Y
  FineTime gaps = FineTime::zero();  // (P - Q)(2n - 1 + ceil(Y/Q))
};

/// T19, T20: what is executed on one pool while the path runs or waits there; under T20 while it waits.
struct Visited {
  std::size_t pool = 0;
  Wide windows = 0;                  // M of an executor; 0: another pool
  std::uint32_t threads = 0;         // m of an executor of several; 0: another pool
  Time lim = Time::zero();           // of an executor: jobs released up to so long after the job in question may come in between
  Time window = Time::zero();        // W
  std::vector<Counted> counts = {};  // of the path's own nodes on an executor, that job too
  std::optional<Reserved> reserved = {};
  Wide last_pieces = 0;                  // other pools: s of the path's nodes
  FineTime blocking = FineTime::zero();  // fixed priorities without preemption: sum of Blk
  FineTime length = FineTime::zero();    // all this takes, blocking included; elsewhere than on an executor less the last pieces
};
struct PathSum {
  Time elsewhere;  // sum of e of the path's nodes on other pools than wait sets
  std::vector<Visited> pools;
};

/// T19j: from when the job's first node of the last visit is ready, x after the executor became busy.
struct LocalSum {
  Time ready;  // A
  Time x;      // of all x the one with the largest end
  Time start;  // S(x): v starts so long after the executor became busy at the latest
  Time end;    // and ends so long after that: S(x) + C, in a reservation when it has executed `reserved->work`
  std::optional<Reserved> reserved = {};
  Wide windows = 0;             // M
  std::vector<Counted> counts;  // jobs executed before v starts
};

struct Derivation {
  Carrier carrier = Carrier::path;
  std::size_t node = 0;           // that carries the bound
  std::vector<std::size_t> path;  // source first, to that node
  PathSum by_path;                // `local` is false
  LocalSum by_visit;
  bool local = false;
  FineTime total;  // the right-hand side
};
/// Of node v of DAG k in a solution.
[[nodiscard]] Derivation derivation(const path::System& system, const Bounds& bounds, std::size_t k, std::size_t v);

}  // namespace rta::analysis::executors
