// T14 and T14j: what paths and nodes lose in the gaps of pools that are served in slices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "analysis/path/system/ticks.hpp"
#include "rta/model/utilization.hpp"

namespace rta::analysis::path {

/// Beyond every limit, and small enough to be added to.
inline constexpr std::int64_t beyond_all = no_bound / 4;

/// What paths have on one pool with slices.
struct OnSlices {
  std::uint32_t nodes = 0;
  Tick length;         // sum of e - s/capacity
  bool empty = false;  // one of the nodes has e = 0
};

/// T14: (n - 1 + ceil(X/S)) gaps for n nodes on the pool, X = their execution and waiting (ticks); with a node of length 0, n + floor(X/S).
[[nodiscard]] Wide gaps_of(const Ticks& ticks, const OnSlices& on, Wide X, const Slices& slices);

/// A path, or what several have at most: the slots that they pay for and their length as in `PoolSet`, and what they have on each pool with
/// slices.
struct SlicedSet {
  PoolSet all;
  std::vector<OnSlices> on;  // as `SlicedPaths::local`
  std::uint32_t node = 0;    // before the last one of the longest of these paths, and ...
  std::uint32_t set = 0;     // ... its set there
};

/// The paths of one class, when node v adds length[v] to one.
class SlicedPaths {
 public:
  SlicedPaths(const Ticks& ticks, const Class& c, std::span<const Tick> length);

  /// Local pools with slices; empty: the class has nothing on any.
  [[nodiscard]] static std::vector<std::size_t> sliced_pools(const Class& c, const System& system);

  /// Whether the node or an ancestor is on a pool with slices.
  [[nodiscard]] bool concerns(std::size_t v) const;
  /// T14's right-hand side for node v, ns; `waiting`: per slot. `decisive`: the set behind it.
  [[nodiscard]] std::int64_t right_hand_side(std::size_t v, std::span<const Tick> waiting, std::size_t* decisive = nullptr) const;
  [[nodiscard]] const SlicedSet& set(std::size_t v, std::size_t i) const { return sets_[v][i]; }
  /// The longest path of that set, source first.
  [[nodiscard]] std::vector<std::size_t> path(std::size_t v, std::size_t set) const;
  [[nodiscard]] std::span<const std::size_t> local() const { return local_; }

 private:
  [[nodiscard]] SlicedSet extended(const SlicedSet& before, std::size_t v, Tick length) const;

  const Ticks& ticks_;
  const Class& c_;
  std::vector<std::size_t> local_;
  std::vector<std::vector<SlicedSet>> sets_;  // per node
};

/// T14j on one pool with slices.
class SlicedPool {
 public:
  /// Its terms are in 1/parts of a tick: (S + G)/S would multiply what is rounded.
  static constexpr Wide parts = Wide{1} << 16;

  SlicedPool(const Ticks& ticks, std::size_t pool);

  /// U_w <= g S/(S + G).
  [[nodiscard]] bool applies() const { return applies_; }

  struct Terms {
    Wide carry = 0;         // over the capacity: the lesser of both forms
    bool resident = false;  // (a)
    Wide work = 0;          // over the capacity: sum of vol_u (1 + A_u/T_u)
  };
  /// For ready times A per class and node, ns.
  [[nodiscard]] Terms terms(const std::vector<std::vector<std::int64_t>>& A) const;
  /// The bound on the time from A_v to the end, ns.
  [[nodiscard]] std::int64_t length(const Terms& terms, Tick e, Tick s) const;
  /// A term times (S + G)/S, rounded up.
  [[nodiscard]] Wide stretched(Wide term) const;

 private:
  const Ticks& ticks_;
  std::size_t pool_;
  Slices slices_;
  bool applies_ = false;
  Wide light_ = 0;  // (b)
  struct Use {
    std::size_t c = 0;
    std::size_t u = 0;
  };
  std::vector<Use> uses_;
};

}  // namespace rta::analysis::path
