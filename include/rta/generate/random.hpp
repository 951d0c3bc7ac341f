// Random numbers that are the same on every machine: a counter-based generator (Philox 4x64-10; Salmon et al., SC 2011) and exact
// distributions on integers. The distributions of the standard library differ between its implementations, libm between processors.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "rta/model/quantity.hpp"

namespace rta::generate {

/// Which random task set: number `index` of grid point `point` under `seed`. Two that differ share no random number.
struct SetId {
  std::uint64_t seed = 0;
  std::uint64_t point = 0;
  std::uint64_t index = 0;
  bool operator==(const SetId&) const = default;
};

/// What the numbers are for: each stage has its own, so that asking for other shapes leaves the periods as they are.
enum class Stage : std::uint8_t { sizes, periods, shapes, pools, blocks, cpu_utilization, gpu_utilization, groups, phases, grouped };

/// An exact fraction; denominator > 0.
struct Fraction {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
  [[nodiscard]] double approximate() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
  bool operator==(const Fraction&) const = default;
};

/// The random numbers of one stage of one set: a function of (seed, point, index, stage) alone. A uniform random bit generator.
class Stream {
 public:
  using result_type = std::uint64_t;
  /// `attempt` counts how often the set was drawn anew because it could not have its total utilization.
  Stream(const SetId& id, Stage stage, std::uint32_t attempt = 0)
      : seed_(id.seed), point_(id.point), index_(id.index), stage_((std::uint64_t{attempt} << 8) | static_cast<std::uint64_t>(stage)) {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()() {
    if (used_ >= block_.size()) refill();
    return block_[used_++];
  }

  /// Uniform in {0 .. bound - 1}, exactly. Requires bound > 0. (Lemire, ACM TOMACS 29, 2019.)
  std::uint64_t below(std::uint64_t bound) {
    UnsignedWide product = static_cast<UnsignedWide>((*this)()) * bound;
    if (static_cast<std::uint64_t>(product) < bound) {
      const std::uint64_t threshold = -bound % bound;
      while (static_cast<std::uint64_t>(product) < threshold) product = static_cast<UnsignedWide>((*this)()) * bound;
    }
    return static_cast<std::uint64_t>(product >> 64);
  }
  /// Uniform in {low .. high}. Requires 0 <= low <= high.
  std::uint64_t between(std::uint64_t low, std::uint64_t high) {
    if (low < high) return low + below(high - low + 1);
    ++used_;  // takes its number, but need not know it
    return low;
  }
  /// True with exactly that probability. Requires 0 <= p <= 1.
  bool chance(const Fraction& p) { return below(static_cast<std::uint64_t>(p.denominator)) < static_cast<std::uint64_t>(p.numerator); }
  /// Uniform in the open interval (0, 1): an odd multiple of 2^-54.
  double real() { return (static_cast<double>((*this)() >> 11) + 0.5) * 0x1p-53; }
  /// x in {low .. high} with probability proportional to 1/x, exactly. Requires 1 <= low <= high < 2^62.
  std::uint64_t log_uniform(std::uint64_t low, std::uint64_t high);
  /// As many, the same as one after the other.
  void log_uniform(std::uint64_t low, std::uint64_t high, std::span<std::uint64_t> drawn);

 private:
  __extension__ using UnsignedWide = unsigned __int128;
  static constexpr std::size_t kept = 2, fresh = 8;
  void refill();
  std::uint64_t log_uniform_of(std::uint64_t low, std::uint64_t high, std::uint64_t octaves);

  std::uint64_t seed_, point_, index_, stage_;
  std::uint64_t blocks_ = 0;
  std::array<std::uint64_t, kept + fresh> block_{};  // the last of before, and the next
  std::size_t used_ = kept + fresh;                  // past the end: numbers that nobody looks at
};

/// A value that is drawn with probability weight / (sum of weights).
template <class T>
struct Weighted {
  T value{};
  std::uint64_t weight = 1;
  bool operator==(const Weighted&) const = default;
};

/// Values with weights. Requires at least one positive weight; the sum of the weights stays below 2^64.
template <class T>
class Choice {
 public:
  Choice() = default;
  explicit Choice(std::vector<Weighted<T>> values) : values_(std::move(values)) {
    for (const auto& v : values_) total_ = checked_add(total_, v.weight);
  }
  [[nodiscard]] const std::vector<Weighted<T>>& values() const { return values_; }
  [[nodiscard]] const T& draw(Stream& stream) const {
    if (values_.size() == 1) return values_.front().value;
    std::uint64_t ticket = stream.below(total_);
    std::size_t at = 0;
    while (ticket >= values_[at].weight) ticket -= values_[at++].weight;
    return values_[at].value;
  }
  bool operator==(const Choice&) const = default;

 private:
  std::vector<Weighted<T>> values_;
  std::uint64_t total_ = 0;
};

}  // namespace rta::generate
