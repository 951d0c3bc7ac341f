#include "rta/generate/fixed_sum.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "elementary.hpp"

namespace rta::generate {
namespace {

void shuffle(Stream& stream, std::span<double> x) {
  for (std::size_t i = x.size(); i > 1; --i) std::swap(x[i - 1], x[stream.below(i)]);
}

// Uniform numbers from (0, 1], for the last of (0, 1) is rounded: each goes at once near the place that is to be expected for it, and moves
// on from there.
void sort_uniform(std::span<double> x) {
  constexpr std::size_t most = 128;
  if (x.size() > most) {
    std::sort(x.begin(), x.end());
    return;
  }
  std::array<double, most> drawn;
  std::array<std::uint8_t, most> group;
  std::array<std::uint8_t, most + 2> end{};
  for (std::size_t i = 0; i < x.size(); ++i) {
    drawn[i] = x[i];
    group[i] = static_cast<std::uint8_t>(x[i] * static_cast<double>(x.size()));
    ++end[group[i] + 1U];
  }
  for (std::size_t g = 1; g <= x.size(); ++g) end[g] = static_cast<std::uint8_t>(end[g] + end[g - 1]);
  for (std::size_t i = 0; i < x.size(); ++i) x[end[group[i]]++] = drawn[i];
  for (std::size_t i = 1; i < x.size(); ++i) {
    const double value = x[i];
    std::size_t at = i;
    for (; at > 0 && value < x[at - 1]; --at) x[at] = x[at - 1];
    x[at] = value;
  }
}

// x[p] = x[p]^(1 / root[p]), four at once on processors that can; the same last bit everywhere, as each step is rounded alone. Which code
// it is, is chosen before ThreadSanitizer has started.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
[[gnu::target_clones("avx2", "default")]]
#endif
void take_roots(double* x, const double* root, std::size_t count) {
  for (std::size_t p = 0; p < count; ++p) x[p] = exponential(natural_log(x[p]) / root[p]);
}

}  // namespace

// The slice of the unit cube is a union of simplices; w[i][j] is (up to a factor per row) the volume of those of type j in dimension i.
// From type k in dimension n the types that can follow in dimension i are k - (n - i) to k: no others are computed, as beside the largest
// of all these would underflow where s is near 0 or n.
RandFixedSum::RandFixedSum(std::size_t n, double s) : n_(n), s_(s) {
  const double last = static_cast<double>(n) - 1;
  simplex_ = static_cast<std::size_t>(std::max(0.0, std::min(std::floor(s), last)));
  const auto k = static_cast<double>(simplex_);
  transition_.assign(n * n, 0.0);
  std::vector<double> above(n + 1, 0.0), row(n + 1, 0.0);
  above[1] = 1;
  for (std::size_t i = 2; i <= n; ++i) {
    std::fill(row.begin(), row.end(), 0.0);
    double largest = 0;
    const std::size_t first = simplex_ - std::min(simplex_, n - i);
    const std::size_t end = std::min(simplex_ + 1, i);
    for (std::size_t j = first; j < end; ++j) {
      const double s1 = s - k + static_cast<double>(j);                           // distance to the lower corner
      const double s2 = k + static_cast<double>(i) - static_cast<double>(j) - s;  // distance to the upper corner
      const double through_lower = above[j + 1] * s1 / static_cast<double>(i);
      const double through_upper = above[j] * s2 / static_cast<double>(i);
      row[j + 1] = through_lower + through_upper;
      largest = std::max(largest, row[j + 1]);
      double& t = transition_[(i - 2) * n + j];
      if (row[j + 1] <= 0) {
        t = j == 0 ? 0.0 : 1.0;  // never reached, or a corner, at which every way is the same; keeps the type within its row
      } else {
        t = s2 > s1 ? through_upper / row[j + 1] : 1 - through_lower / row[j + 1];
      }
    }
    // Only ratios within a row matter: keep the row away from underflow.
    for (std::size_t j = 0; j <= i; ++j) above[j] = largest > 0 ? row[j] / largest : 0;
  }
}

// In parts: what is random first, then the powers, which do not wait for each other, then the sums.
void RandFixedSum::draw(Stream& stream, std::span<double> x) const {
  constexpr std::size_t most = 64;
  std::array<double, most> upper, shrink, dimension;
  double s = s_;
  double sum = 0;
  double product = 1;
  std::size_t j = simplex_ + 1;
  for (std::size_t i = n_ - 1; i >= 1;) {
    const std::size_t part = std::min(i, most);
    for (std::size_t p = 0; p < part; ++p) {
      const bool to_upper = stream.real() <= transition_[(i - p - 1) * n_ + j - 1];
      j -= static_cast<std::size_t>(to_upper);
      upper[p] = static_cast<double>(to_upper);
      shrink[p] = stream.real();
      dimension[p] = static_cast<double>(i - p);
    }
    take_roots(shrink.data(), dimension.data(), part);
    for (std::size_t p = 0; p < part; ++p) {
      sum += (1 - shrink[p]) * product * s / (dimension[p] + 1);
      product *= shrink[p];
      x[n_ - 1 - i + p] = sum + product * upper[p];
      s -= upper[p];
    }
    i -= part;
  }
  x[n_ - 1] = sum + product * s;
  shuffle(stream, x);
}

void draw_spacings(Stream& stream, double s, std::span<double> x) {
  const std::size_t n = x.size();
  for (std::size_t i = 0; i + 1 < n; ++i) x[i] = stream.real();
  x[n - 1] = 1;
  sort_uniform(x.first(n - 1));
  for (std::size_t i = n - 1; i >= 1; --i) x[i] = (x[i] - x[i - 1]) * s;
  x[0] *= s;
}

bool draw_spacings_discard(Stream& stream, double s, double upper, std::size_t tries, std::span<double> x) {
  for (std::size_t t = 0; t < tries; ++t) {
    draw_spacings(stream, s, x);
    if (std::all_of(x.begin(), x.end(), [&](double u) { return u <= upper; })) return true;
  }
  return false;
}

void BoundedFixedSum::draw(Stream& stream, double s, std::span<const double> lower, std::span<const double> upper, std::span<double> x) {
  const std::size_t n = x.size();
  width_.resize(n);
  decay_.resize(n);
  double rest = s;
  double widths = 0;
  std::size_t widest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    width_[i] = upper[i] - lower[i];
    rest -= lower[i];
    widths += width_[i];
    if (width_[i] > width_[widest]) widest = i;
  }
  const double fill = widths > 0 ? rest / widths : 0;
  if (!(fill > 1e-12) || !(fill < 1 - 1e-12) || n == 1) {  // a corner: nothing is random
    for (std::size_t i = 0; i < n; ++i) x[i] = lower[i] + width_[i] * std::clamp(fill, 0.0, 1.0);
    return;
  }
  // x -> upper - x turns a nearly full box into a nearly empty one: the rate is then never negative.
  const bool mirrored = fill > 0.5;
  const double target = mirrored ? widths - rest : rest;

  // Rate with sum of means = target, by Newton's method from the exponentials' own. Mean of one: 1/rate - w / (e^(rate w) - 1).
  double rate = fill == 0.5 ? 0 : static_cast<double>(n) / target * std::max(0.0, 1 - 2 * target / widths);
  for (int step = 0; step < 8 && rate * width_[widest] > 1e-3; ++step) {
    double mean = 0;
    double slope = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double a = rate * width_[i];
      if (a < 1e-3) {
        mean += width_[i] * (0.5 - a / 12);
        slope -= width_[i] * width_[i] / 12;
      } else {
        const double d = exponential(-std::min(a, 600.0));
        mean += 1 / rate - width_[i] * d / (1 - d);
        slope += -1 / (rate * rate) + width_[i] * width_[i] * d / ((1 - d) * (1 - d));
      }
    }
    const double next = rate - (mean - target) / slope;
    const bool close = std::abs(next - rate) < 0.01 * rate;
    rate = next > 0 ? next : rate / 4;
    if (close) break;
  }
  const bool flat = rate * width_[widest] <= 1e-3;
  for (std::size_t i = 0; i < n; ++i) decay_[i] = 1 - (flat ? 1.0 : exponential(-std::min(rate * width_[i], 600.0)));

  while (true) {
    double left = target;
    for (std::size_t i = 0; i < n && left >= 0; ++i) {
      if (i == widest) continue;
      const double r = stream.real();
      x[i] = flat ? r * width_[i] : std::min(width_[i], -natural_log(1 - r * decay_[i]) / rate);
      left -= x[i];
    }
    if (left < 0 || left > width_[widest]) continue;
    if (!flat && stream.real() > exponential(-std::min(rate * left, 600.0))) continue;
    x[widest] = left;
    break;
  }
  for (std::size_t i = 0; i < n; ++i) x[i] = mirrored ? upper[i] - x[i] : lower[i] + x[i];
}

}  // namespace rta::generate
