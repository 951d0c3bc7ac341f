// docs/theory/path.md, "Counted work": DAGs or segments that share queues, and the bounds that are claimed for them together.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "certificate.hpp"
#include "configurations.hpp"
#include "staircase.hpp"

namespace checker {

/// `fp_kernels`: a GPU with a FIFO per stream priority, whose blocks run to their ends. `wait_set`: an executor,
/// `multi_threaded`: one of several threads.
enum class Order : std::uint8_t { fifo, gel, gel_non_preemptive, fp, fp_non_preemptive, fp_kernels, wait_set, multi_threaded };
[[nodiscard]] constexpr bool by_priority(Order order) {
  return order == Order::fp || order == Order::fp_non_preemptive || order == Order::fp_kernels;
}

/// Whether what is less urgent may run while a node waits, as it had started before.
[[nodiscard]] constexpr bool runs_to_end(Order order) { return order == Order::gel_non_preemptive || order == Order::fp_non_preemptive; }
[[nodiscard]] constexpr bool non_preemptive(Order order) {
  return order == Order::gel_non_preemptive || order == Order::fp_non_preemptive || order == Order::fp_kernels;
}

/// A CPU pool, a GPU, workers, or the copies of one direction; it does `cap` units of counted work per ns while a node waits for it.
struct Queue {
  Order order = Order::fifo;
  Int processors = 1;
  Int cap = 1;
  bool kernels = false;
  bool equals_any = false;      // fixed priorities: equals in any order, not by ready time
  bool by_dag = true;           // GEL: each job has one point there
  Int runtime = 0, period = 0;  // Q and P of an executor in a reservation; 0: none
  Int slice = 0, gap = 0;       // S and G, where processes share the GPU by time slices; G = 0: it never pauses
  std::optional<Sm> sm;         // fp_kernels
  bool in_turn = false;         // T27, T33: the kernels of a GPU one after another
  bool mixed = false;           // T29: some kernels of a GPU are served one after another, the others by their blocks
  std::optional<Int> resident;  // of a GPU with one FIFO: (g-1) K + K', the most counted work that is there while an SM is not blocking
  [[nodiscard]] bool aligned() const { return by_dag && !by_priority(order); }
};

/// e, s and vol of a node; what it may be kept waiting by.
struct Item {
  const Claim* claim = nullptr;
  bool sequential = false;
  std::size_t queue = 0;
  std::size_t local = 0;  // of the job's queues
  Int e = 0, s = 0, vol = 0;
  Int part = 0;    // how little of its time is a part of it: e; 0 where kernels count in full, however little of their time is left
  Int weight = 0;  // of a block, in units of counted work per ns
  Int B = 1;
  Int alone = 0;                    // how long it takes on an empty queue
  Int key = 0;                      // GEL: Y; fixed priorities and kernels: the priority
  std::size_t block = 0;            // fp_kernels: the class of its blocks
  std::size_t node = 0;             // of the DAG
  std::string group;                // multi_threaded: of which none runs beside another; empty: reentrant, or another queue
  std::vector<std::size_t> before;  // predecessors within the job
  std::uint64_t pays = 0;           // the slots that a path through it pays for
  std::size_t lane = 0;             // T10w: of those of one lane on a queue each is before or after the others
};

/// What paths pay for: the work of nodes on a queue; under fixed priorities of those from one priority of the job's own up to the next.
struct Slot {
  std::size_t local = 0;
  std::optional<Int> from, to;  // from <= priority < to
  [[nodiscard]] bool has(Int key) const { return (!from || key >= *from) && (!to || key < *to); }
};

/// Slots beyond 63 are paid for together, which is safe.
[[nodiscard]] constexpr std::uint64_t bit(std::size_t slot) { return std::uint64_t{1} << (slot < 63 ? slot : 63); }

/// A DAG, or a segment of one, which is released by itself. An item follows its predecessors.
struct Job {
  Int T = 1;
  Int J = 0;  // releases may be so late; nominal ones are T + J apart
  std::vector<Item> items;
  std::vector<std::vector<std::size_t>> families;  // T10d: item -> its chain, in which each is before the next, or 0
  std::vector<std::size_t> queues;                 // visited, in increasing order
  std::vector<Slot> slots;                         // the first ones: one for each queue
  std::vector<Int> F, A, longest;  // of each item: its claimed end, its latest ready time, the longest sum of e up to its end
  std::vector<std::vector<std::uint64_t>> below;  // item -> bits of its strict descendants
  std::size_t kind = 0;

  /// False where it is not known: then u is counted, which is safe.
  [[nodiscard]] bool is_below(std::size_t u, std::size_t v) const { return !below.empty() && (below[v][u / 64] >> (u % 64) & 1U) != 0; }
  /// Turns: of the items on a queue, the chain to which each belongs; in a chain each item is before the next. An item joins the first
  /// chain whose last is before it, those with fewer ancestors first, then by their places in the DAG. Large jobs have chains of one item
  /// each. `with_work`: of those alone that take time.
  [[nodiscard]] std::vector<std::size_t> chains(std::size_t queue, bool with_work = false) const;
};

/// While q waits, releases of u up to `until` may go before it. FIFO: A_q; GEL: F_q, but no later than Y_q - Y_u; fixed priorities: F_q
/// for what is more urgent, `equals` for what is as urgent.
struct Limit {
  Int until = 0;
  Int equals = 0;
  Int key = 0;  // of q
};
using Limits = std::vector<Limit>;
/// lim_u of a node with this key; none: nothing goes before.
[[nodiscard]] std::optional<Int> lim(Order order, const Limits& limits, Int key_of_u);

/// The longest path that pays for no other slots than these.
struct Way {
  std::uint64_t mask = 0;
  Int length = 0;  // sum of e - s/cap (and Blk), in the grid
  Int before = 0;  // T10v: sum of e before the first node on the FIFO queue, in the grid
  Int pieces = 0;  // T10d: of less urgent work that its items may find started on the job's first queue of processors without preemption
};

/// T10v's two queues.
struct Overlap {
  std::size_t cpu = 0, queue = 0;  // local
  Int m = 1;
};

struct System {
  /// Jobs that are equal but for their names, with equal claims.
  struct Alike {
    std::size_t job = 0;  // the first
    Int copies = 0;
  };
  struct Blocking {
    Int C, F, T, key;
    std::size_t job, item;
  };
  struct Falling {
    Int end, vol, product;  // sums of vol and of vol end over the nodes from here on
  };

  /// All times are in 1/unit ns: a common multiple of the claims' units.
  Int unit = 1;
  std::vector<Queue> queues;
  std::vector<Job> jobs;
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> place;  // DAG, node -> job, item
  std::vector<Alike> kinds;
  Int grid = 1;                                               // lengths of time are in 1/(unit grid) ns, rounded up
  std::vector<Load> load;                                     // of each queue
  std::vector<std::map<std::pair<Int, Int>, Staircase>> all;  // queue -> by T and key
  std::vector<std::vector<Blocking>> blocking;                // queue without preemption -> pieces, longest first
  std::vector<std::optional<Int>> late;                       // FIFO: T10j's carry + sum vol (1 + A/T); GEL: T10g's carry. None: U > cap
  std::vector<std::map<Int, std::vector<Falling>>> falling;   // queue, T -> T10g's terms by A_v - Y_v, from which on they are 0
  bool nominal = false;                                       // T12j: T, F and A count from nominal releases
  std::vector<std::optional<Int>> sliced;                     // T14j's carry + sum vol (1 + A/T), in 1/(grid finer) ns. None: U > g alpha

  /// No other DAG visits the pools of `dags`. Throws `Refused` where some node of these has no bound, or a GPU no weights. GPUs of
  /// which `turn` is stated need none; with `in_turn` all of these are read so.
  System(const TaskSet& set, const Certificate& certificate, const std::vector<std::size_t>& dags, bool in_turn);
  /// With the T of nominal releases, and F and A of jobs that come up to J after theirs.
  [[nodiscard]] System since_nominal() const;
  /// How much of F and A is the release's own lateness.
  [[nodiscard]] Int lateness(const Job& job) const { return nominal ? job.J : Int(0); }
  /// `work` of a queue as a length of time.
  [[nodiscard]] Int in_grid(Int work, std::size_t q) const { return ceil_mul_div(work, grid, queues[q].cap); }
  [[nodiscard]] bool visits(const Job& job, Order order) const;
  [[nodiscard]] bool visits_non_preemptive(const Job& job) const;
  [[nodiscard]] bool is_sliced() const;  // some GPU that is used pauses
  [[nodiscard]] bool is_mixed() const;   // T29: some GPU that is used has kernels in turn beside others by their blocks
  /// Where T10v may apply to a job: all of it is on one preemptive GEL queue by DAG and one FIFO queue.
  [[nodiscard]] std::optional<Overlap> overlap_of(const Job& job) const;

 private:
  struct Counted;  // GPU -> the weights of its classes; none: read in turn
  [[nodiscard]] static std::map<std::size_t, Counted> counted(const TaskSet& set, const Certificate& certificate,
                                                              const std::vector<std::size_t>& dags, bool in_turn);
  [[nodiscard]] static Counted beside_turns(const std::vector<Task>& tasks, const Weights& weights, std::size_t p, const Pool& gpu);
  void set_unit(const Certificate& certificate, const std::vector<std::size_t>& dags);
  void add_jobs(const TaskSet& set, const Certificate& certificate, std::size_t d, const std::map<std::size_t, Counted>& weights);
  void set_ends(Job& job) const;
  void set_slots(Job& job) const;
  void set_kinds();
  void set_work();
  void set_late(std::size_t q);    // late.cpp
  void set_sliced(std::size_t q);  // likewise
  void set_falling(std::size_t q);
  [[nodiscard]] Int carry_of_pieces(std::size_t q) const;
  /// Of a kernel's blocks: how many there may be.
  struct Use {
    Int e, blocks, s, weight;
  };
  [[nodiscard]] Int carry_of_kernels(std::size_t q) const;
  [[nodiscard]] Int carry_of_kernels(std::size_t q, std::vector<Use> uses) const;
};

/// All throw `Refused` where the theorem does not apply.
[[nodiscard]] Int T10j(const System& system, std::size_t k, std::size_t v);
[[nodiscard]] Int T10g(const System& system, std::size_t k, std::size_t v);
[[nodiscard]] Int T14j(const System& system, std::size_t k, std::size_t v);
[[nodiscard]] Int T23(const System& system, std::size_t k, std::size_t v);  // visit.cpp
/// T10f: what is executed while an item waits, of all other jobs of each DAG, of what is parallel to it and of itself.
struct AtOnce {
  std::vector<Int> jobs;
  Int beside = 0, own = 0;
};
[[nodiscard]] AtOnce at_once(const System& system, std::size_t k, std::size_t v);  // likewise
[[nodiscard]] bool has_no_switches(const System& system, std::size_t queue);       // likewise
[[nodiscard]] Int T24(const System& system, std::size_t k, std::size_t v);         // running.cpp

}  // namespace checker
