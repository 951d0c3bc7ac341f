// T10d: h, the most that one job of a DAG does in a time.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <span>

namespace rta::analysis::path {

/// On m processors, of nodes that do V together: m t and V at most, and with disjoint chains, each of which runs one node at a time, all
/// but theirs and t for each. Times and work in halves of a ns.
class WorkWithin {
 public:
  WorkWithin() = default;
  /// `families`: what 1, 2, ... disjoint chains do at most, ns, as V.
  WorkWithin(std::int64_t V, std::span<const std::int64_t> families, std::int64_t m) { set(V, families, m); }
  void set(std::int64_t V, std::span<const std::int64_t> families, std::int64_t m);

  struct Line {
    std::int64_t rate = 0;
    std::int64_t at_0 = 0;
  };
  /// t over `of`.
  struct Corner {
    std::int64_t t = 0;
    std::int64_t of = 1;
  };
  /// The steepest first; each is the least somewhere, from the corner before it to that behind it.
  [[nodiscard]] std::span<const Line> lines() const { return {lines_.data(), lines_.size()}; }
  [[nodiscard]] std::span<const Corner> corners() const { return {corners_.data(), corners_.size()}; }
  [[nodiscard]] std::int64_t V() const { return V_; }  // ns
  [[nodiscard]] std::int64_t m() const { return lines_.front().rate; }

  /// Over `of`, at t/of >= 0. N has room for processors times t, and for all work times `of`.
  template <class N>
  [[nodiscard]] N at(N t, N of) const {
    N least = N{lines_.front().rate} * t;
    for (std::size_t i = 1; i < lines_.size(); ++i) {
      const N next = N{lines_[i].rate} * t + N{lines_[i].at_0} * of;
      if (next > least) break;
      least = next;
    }
    return least;
  }
  template <class N>
  [[nodiscard]] N at(N t) const {
    return at(t, N{1});
  }

 private:
  std::int64_t V_ = 0;
  boost::container::small_vector<Line, 8> lines_;
  boost::container::small_vector<Corner, 8> corners_;
};

}  // namespace rta::analysis::path
