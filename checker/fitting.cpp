// docs/theory/path.md, T10w, and docs/theory/jitter.md, T12w
#include "fitting.hpp"

#include <algorithm>
#include <utility>

namespace checker {

Fitting::Fitting(std::vector<Node> nodes, Releases releases, Int L, Int m)
    : nodes_(std::move(nodes)), T_(releases.T), J_(releases.J), L_(L), m_(m) {
  std::stable_sort(nodes_.begin(), nodes_.end(), [](const Node& a, const Node& b) { return a.lane < b.lane; });
  for (const Node& node : nodes_) {
    F_ = std::max(F_, node.F);
    lim_ = std::max(lim_, node.lim);
  }
}

/// ov(x): the length of [x, x + F) within [0, L).
Fitting::Germ Fitting::overlap(Int x, Int F, Int L, Side side) {
  const Int forward = side == Side::after ? 1 : -1;
  const Germ end = std::min(Germ{x + F, forward}, Germ{L, 0});
  const Germ begin = std::max(Germ{x, forward}, Germ{0, 0});
  return std::max(Germ{0, 0}, Germ{end.at - begin.at, end.growth - begin.growth});
}

/// f(x) = min(m ov_d(x), sum over lanes of min(ov(x), sum over u with x <= lim_u of min(C_u, ov_u(x)))), all cut at w.
Fitting::Germ Fitting::f(Int x, Int w, Side side) const {
  const Germ cut{w, 0};
  Germ sum{0, 0};
  for (std::size_t i = 0; i < nodes_.size();) {
    const std::size_t lane = nodes_[i].lane;
    Germ of_lane{0, 0};
    Int F = 0;
    for (; i < nodes_.size() && nodes_[i].lane == lane; ++i) {
      const Node& node = nodes_[i];
      F = std::max(F, node.F);
      const bool counts = side == Side::after ? x < node.lim : x <= node.lim;
      if (counts) of_lane = of_lane + std::min({Germ{node.C, 0}, cut, overlap(x, node.F, L_, side)});
    }
    sum = sum + std::min({of_lane, cut, overlap(x, F, L_, side)});
  }
  const Germ at_once = std::min(cut, overlap(x, F_, L_, side));
  return std::min(sum, Germ{m_ * at_once.at, m_ * at_once.growth});
}

Fitting::Sums Fitting::sums(Int phase, Int w, Side side) const {
  Sums sums{{0, 0}, {0, 0}};
  for (Int x = phase; x <= L_ && x <= lim_; x += T_) sums.later = sums.later + f(x, w, side);
  for (Int x = phase - T_ + J_; x >= -F_; x -= T_) {
    const bool at_best = x > 0 || (x == Int(0) && side == Side::after);
    sums.earlier = sums.earlier + (at_best ? Germ{f(0, w, Side::before).at, 0} : f(x, w, side));
  }
  return sums;
}

/// Between these phases every part of the sum is concave: a release x = -F_u, L, or lim_u, its nominal one J before up to 0, modulo T, and
/// `least` and T.
std::vector<Int> Fitting::breaks(Int least) const {
  std::vector<Int> breaks{least, T_};
  const auto add = [&](Int x) {
    const Int phase = x - floor_div(x, T_) * T_;
    if (phase >= least) breaks.push_back(phase);
  };
  add(L_);
  add(-J_);
  for (const Node& node : nodes_) {
    add(-node.F - J_);
    add(node.lim);
  }
  std::sort(breaks.begin(), breaks.end());
  breaks.erase(std::unique(breaks.begin(), breaks.end()), breaks.end());
  return breaks;
}

/// No less than the most of a concave sum between two phases: where it neither only rises nor only falls, its top lies where it stops to
/// rise, and within one half of a ns below both of its tangents.
Int Fitting::top(Int first, Int last, Int w) const {
  Sums from = sums(first, w, Side::after);
  Sums to = sums(last, w, Side::before);
  while (true) {
    if (from.all().growth <= 0) return from.all().at;
    if (to.all().growth <= 0) return to.all().at;
    if (last - first == Int(1)) {
      const Int tangents = std::min(from.all().at + from.all().growth, to.all().at + to.all().growth);
      return std::min(tangents, from.later.at + to.earlier.at);
    }
    const Int middle = first + floor_div(last - first, 2);
    const Sums after = sums(middle, w, Side::after);
    if (after.all().growth > 0) {
      first = middle;
      from = after;
    } else {
      last = middle;
      to = sums(middle, w, Side::before);
    }
  }
}

Int Fitting::most(Int w) const {
  // One job at a time: f rises up to 0 and falls from there on.
  if (F_ + J_ + std::min(L_, lim_ + 1) <= T_) return f(0, w, Side::before).at;
  return most_from(0, w);
}

/// The job itself has its nominal release up to J before 0.
Int Fitting::most_of_others(Int w) const {
  const Int least = std::max(Int(0), T_ - J_);
  const Int all = least == T_ ? sums(T_, w, Side::before).all().at : most_from(least, w);
  return std::max(Int(0), all - f(0, w, Side::before).at);
}

/// Over phases from `least` up to T. As the phase grows, what is released later falls and what is released earlier rises.
Int Fitting::most_from(Int least, Int w) const {
  const std::vector<Int> phases = breaks(least);
  std::vector<Sums> after, before;
  Int most = 0;
  for (std::size_t i = 0; i + 1 < phases.size(); ++i) {
    after.push_back(sums(phases[i], w, Side::after));
    before.push_back(sums(phases[i + 1], w, Side::before));
    most = std::max({most, after.back().all().at, before.back().all().at});
  }
  for (std::size_t i = 0; i + 1 < phases.size(); ++i) {
    if (after[i].later.at + before[i].earlier.at > most) most = std::max(most, top(phases[i], phases[i + 1], w));
  }
  return most;
}

}  // namespace checker
