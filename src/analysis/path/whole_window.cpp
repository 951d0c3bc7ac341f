// T10d: the shares of the first job and the last where what the first has left bounds its work.
#include "analysis/path/whole_window.hpp"

#include <boost/container/small_vector.hpp>

namespace rta::analysis::path {
namespace {

/// Times in halves of a ns. N: a whole number with room for work times processors.
template <class N>
class TwoJobs {
 public:
  TwoJobs(const WholeWindow& window, N both, N latest)
      : left_(*window.left),
        end_(std::min(2 * N{window.L}, 2 * N{window.F})),
        shift_(N{window.E} - 2 * N{window.F}),
        both_(2 * both),
        latest_(std::min(latest, both_)) {
    set_lines(window);
  }

  struct Most {
    N first = 0;
    N work = 0;
    bool is_exact = true;
  };
  /// The work of both is concave in the time of the first wherever what that has left grows evenly.
  [[nodiscard]] Most most() {
    most_ = {0, h({both_, 1}), true};
    N y = 0;
    N done = 0;
    for (const WorkLeft::Step& step : left_.last) {
      const Line here{N{step.height}, done - N{step.height} * (y - shift_)};
      const N from = std::max<N>(0, y - shift_);
      y += 2 * N{step.width};
      done += 2 * N{step.width} * step.height;
      look_at(here, from, std::min(latest_, y - shift_));
    }
    look_at({0, done}, std::max<N>(0, y - shift_), latest_);
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

  static Instant meeting(const Line& a, const Line& b) {
    if (a.rate > b.rate) return {b.at_0 - a.at_0, a.rate - b.rate};
    return {a.at_0 - b.at_0, b.rate - a.rate};
  }

  /// h up to `end_` as lines, the steepest first, of which each is the least somewhere.
  void set_lines(const WholeWindow& window) {
    boost::container::small_vector<Line, 32> all;
    for (std::size_t i = window.families.size(); i > 0; --i) {
      if (static_cast<std::int64_t>(i) < window.m) all.push_back({static_cast<N>(i), 2 * N{window.V - window.families[i - 1]}});
    }
    all.push_back({0, 2 * N{window.V}});
    lines_.push_back({window.m, 0});
    for (std::size_t at = 0; at < all.size();) {
      std::size_t next = at;
      for (std::size_t i = at + 1; i < all.size(); ++i) {
        const Instant here = meeting(lines_.back(), all[i]);
        const Instant least = meeting(lines_.back(), all[next]);
        if (here.t * least.of <= least.t * here.of) next = i;
      }
      corners_.push_back(meeting(lines_.back(), all[next]));
      lines_.push_back(all[next]);
      at = next + 1;
    }
    corners_.push_back({end_, 1});
    lines_.push_back({0, h({end_, 1})});
  }

  /// Over instant.of.
  [[nodiscard]] N h(const Instant& instant) const {
    const N t = std::min(instant.t, end_ * instant.of);
    if (t <= 0) return 0;
    N least = lines_.front().rate * t;
    for (const Line& line : lines_) least = std::min(least, line.rate * t + line.at_0 * instant.of);
    return least;
  }
  /// Requires 0 <= t.
  [[nodiscard]] Slopes slopes_of_h(N t) const {
    if (t > end_) return {};
    const N value = h({t, 1});
    Slopes slopes{0, lines_.front().rate};
    for (const Line& line : lines_) {
      if (line.rate * t + line.at_0 != value) continue;
      slopes.left = std::max(slopes.left, line.rate);
      slopes.right = std::min(slopes.right, line.rate);
    }
    if (t == end_) slopes.right = 0;
    return slopes;
  }

  [[nodiscard]] N of_first(const Line& here, const Instant& at) const { return std::min(h(at), here.rate * at.t + here.at_0 * at.of); }
  [[nodiscard]] N of_last(const Instant& at) const { return h({both_ * at.of - at.t, at.of}); }
  [[nodiscard]] Slopes slopes_at(const Line& here, N t) const {
    Slopes first = slopes_of_h(t);
    const N left = here.rate * t + here.at_0;
    const N most = h({t, 1});
    if (left < most) first = {here.rate, here.rate};
    if (left == most) first = {std::max(first.left, here.rate), std::min(first.right, here.rate)};
    const Slopes last = slopes_of_h(both_ - t);
    return {first.left - last.right, first.right - last.left};
  }

  void consider(const Line& here, const Instant& at, N from, N until) {
    if (at.t < from * at.of || at.t > until * at.of) return;
    const N work = of_first(here, at) + of_last(at);
    if (work <= most_.work * at.of) return;
    most_ = {at.t / at.of, at.of == 1 ? work : static_cast<N>(ceil_div(work, at.of)), at.t % at.of == 0};
  }

  /// While what is left grows like `here`: most at the beginning, at the end, at a corner of h for either job, or where h is as much.
  void look_at(const Line& here, N from, N until) {
    if (from > until) return;
    const N most_of_first = of_first(here, {until, 1});
    const N most_of_last = of_last({from, 1});
    if (most_of_first + most_of_last <= most_.work) return;
    const N at_from = of_first(here, {from, 1}) + most_of_last;
    const N at_until = most_of_first + of_last({until, 1});
    if (at_from > most_.work) most_ = {from, at_from, true};
    if (at_until > most_.work) most_ = {until, at_until, true};
    const N time = until - from;
    const N rises = slopes_at(here, from).right;
    if (rises <= 0 || at_from + rises * time <= most_.work) return;
    const N falls = -slopes_at(here, until).left;
    if (falls <= 0 || at_until + falls * time <= most_.work) return;
    for (const Instant& corner : corners_) {
      consider(here, corner, from, until);
      consider(here, {both_ * corner.of - corner.t, corner.of}, from, until);
    }
    for (const Line& line : lines_) {
      if (line.rate != here.rate) consider(here, meeting(here, line), from, until);
    }
  }

  const WorkLeft& left_;
  N end_;
  N shift_;
  N both_;
  N latest_;
  boost::container::small_vector<Line, 32> lines_;
  boost::container::small_vector<Instant, 32> corners_;
  Most most_;
};

}  // namespace

WholeWindow::Shares WholeWindow::shares_of_less(std::int64_t both, std::int64_t latest) const {
  const auto shares = [](const auto& most) {
    return Shares{static_cast<std::int64_t>(most.first), static_cast<std::int64_t>(most.work), most.is_exact};
  };
  // Of what grows with time the rates are processors, or nodes that run at once.
  Wide rate = m;
  for (const WorkLeft::Step& step : left->last) rate = std::max(rate, Wide{step.height});
  const Wide largest = (rate + 1) * (rate + 1) * (Wide{V} + left->V + L + F + E);
  if (largest < Wide{1} << 56U) return shares(TwoJobs<std::int64_t>(*this, both, latest).most());
  return shares(TwoJobs<Wide>(*this, both, latest).most());
}

}  // namespace rta::analysis::path
