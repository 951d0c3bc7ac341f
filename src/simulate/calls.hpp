// Calls that are under way in an experiment: what they wait for, and whom they hold up (Yang 2020, section 3.3).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "fifo.hpp"
#include "plan.hpp"

namespace rta::simulate {

/// Instants of issue are sequence numbers, as of stream queues.
class Calls {
 public:
  explicit Calls(const Plan& plan) : plan_(&plan) {}

  [[nodiscard]] bool any() const { return !plan_->calls.empty(); }

  /// Whether who calls the driver now waits.
  [[nodiscard]] bool blocked() const {
    return std::ranges::any_of(open_, [&](const Open& o) { return o.job != none && call(o).blocks_callers; });
  }
  /// Waits until it may call the driver, behind those that wait already.
  void hold(std::uint32_t job) { held_.push(job); }
  /// The next that may call the driver.
  [[nodiscard]] std::optional<std::uint32_t> next_held() {
    if (blocked() || held_.empty()) return std::nullopt;
    const std::uint32_t job = held_.front();
    held_.pop();
    return job;
  }

  /// A kernel or a copy is issued.
  void issue(std::uint32_t job, std::int64_t at, std::uint32_t stream) { under_way_.push_back({job, at, stream}); }
  /// A call is made. A copy by one is both issued and made.
  void make(std::uint32_t job, std::int64_t at, std::uint32_t number) { open_.push_back({job, at, number}); }
  /// A kernel or a copy has ended; by a call that returns with it.
  void end(std::uint32_t job) {
    std::erase_if(under_way_, [&](const Issued& i) { return i.job == job; });
    for (Open& o : open_) {
      if (o.job == job) o.job = none;
    }
  }

  /// A call that returns now; it counts no longer as one that waits.
  [[nodiscard]] std::optional<std::uint32_t> returned() {
    for (Open& o : open_) {
      if (o.job == none || is_copy(o) || waits(call(o), o)) continue;
      const std::uint32_t job = o.job;
      o.job = none;
      return job;
    }
    return std::nullopt;
  }
  /// Forgets calls that have returned and hold nothing any more. Whether what was issued after one of them may start now.
  [[nodiscard]] bool let_go() {
    const std::size_t before = open_.size();
    std::erase_if(open_, [&](const Open& o) { return o.job == none && (call(o).holds == HeldStreams::none || !earlier(o)); });
    return open_.size() < before;
  }

  /// Whether no call keeps an operation of that stream, issued at that instant, from starting.
  [[nodiscard]] bool may_start(std::int64_t at, std::uint32_t stream) const {
    return std::ranges::none_of(open_, [&](const Open& o) {
      if (call(o).holds == HeldStreams::none || o.at >= at) return false;
      return (call(o).holds == HeldStreams::all || !is_non_blocking(stream)) && earlier(o);
    });
  }

 private:
  struct Issued {
    std::uint32_t job = none;
    std::int64_t at = 0;
    std::uint32_t stream = none;
  };
  struct Open {
    std::uint32_t job = none;  // none: it has returned
    std::int64_t at = 0;
    std::uint32_t number = 0;
  };

  [[nodiscard]] const PlanCall& call(const Open& open) const { return plan_->calls[open.number]; }
  /// Rules N1 and N2 say when it starts, and what starts before its end.
  [[nodiscard]] bool is_copy(const Open& open) const { return call(open).awaits == Awaited::nothing && call(open).blocks_callers; }
  [[nodiscard]] bool is_non_blocking(std::uint32_t stream) const {
    return stream < plan_->non_blocking.size() && plan_->non_blocking[stream];
  }
  [[nodiscard]] bool waits(const PlanCall& call, const Open& open) const {
    return call.awaits != Awaited::nothing && std::ranges::any_of(under_way_, [&](const Issued& i) {
             return i.at < open.at && (call.awaits == Awaited::device || i.stream == call.stream);
           });
  }
  /// Whether something is under way that starts of later operations have to wait for.
  [[nodiscard]] bool earlier(const Open& open) const {
    return std::ranges::any_of(under_way_, [&](const Issued& i) {
      return i.at < open.at && (call(open).holds == HeldStreams::all || !is_non_blocking(i.stream));
    });
  }

  const Plan* plan_;
  std::vector<Issued> under_way_;
  std::vector<Open> open_;  // by instant
  Fifo held_;
};

}  // namespace rta::simulate
