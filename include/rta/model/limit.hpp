// When a search, an analysis or a simulation has to end before it is done: the one object that is asked. Nothing else reads a clock for
// that or looks for signals.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <utility>

namespace rta {

/// Three limits, each there only where it was set: a request from outside (std::stop_source, e.g. of a signal), an instant of real time,
/// and an amount of work, which ends the same search at the same place on every machine. Copies share the request, and each counts its own
/// work; so one object serves one thread.
class Limit {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Cause : std::uint8_t { none, request, time, effort };

  /// Never reached.
  Limit() = default;
  /// Reached when a stop is requested.
  explicit Limit(std::stop_token stop) : stop_(std::move(stop)) {}

  /// The same limit that ends at `instant`, too, unless an earlier one was set.
  [[nodiscard]] Limit until(Clock::time_point instant) const {
    Limit sooner = *this;
    if (!sooner.end_ || instant < *sooner.end_) sooner.end_ = instant;
    return sooner;
  }
  /// The same from now on, so long; a time past the clock's range is no limit.
  [[nodiscard]] Limit within(std::chrono::nanoseconds time) const {
    const auto now = Clock::now();
    return time > Clock::time_point::max() - now ? *this : until(now + time);
  }
  /// The same request and instant with an amount of work of its own, counted from 0: what one of several searches may spend.
  [[nodiscard]] Limit with_effort(std::uint64_t most) const {
    Limit own = *this;
    own.most_ = most;
    own.spent_ = 0;
    return own;
  }

  /// Counts work that was done. What a unit is (a round, an evaluation) is for the search to say.
  void spend(std::uint64_t effort = 1) { spent_ += effort; }
  [[nodiscard]] std::uint64_t spent() const { return spent_; }

  [[nodiscard]] bool reached() const { return cause() != Cause::none; }
  /// The first that holds, in the order of requests, work and time.
  [[nodiscard]] Cause cause() const {
    if (stop_.stop_requested()) return Cause::request;
    if (most_ && spent_ >= *most_) return Cause::effort;
    if (end_ && Clock::now() >= *end_) return Cause::time;
    return Cause::none;
  }

 private:
  std::stop_token stop_;
  std::optional<Clock::time_point> end_;
  std::optional<std::uint64_t> most_;
  std::uint64_t spent_ = 0;
};

}  // namespace rta
