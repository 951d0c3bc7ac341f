// What of a job's nodes on one pool can still execute, by bounds on their ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// Nodes of a class on one pool, by their ends.
class EndsOnPool {
 public:
  /// `whole`: a node counts in full however little of its time fits. `chain`: of each of the nodes, where the pool is FIFO; else empty.
  EndsOnPool(const Ticks& ticks, const Class& c, std::span<const std::uint32_t> nodes, bool whole, std::span<const std::uint32_t> chain);
  void set(const std::vector<std::int64_t>& F);
  /// What the nodes of a job released x ns before J can execute from J's release on: of every piece at most F - x.
  [[nodiscard]] Tick after(std::int64_t x) const {
    if (nodes_.empty() || x >= last()) return Tick::zero();
    return nodes_.front().F - x >= longest_ && x < nodes_.front().F ? nodes_.front().after : some_after(x);
  }
  /// turns: the same of at most `turns` nodes of each chain.
  [[nodiscard]] Tick after(std::int64_t x, std::size_t turns) const {
    if (turns >= of_turns_.size()) return after(x);
    if (turns == 0 || x >= last()) return Tick::zero();
    return x <= all_ ? of_turns_[turns - 1] : some_after(x, turns);
  }
  /// T30: the same of all jobs together that are released `first`, `first` + T ... before J, of chains all of whose nodes end within T; of
  /// other chains of each job.
  [[nodiscard]] Tick after_all(std::int64_t first, std::int64_t T, std::size_t turns) const;
  /// T30: whether some chain's nodes all end within T, so that it may say less than `after` of each job.
  [[nodiscard]] bool some_chain_ends_within(std::int64_t T) const { return first_chain_ <= T; }
  [[nodiscard]] std::size_t longest_chain() const { return of_turns_.size(); }
  /// T10n's: every node by itself, for releases from `first` on; ticks.
  [[nodiscard]] Wide one_by_one(std::int64_t first, std::int64_t T) const;
  [[nodiscard]] bool empty() const { return nodes_.empty(); }
  [[nodiscard]] std::int64_t last() const { return nodes_.back().F; }

 private:
  struct Node {
    std::int64_t F = 0;
    Tick vol;
    std::int64_t e = 0;  // ns
    Tick after;          // its work and that of the nodes behind it
    std::uint32_t u = 0;
  };
  [[nodiscard]] Tick some_after(std::int64_t x) const;
  [[nodiscard]] Tick some_after(std::int64_t x, std::size_t turns) const;
  [[nodiscard]] static Tick part(const Node& node, std::int64_t x);
  [[nodiscard]] static Tick largest_of_all(const std::vector<Node>& chain, std::int64_t first, std::int64_t T, std::size_t turns);
  [[nodiscard]] static Tick largest_of_each(const std::vector<Node>& chain, std::int64_t first, std::int64_t T, std::size_t turns);

  std::vector<Node> nodes_;  // by F
  std::int64_t longest_ = 0;
  std::vector<std::vector<Node>> chains_;  // by vol, the largest first; FIFO pools only
  std::vector<Tick> of_turns_;             // entry i: sum over the chains of their i + 1 largest vol
  std::int64_t first_chain_ = 0;           // until then the nodes of some chain have ended
  std::int64_t all_ = 0;                   // released up to so long before J, ns, every node can execute in full
};

}  // namespace rta::analysis::path
