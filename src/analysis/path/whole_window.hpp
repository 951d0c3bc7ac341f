// T10d: how much work of one DAG fits beside a path, the DAG taken as a whole.
#pragma once

#include <algorithm>
#include <cstdint>

#include "analysis/path/work_left.hpp"
#include "analysis/path/work_within.hpp"
#include "rta/model/quantity.hpp"

namespace rta::analysis::path {

/// Jobs of a DAG, nominally at least T apart and each released up to J later, which do their work between their releases and F later,
/// beside the window [0, L) after the release of the job in question. Times are in ns, work in halves of a ns; nothing is rounded.
struct WholeWindow {
  std::int64_t F = 0;
  std::int64_t T = 1;
  std::int64_t L = 0;
  std::int64_t last = 0;            // of jobs released later nothing counts
  const WorkWithin* job = nullptr;  // of its nodes that count
  const WorkLeft* left = nullptr;   // a job has no more left than is done in so long before the end as is left of E
  std::int64_t E = 0;               // after its release; halves of a ns
  std::int64_t J = 0;

  static constexpr std::int64_t most_jobs = 64;  // of which the work is summed one by one
  [[nodiscard]] bool is_short() const { return (Wide{L} + F + J) / T < most_jobs; }
  /// The first and the last of n + 1 jobs, by their releases.
  [[nodiscard]] std::int64_t apart(std::int64_t n) const { return std::max<std::int64_t>(0, n * T - J); }

  /// h: the most that one job does within `halves` of a ns, or in the whole window.
  [[nodiscard]] std::int64_t within(std::int64_t halves) const {
    const std::int64_t t = std::min({halves, 2 * L, 2 * F});
    return t <= 0 ? 0 : job->at(t);
  }

  struct Most {
    std::int64_t work = 0;       // halves of a ns
    std::int64_t rate = 0;       // it grows by this many ns at least
    std::int64_t rises_for = 0;  // for every ns by which L grows by so many
  };
  /// Over all releases. Requires `is_short`.
  [[nodiscard]] Most most() const {
    Most most;
    if (last + F <= 0) return most;
    most.work = within(2 * std::min(F, last + F));
    const bool may_be_less = left != nullptr && last < 0;
    if (may_be_less) most.work = std::min(most.work, left->in_last(2 * last + E));
    if (!may_be_less && L < std::min(F, last + F)) set_rise(2 * L, 2 * std::min(F, last + F), 2, most);
    const std::int64_t whole = within(2 * std::min(L, F));
    // With most jobs first: these do most, mostly.
    for (std::int64_t n = (std::min(L, last) + F + J - 1) / T; n > 0; --n) {
      const std::int64_t both = L + F - apart(n);             // of the first and the last together
      const std::int64_t latest = 2 * (last + F - apart(n));  // of the first at most, halves of a ns
      const std::int64_t t = std::min(both, latest);
      const std::int64_t at_t = within(t);
      Shares shares{t, at_t + within(2 * both - t), true};
      if ((n - 1) * whole + shares.work < most.work) continue;
      if (left != nullptr && left->in_last(t + E - 2 * F) < at_t) shares = shares_of_less(both, latest);
      const std::int64_t work = (n - 1) * whole + shares.work;
      if (work < most.work) continue;
      most = {work, 0, 0};
      if (left != nullptr) {
        if (shares.is_exact) set_rise(2 * both - shares.first, std::min(2 * F, 2 * L), 2, most);
      } else if (t == both) {
        set_rise(both, std::min({latest, 2 * F, 2 * L}), 1, most);
      }
    }
    return most;
  }

  /// Released at all multiples of T but 0, or up to J closer. Requires `is_short`.
  [[nodiscard]] std::int64_t at_periods() const {
    std::int64_t work = 0;
    for (std::int64_t j = 1; apart(j) < L && apart(j) <= last; ++j) work += within(2 * (L - apart(j)));
    for (std::int64_t j = 1; apart(j) < F; ++j) work += within(2 * (F - apart(j)));
    return work;
  }

 private:
  struct Shares {
    std::int64_t first = 0;  // halves of a ns
    std::int64_t work = 0;   // of both, likewise
    bool is_exact = true;    // else `first` is more by a part of one
  };
  /// Of the time of the first job and the last, `both` ns: for how long the first, `latest` halves at most, so that they do the most.
  [[nodiscard]] Shares shares_of_less(std::int64_t both, std::int64_t latest) const;
  /// With t, which grows by so many halves for every ns by which L does, up to `end` or where h begins to grow by less.
  void set_rise(std::int64_t t, std::int64_t end, std::int64_t halves, Most& most) const {
    if (end <= t) return;
    const WorkWithin::Rise rise = job->rise(t);
    const std::int64_t until = std::min(end, rise.until);
    if (until < t + halves) return;
    most.rate = rise.rate;
    most.rises_for = (until - t) / halves;
  }
};

}  // namespace rta::analysis::path
