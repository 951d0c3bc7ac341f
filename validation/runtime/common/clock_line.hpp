// The GPU's clock on the host's: a straight line through pairs of readings.
#pragma once

#include <cstdint>

namespace common {

/// Both clocks at one instant.
struct ClockPair {
  std::int64_t host = 0;
  std::int64_t gpu = 0;
  std::int64_t error = 0;  // the two readings are apart by at most this
};

/// A straight line through two clock pairs.
class GpuClock {
 public:
  GpuClock() = default;
  /// Through one pair: the same rate is assumed.
  explicit GpuClock(const ClockPair& pair) : origin_(pair) {}
  GpuClock(const ClockPair& first, const ClockPair& second)
      : origin_(second),
        rate_(static_cast<double>(second.host - first.host) / static_cast<double>(second.gpu - first.gpu)),
        rate_error_(static_cast<double>(first.error + second.error) / static_cast<double>(second.host - first.host)) {}

  [[nodiscard]] std::int64_t to_host(std::int64_t gpu) const {
    const std::int64_t passed = gpu - origin_.gpu;
    // The difference of the rates is small, so the product with it keeps its ns in a double.
    return origin_.host + passed + static_cast<std::int64_t>(static_cast<double>(passed) * (rate_ - 1.0));
  }
  [[nodiscard]] std::int64_t error() const { return origin_.error; }
  /// Host ns per GPU ns.
  [[nodiscard]] double rate() const { return rate_; }
  /// How far block times on this line may be from the truth at an instant: 1 ms, the error of the readings, drawn out with the line (on
  /// a busy machine a reader may lose its processor between two readings), and 5 millionths of the time since its second pair.
  [[nodiscard]] std::int64_t tolerance(std::int64_t host) const {
    const std::int64_t since = host > origin_.host ? host - origin_.host : 0;
    return 1'000'000 + origin_.error + since / 200'000 + static_cast<std::int64_t>(static_cast<double>(since) * rate_error_);
  }
  /// How far the line is off at a later pair, at least: less what reading that may have been wrong by.
  [[nodiscard]] std::int64_t drift(const ClockPair& later) const {
    const std::int64_t difference = to_host(later.gpu) - later.host;
    const std::int64_t distance = difference < 0 ? -difference : difference;
    return distance > later.error ? distance - later.error : 0;
  }

 private:
  ClockPair origin_;
  double rate_ = 1.0;
  double rate_error_ = 0.0;
};

}  // namespace common
