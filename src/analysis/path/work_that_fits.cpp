#include "analysis/path/work_that_fits.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "rta/model/quantity.hpp"

namespace rta::analysis::path {

WorkThatFits::WorkThatFits(std::vector<Node> nodes, std::int64_t T, std::int64_t L, std::int64_t m)
    : nodes_(std::move(nodes)), T_(T), L_(L) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (i == 0 || nodes_[i].chain != nodes_[i - 1].chain) chains_.emplace_back();
    chains_.back().end = i + 1;
    chains_.back().F = std::max(chains_.back().F, nodes_[i].F);
    F_ = std::max(F_, nodes_[i].F);
    lims_.push_back(nodes_[i].lim);
  }
  std::ranges::sort(lims_);
  lims_.erase(std::unique(lims_.begin(), lims_.end()), lims_.end());
  lim_ = lims_.back();
  m_ = std::min(m, static_cast<std::int64_t>(chains_.size()));
}

/// Of [x, x + F) with the window.
std::int64_t WorkThatFits::overlap(std::int64_t x, std::int64_t F) const {
  return std::max<std::int64_t>(0, std::min(x + F, L_) - std::max<std::int64_t>(x, 0));
}

std::int64_t WorkThatFits::f(std::int64_t x, std::int64_t w, bool after) const {
  const std::int64_t last = after ? x + 1 : x;
  std::int64_t sum = 0;
  std::size_t i = 0;
  for (const Chain& chain : chains_) {
    std::int64_t of_chain = 0;
    for (; i < chain.end; ++i) {
      const Node& node = nodes_[i];
      if (last <= node.lim) of_chain += std::min({node.C, w, overlap(x, node.F)});
    }
    sum += std::min({of_chain, w, overlap(x, chain.F)});
  }
  return std::min(sum, m_ * std::min(w, overlap(x, F_)));
}

WorkThatFits::Sum WorkThatFits::sum(std::int64_t phase, std::int64_t w) const {
  Sum sum{.phase = phase};
  for (std::int64_t x = phase; x < L_ && x <= lim_; x += T_) {
    const std::int64_t here = f(x, w, false);
    sum.later += here;
    sum.just_after += std::ranges::binary_search(lims_, x) ? f(x, w, true) : here;
  }
  for (std::int64_t x = phase - T_; x > -F_; x -= T_) sum.earlier += f(x, w, false);
  return sum;
}

std::int64_t WorkThatFits::at_periods(std::int64_t w) const {
  const Sum all = sum(T_, w);
  return all.later + all.earlier - f(0, w, false);
}

/// Where min(C, overlap) changes its slope.
void WorkThatFits::add_kinks(std::int64_t C, std::int64_t F, std::vector<std::int64_t>& kinks) const {
  for (const std::int64_t x : {-F, L_ - F, L_, C - F, L_ - C}) kinks.push_back(x);
}

/// Modulo T, 0 and T among them.
std::vector<std::int64_t> WorkThatFits::kinks(std::int64_t w) const {
  std::vector<std::int64_t> kinks;
  kinks.reserve(6 * nodes_.size() + 5 * chains_.size() + 7);
  for (const Node& node : nodes_) {
    add_kinks(std::min(node.C, w), node.F, kinks);
    kinks.push_back(node.lim);
  }
  for (const Chain& chain : chains_) add_kinks(w, chain.F, kinks);
  add_kinks(w, F_, kinks);
  for (std::int64_t& x : kinks) x = ((x % T_) + T_) % T_;
  kinks.push_back(0);
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

  Most run() {
    const auto kinks = fits_.kinks(w_);
    const Sum first = at(kinks.front());
    between(kinks, first, at(kinks.back()));
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

bool WorkThatFits::is_one_job() const { return F_ + std::min(L_, lim_ + 1) <= T_; }

WorkThatFits::Most WorkThatFits::most(std::int64_t w) const {
  // f rises up to 0 and falls from there on.
  if (is_one_job()) return {f(0, w, false), 0};
  Most most = Search(*this, w).run();
  most.phase %= T_;
  return most;
}

}  // namespace rta::analysis::path
