// T16: response times from windows, and the choice between T16, T17 and T18.
#include <algorithm>
#include <functional>
#include <numeric>

#include "analysis/hard/busy_window.hpp"
#include "analysis/hard/demand.hpp"
#include "analysis/hard/load.hpp"
#include "analysis/hard/windows.hpp"
#include "rta/analysis/hard/hard.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis::hard {
namespace {

constexpr std::size_t most_terms = 20'000'000;    // of sums over tasks, for all bounds of a pool
constexpr std::size_t most_tasks = 2'000;         // whose windows can be looked at a few times within that
constexpr std::size_t most_rounds = 8;            // of lower limits
constexpr std::size_t most_patience = 2'000;      // steps of a bound before they grow, and pass the least solution,
constexpr std::size_t least_patience = 24;        // fewer of many tasks:
constexpr std::size_t patient_terms = 2'000'000;  // so many terms for the bounds of all

class Search {
 public:
  Search(std::span<const Task> tasks, std::uint32_t processors, Order order, std::span<const Time> known)
      : tasks_(tasks),
        m_(processors),
        order_(order),
        known_(known),
        patience_(std::clamp(patient_terms / std::max<std::size_t>(1, tasks.size() * tasks.size()), least_patience, most_patience)),
        work_(tasks.size()),
        sequence_(tasks.size()) {
    std::iota(sequence_.begin(), sequence_.end(), std::size_t{0});
    std::ranges::stable_sort(sequence_, std::greater<>(), [&](std::size_t k) { return tasks[k].priority; });
  }

  /// T17 first, whose deadlines T16 starts from; T18 alone where terms were spent before it was asked.
  std::optional<Bounds> prove() {
    if (order_ == Order::points && meets_by_density(tasks_, m_)) return from_deadlines(Theorem::T17);
    if (tasks_.size() > most_tasks) return std::nullopt;
    if (m_ > 1 || demand_fits(tasks_).value_or(true)) {  // else no theorem can prove all D
      if (auto bounds = within_deadlines()) return bounds;
    }
    if (std::ranges::all_of(tasks_, [](const Task& task) { return task.D == task.T; })) return std::nullopt;
    return from_limits([](const Task& task) { return task.T; });
  }

  /// By now.
  [[nodiscard]] std::vector<LeftOut> left_out() const {
    using Limit = LeftOut::Limit;
    if (tasks_.size() > most_tasks) {
      std::vector<Theorem> theorems{Theorem::T16};
      if (order_ == Order::points && bounds_.theorem.empty()) theorems.push_back(Theorem::T18);
      return {{.theorems = std::move(theorems), .limit = Limit::tasks, .most = most_tasks, .found = tasks_.size(), .where = {}}};
    }
    if (!gave_up_ && !are_spent()) return {};
    return {{.theorems = {Theorem::T16}, .limit = Limit::steps, .most = most_terms, .where = {}}};
  }

 private:
  std::optional<Bounds> within_deadlines() {
    if (auto bounds = from_limits([](const Task& task) { return task.D; })) return bounds;
    if (order_ != Order::points || !are_spent()) return std::nullopt;
    auto density = meets_by_load(tasks_, m_);
    if (!density) return std::nullopt;
    auto bounds = from_deadlines(Theorem::T18);
    bounds->density = *std::move(density);
    return bounds;
  }

  /// `by`: that all jobs end within Y.
  std::optional<Bounds> from_deadlines(Theorem by) {
    start([](const Task& task) { return task.Y; });
    std::ranges::replace(beyond_, Theorem::T16, by);
    if (tasks_.size() > most_tasks || !rise()) return at_limits();
    return std::move(bounds_);
  }

  /// Where there is no time for more: the deadlines, or what was known.
  std::optional<Bounds> at_limits() {
    for (std::size_t k = 0; k < tasks_.size(); ++k) settle_at_limit(k);
    return std::move(bounds_);
  }

  template <class Limit>
  std::optional<Bounds> from_limits(Limit limit) {
    start(limit);
    for (std::size_t k = 0; k < tasks_.size(); ++k) {
      if (beyond_[k] == Theorem::T16 && limit_[k] < longest(k)) return std::nullopt;
    }
    do {
      if (!rise()) return std::nullopt;
    } while (order_ == Order::points && narrow());
    if (!all_allowed()) return std::nullopt;
    return std::move(bounds_);
  }

  [[nodiscard]] bool is_open(std::size_t k) const { return bounds_.theorem[k] == Theorem::T16 && bounds_.window[k] == Window::none; }

  /// Lower limits, by busy windows, while some task has no proof at its limit; then all start again.
  bool narrow() {
    if (rounds_ == 0) return false;
    --rounds_;
    BusyWindow window(tasks_, m_, bounds_.R, terms_);
    std::vector<std::int64_t> limit = limit_;
    bool unproven = false;
    for (std::size_t k = 0; k < tasks_.size(); ++k) {
      if (bounds_.theorem[k] != Theorem::T16) continue;
      if (is_open(k) && !window.allows(k, bounds_.R[k])) {
        unproven = true;
      } else {
        limit[k] = window.least(k, bounds_.R[k]).count();
      }
    }
    if (limit == limit_ || !unproven) return false;
    for (std::size_t k = 0; k < tasks_.size(); ++k) {
      if (limit[k] < limit_[k]) beyond_[k] = Theorem::T16;  // what was known is no proof of it
    }
    limit_ = limit;
    for (std::size_t k = 0; k < tasks_.size(); ++k) {
      if (is_open(k)) bounds_.window[k] = Window::release;
      if (bounds_.theorem[k] == Theorem::T16) bounds_.R[k] = Time(std::min(limit_[k], longest(k)));
    }
    return true;
  }

  /// Whether open tasks have a proof: their busy windows, or T18. Then bounds by busy windows may fall, and leave the others theirs.
  bool all_allowed() {
    BusyWindow window(tasks_, m_, bounds_.R, terms_);
    for (std::size_t k = 0; k < tasks_.size(); ++k) {
      if (!is_open(k)) continue;
      if (order_ == Order::fixed) return false;
      if (window.allows(k, bounds_.R[k])) {
        bounds_.window[k] = Window::busy;
      } else if (!by_load(k)) {
        return false;
      }
    }
    for (std::size_t k = 0; k < tasks_.size(); ++k) {
      if (order_ == Order::points && bounds_.window[k] == Window::busy) bounds_.R[k] = window.least(k, bounds_.R[k]);
    }
    return true;
  }

  /// T18 takes it that all jobs so far ended within Y.
  bool by_load(std::size_t k) {
    if (bounds_.R[k] != tasks_[k].Y || !have_deadlines(tasks_)) return false;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      if (bounds_.R[i] > tasks_[i].Y) return false;
    }
    const auto density = load_allows(tasks_, m_, k, terms_);
    if (!density) return false;
    bounds_.theorem[k] = Theorem::T18;
    bounds_.density.resize(tasks_.size());
    bounds_.density[k] = *density;
    return true;
  }

  template <class Limit>
  void start(Limit limit) {
    const std::size_t n = tasks_.size();
    bounds_ = {};
    bounds_.theorem.assign(n, Theorem::T16);
    bounds_.window.assign(n, order_ == Order::fixed ? Window::busy : Window::release);
    limit_.clear();
    beyond_.clear();
    for (std::size_t k = 0; k < n; ++k) {
      const std::int64_t most = limit(tasks_[k]).count();
      const bool is_known = !known_.empty() && known_[k].count() <= most;
      limit_.push_back(is_known ? known_[k].count() : most);
      beyond_.push_back(is_known ? Theorem::none : Theorem::T16);
      bounds_.R.emplace_back(std::min(limit_[k], longest(k)));
    }
  }

  /// The least bounds up to the limits that satisfy all inequalities at once, from below; where the limit is reached it stands for the
  /// bound, and needs another proof. False: given up.
  bool rise() {
    bool again = true;
    while (again) {
      again = false;
      for (const std::size_t k : sequence_) {
        const Time before = bounds_.R[k];
        if (bounds_.window[k] != Window::none && !rise(k)) return false;
        again = again || bounds_.R[k] != before;
      }
    }
    return true;
  }

  bool rise(std::size_t k) {
    const std::size_t carriers = order_ == Order::fixed ? m_ - 1 : tasks_.size();
    const std::int64_t C = longest(k);
    std::int64_t x = bounds_.R[k].count();
    for (std::size_t step = 0; x < limit_[k]; ++step) {
      if (!take(tasks_.size())) return false;
      fill(k, x);
      const std::int64_t wait = x - C;
      if (excludes(work_, carriers, m_, wait, scratch_)) {
        bounds_.R[k] = Time(x);
        return true;
      }
      const Wide next =
          std::max(C + interference(work_, carriers, wait + 1, scratch_) / m_, Wide{x} + 1 + (step < patience_ ? 0 : x >> 10U));
      x = next < limit_[k] ? static_cast<std::int64_t>(next) : limit_[k];
    }
    if (beyond_[k] != Theorem::T16 || !take(tasks_.size())) {
      settle_at_limit(k);
      return true;
    }
    // Without another proof the limit itself may do.
    bounds_.R[k] = Time(limit_[k]);
    fill(k, limit_[k]);
    if (!excludes(work_, carriers, m_, limit_[k] - C, scratch_)) bounds_.window[k] = Window::none;
    return true;
  }

  void settle_at_limit(std::size_t k) {
    bounds_.R[k] = Time(limit_[k]);
    bounds_.theorem[k] = beyond_[k];
    bounds_.window[k] = Window::none;
  }

  [[nodiscard]] std::int64_t longest(std::size_t k) const { return std::max<std::int64_t>(1, tasks_[k].C.count()); }

  void fill(std::size_t k, std::int64_t x) {
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      work_[i] = {};
      if (i == k) continue;
      const Task& task = tasks_[i];
      const std::int64_t F = bounds_.R[i].count();
      if (order_ == Order::fixed) {
        if (task.priority < tasks_[k].priority) continue;
        work_[i] = {work_without_carry(task, x), work_with_carry(task, F, x)};
        continue;
      }
      const std::int64_t ahead = checked_sub(tasks_[k].Y.count(), task.Y.count());
      work_[i].carried = std::min(work_with_carry(task, F, x), released_work_with_carry(task, F, ahead));
    }
  }

  /// By this or by busy windows.
  [[nodiscard]] bool are_spent() const { return terms_ < 3 * tasks_.size(); }

  bool take(std::size_t terms) {
    const bool enough = terms_ >= terms;
    terms_ = enough ? terms_ - terms : 0;
    gave_up_ = gave_up_ || !enough;
    return enough;
  }

  std::span<const Task> tasks_;
  std::uint32_t m_;
  Order order_;
  std::span<const Time> known_;
  std::size_t patience_;
  std::vector<Work> work_;
  std::vector<std::int64_t> scratch_;
  std::vector<std::size_t> sequence_;  // the most urgent first
  std::vector<std::int64_t> limit_;
  std::vector<Theorem> beyond_;  // that proves the limit; `none`: known before, T16: nothing does yet
  Bounds bounds_;
  std::size_t terms_ = most_terms;
  std::size_t rounds_ = most_rounds;
  bool gave_up_ = false;
};

}  // namespace

std::optional<Bounds> response_bounds(std::span<const Task> tasks, std::uint32_t processors, Order order, std::span<const Time> known,
                                      std::vector<LeftOut>* left_out) {
  require(processors > 0, "T16 needs at least one processor");
  require(known.empty() || known.size() == tasks.size(), "either all tasks have known bounds, or none has");
  for (const Task& task : tasks) {
    require(task.C >= Time::zero() && task.D > Time::zero() && task.D <= task.T, "T16 needs 0 <= C and 0 < D <= T");
  }
  Search search(tasks, processors, order, known);
  auto bounds = search.prove();
  if (left_out != nullptr) add_left_out(*left_out, search.left_out());
  return bounds;
}

}  // namespace rta::analysis::hard
