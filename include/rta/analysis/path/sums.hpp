// The numbers of the inequalities of whole paths, as far as they are more than their terms. DAGs, nodes and pools are those of the System.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rta/analysis/fine.hpp"
#include "rta/model/quantity.hpp"

namespace rta::analysis::path {

/// A node of which n_u jobs count: those released up to `lim` after the job in question.
struct CountedNode {
  std::size_t node = 0;
  Wide lim = 0;
  Wide n = 0;
  bool waits = false;  // of the job's own DAG: it waits for the node in question
};

/// Work of one DAG that may run while the path waits on one pool.
struct CountedJobs {
  std::size_t dag = 0;
  Wide least = 0;  // jobs counted, over the DAG's nodes on the pool (T10: least = most)
  Wide most = 0;
  Wide work = 0;  // units of the pool's work
  /// T10d, where less fits than is counted: the DAG's counted nodes do `volume` a job until `end` after its release. Within `as_soon` a job
  /// is as far as on infinitely many processors, where that is known.
  struct Whole {
    Wide volume = 0;
    Time end;
    std::optional<Time> as_soon = std::nullopt;
  };
  std::optional<Whole> whole = std::nullopt;
  std::vector<CountedNode> nodes = {};
};

/// T10c: what the jobs that precede the one in question on a pool may have left when it is released. All over the capacity.
struct Backlog {
  struct Part {
    std::size_t dag = 0;
    FineTime left;      // of its jobs that were released before the pool was busy; zero where `carry` is theirs
    FineTime released;  // of those since then
  };
  std::vector<Part> parts;  // per DAG with work on the pool that may precede
  FineTime carry;           // left of the DAGs that are wholly on the pool, together
  Time busy;                // until the release so many of the pool's processors were busy with that for so long
  bool longer = false;      // or for any longer time; jobs then count in fractions
  Wide processors = 0;
  FineTime worked_off;  // meanwhile: taken off; rounded down
  FineTime after;       // of the job's own nodes that wait for the one in question: taken off
};

/// T14: what a path's nodes on a pool with slices lose between them.
struct Gaps {
  Wide stretches = 0;  // nodes of the path there
  FineTime busy;       // X: their execution and waiting
  bool whole = false;  // one of them has length 0: floor(X/S) gaps more than stretches, else ceil(X/S) - 1
  Wide count = 0;
  Time gap;
};

/// A node of the path that may find less urgent work running.
struct Blocked {
  std::size_t node = 0;
  FineTime length;  // Blk
};

struct Waiting {
  std::size_t pool = 0;
  Wide reach = -1;  // a or b, ns: by when the path's nodes there are ready, or have ended
  std::vector<CountedJobs> jobs;
  std::optional<Backlog> backlog;  // T10c: in place of `jobs`
  Wide last_pieces = 0;            // sum of s over the path's nodes there
  Wide capacity = 1;               // the pool's, in units of its work a ns; T10d: of j processors
  FineTime blocking;               // non-preemptive pools, stream priorities: sum of Blk over the path's nodes there
  std::vector<Blocked> blocked;    // of the path's nodes there, source first, those with a Blk above 0
  FineTime length;                 // (sum of work - last pieces) / capacity + blocking, rounded up
  std::optional<Gaps> gaps;        // T14
};

/// T10, T10n, T10p, T10d, T10c, T11, T11g, T12, T14: F = execution + the waiting on each pool of the path.
struct CountedSum {
  Time execution;  // sum of e
  std::vector<Waiting> waits;
};

/// T11j on one processor: the work that is ready within an interval from `before` v's ready time until v ends.
struct BusyInterval {
  Time before;
  std::vector<CountedJobs> jobs;  // v's own among them
  /// The z(x) of docs/theory/fixed-priority.md, T11j, for x = 0 and each x at which more work of equals counts, up to the last that
  /// matters, so that a bound can be verified without searching again. None: the form for any number of processors gives it.
  std::vector<Time> ends = {};
};

/// T10j, T10g, T11j or T14j for one node: F = ready + (carry + work)/capacity + own. The capacity of T11j's linear form is what more urgent
/// work leaves; its form for one processor has no carry.
struct SporadicSum {
  Time ready;                        // A_v
  FineTime carry;                    // over the capacity: left of jobs from before the pool was busy
  FineTime work;                     // over the capacity: of jobs from then on
  FineTime own;                      // e - s/capacity
  std::optional<BusyInterval> busy;  // T11j on one processor: work = its jobs less v's e and less `before`
  bool resident = false;             // T10j, T14j: the carry is what a GPU holds while an SM has room
  Time gap = Time::zero();           // T14j: added; carry, work and own are times (S + G)/S
};

/// The jobs of one interfering DAG, as they put most work into the windows of all pools of the path together.
struct AlignedJobs {
  struct Job {
    Time before;     // its release, before that of the job in question; negative: after
    FineTime work;   // over the capacities, that counts
    FineTime saved;  // T10v: that does not, as its critical path runs while the path executes
  };
  /// T10v: of jobs released no later than the path's and preceding it, the latest `jobs` lose work on the FIFO pool.
  struct Overlapped {
    std::int64_t jobs = 0;
    std::int64_t strands = 1;  // of each job
    Time GC;                   // largest sum of e over the FIFO pool's nodes of a path
    Time C_R;                  // largest sum of e over a path in the strands' root
    std::optional<Time> F_R;   // when the root has ended; none: it is empty
  };
  /// T30: all jobs together, on a FIFO pool where the path has `turns` nodes at most.
  struct Together {
    std::size_t pool = 0;
    std::size_t turns = 0;
    FineTime work;         // over the capacity
    bool at_once = false;  // T10f: what can be ready at once while the path's nodes there wait, in place of T30's
  };
  std::size_t dag = 0;
  std::vector<Job> jobs;           // latest first; none where so many fit that nodes are counted one by one
  std::vector<Together> together;  // of these pools, which `jobs` do without
  FineTime work;
  std::optional<Overlapped> overlapped;
};

/// T39: what a pool has left when the path is released.
struct Upstream {
  std::size_t pool = 0;
  Backlog left;          // `carry`: of what ran just before, and of what then follows it there
  Wide last_pieces = 0;  // sum of s over the path's nodes there
  FineTime length;       // all that is left, less the last pieces
};

/// T10a, T10v, T10f or T39 for one node: F = execution - last pieces + blocking + own + work of the others + T39's lengths.
struct AlignedSum {
  Time execution;           // sum of e
  FineTime last_pieces;     // sum of s over the capacities; T39: but for those of `upstream`
  FineTime blocking;        // non-preemptive pools: sum of Blk
  bool started = false;     // non-preemptive GEL: no Blk, what may have started before the path's nodes were ready is counted instead
  FineTime own;             // work of the DAG's own jobs over the capacities; on pools ordered by node or by fixed priorities, of all jobs
  bool at_once = false;     // T10f
  bool in_full = false;     // T10f: no last pieces on FIFO pools, and of J what can be ready at once
  bool least_unit = false;  // T10f, T39: the node has length 0: the least unit of time is added
  std::optional<Time> before;        // T10v: execution before the first node on the FIFO pool
  std::vector<AlignedJobs> others;   // per DAG with counted work
  std::vector<Upstream> upstream;    // T39: in place of what is counted on these pools
  std::vector<std::size_t> left_on;  // T39: the pools of which other paths to the node count that, too
};

/// What paths to one node wait for on one pool: waiting = sum of work/capacity + own.
struct FittingPool {
  struct Jobs {
    std::size_t dag = 0;
    std::optional<Time>
        first;      // the first nominal release that counts, after that of the job in question; others follow every T. None: counted
    FineTime work;  // over the capacity
  };
  std::size_t pool = 0;
  std::optional<FineTime> cut;  // at the waiting known so far; none: nothing is cut, and nothing but own nodes is left out
  std::vector<Jobs> jobs;       // of other DAGs, and of the node's own but for the job in question
  FineTime own;                 // of the job in question
  FineTime waiting;
};

/// T10w for one node: F = execution + the waiting on each pool of the path.
struct FittingSum {
  /// On a pool of processors, of paths whose least urgent node there has this priority (0 where priorities do not matter): they wait for
  /// less than this many halves of a ns; 0: not at all.
  struct Cut {
    std::size_t pool = 0;
    std::uint32_t least_priority = 0;
    std::int64_t halves = 0;
  };
  Time execution;           // sum of e
  bool least_unit = false;  // the node has length 0: the least unit of time is added
  std::vector<FittingPool> pools;
  std::vector<Cut> cuts;  // of all paths to the node, so that a bound can be verified without searching again
};

/// T10m for one node v: F = longest + own + the jobs' work.
struct FamilySum {
  Time longest;             // L, the sum of e of the longest path to v
  bool least_unit = false;  // v has length 0: the least unit of time is added
  std::size_t pool = 0;
  bool whole = false;                            // chains of all nodes that do not follow v; else of v and those before it
  std::vector<std::vector<std::size_t>> chains;  // disjoint ones
  std::int64_t free = 1;                         // m - j, with j + 1 chains
  Time longer;                                   // by how much the longest path in those nodes is longer than that to v
  Time beside;                                   // sum of C of those nodes, and of what can run while one of them waits, less the chains'
  FineTime own;                                  // these two over `free`
  std::vector<FittingPool::Jobs> jobs;           // work over `free`
};

/// T23 or T24 for one node: F = ready + waiting + own.
struct VisitSum {
  enum class By : std::uint8_t { work, pieces, waves, running };  // T23: (a), (b), (c); T24
  /// What is ready of one DAG's jobs when the node is.
  struct Jobs {
    std::size_t dag = 0;
    Wide fronts = 0;  // nodes that may be ready (T24: run) at once, a node of each chain of each job
    FineTime work;  // (a): of them within the waiting, over the capacity; (c): one after the other on an empty pool; (b): all; T24: within
                    // the waiting, over m
  };
  Time ready;  // A_v
  Time waiting;
  Time own;  // e, at least the least unit of time
  By by = By::work;
  std::vector<Jobs> jobs;    // the node's own DAG once: its other jobs and what is parallel to it
  FineTime rest;             // (a), (c): of the node itself, before its last pieces
  std::vector<Time> pieces;  // (b): of all fronts, longest first
  std::size_t longest = 0;   // (b): i, set aside
  std::size_t most = 0;      // (b): h, that some other processor runs
};

}  // namespace rta::analysis::path
