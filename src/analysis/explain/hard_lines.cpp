#include "analysis/explain/hard_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "analysis/explain/counted_terms.hpp"
#include "analysis/hard/busy_window.hpp"
#include "analysis/hard/windows.hpp"
#include "rta/model/utilization.hpp"

namespace rta::analysis::hard {
namespace {

class HardLines {
 public:
  HardLines(std::span<const Task> tasks, std::uint32_t processors, Order order, const Bounds& bounds, std::size_t k, const TaskNames& names)
      : tasks_(tasks), m_(processors), order_(order), bounds_(bounds), k_(k), names_(names) {
    C_ = std::max<std::int64_t>(1, tasks[k].C.count());
    x_ = bounds.R[k].count();
  }

  std::vector<std::string> of_theorem() {
    switch (bounds_.theorem[k_]) {
      case Theorem::T17: by_density(); break;
      case Theorem::T18: by_load(); break;
      default: by_window(); break;
    }
    return std::move(lines_);
  }

 private:
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    lines_.push_back(fmt::format(format, std::forward<Values>(values)...));
  }

  [[nodiscard]] std::string name(std::size_t i) const {
    return names_.tasks.empty() ? fmt::format("task #{}", i) : names_.kinds[names_.tasks[i].kind];
  }

  void by_density() {
    line("T17: sum of C_i/Y_i <= m - (m-1) max of C_i/Y_i: every job ends within Y");
    Utilization sum;
    const Task* largest = &tasks_.front();
    for (const Task& task : tasks_) {
      sum.add(task.C.count(), task.Y.count());
      if (Wide{task.C.count()} * largest->Y.count() > Wide{largest->C.count()} * task.Y.count()) largest = &task;
    }
    line("m = {}, sum = {}, the largest is {}/{}", m_, sum.text(), largest->C.count(), largest->Y.count());
    line("R = Y = {} ns", x_);
  }

  void by_load() {
    line("T18: sum of min(f_i(t), t) <= (m - (m-1) sigma) t at every t >= Y, sigma at least C/Y,");
    line(
        "f_i(t) = n C_i + (C_i - sigma phi if phi < Y_i and this is above 0), n = max(0, floor((t - Y_i)/T_i) + 1), phi = n T_i + Y_i - t");
    line("m = {}, sigma = {}/2^{}; C/Y = {}/{}", m_, to_string(bounds_.density[k_].sigma), Density::bits, tasks_[k_].C.count(), x_);
    line("R = Y = {} ns", x_);
  }

  void by_window() {
    const bool fixed = order_ == Order::fixed;
    const bool busy = bounds_.window[k_] == Window::busy;
    line("T16: R = C + w, unless the others' work in a window of R lets all m processors be busy for more than w");
    line("m = {}, w = {} - {} = {} ns", m_, x_, C_, x_ - C_);
    if (fixed) {
      by_priority();
    } else if (busy) {
      by_busy_window();
    } else {
      from_release();
    }
    line("R = {} + {} = {} ns", C_, x_ - C_, x_);
  }

  void from_release() {
    line("task i: W_i = its work in the window, jobs ending within R_i; E_i = that of priority points up to Y - Y_i later; least, w + 1:");
    std::vector<Work> work(tasks_.size());
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      if (i == k_) continue;
      const std::int64_t F = bounds_.R[i].count();
      const std::int64_t W = work_with_carry(tasks_[i], F, x_);
      const std::int64_t E = released_work_with_carry(tasks_[i], F, tasks_[k_].Y.count() - tasks_[i].Y.count());
      work[i].carried = std::min(W, E);
      const std::int64_t counted = std::min(work[i].carried, x_ - C_ + 1);
      terms_.push_back({fmt::format("  {}: min({}, {}, {}) = {}", name(i), W, E, x_ - C_ + 1, counted), counted});
    }
    add_sum(work, tasks_.size(), x_ - C_);
  }

  void by_priority() {
    line("tasks as urgent or more, from where these keep all processors busy: fresh, and carried in by at most m - 1 = {}; at most w + 1:",
         m_ - 1);
    std::vector<Work> work(tasks_.size());
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      if (i == k_ || tasks_[i].priority < tasks_[k_].priority) continue;
      work[i] = {work_without_carry(tasks_[i], x_), work_with_carry(tasks_[i], bounds_.R[i].count(), x_)};
      add_term(i, work[i], x_ - C_);
    }
    add_sum(work, m_ - 1, x_ - C_);
  }

  void by_busy_window() {
    std::size_t unlimited = std::numeric_limits<std::size_t>::max();
    BusyWindow window(tasks_, m_, bounds_.R, unlimited);
    line("all processors are busy from A before the release: carry-in of at most m - 1 = {} tasks; A up to {} ns counts,", m_ - 1,
         window.horizon(k_, x_ - C_));
    line("beyond there is too little work. For A = 0, fresh and carried in, at most w + 1:");
    const auto work = window.work(k_, x_, 0, 0);
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      if (i != k_) add_term(i, work[i], x_ - C_);
    }
    add_sum(work, m_ - 1, x_ - C_);
  }

  void add_term(std::size_t i, const Work& work, std::int64_t wait) {
    const std::int64_t fresh = std::min(work.fresh, wait + 1);
    const std::int64_t carried = std::min(work.carried, wait + 1);
    terms_.push_back({fmt::format("  {}: {}, {}; {}, {}", name(i), work.fresh, work.carried, fresh, carried), carried});
  }

  void add_sum(std::span<const Work> work, std::size_t carriers, std::int64_t wait) {
    std::ranges::move(shortened(terms_), std::back_inserter(lines_));
    std::vector<std::int64_t> scratch;
    line("their sum is {} < m (w + 1) = {}; with w in place of w + 1 it is {} <= m w = {}",
         to_string(interference(work, carriers, wait + 1, scratch)), to_string(Wide{m_} * (wait + 1)),
         to_string(interference(work, carriers, wait, scratch)), to_string(Wide{m_} * wait));
  }

  std::span<const Task> tasks_;
  std::uint32_t m_;
  Order order_;
  const Bounds& bounds_;
  std::size_t k_;
  const TaskNames& names_;
  std::int64_t C_ = 1;
  std::int64_t x_ = 0;
  std::vector<std::string> lines_;
  std::vector<TermLine> terms_;
};

}  // namespace

std::vector<std::string> explain(std::span<const Task> tasks, std::uint32_t processors, Order order, const Bounds& bounds, std::size_t k,
                                 const TaskNames& names) {
  return HardLines(tasks, processors, order, bounds, k, names).of_theorem();
}

}  // namespace rta::analysis::hard
