#include "analysis/cpu/gel_sequential_blocking.hpp"

#include <functional>
#include <numeric>
#include <optional>

#include "analysis/cpu/priority_order.hpp"
#include "analysis/cpu/sequential_share.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis::gel_sequential {

LateSum::LateSum(std::span<const Task> tasks, std::uint32_t processors, std::size_t c) : tasks_(tasks), m_(processors), c_(c) {
  const Time shift = gel::least_Y(tasks);
  std::vector<Wide> later;
  carried_.reserve(tasks.size());
  blocks_.reserve(tasks.size());
  for (const Task& task : tasks) {
    carried_.push_back(gel::carried_demand(task, shift));
    S_ += carried_.back();
    blocks_.push_back(task.Y > shift);
    if (blocks_.back()) later.push_back(task.C.count());
  }
  std::ranges::sort(later, std::greater<>());
  const std::size_t others = processors - c;
  for (std::size_t n = 0; n < later.size() && n <= others; ++n) {
    const FineTime C(checked_mul(later[n], Wide{1} << fine_bits));
    if (n < others) started_ += C;
    one_more_ += C;
  }
}

// S_i is rounded up: a difference may be too low, but S makes up for it. Whichever tasks are chosen, their terms and S are together what
// C_i, or x_i u_i + C_i, of these and S_i of the others are, all rounded up.
Late LateSum::operator()(FineTime s) const {
  struct Term {
    FineTime late;
    std::size_t task;
  };
  std::vector<Term> terms(tasks_.size());
  std::vector<FineTime> share_of(tasks_.size());
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    const FineTime C = fine(tasks_[i].C);
    if (s > C) share_of[i] = share(s - C, tasks_[i], m_);
    terms[i] = {share_of[i] + C - carried_[i], i};
  }
  const std::size_t count = std::min(c_, terms.size());
  std::nth_element(terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(count), terms.end(),
                   [](const Term& a, const Term& b) { return a.late > b.late; });
  FineTime all;
  for (std::size_t j = 0; j < count; ++j) all += terms[j].late;
  Late sum{.of_others = all, .with_one = {}, .started = started_, .one_more = one_more_};
  if (count == c_) {
    const auto least = std::min_element(terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(count),
                                        [](const Term& a, const Term& b) { return a.late < b.late; });
    sum.of_others -= least->late;
  }
  // The one more among the c largest gives up its x u; one beyond them takes the place of the least.
  std::optional<FineTime> with_one;
  for (std::size_t j = 0; j < terms.size(); ++j) {
    const std::size_t i = terms[j].task;
    if (!blocks_[i]) continue;
    const FineTime sum_with = j < count ? all - share_of[i] : sum.of_others + fine(tasks_[i].C) - carried_[i];
    with_one = std::max(with_one.value_or(sum_with), sum_with);
  }
  sum.with_one = with_one ? std::max(*with_one, sum.of_others) : sum.of_others;
  return sum;
}

namespace {

/// The least s >= G(s) + S for one c. Nothing is taken on trust but that G has slopes of at most (c - 1)/m, which makes
/// s + max(0, f(s)) m/(m - c + 1) one from any s; f(s) = G(s) + S - s.
FineTime solve(const LateSum& late, Wide m, Wide c) {
  const auto over = [&](FineTime s) { return late(s).least() + late.S() - s; };
  FineTime low;
  FineTime high;
  for (FineTime f = over(high); f > FineTime{}; f = over(high)) {
    low = high;
    high += FineTime(ceil_div(checked_mul(f.count(), m), m - c + 1));
  }
  while (high.count() - low.count() > 1) {
    const FineTime middle((low.count() + high.count()) / 2);
    (over(middle) > FineTime{} ? low : high) = middle;
  }
  return high;
}

constexpr std::size_t most_choices = 8;        // of c, counted from ceil(U); m is always one
constexpr std::size_t most_terms = 1'000'000;  // tasks times choices

}  // namespace

Result<Bounds> non_preemptive_bounds(std::span<const Task> tasks, std::uint32_t processors) {
  require(processors > 0, "T3b needs at least one processor");
  const Utilization U = gel::utilization(tasks);
  const auto at = std::ranges::find_if(tasks, [](const Task& task) { return task.C > task.T; });
  if (at != tasks.end()) return reason::AboveOne{static_cast<std::size_t>(at - tasks.begin()), at->C, at->T};
  if (U.compare(processors) > 0) return reason::Overload{PoolKind::cpu, U, processors};
  Bounds bounds;
  bounds.theorem = Theorem::T3b;
  if (tasks.empty()) return bounds;
  const auto first = static_cast<std::size_t>(std::max<Wide>(1, U.ceil()));
  const std::size_t choices = std::clamp<std::size_t>(most_terms / tasks.size(), 1, most_choices);
  std::optional<FineTime> least;
  for (std::size_t c = first; c <= processors; c = c + 1 < first + choices || c == processors ? c + 1 : processors) {
    const FineTime s = solve(LateSum(tasks, processors, c), processors, static_cast<Wide>(c));
    if (least && s >= *least) continue;
    least = s;
    bounds.s = s;
    bounds.carriers = c - 1;
  }
  bounds.R = bounds_by(tasks, bounds.s, processors);
  if (first + choices < processors) {
    bounds.left_out.push_back({.what = LeftOut::What::coarser,
                               .theorems = {Theorem::T3b},
                               .limit = LeftOut::Limit::choices,
                               .most = choices + 1,
                               .found = processors - first + 1,
                               .where = {}});
  }
  return bounds;
}

}  // namespace rta::analysis::gel_sequential
