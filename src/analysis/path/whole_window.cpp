// T10d: the shares of the first job and the last where what the first has left bounds its work.
#include "analysis/path/whole_window.hpp"

namespace rta::analysis::path {
namespace {

/// Times in halves of a ns. N: a whole number with room for work times processors.
template <class N>
class TwoJobs {
 public:
  TwoJobs(const WholeWindow& window, N both, N latest)
      : job_(*window.job),
        left_(*window.left),
        end_(std::min(2 * N{window.L}, 2 * N{window.F})),
        shift_(N{window.E} - 2 * N{window.F}),
        both_(2 * both),
        latest_(std::min(latest, both_)),
        all_(job_.at(end_)) {}

  struct Most {
    N first = 0;
    N work = 0;
    bool is_exact = true;
  };
  /// The work of both is concave in the time of the first wherever what that has left grows evenly.
  [[nodiscard]] Most most() {
    most_ = {0, h(both_), true};
    N y = 0;
    N done = 0;
    Point from = at(std::max<N>(0, -shift_));
    for (const WorkLeft::Step& step : left_.last) {
      const Line here{N{step.height}, done - N{step.height} * (y - shift_)};
      y += 2 * N{step.width};
      done += 2 * N{step.width} * step.height;
      if (y <= shift_) continue;
      const N until = std::min(latest_, y - shift_);
      if (until < from.t) break;
      const Point to = at(until);
      look_at(here, from, to);
      from = to;
    }
    if (std::max(from.t, y - shift_) <= latest_) look_at({0, done}, from, at(latest_));
    return most_;
  }

 private:
  struct Line {
    N rate = 0;
    N at_0 = 0;
  };
  struct Instant {
    N t = 0;  // over `of`
    N of = 1;
  };
  struct Slopes {
    N left = 0;
    N right = 0;
  };
  /// h of the first job's time t and of what that leaves to the last.
  struct Point {
    N t = 0;
    N h_of_first = 0;
    N h_of_last = 0;
  };

  static Instant meeting(const Line& a, const Line& b) {
    if (a.rate > b.rate) return {b.at_0 - a.at_0, a.rate - b.rate};
    return {a.at_0 - b.at_0, b.rate - a.rate};
  }

  [[nodiscard]] N h(N t) const { return t <= 0 ? 0 : t >= end_ ? all_ : job_.at(t); }
  /// Over instant.of.
  [[nodiscard]] N h(const Instant& instant) const {
    if (instant.of == 1) return h(instant.t);
    return instant.t <= 0 ? 0 : instant.t >= end_ * instant.of ? all_ * instant.of : job_.at(instant.t, instant.of);
  }
  /// Requires 0 <= t. `value`: h(t).
  [[nodiscard]] Slopes slopes_of_h(N t, N value) const {
    if (t > end_) return {};
    Slopes slopes{0, N{job_.m()}};
    for (const WorkWithin::Line& line : job_.lines()) {
      if (N{line.rate} * t + N{line.at_0} != value) continue;
      slopes.left = std::max(slopes.left, N{line.rate});
      slopes.right = std::min(slopes.right, N{line.rate});
    }
    if (t == end_) slopes.right = 0;
    return slopes;
  }

  [[nodiscard]] Point at(N t) const { return {t, h(t), h(both_ - t)}; }
  [[nodiscard]] N of_first(const Line& here, const Instant& at) const { return std::min(h(at), here.rate * at.t + here.at_0 * at.of); }
  [[nodiscard]] N of_last(const Instant& at) const { return h({both_ * at.of - at.t, at.of}); }
  [[nodiscard]] static N of_first(const Line& here, const Point& at) { return std::min(at.h_of_first, here.rate * at.t + here.at_0); }
  [[nodiscard]] Slopes slopes_at(const Line& here, const Point& at) const {
    Slopes first = slopes_of_h(at.t, at.h_of_first);
    const N left = here.rate * at.t + here.at_0;
    if (left < at.h_of_first) first = {here.rate, here.rate};
    if (left == at.h_of_first) first = {std::max(first.left, here.rate), std::min(first.right, here.rate)};
    const Slopes last = slopes_of_h(both_ - at.t, at.h_of_last);
    return {first.left - last.right, first.right - last.left};
  }

  void consider(const Line& here, const Instant& at, N from, N until) {
    if (at.t < from * at.of || at.t > until * at.of) return;
    const N work = of_first(here, at) + of_last(at);
    if (work <= most_.work * at.of) return;
    most_ = {at.t / at.of, at.of == 1 ? work : static_cast<N>(ceil_div(work, at.of)), at.t % at.of == 0};
  }

  /// While what is left grows like `here`: most at the beginning, at the end, at a corner of h for either job, or where h is as much.
  void look_at(const Line& here, const Point& from, const Point& until) {
    const N most_of_first = of_first(here, until);
    if (most_of_first + from.h_of_last <= most_.work) return;
    const N at_from = of_first(here, from) + from.h_of_last;
    const N at_until = most_of_first + until.h_of_last;
    if (at_from > most_.work) most_ = {from.t, at_from, true};
    if (at_until > most_.work) most_ = {until.t, at_until, true};
    const N time = until.t - from.t;
    const N rises = slopes_at(here, from).right;
    if (rises <= 0 || at_from + rises * time <= most_.work) return;
    const N falls = -slopes_at(here, until).left;
    if (falls <= 0 || at_until + falls * time <= most_.work) return;
    for (const WorkWithin::Corner& corner : job_.corners()) {
      const Instant at{corner.t, corner.of};
      consider(here, at, from.t, until.t);
      consider(here, {both_ * at.of - at.t, at.of}, from.t, until.t);
    }
    consider(here, {end_, 1}, from.t, until.t);
    consider(here, {both_ - end_, 1}, from.t, until.t);
    for (const WorkWithin::Line& line : job_.lines()) {
      if (line.rate != here.rate) consider(here, meeting(here, {line.rate, line.at_0}), from.t, until.t);
    }
    if (here.rate != 0) consider(here, meeting(here, {0, all_}), from.t, until.t);
  }

  const WorkWithin& job_;
  const WorkLeft& left_;
  N end_;
  N shift_;
  N both_;
  N latest_;
  N all_;  // h(end_)
  Most most_;
};

}  // namespace

WholeWindow::Shares WholeWindow::shares_of_less(std::int64_t both, std::int64_t latest) const {
  const auto shares = [](const auto& most) {
    return Shares{static_cast<std::int64_t>(most.first), static_cast<std::int64_t>(most.work), most.is_exact};
  };
  // Of what grows with time the rates are processors, or nodes that run at once.
  Wide rate = job->m();
  for (const WorkLeft::Step& step : left->last) rate = std::max(rate, Wide{step.height});
  const Wide largest = (rate + 1) * (rate + 1) * (Wide{job->V()} + left->V + L + F + E);
  if (largest < Wide{1} << 56U) return shares(TwoJobs<std::int64_t>(*this, both, latest).most());
  return shares(TwoJobs<Wide>(*this, both, latest).most());
}

}  // namespace rta::analysis::path
