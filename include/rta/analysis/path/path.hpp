// T10, T10n, T10p, T10d, T10w, T10m, T11, T11g, T10a, T10v, T10c, T10f, T10j, T10g, T11j, T23, T24, T39: bounds of DAGs whose nodes are
// released on completion (theory section 5). Every piece of work is counted once per path, not once per node. T1n and T6n are the same
// theorem on DAGs of one node each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rta/analysis/fine.hpp"
#include "rta/analysis/gpu/configuration.hpp"
#include "rta/analysis/left_out.hpp"
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
  wait_set,              // an executor: T19 and T19j alone (`executors`)
  multi_threaded,        // an executor of several threads: T20 alone
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

/// T22: so much of every period of one processor, which is all that its thread has.
struct Supply {
  Time runtime;  // Q, above 0
  Time period;   // P, at least Q
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
  bool in_turn = false;  // T27: a GPU's kernels one after another, each of its duration alone, as an engine's copies
  /// T29: some kernels of a GPU one after another, the others by their blocks. T10n's sums hold for it, and with them T10p, not what looks
  /// closer at its work.
  bool mixed = false;
  std::optional<Slices> slices = std::nullopt;  // FIFO pools only
  std::optional<Supply> supply = std::nullopt;  // executors of one thread only (`executors`)
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
  std::uint32_t group = 0;     // on a `multi_threaded` pool: of which none runs beside another; 0: none, it is reentrant
  /// T23: how much of vol is done in a ns at most, where that is not vol/e (a kernel whose L is rounded up), else 0; and how long the node
  /// takes on an empty pool, where that is known.
  Wide rate = 0;
  std::optional<Time> alone = std::nullopt;
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
  visit,       // T23 or T24, likewise
  under_way,   // T10f, likewise
  upstream,    // T39, likewise
};

struct NodeBounds {
  std::vector<std::vector<Time>> F;  // end of each node after its DAG's release
  std::vector<Time> R;               // max of F over the DAG's sinks
  std::vector<std::vector<Support>> support;
};

/// T10v: the least of T10n, T10a and T10v per node (T10n alone where all pairs of a node and a DAG are too many to look at). T10j: also of
/// T10j on FIFO pools and GPUs. T10g: also of T23 and T10f there, of T10c, T10g and T24 on preemptive GEL pools and of T11j and T24 on
/// preemptive pools under fixed priorities. On the latter all others count as T11 does. T39: also of T39. T10d: also of T10p and T10d.
/// T10w: of T10p, T10w and T10m, without T10d. Where the system has pools with slices, T14 stands in place of T10n for nodes that are on
/// one or have an ancestor there, T14j in place of T10j on these pools; the others of T10a and T10v have T10a alone, and T10p, T10d, T10w
/// and T10m stay away.
enum class Refinement : std::uint8_t { T10n, T10v, T10j, T10g, T39, T10d, T10w };

[[nodiscard]] bool has_release_jitter(const System& system);

/// T10: the least fixed point, in whole ns. None when a pool's utilization exceeds its capacity (decided exactly) or past `limits`.
/// Requires a well-formed system (no cycle, indices in range, T > 0, no negative work) without pools that order their nodes one by
/// one: `gel_by_node` and fixed priorities (only T10n and T11 bound these), without slices and without release jitter. Throws `Overflow`.
[[nodiscard]] Result<Bounds> bounds(const System& system, const Limits& limits = {});

/// The smallest of what the refinement names for each node; with release jitter T12's form of T10n and T11 and, from T10j and T10g on,
/// T12j, with T10d T12d, with T10w T12w and T12m. Never above T10. Errors as for `bounds`.
[[nodiscard]] Result<NodeBounds> node_bounds(const System& system, Refinement refinement, const Limits& limits = {});

/// Of what `refinement` names, what `node_bounds` leaves out or counts more coarsely as there are too many nodes.
[[nodiscard]] std::vector<LeftOut> left_out(const System& system, Refinement refinement);

}  // namespace rta::analysis::path
