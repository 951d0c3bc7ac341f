// T10w: how much work of one DAG fits beside a path on one queue, whatever its releases.
#pragma once

#include <cstddef>
#include <vector>

#include "number.hpp"

namespace checker {

/// All times in halves of a ns; the window is [0, L) after the release of the job in question.
class Fitting {
 public:
  struct Node {
    Int C, F;
    Int lim;           // of jobs released later it does not count
    std::size_t lane;  // one of each is executed at a time
  };
  /// Nominal ones are T apart or more, each release follows its own by up to J.
  struct Releases {
    Int T, J;
  };
  Fitting(std::vector<Node> nodes, Releases releases, Int L, Int m);

  /// I_d where nothing counts for more than w, or a little more.
  [[nodiscard]] Int most(Int w) const;
  /// The same of the DAG's other jobs beside one that is released at 0.
  [[nodiscard]] Int most_of_others(Int w) const;

 private:
  /// A value and how it changes from there on, to one side.
  struct Germ {
    Int at, growth;
    friend Germ operator+(Germ a, Germ b) { return {a.at + b.at, a.growth + b.growth}; }
    friend auto operator<=>(Germ a, Germ b) = default;
  };
  enum class Side : std::int8_t { before = -1, after = 1 };
  struct Sums {
    Germ later, earlier;  // of nominal releases at the phase and every T from there; of those before
    [[nodiscard]] Germ all() const { return later + earlier; }
  };
  [[nodiscard]] static Germ overlap(Int x, Int F, Int L, Side side);
  [[nodiscard]] Germ f(Int x, Int w, Side side) const;
  [[nodiscard]] Sums sums(Int phase, Int w, Side side) const;
  [[nodiscard]] std::vector<Int> breaks(Int least) const;
  [[nodiscard]] Int most_from(Int least, Int w) const;
  [[nodiscard]] Int top(Int first, Int last, Int w) const;

  std::vector<Node> nodes_;  // by lanes
  Int T_, J_, L_, m_;
  Int F_ = 0, lim_ = 0;  // the largest
};

}  // namespace checker
