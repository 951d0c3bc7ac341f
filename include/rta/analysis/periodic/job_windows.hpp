// T35: when each job of periodic DAGs has ended, by windows in which others can keep it waiting (docs/theory/periodic.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "rta/analysis/left_out.hpp"
#include "rta/model/quantity.hpp"

namespace rta::analysis::periodic {

/// What goes first on a pool.
enum class Order : std::uint8_t {
  ready,   // whoever was ready first; what has started runs to its end
  points,  // the earliest release + Y
  fixed,   // the largest priority
  unknown  // nobody knows: its nodes have bounds of another theorem
};

struct Pool {
  Order order = Order::ready;
  std::uint32_t servers = 1;     // processors, workers; each copy engine with a direction of its own is a pool
  bool preemptive = false;       // `points` and `fixed`
  bool equals_by_ready = false;  // `fixed`: equals in the order in which they were ready
  bool sees_first = false;       // `points` and `fixed`: all ends and releases of an instant, before it starts anything
  bool in_turn = false;          // a GPU under `ready`: a kernel takes its C from when all before it have ended, and may begin earlier
  bool follow = true;            // T36 looks at each start, if it can
};

struct Node {
  std::size_t pool = 0;
  Time C;                    // of each piece
  Time least;                // of each piece; of a kernel from ready to its end
  std::uint64_t pieces = 1;  // items that are ready at once, `ready` only
  std::int64_t key = 0;      // Y, or the priority
  bool sequential = false;
  std::vector<std::size_t> before;  // predecessors
  std::optional<Time> known;        // it is proven that it has ended so long after its DAG's release
};

/// Nominal releases at phase + n T, the release itself up to J later.
struct Dag {
  Time T;
  Time phase;
  Time J;
  std::vector<Node> nodes;
  std::vector<std::size_t> order;  // every node after its predecessors
};

struct System {
  std::vector<Pool> pools;
  std::vector<Dag> dags;
};

/// The n-th job of a DAG and those that come whole hyperperiods later.
struct Windows {
  Time hyperperiod;
  std::vector<std::vector<std::vector<Time>>> ends;  // DAG, node, n: has ended so long after its nominal release
  std::uint64_t steps = 0;                           // that finding them took

  /// The first job of a node with the latest end.
  [[nodiscard]] std::size_t latest(std::size_t d, std::size_t v) const;
};

struct Limits {
  std::size_t jobs = 200'000;            // of nodes in a hyperperiod
  std::uint64_t steps = 200'000'000;     // of looking at one job for another
  std::int64_t periods = 1'000;          // no job takes more of its DAG's
  std::function<bool()> stop = nullptr;  // true ends the search
};

/// None where some job has no such end, or where that would take too long, of which `left_out` is told. Requires a known bound of every
/// node whose pool has no known order. Throws `Overflow`.
[[nodiscard]] std::optional<Windows> job_windows(const System& system, const Limits& limits = {}, std::vector<LeftOut>* left_out = nullptr);

/// Another job that may keep one waiting, or the job's own pieces before the last.
struct Other {
  std::size_t dag = 0, node = 0;
  std::int64_t number = 0;  // of the job; below 0: of hyperperiods before
  Time counted;             // of each piece: from when the waiting one is ready
  std::uint64_t pieces = 1;
  bool started = false;  // it is less urgent, and has started before
};

/// The inequality of one job; instants count from its nominal release.
struct Wait {
  Time ready;                        // at the latest
  std::optional<std::size_t> after;  // the predecessor that may end last; none: ready by its release, or after the job before
  bool after_previous = false;       // `sequential`: the same node of the job before may end last
  std::vector<Other> others;         // the longest first
  std::uint64_t aside = 0;           // of their pieces the longest, which have a server each
  Wide work = 0;                     // of the rest
  Time waiting;                      // work / (servers - aside), rounded down, or up where pieces may be interrupted
  Time end;                          // ready + waiting + C
  bool known = false;                // the other theorem's bound is less than that
};

/// The inequalities behind windows. Both arguments must outlive it.
class Waits {
 public:
  Waits(const System& system, const Windows& windows);
  ~Waits();
  Waits(const Waits&) = delete;
  Waits& operator=(const Waits&) = delete;

  /// Of the n-th job. Requires that its pool has a known order.
  [[nodiscard]] Wait of(std::size_t d, std::size_t v, std::size_t n);

 private:
  std::unique_ptr<class JobTable> table_;
};

}  // namespace rta::analysis::periodic
