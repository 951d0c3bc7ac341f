#include "analysis/path/whole/first_share.hpp"

namespace rta::analysis::path {

template <class N>
void FirstShare<N>::add(const Instant& begin, N rate, N at_0) {
  if (!pieces_.empty() && pieces_.back().rate == rate && pieces_.back().at_0 == at_0) return;
  const bool slower = !pieces_.empty() && rate < pieces_.back().rate;
  pieces_.push_back({begin, rate, at_0, slower});
}

/// From 0 on the lesser of two lines at a time.
template <class N>
FirstShare<N>::FirstShare(const WorkWithin& job, const WorkLeft& left, N shift, N end) {
  const auto lines = job.lines();
  const auto corners = job.corners();
  Instant from{0, 1};
  std::size_t line = 0;
  const auto up_to = [&](const Instant& until, N rate, N at_0) {
    while (from < until) {
      const Instant corner = line < corners.size() ? Instant{N{corners[line].t}, N{corners[line].of}} : until;
      if (!(from < corner) && line < corners.size()) {
        ++line;
        continue;
      }
      const Instant next = corner < until ? corner : until;
      const N h_rate = N{lines[line].rate};
      const N h_0 = N{lines[line].at_0};
      const auto above = [&](const Instant& at) { return (rate - h_rate) * at.t + (at_0 - h_0) * at.of; };  // of h
      const N here = above(from);
      const N there = above(next);
      const bool h_first = here > 0 || (here == 0 && there > 0);
      add(from, h_first ? h_rate : rate, h_first ? h_0 : at_0);
      if ((here > 0 && there < 0) || (here < 0 && there > 0)) {
        const Instant meets = rate > h_rate ? Instant{h_0 - at_0, rate - h_rate} : Instant{at_0 - h_0, h_rate - rate};
        add(meets, h_first ? rate : h_rate, h_first ? at_0 : h_0);
      }
      from = next;
    }
  };
  if (shift < 0) up_to({std::min(-shift, end), 1}, 0, 0);
  N y = 0;
  N done = 0;
  for (const WorkLeft::Step& step : left.last) {
    const N begin = y;
    y += 2 * N{step.width};
    const N before = done;
    done += 2 * N{step.width} * step.height;
    if (y > shift && from.t < end * from.of)
      up_to({std::min(y - shift, end), 1}, N{step.height}, before - N{step.height} * (begin - shift));
  }
  if (from.t < end * from.of) up_to({end, 1}, 0, done);
  const Piece& last = pieces_.empty() ? Piece{} : pieces_.back();
  add({end, 1}, 0, last.rate * end + last.at_0);
}

/// The sum of both does not fall until the last job has all it may have, and does not rise from there on where the first has. In between it
/// is most at a corner of either.
template <class N>
class FirstShare<N>::Search {
 public:
  Search(const FirstShare& of, const WorkWithin& job, N both, N end) : of_(of), job_(job), both_(both), end_(end), all_(job.at(end)) {}

  [[nodiscard]] Most run(N latest) {
    const N until = std::min(latest, both_);
    const N from = std::clamp<N>(both_ - end_, 0, until);
    std::size_t i = of_.piece_at({from, 1});
    look_at(i, {from, 1});
    Instant last{until, 1};
    for (;; ++i) {
      const Piece& piece = of_.pieces_[i];
      const bool ends = i + 1 < of_.pieces_.size() && of_.pieces_[i + 1].begin < last;
      const Instant next = ends ? of_.pieces_[i + 1].begin : last;
      if (of_.value(i, next) >= all_ * next.of) {
        if (piece.rate > 0 && from * piece.rate < all_ - piece.at_0) look_at(i, last = {all_ - piece.at_0, piece.rate});
        break;
      }
      if (!ends) {
        look_at(i, last);
        break;
      }
      if (of_.pieces_[i + 1].slower) look_at(i, next);
    }
    for (const WorkWithin::Corner& corner : job_.corners()) {
      const Instant at{both_ * corner.of - corner.t, N{corner.of}};
      if (Instant{from, 1} < at && at < last) look_at(of_.piece_at(at), at);
    }
    return most_;
  }

 private:
  [[nodiscard]] N of_last(const Instant& at) const {
    const N t = both_ * at.of - at.t;
    return t <= 0 ? 0 : t >= end_ * at.of ? all_ * at.of : job_.at(t, at.of);
  }
  void look_at(std::size_t piece, const Instant& at) {
    const N work = std::min(all_ * at.of, of_.value(piece, at)) + of_last(at);
    if (work <= most_.work * at.of) return;
    most_ = at.of == 1 ? Most{at.t, work} : Most{at.t / at.of, static_cast<N>(ceil_div(work, at.of))};
  }

  const FirstShare& of_;
  const WorkWithin& job_;
  N both_;
  N end_;
  N all_;
  Most most_;
};

template <class N>
typename FirstShare<N>::Most FirstShare<N>::most(const WorkWithin& job, N both, N latest, N end) const {
  return Search(*this, job, both, end).run(latest);
}

template class FirstShare<std::int64_t>;
template class FirstShare<Wide>;

}  // namespace rta::analysis::path
