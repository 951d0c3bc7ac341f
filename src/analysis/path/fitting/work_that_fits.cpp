#include "analysis/path/fitting/work_that_fits.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "rta/model/quantity.hpp"

namespace rta::analysis::path {

void ChainedWork::add(const Node& node, bool new_chain) {
  nodes.push_back(node);
  if (new_chain) chains.emplace_back();
  chains.back().end = nodes.size();
  chains.back().F = std::max(chains.back().F, node.F);
  F = std::max(F, node.F);
  least_F = std::min(least_F, node.F);
}

WorkThatFits::WorkThatFits(std::shared_ptr<const ChainedWork> work, std::int64_t lim, Releases releases, std::int64_t L, std::int64_t m)
    : of_(std::move(work)),
      lims_(1, lim),
      lim_(lim),
      T_(releases.T),
      J_(releases.J),
      L_(L),
      m_(std::min(m, static_cast<std::int64_t>(of_->chains.size()))) {}

WorkThatFits::WorkThatFits(const std::vector<Node>& nodes, Releases releases, std::int64_t L, std::int64_t m)
    : lim_(0), T_(releases.T), J_(releases.J), L_(L) {
  const auto work = std::make_shared<ChainedWork>();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    work->add({nodes[i].C, nodes[i].F}, i == 0 || nodes[i].chain != nodes[i - 1].chain);
    lim_of_node_.push_back(nodes[i].lim);
  }
  of_ = work;
  m_ = std::min(m, static_cast<std::int64_t>(work->chains.size()));
  lims_.assign(lim_of_node_.begin(), lim_of_node_.end());
  std::ranges::sort(lims_);
  lims_.erase(std::unique(lims_.begin(), lims_.end()), lims_.end());
  lim_ = lims_.back();
}

std::int64_t WorkThatFits::f(std::int64_t x, std::int64_t w, bool after) const {
  const std::int64_t last = after ? x + 1 : x;
  const std::int64_t gone = std::max<std::int64_t>(0, -x);
  const std::int64_t most = std::min(w, L_ - std::max<std::int64_t>(0, x));
  if (last > lim_ || most <= 0) return 0;
  const auto overlap = [&](std::int64_t F) { return std::max<std::int64_t>(0, std::min(F - gone, most)); };
  const bool all_count = last <= lims_.front();
  std::int64_t sum = 0;
  std::size_t i = 0;
  for (const ChainedWork::Chain& chain : of_->chains) {
    std::int64_t of_chain = 0;
    for (; i < chain.end; ++i) {
      const ChainedWork::Node& node = of_->nodes[i];
      if (all_count || last <= lim_of_node_[i]) of_chain += std::min(node.C, overlap(node.F));
    }
    sum += std::min(of_chain, overlap(chain.F));
  }
  return std::min(sum, m_ * overlap(of_->F));
}

/// f rises up to 0 and falls from there on: of a nominal release y the best one is at y + J up to 0, at 0, or at y from 0 on.
WorkThatFits::Sum WorkThatFits::sum(std::int64_t phase, std::int64_t w) const {
  Sum sum{.phase = phase};
  // Jobs released in between have as much time in the window as any node counts.
  const std::int64_t most = std::min(w, L_);
  const std::int64_t from = std::min<std::int64_t>(0, most - of_->least_F);
  const std::int64_t until = std::min(L_ - std::min(most, of_->F), lims_.front() - 1);
  std::int64_t x = phase;
  if (x + T_ <= until) {
    const std::int64_t jobs = (until - x) / T_ + 1;
    sum.later = sum.just_after = jobs * f(x, w, false);
    x += jobs * T_;
  }
  for (; x < L_ && x <= lim_; x += T_) {
    const std::int64_t here = f(x, w, false);
    sum.later += here;
    sum.just_after += std::ranges::find(lims_, x) != lims_.end() ? f(x, w, true) : here;
  }
  x = phase - T_ + J_;
  if (x - T_ >= from) {
    const std::int64_t jobs = (x - from) / T_ + 1;
    sum.earlier = jobs * f(0, w, false);
    x -= jobs * T_;
  }
  for (; x > -of_->F; x -= T_) sum.earlier += f(std::min<std::int64_t>(x, 0), w, false);
  return sum;
}

/// The job in question counts as released at 0.
std::int64_t WorkThatFits::others_at_phase(std::int64_t phase, std::int64_t w) const {
  return sum(std::max(phase, least_phase_of_others()), w).at() - f(0, w, false);
}

/// Where min(C, overlap) changes its slope, but for 0 and L; of a release.
void WorkThatFits::add_kinks(std::int64_t C, std::int64_t F, Kinks& kinks) const {
  kinks.push_back(-F);
  if (C > std::min(F, L_)) {
    kinks.push_back(L_ - F);
  } else {
    kinks.push_back(C - F);
    kinks.push_back(L_ - C);
  }
}

/// Of nominal releases modulo T, from `least` up to T, these two among them.
WorkThatFits::Kinks WorkThatFits::kinks(std::int64_t w, std::int64_t least) const {
  Kinks kinks(lims_.begin(), lims_.end());
  for (const ChainedWork::Node& node : of_->nodes) add_kinks(std::min(node.C, w), node.F, kinks);
  for (const ChainedWork::Chain& chain : of_->chains) add_kinks(w, chain.F, kinks);
  add_kinks(w, of_->F, kinks);
  kinks.push_back(L_);
  kinks.push_back(0);
  for (std::int64_t& x : kinks) {
    if (x <= 0) x -= J_;
    if (x < -T_ || x >= T_) x %= T_;
    if (x < 0) x += T_;
  }
  kinks.erase(std::remove_if(kinks.begin(), kinks.end(), [&](std::int64_t x) { return x < least; }), kinks.end());
  kinks.push_back(least);
  kinks.push_back(T_);
  std::ranges::sort(kinks);
  kinks.erase(std::unique(kinks.begin(), kinks.end()), kinks.end());
  return kinks;
}

/// As the phase grows, what is released later falls and what is released earlier rises, so sums at the ends of an interval bound all
/// within; between two kinks the sum is concave.
class WorkThatFits::Search {
 public:
  Search(const WorkThatFits& fits, std::int64_t w) : fits_(fits), w_(w) {}

  /// From phase `least` up to T.
  Most run(std::int64_t likely, std::int64_t least) {
    at(likely);
    if (least == fits_.T_) return most_;
    const auto kinks = fits_.kinks(w_, least);
    const Sum first = at(kinks.front());
    between({kinks.data(), kinks.size()}, first, at(kinks.back()));
    return most_;
  }

 private:
  Sum at(std::int64_t phase) {
    const Sum sum = fits_.sum(phase, w_);
    offer(sum.at(), phase);
    return sum;
  }
  void offer(std::int64_t work, std::int64_t phase) {
    if (work > most_.work) most_ = {work, phase};
  }

  void between(std::span<const std::int64_t> kinks, const Sum& first, const Sum& last) {
    if (first.just_after + last.earlier <= most_.work) return;
    if (kinks.size() == 2) return concave(first, last);
    const std::size_t half = kinks.size() / 2;
    const Sum middle = at(kinks[half]);
    between(kinks.first(half + 1), first, middle);
    between(kinks.subspan(half), middle, last);
  }

  /// The sum's mean growth over an interval, by which it grows no more after it, and no less before it.
  struct Growth {
    std::int64_t work = 0;
    std::int64_t length = 1;
    [[nodiscard]] std::int64_t within(std::int64_t time) const {
      return static_cast<std::int64_t>(std::max<Wide>(0, ceil_div(Wide{work} * time, length)));
    }
  };

  /// `before` and `after`: of intervals that touch this one, between the same kinks.
  void concave(const Sum& first, const Sum& last, std::optional<Growth> before = {}, std::optional<Growth> after = {}) {
    const std::int64_t length = last.phase - first.phase;
    std::int64_t bound = first.just_after + last.earlier;
    if (before) bound = std::min(bound, first.after() + before->within(length));
    if (after) bound = std::min(bound, last.at() + Growth{-after->work, after->length}.within(length));
    if (bound <= most_.work) return;
    if (length == 1) return offer(bound, last.phase);
    const Sum middle = at(first.phase + length / 2);
    const Growth rise{middle.at() - first.after(), middle.phase - first.phase};
    const Growth fall{last.at() - middle.at(), last.phase - middle.phase};
    if (Wide{rise.work} * fall.length == Wide{fall.work} * rise.length) return;  // linear: the ends have the most
    concave(first, middle, before, fall);
    concave(middle, last, rise, after);
  }

  const WorkThatFits& fits_;
  std::int64_t w_;
  Most most_;
};

bool WorkThatFits::is_one_job() const { return of_->F + J_ + std::min(L_, lim_ + 1) <= T_; }

WorkThatFits::Most WorkThatFits::most(std::int64_t w, std::int64_t likely) const {
  // f rises up to 0 and falls from there on.
  if (is_one_job()) return {f(0, w, false), 0};
  Most most = Search(*this, w).run(likely, 0);
  most.phase %= T_;
  return most;
}

WorkThatFits::Most WorkThatFits::most_of_others(std::int64_t w, std::int64_t likely) const {
  const std::int64_t least = least_phase_of_others();
  if (is_one_job()) return {0, T_};
  Most most = Search(*this, w).run(std::clamp(likely, least, T_), least);
  most.work = std::max<std::int64_t>(0, most.work - f(0, w, false));
  return most;
}

}  // namespace rta::analysis::path
