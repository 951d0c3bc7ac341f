// T10a and T10v: what the jobs of one DAG put into the windows of all queues of a path together.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "system.hpp"

namespace checker {

/// Nodes of a job on one queue, by their ends.
class Ends {
 public:
  void add(Int F, Int e, Int share, std::size_t chain) { nodes_.push_back({F, e, share, 0, chain}); }
  /// To be called once, after the last `add`.
  void finish();
  /// f(x): sum of min(1, (F_u - x)/e_u) vol_u/cap over the nodes with F_u > x.
  [[nodiscard]] Int after(Int x) const;
  /// The same of the `turns` largest of each chain.
  [[nodiscard]] Int after(Int x, std::size_t turns) const;
  /// T30: the same of all jobs together that are released `first`, `first` + T ... before, of chains all of whose nodes end within T; of
  /// other chains of each job.
  [[nodiscard]] Int after_all(Int first, Int T, std::size_t turns) const;
  /// Every node by itself, for releases from `first` on: sum of ceil((F_u - first)/T) vol_u/cap.
  [[nodiscard]] Int one_by_one(Int first, Int T) const;
  [[nodiscard]] bool empty() const { return nodes_.empty(); }
  [[nodiscard]] Int last() const { return nodes_.back().F; }

 private:
  struct Node {
    Int F, e, share;
    Int after;  // its share and those of the nodes behind it
    std::size_t chain;
  };
  [[nodiscard]] static Int part(const Node& node, Int x);
  std::vector<Node> nodes_;
  Int longest_ = 0;
  std::size_t longest_chain_ = 0;
};

/// T10v: the nodes of a job on the FIFO queue, and what leads to them.
struct Strands {
  std::vector<Ends> parts;
  Int GC = 0;                 // the largest sum of e over the queue's nodes of a path
  Int C = 0;                  // the largest sum of e over a path in the root
  std::optional<Int> root_F;  // when the root has ended; none: it is empty
};
[[nodiscard]] Strands strands_of(const System& system, const Job& job, std::size_t queue);

/// A job released x before J counts the nodes of `ends` with F > x where x >= `first`.
struct Window {
  const Ends* ends = nullptr;
  Int first = 0;  // -lim
  bool queue = false;
  std::size_t turns = SIZE_MAX;            // of each chain so many nodes count
  std::optional<Int> most = std::nullopt;  // T10f: of all jobs together
};

/// T10v's s_j: of jobs with from <= x < to, n strands lose work on the FIFO queue; none where there are no strands.
struct Early {
  Int from = 0, to = 0;
  Int less = 0;     // max(0, E - GC)/m, rounded down
  Int further = 0;  // max(0, E - GC - C)/m, likewise
  Int n = 1;
  Int given = 1;  // G, strands of all jobs
  Int m = 1;
  const Strands* strands = nullptr;
};

/// I_d: the largest f(x_1) + f(x_2) + ... at distances of at least T, in the grid.
[[nodiscard]] Int most_aligned(std::span<const Window> windows, Int T, const Early& early);
/// The least of that and, for each choice of up to three FIFO queues (of more: all where it is less), T30's (T10f's, if less) there and I_d
/// of the other windows.
[[nodiscard]] Int least_aligned(std::span<const Window> windows, Int T);

}  // namespace checker
