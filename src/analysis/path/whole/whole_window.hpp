// T10d: how much work of one DAG fits beside a path, the DAG taken as a whole.
#pragma once

#include <algorithm>
#include <boost/container/static_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "analysis/path/whole/first_share.hpp"
#include "analysis/path/whole/work_left.hpp"
#include "analysis/path/whole/work_within.hpp"
#include "rta/model/quantity.hpp"

namespace rta::analysis::path {

struct WholeWindow;

/// Of jobs whose age bounds what they have left: for how long the first of two runs beside the window so that both do the most.
class FirstJob {
 public:
  struct Shares {
    std::int64_t first = 0;  // halves of a ns, rounded down
    std::int64_t work = 0;   // of both, likewise, rounded up
  };
  /// For windows that are short, with these jobs.
  void set(const WholeWindow& window);
  [[nodiscard]] bool is_of(std::int64_t E, std::int64_t F) const { return E == E_ && F == F_ && (narrow_ || wide_); }
  /// What the first job does in t halves of a ns, or in no more than all of its time: no less than that where it is bound by that alone.
  [[nodiscard]] std::int64_t at(std::int64_t t) const { return narrow_ ? narrow_->at(t) : static_cast<std::int64_t>(wide_->at(t)); }
  /// Of their time, `both` ns: of the first, `latest` halves at most.
  [[nodiscard]] Shares shares(const WholeWindow& window, std::int64_t both, std::int64_t latest) const;

 private:
  [[nodiscard]] static bool is_narrow(const WholeWindow& window);

  std::int64_t E_ = 0;
  std::int64_t F_ = 0;
  std::optional<FirstShare<std::int64_t>> narrow_;
  std::optional<FirstShare<Wide>> wide_;
};

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
  const FirstJob* first = nullptr;  // as these jobs have it, where that is known

  static constexpr std::int64_t most_jobs = 64;  // of which the work is summed one by one
  [[nodiscard]] std::int64_t jobs() const { return static_cast<std::int64_t>((Wide{L} + F + J) / T); }
  [[nodiscard]] bool is_short() const { return jobs() < most_jobs; }
  /// The first and the last of n + 1 jobs, by their releases.
  [[nodiscard]] std::int64_t apart(std::int64_t n) const { return std::max<std::int64_t>(0, n * T - J); }

  /// h: the most that one job does within `halves` of a ns, or in the whole window.
  [[nodiscard]] std::int64_t within(std::int64_t halves) const {
    const std::int64_t t = std::min({halves, 2 * L, 2 * F});
    return t <= 0 ? 0 : job->at(t);
  }

  /// Work grows by `rate` ns, at least, for every ns by which L grows by so many.
  struct Rise {
    std::int64_t rises_for = 0;
    std::int64_t rate = 0;
  };
  struct Most {
    std::int64_t work = 0;                                // halves of a ns
    boost::container::static_vector<Rise, 8> rises = {};  // together
  };
  /// Over all releases. Requires `is_short`.
  [[nodiscard]] Most most() const {
    Most most;
    if (last + F <= 0) return most;
    FirstJob own;
    const FirstJob* first_job = first;
    most.work = within(2 * std::min(F, last + F));
    const bool may_be_less = left != nullptr && last < 0;
    if (may_be_less) most.work = std::min(most.work, left->in_last(2 * last + E));
    if (!may_be_less && L < std::min(F, last + F)) set_rises(2 * L, 2 * std::min(F, last + F), 2, most);
    const std::int64_t whole = within(2 * std::min(L, F));
    // With most jobs first: these do most, mostly.
    for (std::int64_t n = (std::min(L, last) + F + J - 1) / T; n > 0; --n) {
      if ((n + 1) * whole <= most.work) break;
      const std::int64_t both = L + F - apart(n);             // of the first and the last together
      const std::int64_t latest = 2 * (last + F - apart(n));  // of the first at most, halves of a ns
      const std::int64_t t = std::min(both, latest);
      const std::int64_t at_t = within(t);
      const std::int64_t shares = at_t + within(2 * both - t);
      if ((n - 1) * whole + shares <= most.work) continue;
      if (left != nullptr && first_job == nullptr) {
        own.set(*this);
        first_job = &own;
      }
      if (left != nullptr && first_job->at(t) < at_t) {
        const FirstJob::Shares less = first_job->shares(*this, both, latest);
        const std::int64_t work = (n - 1) * whole + less.work;
        if (work <= most.work) continue;
        most = {work, {}};
        set_rises(2 * both - less.first, std::min(2 * F, 2 * L), 2, most);
        continue;
      }
      most = {(n - 1) * whole + shares, {}};
      if (left != nullptr) {
        set_rises(2 * both - t, std::min(2 * F, 2 * L), 2, most);
      } else if (t == both) {
        set_rises(both, std::min({latest, 2 * F, 2 * L}), 1, most);
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
  /// With t, which grows by so many halves for every ns by which L does, up to `end`. h grows by less and less.
  void set_rises(std::int64_t t, std::int64_t end, std::int64_t halves, Most& most) const {
    most.rises.clear();
    const auto lines = job->lines();
    const auto corners = job->corners();
    std::size_t i = 0;
    while (i < corners.size() && Wide{t} * corners[i].of >= corners[i].t) ++i;
    for (; end > t && i < corners.size() && most.rises.size() < most.rises.capacity(); ++i) {
      const std::int64_t until = std::min(end, corners[i].t / corners[i].of);
      if (until >= t + halves) most.rises.push_back({(until - t) / halves, lines[i].rate - (until == end ? 0 : lines[i + 1].rate)});
      if (until == end) break;
    }
  }
};

}  // namespace rta::analysis::path
