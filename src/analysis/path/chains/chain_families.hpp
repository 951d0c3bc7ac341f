// T10d, T10m: the heaviest families of disjoint chains of a DAG.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// Of some nodes of a class: for 1, 2, ... as many disjoint chains, nodes each of which is before the next, of the largest sum of e.
/// A flow: paths may share nodes and pass others, but the work of a node belongs to one of them. Every further chain is a longest
/// augmenting path.
class ChainFamilies {
 public:
  /// Up to `most` chains; fewer where more weigh nothing. Keeps a reference to `c`.
  ChainFamilies(const Class& c, const std::vector<bool>& among, std::size_t most);

  /// K_1, K_2, ...
  [[nodiscard]] std::span<const Tick> weights() const { return weights_; }
  /// The nodes of each chain of the last family, in order.
  [[nodiscard]] std::vector<std::vector<std::size_t>> chains() const;

 private:
  struct Arc {
    std::size_t to = 0;
    std::int64_t room = 0;
    Tick work;
  };
  void add(std::size_t from, std::size_t to, std::int64_t room, Tick work);
  void set_arcs_from();
  [[nodiscard]] std::span<const std::uint32_t> after(std::size_t place) const {
    return std::span(after_).subspan(first_after_[place], first_after_[place + 1] - first_after_[place]);
  }
  [[nodiscard]] Tick augment();

  std::vector<Arc> arcs_;  // an arc, then its way back
  // Place -> arcs from there, compressed rows: node u is places 2 u and 2 u + 1, then source and end.
  std::vector<std::uint32_t> after_, first_after_;
  std::size_t source_;
  std::size_t end_;
  std::vector<Tick> weights_;
  // For `augment`: per place.
  std::vector<Tick> work_;
  std::vector<std::size_t> by_;
  std::vector<char> waits_;
  std::vector<std::size_t> queue_;  // a ring: no place waits twice
};

/// Of the nodes of a class on one of its pools, fewer chains than the pool has processors; where their flow would take long, one.
[[nodiscard]] std::size_t chains_sought(const Class& c, std::size_t processors);
[[nodiscard]] std::vector<bool> is_on_pool(const Class& c, std::size_t local);

}  // namespace rta::analysis::path
