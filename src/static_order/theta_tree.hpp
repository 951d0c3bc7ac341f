// Vilím's Θ-Λ-tree (P. Vilím, Global Constraints in Scheduling, PhD thesis, Prague 2007): the earliest end of a set of tasks on one
// machine.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "problem.hpp"

namespace rta::static_order {

/// Leaves are tasks in the order of their earliest starts. White tasks are in the set; at most one grey task may be added to it.
class ThetaTree {
 public:
  void reset(std::size_t leaves) {
    size_ = std::bit_ceil(std::max<std::size_t>(leaves, 1));
    nodes_.assign(2 * size_, Node{});
  }
  void add(std::size_t leaf, Ns start, Ns length) { set(leaf, {length, start + length, length, start + length, none, none}); }
  void remove(std::size_t leaf) { set(leaf, {}); }
  void make_grey(std::size_t leaf, Ns start, Ns length) {
    const auto id = static_cast<std::uint32_t>(leaf);
    set(leaf, {0, empty, length, start + length, id, id});
  }
  /// Earliest end of the white tasks; `empty` when there is none.
  [[nodiscard]] Ns end() const { return nodes_[1].end; }
  /// The same with the grey task that makes it largest, and that task's leaf (none: no grey task does).
  [[nodiscard]] Ns end_with_grey() const { return nodes_[1].grey_end; }
  [[nodiscard]] std::uint32_t responsible() const { return nodes_[1].by_end; }

  static constexpr Ns empty = -never * 4;

 private:
  struct Node {
    Ns sum = 0;
    Ns end = empty;
    Ns grey_sum = 0;
    Ns grey_end = empty;
    std::uint32_t by_sum = none, by_end = none;  // the grey leaf behind grey_sum, grey_end
  };

  void set(std::size_t leaf, const Node& node) {
    std::size_t at = size_ + leaf;
    nodes_[at] = node;
    while ((at /= 2) > 0) nodes_[at] = join(nodes_[2 * at], nodes_[2 * at + 1]);
  }

  static Node join(const Node& left, const Node& right) {
    Node node;
    node.sum = left.sum + right.sum;
    node.end = std::max(right.end, left.end + right.sum);
    node.grey_sum = left.grey_sum + right.sum;
    node.by_sum = left.by_sum;
    if (left.sum + right.grey_sum > node.grey_sum || (node.by_sum == none && left.sum + right.grey_sum == node.grey_sum)) {
      node.grey_sum = left.sum + right.grey_sum;
      node.by_sum = right.by_sum;
    }
    node.grey_end = right.grey_end;
    node.by_end = right.by_end;
    const auto offer = [&](Ns end, std::uint32_t by) {
      if (end > node.grey_end) {
        node.grey_end = end;
        node.by_end = by;
      }
    };
    offer(left.end + right.grey_sum, right.by_sum);
    offer(left.grey_end + right.sum, left.by_end);
    return node;
  }

  std::size_t size_ = 1;
  std::vector<Node> nodes_;
};

}  // namespace rta::static_order
