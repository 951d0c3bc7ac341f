// Streaming statistics of response times: constant memory however long the simulated time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rta/model/quantity.hpp"

namespace rta::simulate {

/// Count, sum, maximum and a log-linear histogram (as HdrHistogram's): 128 buckets for each power of two, so that a quantile is never
/// below the exact one and at most 1/128 of it above.
class Statistics {
 public:
  /// Adds one response time >= 0; `job` is the number of the job that had it.
  void add(std::int64_t ns, std::uint64_t job) {
    ++count_;
    sum_ += ns;
    if (ns > max_ || count_ == 1) {
      max_ = ns;
      worst_job_ = job;
    }
    ++bucket(static_cast<std::uint64_t>(ns));
  }

  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// The rest requires count() > 0.
  [[nodiscard]] Time max() const { return Time(max_); }
  /// The job (from 0) that first had the maximum.
  [[nodiscard]] std::uint64_t worst_job() const { return worst_job_; }
  [[nodiscard]] double mean() const { return static_cast<double>(sum_) / static_cast<double>(count_); }
  /// At least `ppm` millionths of all values are <= this. 0 < ppm <= 1'000'000.
  [[nodiscard]] Time quantile(std::uint32_t ppm) const;
  [[nodiscard]] Time p99() const { return quantile(990'000); }

  bool operator==(const Statistics&) const = default;

 private:
  static constexpr int bits = 7;  // 2^7 buckets for each power of two
  static constexpr std::uint32_t per_octave = 1U << bits;

  // Values below 128 are exact (octave 0); octave k >= 1 holds [2^(k + 6), 2^(k + 7)).
  static std::uint32_t octave_of(std::uint64_t v) {
    return v < per_octave ? 0 : static_cast<std::uint32_t>(64 - __builtin_clzll(v) - bits);
  }
  static std::uint32_t bucket_of(std::uint64_t v, std::uint32_t octave) {
    return octave == 0 ? static_cast<std::uint32_t>(v) : static_cast<std::uint32_t>(v >> (octave - 1)) - per_octave;
  }
  std::uint64_t& bucket(std::uint64_t v) {
    const std::uint32_t octave = octave_of(v);
    if (place_[octave] == 0) open(octave);
    return buckets_[(place_[octave] - 1) * per_octave + bucket_of(v, octave)];
  }
  void open(std::uint32_t octave);

  std::uint64_t count_ = 0;
  Wide sum_ = 0;
  std::int64_t max_ = 0;
  std::uint64_t worst_job_ = 0;
  std::array<std::uint8_t, 58> place_{};  // where the octave's buckets are, from 1; 0: none yet
  std::vector<std::uint64_t> buckets_;
};

}  // namespace rta::simulate
