// T10d: the shares of the first job and the last where what the first has left bounds its work.
#include "analysis/path/whole_window.hpp"

#include <limits>

namespace rta::analysis::path {
namespace {

/// rate t + at_0, in halves of a ns.
struct Line {
  Wide rate = 0;
  Wide at_0 = 0;
};

/// t/of halves of a ns.
struct Instant {
  Wide t = 0;
  Wide of = 1;
};

Instant meeting(const Line& a, const Line& b) {
  const Wide rates = a.rate - b.rate;
  const Wide rise = b.at_0 - a.at_0;
  return rates < 0 ? Instant{-rise, -rates} : Instant{rise, rates};
}

/// h up to where it ends, as the least of lines, the steepest first.
class MostWithin {
 public:
  explicit MostWithin(const WholeWindow& window) : end_(std::min(2 * window.L, 2 * window.F)) {
    lines_.push_back({window.m, 0});
    for (std::size_t i = window.families.size(); i > 0; --i) {
      if (static_cast<std::int64_t>(i) < window.m)
        lines_.push_back({static_cast<std::int64_t>(i), 2 * (window.V - window.families[i - 1])});
    }
    lines_.push_back({0, 2 * window.V});
    set_corners();
  }

  [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }
  /// Where it becomes less steep.
  [[nodiscard]] const std::vector<Instant>& corners() const { return corners_; }
  /// 1/of halves of a ns.
  [[nodiscard]] Wide at(const Instant& instant) const {
    const Wide t = std::min(instant.t, end_ * instant.of);
    if (t <= 0) return 0;
    Wide least = lines_.back().at_0 * instant.of;
    for (const Line& line : lines_) least = std::min(least, line.rate * t + line.at_0 * instant.of);
    return least;
  }

 private:
  void set_corners() {
    for (std::size_t at = 0; at + 1 < lines_.size();) {
      std::size_t next = at + 1;
      for (std::size_t i = at + 2; i < lines_.size(); ++i) {
        const Instant here = meeting(lines_[at], lines_[i]);
        const Instant least = meeting(lines_[at], lines_[next]);
        if (here.t * least.of < least.t * here.of) next = i;
      }
      corners_.push_back(meeting(lines_[at], lines_[next]));
      at = next;
    }
    corners_.push_back({end_, 1});
    lines_.push_back({0, at({end_, 1})});
  }

  Wide end_;
  std::vector<Line> lines_;
  std::vector<Instant> corners_;
};

/// What is left, in 1/of halves of a ns.
Wide left_at(const WorkLeft& left, const Instant& y) {
  Wide work = 0;
  Wide rest = y.t;
  for (const WorkLeft::Step& step : left.last) {
    if (rest <= 0) break;
    work += std::min(rest, 2 * step.width * y.of) * step.height;
    rest -= 2 * step.width * y.of;
  }
  return work;
}

}  // namespace

/// The work of both is concave wherever what is left rises at one rate: it is most where that begins or ends, at a corner of h for either
/// job, or where what is left and h are equal.
WholeWindow::Shares WholeWindow::shares_of_less(std::int64_t both, std::int64_t latest) const {
  const MostWithin within(*this);
  const Wide shift = Wide{E} - 2 * F;
  const auto of_first = [&](const Instant& at) { return std::min(within.at(at), left_at(*left, {at.t + shift * at.of, at.of})); };
  const auto of_last = [&](const Instant& at) { return within.at({2 * both * at.of - at.t, at.of}); };
  Shares most{0, static_cast<std::int64_t>(of_last({0, 1})), true};
  Wide from = 0;
  Wide until = 0;
  const auto consider = [&](const Instant& at) {
    if (at.t < from * at.of || at.t > until * at.of) return;
    const auto work = static_cast<std::int64_t>(ceil_div(of_first(at) + of_last(at), at.of));
    if (work > most.work) most = {static_cast<std::int64_t>(at.t / at.of), work, at.t % at.of == 0};
  };
  Wide y = 0;
  Wide done = 0;
  for (std::size_t i = 0; i <= left->last.size(); ++i) {
    const bool ends = i == left->last.size();
    const WorkLeft::Step step = ends ? WorkLeft::Step{} : left->last[i];
    const Line here{step.height, done - step.height * (y - shift)};
    from = std::max<Wide>(0, y - shift);
    y += 2 * step.width;
    done += 2 * step.width * step.height;
    until = std::min<Wide>(latest, 2 * both);
    if (!ends) until = std::min(until, y - shift);
    if (from > until || of_first({until, 1}) + of_last({from, 1}) <= most.work) continue;
    consider({from, 1});
    consider({until, 1});
    for (const Instant& corner : within.corners()) {
      consider(corner);
      consider({2 * both * corner.of - corner.t, corner.of});
    }
    for (const Line& line : within.lines()) {
      if (line.rate != here.rate) consider(meeting(here, line));
    }
  }
  return most;
}

}  // namespace rta::analysis::path
