// Random vectors with a given sum: how a total utilization is split among tasks.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rta/generate/random.hpp"

namespace rta::generate {

/// RandFixedSum (Stafford 2006; Emberson, Stafford, Davis, WATERS 2010): uniform over { x in [0, 1]^n : sum x = s }.
/// The O(n^2) table is built once per (n, s).
class RandFixedSum {
 public:
  /// Requires n >= 1 and 0 <= s <= n.
  RandFixedSum(std::size_t n, double s);
  [[nodiscard]] std::size_t size() const { return n_; }
  [[nodiscard]] double sum() const { return s_; }
  /// Writes n numbers. Their sum is s up to rounding.
  void draw(Stream& stream, std::span<double> x) const;

 private:
  std::size_t n_;
  double s_;
  std::size_t simplex_ = 0;         // s lies in [simplex_, simplex_ + 1]
  std::vector<double> transition_;  // row i - 2: the probabilities of the type of simplex in dimension i
};

/// Uniform over { x : 0 <= x_i, sum x = s } (the distribution of UUniFast; Bini, Buttazzo 2005), as the gaps between sorted points.
void draw_spacings(Stream& stream, double s, std::span<double> x);

/// UUniFast-discard (Davis, Burns 2009): spacings, drawn again while some x_i > upper. False after `tries` failures.
[[nodiscard]] bool draw_spacings_discard(Stream& stream, double s, double upper, std::size_t tries, std::span<double> x);

/// Uniform over { x : lower_i <= x_i <= upper_i, sum x = s }: the problem of the Dirichlet-rescale algorithm (DRS; Griffin, Bate, Davis,
/// RTSS 2020). Drawn by rejection from exponentials truncated to the ranges: an exponential tilt does not change the distribution given
/// the sum, so any rate is right and a good one is fast (some sqrt(n) tries). Requires sum lower <= s <= sum upper.
class BoundedFixedSum {
 public:
  void draw(Stream& stream, double s, std::span<const double> lower, std::span<const double> upper, std::span<double> x);

 private:
  std::vector<double> width_, decay_;
};

}  // namespace rta::generate
