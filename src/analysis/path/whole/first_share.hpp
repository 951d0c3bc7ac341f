// T10d: what the first of two jobs has left to do in a time, and the best time for it.
#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>

#include "analysis/path/whole/work_left.hpp"
#include "analysis/path/whole/work_within.hpp"
#include "rta/model/quantity.hpp"

namespace rta::analysis::path {

/// g: the least of h and of what is done in so long, and by E - F more, before a job's end on infinitely many processors. Piece by piece a
/// line. N: a whole number with room for work times the square of processors. Halves of a ns.
template <class N>
class FirstShare {
 public:
  /// `end`: from there on h grows no more, 2 F.
  FirstShare(const WorkWithin& job, const WorkLeft& left, N shift, N end);

  struct Most {
    N first = 0;  // rounded down
    N work = 0;   // rounded up
  };
  /// Of the first job and the last, both of which have no more than h(end) where `end` is less, for `both` together, the first for no more
  /// than `latest`.
  [[nodiscard]] Most most(const WorkWithin& job, N both, N latest, N end) const;
  /// g(t), t a whole number of halves.
  [[nodiscard]] N at(N t) const { return value(piece_at({t, 1}), {t, 1}); }

 private:
  struct Instant {
    N t = 0;  // over `of`
    N of = 1;
    [[nodiscard]] friend bool operator<(const Instant& a, const Instant& b) { return a.t * b.of < b.t * a.of; }
  };
  struct Piece {
    Instant begin;
    N rate = 0;
    N at_0 = 0;
    bool slower = false;  // than the one before it
  };
  [[nodiscard]] std::size_t piece_at(const Instant& at) const {
    const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), at, [](const Instant& a, const Piece& b) { return a < b.begin; });
    return static_cast<std::size_t>(after - pieces_.begin()) - 1;
  }
  /// Over at.of.
  [[nodiscard]] N value(std::size_t piece, const Instant& at) const { return pieces_[piece].rate * at.t + pieces_[piece].at_0 * at.of; }
  void add(const Instant& begin, N rate, N at_0);
  class Search;

  boost::container::small_vector<Piece, 16> pieces_;
};

}  // namespace rta::analysis::path
