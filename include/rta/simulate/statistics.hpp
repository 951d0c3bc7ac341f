// Streaming statistics of response times: constant memory however long the simulated time.
#pragma once

#include <cstdint>

#include "rta/model/histogram.hpp"
#include "rta/model/quantity.hpp"

namespace rta::simulate {

/// Count, mean and maximum are exact; a quantile is never below the exact one and at most 1/128 of it above. Two cache lines, and one more
/// now and then.
class alignas(64) Statistics {
 public:
  /// Adds one response time >= 0; `job` is the number of the job that had it.
  void add(std::int64_t ns, std::uint64_t job) {
    const auto value = static_cast<std::uint64_t>(ns);
    if (value > values_.max() || values_.count() == 0) worst_job_ = job;
    values_.add(value);
  }

  [[nodiscard]] std::uint64_t count() const { return values_.count(); }
  /// The rest requires count() > 0.
  [[nodiscard]] Time max() const { return Time(static_cast<std::int64_t>(values_.max())); }
  /// The job (from 0) that first had the maximum.
  [[nodiscard]] std::uint64_t worst_job() const { return worst_job_; }
  [[nodiscard]] double mean() const { return values_.mean(); }
  /// At least `ppm` millionths of all values are <= this. 0 < ppm <= 1'000'000.
  [[nodiscard]] Time quantile(std::uint32_t ppm) const { return Time(static_cast<std::int64_t>(values_.quantile(ppm))); }
  [[nodiscard]] Time p99() const { return quantile(990'000); }

  bool operator==(const Statistics&) const = default;

 private:
  Histogram<7> values_;
  std::uint64_t worst_job_ = 0;
};

}  // namespace rta::simulate
