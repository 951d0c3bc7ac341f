// T10, T10n, T10p, T10d, T10w, T10m, T11, T11g, T10a, T10v, T10c, T10j, T10g, T11j: end-to-end bounds of DAGs whose nodes are released on
// completion (theory section 5). Every piece of work is counted once per path, not once per node. T1n and T6n are the same theorem on DAGs
// of one node each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rta/analysis/fine.hpp"
#include "rta/analysis/gpu/configuration.hpp"
#include "rta/analysis/result.hpp"
#include "rta/model/quantity.hpp"

namespace rta::analysis::path {

/// What runs first on a pool.
enum class Order : std::uint8_t {
  fifo,                  // by ready time: thread pools, workers, engines, and the kernels of a GPU
  gel,                   // preemptive; a node of a DAG job released at r has priority point r + Y of its DAG
  gel_non_preemptive,    // the same, but a node that has started runs to its end (a thread pool with a priority queue)
  gel_by_node,           // preemptive; node u of a DAG job released at r has priority point r + Y_u
  fixed,                 // preemptive; the largest priority first
  fixed_non_preemptive,  // the same, but a node that has started runs to its end
  fixed_kernels,         // a GPU with a FIFO per stream priority: the same, block by block
};
[[nodiscard]] constexpr bool by_fixed_priority(Order order) {
  return order == Order::fixed || order == Order::fixed_non_preemptive || order == Order::fixed_kernels;
}
/// Whether what is less urgent may run while a node waits, as it had started before.
[[nodiscard]] constexpr bool is_non_preemptive(Order order) {
  return order == Order::gel_non_preemptive || order == Order::fixed_non_preemptive || order == Order::fixed_kernels;
}

/// A pool that serves its nodes, while there are any, in slices of at most `slice` with at most `gap` between two of them (T14). Within the
/// slices it is as it would be without.
struct Slices {
  Time slice;  // S, above 0
  Time gap;    // G
};

/// `capacity` processors, engines, workers or SMs. Work on it is counted in units of 1/unit ns, so it works off `capacity * unit` units
/// per ns while a node waits. On a GPU with weights w_u = n_u / W, `unit` is W; elsewhere it is 1.
struct Pool {
  std::string name;
  Order order = Order::fifo;
  std::uint32_t capacity = 1;
  Wide unit = 1;
  /// The nodes' pieces are processors' or workers' whole time (weight 1): T10j's carry is then (ceil(U) - 1) times the longest piece.
  bool unit_weights = true;
  bool equals_any = false;  // fixed priorities: equals in any order, not by ready time
  /// A GPU whose kernel switches are part of `vol`: T10a then counts a kernel in full however little of its time fits, since a switch takes
  /// the whole GPU for a part of it.
  bool switches = false;
  std::optional<Slices> slices = std::nullopt;  // FIFO pools only
  /// A GPU with one FIFO: (g-1) K + K' of T6, the most work of blocks that are on it at once while an SM has room for any; T10j's and
  /// T14j's carry is no more.
  std::optional<Wide> resident = std::nullopt;
  std::shared_ptr<const fifo::Sm> sm = nullptr;  // `fixed_kernels`: what fits on one at once, by the classes Node::demand
};

/// On the critical path a node takes e in execution; its last piece (C, the last item, the last block) is s units of the pool's work, and
/// the whole node is vol units: C, C, C on processors and engines; L, L, B L on workers; L, n L, n L B on SMs with weight n / W.
struct Node {
  std::size_t pool = 0;
  Time e;
  Wide s = 0;
  Wide vol = 0;
  /// A bound on the node's end after its DAG's release that is proven elsewhere (T1, T5 ...); taken where it is the smaller one.
  std::optional<Time> proven;
  Time Y = Time::zero();       // Y_u on a `gel_by_node` pool; any sign, only differences within the pool matter
  std::uint32_t priority = 0;  // on a pool under fixed priorities; the larger, the more urgent
  std::uint32_t demand = 0;    // class of a block, on a `fixed_kernels` pool
  bool operator==(const Node&) const = default;
};

struct Precedence {
  std::size_t from = 0;
  std::size_t to = 0;
  bool operator==(const Precedence&) const = default;
};

/// A sporadic DAG: jobs released at least T apart may overlap; a node is ready when its last predecessor ends.
struct Dag {
  std::string name;
  Time T;
  Time Y;  // relative priority point on the GEL pools by DAG; any sign, only differences matter
  std::vector<Node> nodes;
  std::vector<Precedence> edges;
  /// Release jitter (T12): jobs are released up to J after nominal instants at least T apart. Bounds count from the release itself.
  Time J = Time::zero();
};

/// DAGs that are equal but for their name are analysed once: write copies as copies.
struct System {
  std::vector<Pool> pools;
  std::vector<Dag> dags;
};

/// When to give up. Fixed points are approached from below, so nothing is proven before they are reached.
struct Limits {
  std::int64_t periods = 1'000;    // a DAG whose bound passes this many of its periods has none
  std::size_t sweeps = 1'000'000;  // rounds over all DAGs
  std::function<bool()> stop;      // asked once per round; true ends the search (no clock is read here)
  /// DAG, node: T10d is joined by T10w where it leaves a node's end later than this. Empty: nowhere.
  std::vector<std::vector<Time>> wanted;
  /// Asked once per round with all ends so far, per DAG and node: the bounds are no less, but for what the search upwards rounds up. True
  /// ends it as `stop` does.
  std::function<bool(const std::vector<std::vector<Time>>&)> surpassed;
};

struct Bounds {
  std::vector<Time> R;  // end to end, one per DAG
};

/// What carries a node's bound.
enum class Support : std::uint8_t {
  path,        // T10n: F is at least the inequality's right-hand side
  fixed,       // T11 or T11g, likewise: the node or an ancestor is on a pool under fixed priorities
  late,        // T10j, T10g, T11j or T14j, likewise
  given,       // proven elsewhere (Node::proven)
  successor,   // it ends before some successor does
  aligned,     // T10a: F is at least the inequality's right-hand side
  overlapped,  // T10v, likewise
  carried,     // T10c, likewise
  sliced,      // T14, likewise: the node or an ancestor is on a pool with slices
  parallel,    // T10p, likewise
  fitting,     // T10w, likewise
  families,    // T10m, likewise
  whole,       // T10d, likewise
};

struct NodeBounds {
  std::vector<std::vector<Time>> F;  // end of each node after its DAG's release
  std::vector<Time> R;               // max of F over the DAG's sinks
  std::vector<std::vector<Support>> support;
};

/// T10v: the least of T10n, T10a and T10v per node (T10n alone where all pairs of a node and a DAG are too many to look at). T10j: also of
/// T10j on FIFO pools and GPUs. T10g: also of T10c and T10g on preemptive GEL pools and of T11j on preemptive pools under fixed priorities.
/// On the latter all others count as T11 does. T10d: also of T10p and T10d. T10w: of T10p, T10w and T10m, without T10d. Where the system
/// has pools with slices, T14 stands in place of T10n for nodes that are on one or have an ancestor there, T14j in place of T10j on these
/// pools; the others of T10a and T10v have T10a alone, and T10p, T10d, T10w and T10m stay away.
enum class Refinement : std::uint8_t { T10n, T10v, T10j, T10g, T10d, T10w };

[[nodiscard]] bool has_release_jitter(const System& system);

/// T10: the least fixed point, in whole ns. None when a pool's utilization exceeds its capacity (decided exactly) or past `limits`.
/// Requires a well-formed system (no cycle, indices in range, T > 0, no negative work) without pools that order their nodes one by
/// one: `gel_by_node` and fixed priorities (only T10n and T11 bound these), without slices and without release jitter. Throws `Overflow`.
[[nodiscard]] Result<Bounds> bounds(const System& system, const Limits& limits = {});

/// The smallest of what the refinement names for each node; with release jitter T12's form of T10n and T11 and, from T10j and T10g on,
/// T12j, with T10d T12d, with T10w T12w and T12m. Never above T10. Errors as for `bounds`.
[[nodiscard]] Result<NodeBounds> node_bounds(const System& system, Refinement refinement, const Limits& limits = {});

// ---- the inequality with its numbers ----

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
  std::vector<CountedJobs> jobs;
  std::optional<Backlog> backlog;  // T10c: in place of `jobs`
  Wide last_pieces = 0;            // sum of s over the path's nodes there
  FineTime blocking;               // non-preemptive pools, stream priorities: sum of Blk over the path's nodes there
  std::vector<Blocked> blocked;    // of the path's nodes there, source first, those with a Blk above 0
  FineTime length;                 // (sum of work - last pieces) / capacity + blocking, rounded up
  std::optional<Gaps> gaps;        // T14
};

/// The path that decides a bound.
struct Derivation {
  std::vector<std::size_t> path;  // nodes, source first
  Time execution;                 // sum of e
  std::vector<Waiting> waits;     // per pool visited
  FineTime total;                 // right-hand side of T10's or T10n's inequality; at most the bound, but for T10j, T10g and `proven`
};

/// T11j on one processor: the work that is ready within an interval from `before` v's ready time until v ends.
struct BusyInterval {
  Time before;
  std::vector<CountedJobs> jobs;  // v's own among them
};

/// T10j's, T10g's, T11j's or T14j's inequality for one node: F = ready + (carry + work)/capacity + own. The capacity of T11j's linear form
/// is what more urgent work leaves; its form for one processor has no carry.
struct LateDerivation {
  Time ready;      // A_v
  FineTime carry;  // over the capacity: left of jobs from before the pool was busy
  FineTime work;   // over the capacity: of jobs from then on
  FineTime own;    // e - s/capacity
  FineTime total;
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
  std::size_t dag = 0;
  std::vector<Job> jobs;  // latest first; none where so many fit that nodes are counted one by one
  FineTime work;
  std::optional<Overlapped> overlapped;
};

/// T10a's or T10v's inequality for one node: F = execution - last pieces + blocking + own + work of the others.
struct AlignedDerivation {
  std::vector<std::size_t> path;  // nodes, source first
  Time execution;                 // sum of e
  FineTime last_pieces;           // sum of s over the capacities
  FineTime blocking;              // non-preemptive pools: sum of Blk
  bool started = false;           // non-preemptive GEL: no Blk, what may have started before the path's nodes were ready is counted instead
  FineTime own;  // work of the DAG's own jobs over the capacities; on pools ordered by node or by fixed priorities, of all jobs
  std::optional<Time> before;       // T10v: execution before the first node on the FIFO pool
  std::vector<AlignedJobs> others;  // per DAG with counted work
  FineTime total;
};

struct FittingDerivation;  // fitting.hpp
struct FamilyDerivation;   // likewise

/// The inequalities behind all bounds of a system.
class Derivations {
 public:
  /// T10's.
  Derivations(const System& system, const Bounds& bounds);
  /// T10n's and T11's. Both constructors keep references to their arguments.
  Derivations(const System& system, const NodeBounds& bounds);

  /// DAG k as a whole; for T10n and T11, its sink that ends last.
  [[nodiscard]] Derivation of(std::size_t k) const;
  /// Node v of DAG k. T10n only.
  [[nodiscard]] Derivation of(std::size_t k, std::size_t v) const;
  /// T10j's (FIFO pools, GPUs), T10g's (preemptive GEL pools) or T11j's (preemptive, fixed priorities) for node v of DAG k; nothing on
  /// other pools, or where the work on it is too much. T10n only.
  [[nodiscard]] std::optional<LateDerivation> late(std::size_t k, std::size_t v) const;
  /// T10c's for node v of DAG k, where it applies to some pool. T10n only.
  [[nodiscard]] std::optional<Derivation> carried(std::size_t k, std::size_t v) const;
  /// T10p's for node v of DAG k, where it applies. T10n only.
  [[nodiscard]] std::optional<Derivation> parallel(std::size_t k, std::size_t v) const;
  /// T10d's, likewise.
  [[nodiscard]] std::optional<Derivation> whole(std::size_t k, std::size_t v) const;
  /// T10w's, likewise.
  [[nodiscard]] std::optional<FittingDerivation> fitting(std::size_t k, std::size_t v) const;
  /// T10m's, likewise.
  [[nodiscard]] std::optional<FamilyDerivation> family(std::size_t k, std::size_t v) const;
  /// T10a's for node v of DAG k, or with `overlap` T10v's, where it applies. T10n only.
  [[nodiscard]] AlignedDerivation aligned(std::size_t k, std::size_t v, bool overlap) const;

 private:
  struct Content;
  std::shared_ptr<const Content> content_;
};

}  // namespace rta::analysis::path
