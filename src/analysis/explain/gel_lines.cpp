#include "analysis/explain/gel_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "analysis/cpu/gel_demand.hpp"
#include "analysis/cpu/gel_refinement.hpp"
#include "analysis/cpu/gel_release.hpp"
#include "analysis/cpu/priority_order.hpp"
#include "analysis/explain/carried_lines.hpp"
#include "analysis/explain/counted_terms.hpp"
#include "analysis/explain/longest_pieces.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis::gel {
namespace {

bool some_late(std::span<const Task> tasks) {
  return std::ranges::any_of(tasks, [](const Task& task) { return task.J > Time::zero(); });
}

/// ` + J_i` where some task is released late.
std::string_view plus_J(std::span<const Task> tasks) { return some_late(tasks) ? " + J_i" : ""; }

/// `n` jobs of the task, by nominal releases in an interval of this length and J: in none where there is no interval.
CountedTask counted_in(const Task& task, Wide length, Wide n) {
  return {n > 0 ? length + task.J.count() : length, task.T.count(), n, task.C.count()};
}

Wide work_of(const std::vector<CountedTask>& counted) {
  Wide work = 0;
  for (const CountedTask& task : counted) work = checked_add(work, checked_mul(task.jobs, task.work));
  return work;
}

// ceil((R_i + min(R_k, Y_k - Y_i) + J_i)/T_i) jobs of each task i.
std::vector<std::string> explain_from_proven(std::span<const Task> tasks, std::uint32_t processors, std::span<const Time> R, std::size_t k,
                                             const PoolSum& sum, const TaskNames& names) {
  Wide jobs = 0;
  for (const CountedTask& task : sum.jobs) jobs += task.jobs;
  const Wide work = work_of(sum.jobs);
  std::vector<std::string> lines{
      fmt::format(
          "T1n: R = C + (sum n_i C_i - C)/m, n_i = max(0, ceil((R_i + min(R, Y - Y_i){})/T_i)), with the bounds R_i of the pool's tasks",
          plus_J(tasks)),
      fmt::format("sum n_i C_i = {} ns in {} jobs of the pool's {} tasks; (R_i + min(R, Y - Y_i){})/T_i, n_i, n_i x sum C_i:",
                  to_string(work), to_string(jobs), tasks.size(), plus_J(tasks)),
  };
  std::ranges::move(counted_lines(sum.jobs, names), std::back_inserter(lines));
  lines.push_back(
      fmt::format("R = {} + ({} - {})/{} <= {} ns", tasks[k].C.count(), to_string(work), tasks[k].C.count(), processors, R[k].count()));
  return lines;
}

std::string_view pieces_in_words(std::span<const Task> tasks) { return some_late(tasks) ? "ceil((R_i + J_i)/T_i)" : "ceil(R_i/T_i)"; }

/// The longest pieces of jobs that have started and have later points; their work.
Wide add_started(std::span<const Task> tasks, std::size_t k, const LongestPieces& started, const TaskNames& names,
                 std::vector<std::string>& lines) {
  const PieceLines longest = piece_lines(started, names);
  lines.push_back(fmt::format(
      "started before: the {} longest of ceil({}) jobs of C_i each, Y_i > Y = {} ns, = {} ns:", to_string(started.most),
      some_late(tasks) ? "(min(R_i, Y_i - Y) + J_i)/T_i" : "min(R_i, Y_i - Y)/T_i", tasks[k].Y.count(), to_string(longest.sum)));
  std::ranges::copy(longest.lines, std::back_inserter(lines));
  return longest.sum;
}

// T1bn: T1n's jobs up to the start, and what has started before the job is released.
std::vector<std::string> explain_until_start(std::span<const Task> tasks, std::uint32_t processors, const Bounds& bounds, std::size_t k,
                                             const PoolSum& sum, const TaskNames& names) {
  const Wide work = work_of(sum.jobs);
  std::vector<std::string> lines{
      fmt::format(
          "T1bn: R = C + (sum n_i C_i - C + started)/m, n_i = max(0, ceil((R_i + min(R - C, Y - Y_i){})/T_i)), with the bounds R_i of "
          "the pool's tasks; nothing is preempted",
          plus_J(tasks)),
      fmt::format("sum n_i C_i = {} ns; (R_i + min(R - C, Y - Y_i){})/T_i, n_i, n_i x sum C_i:", to_string(work), plus_J(tasks)),
  };
  std::ranges::move(counted_lines(sum.jobs, names), std::back_inserter(lines));
  const Wide started = add_started(tasks, k, *sum.started, names, lines);
  lines.push_back(fmt::format("R = {} + ({} - {} + {})/{} <= {} ns", tasks[k].C.count(), to_string(work), tasks[k].C.count(),
                              to_string(started), processors, bounds.R[k].count()));
  return lines;
}

/// The sum of T1c's pieces. The carry is `counted` where the bounds may have fallen since.
FineTime add_counted_carry(std::span<const Task> tasks, const LongestPieces& carry, std::string_view busy, std::optional<FineTime> counted,
                           const TaskNames& names, std::vector<std::string>& lines) {
  const PieceLines longest = piece_lines(carry, names);
  const FineTime sum = fine(to_time(longest.sum));
  lines.push_back(fmt::format("carry: the {} - 1 = {} longest of {} jobs of C_i each, {} {} {} ns:", busy, to_string(carry.most),
                              pieces_in_words(tasks), to_string(longest.sum), sum < counted.value_or(sum) ? "<=" : "=",
                              text(counted.value_or(sum))));
  std::ranges::copy(longest.lines, std::back_inserter(lines));
  return sum;
}

/// T1b's pieces of any jobs.
FineTime add_any_carry(std::span<const Task> tasks, const LongestPieces& carry, const TaskNames& names, std::vector<std::string>& lines) {
  const PieceLines longest = piece_lines(carry, names);
  lines.push_back(fmt::format("carry: the {} longest of {} jobs of C_i each = {} ns:", to_string(carry.most), pieces_in_words(tasks),
                              to_string(longest.sum)));
  std::ranges::copy(longest.lines, std::back_inserter(lines));
  return fine(to_time(longest.sum));
}

// T1re's demand, and the n_i where it is reached.
FineTime add_demand_from_release(std::span<const Task> tasks, const Bounds& bounds, std::size_t k, const TaskNames& names,
                                 std::vector<std::string>& lines) {
  const Wide c = bounds.c[k];
  const Wide Y = Wide{tasks[k].Y.count()} - bounds.terms.shift.count();
  FineTime V;
  for (const Task& task : tasks) V += carried_demand(task, bounds.terms.shift);
  ExactDemand ahead(tasks, bounds.terms.shift, utilization(tasks), V);
  const auto largest = ahead.beyond(c, std::array{Y});
  require(largest.has_value(), "T1re's demand is found again");
  const Wide x = ahead.last_search().x - Y;
  const Wide demand = largest->front() + c * Y;
  Wide work = 0;
  std::vector<CountedTask> counted;
  counted.reserve(tasks.size());
  for (const Task& task : tasks) {
    const Wide length = x + Y - (Wide{task.Y.count()} - bounds.terms.shift.count());
    const Wide n = releases_in_closed(task, length);
    work = checked_add(work, checked_mul(n, Wide{task.C.count()}));
    counted.push_back(counted_in(task, length, n));
  }
  lines.push_back(
      fmt::format("demand = sup over x >= 0 of sum n_i C_i - c x, n_i = max(0, floor((x + Y - Y_i{})/T_i) + 1), with Y = {} ns; it is "
                  "reached at x = {} ns:",
                  plus_J(tasks), tasks[k].Y.count(), to_string(x)));
  lines.push_back(fmt::format("{} - {} x {} = {} ns; (x + Y - Y_i{})/T_i, n_i, n_i x sum C_i:", to_string(work), to_string(c), to_string(x),
                              to_string(demand), plus_J(tasks)));
  std::ranges::move(counted_lines(counted, names), std::back_inserter(lines));
  return fine(to_time(demand));
}

std::vector<std::string> explain_from_release(std::span<const Task> tasks, std::uint32_t processors, const Bounds& bounds, std::size_t k,
                                              const PoolSum& sum, const TaskNames& names) {
  const Task& task = tasks[k];
  const bool exact = bounds.theorem[k] == Theorem::T1re || bounds.theorem[k] == Theorem::T1be;
  const bool blocked = bounds.theorem[k] == Theorem::T1b || bounds.theorem[k] == Theorem::T1be;
  std::vector<std::string> lines{
      fmt::format("{}: R = C + (carry +{} demand - C)/m, the work before the job that is left at its release or released from then on",
                  analysis::to_string(bounds.theorem[k]), blocked ? " started +" : ""),
      fmt::format("m = {}, U = {}, ceil(U) = {}", processors, utilization(tasks).text(), to_string(bounds.terms.ceil_U)),
  };
  if (exact || blocked) lines.push_back(fmt::format("c = {}, between ceil(U) and m", to_string(bounds.c[k])));
  const FineTime carry = blocked ? add_any_carry(tasks, *sum.carry, names, lines)
                                 : add_counted_carry(tasks, *sum.carry, exact ? "c" : "ceil(U)", std::nullopt, names, lines);
  const Wide started = blocked ? add_started(tasks, k, *sum.started, names, lines) : 0;
  const FineTime demand = exact ? add_demand_from_release(tasks, bounds, k, names, lines) : released_demand(tasks, task.Y);
  if (!exact) {
    const bool late = some_late(tasks);
    lines.push_back(fmt::format("demand = sum over the pool's {} tasks of C_i max(0, 1 - (Y_i - Y{})/T_i) = {} ns, Y = {} ns,",
                                tasks.size(), late ? " - J_i" : "", text(demand), task.Y.count()));
    lines.emplace_back(late ? "of those above 0: sum C_i - (sum C_i (Y_i - Y - J_i))/T_i:"
                            : "of those with Y_i - Y < T_i: sum C_i - (sum C_i (Y_i - Y))/T_i:");
    (void)carried_lines(tasks, task.Y, names, lines);
  }
  lines.push_back(fmt::format("R = {} + ({} +{} {} - {})/{} <= {} ns, rounded up", task.C.count(), text(carry),
                              blocked ? fmt::format(" {} +", to_string(started)) : "", text(demand), task.C.count(), processors,
                              bounds.R[k].count()));
  return lines;
}

// Where T1e's supremum is reached, with the n_i(x) there.
std::vector<std::string> explain_demand(std::span<const Task> tasks, const Terms& terms, const TaskNames& names) {
  FineTime V;
  for (const Task& task : tasks) V += carried_demand(task, terms.shift);
  ExactDemand ahead(tasks, terms.shift, utilization(tasks), V);
  (void)ahead(terms.c, V + FineTime(1));  // never more than V
  const ExactDemand::Search& search = ahead.last_search();
  if (!search.complete) {
    return {fmt::format("the search ended at x = {} ns: from there on the sum less c x is at most V - (c - U) x, V = {} ns",
                        to_string(search.x), text(V))};
  }
  Wide work = 0;
  std::vector<CountedTask> counted;
  counted.reserve(tasks.size());
  for (const Task& task : tasks) {
    const Wide length = search.x - (Wide{task.Y.count()} - terms.shift.count());
    const Wide n = releases_in_closed(task, length);
    work = checked_add(work, checked_mul(n, Wide{task.C.count()}));
    counted.push_back(counted_in(task, length, n));
  }
  std::vector<std::string> lines{
      fmt::format("it is reached at x = {} ns: {} - {} x {} = {} ns; (x - Y'_i{})/T_i, n_i, n_i x sum C_i:", to_string(search.x),
                  to_string(work), to_string(terms.c), to_string(search.x), to_string(work - terms.c * search.x), plus_J(tasks))};
  std::ranges::move(counted_lines(counted, names), std::back_inserter(lines));
  return lines;
}

}  // namespace

std::vector<std::string> explain(std::span<const Task> tasks, std::uint32_t processors, const Bounds& bounds, std::size_t k,
                                 const PoolSum& sum, const TaskNames& names) {
  if (bounds.theorem[k] == Theorem::T1n) return explain_from_proven(tasks, processors, bounds.R, k, sum, names);
  if (bounds.theorem[k] == Theorem::T1bn) return explain_until_start(tasks, processors, bounds, k, sum, names);
  if (!bounds.c.empty() && bounds.c[k] > 0) return explain_from_release(tasks, processors, bounds, k, sum, names);
  const Terms& terms = bounds.terms;
  const Task& task = tasks[k];
  const Wide Y = Wide{task.Y.count()} - terms.shift.count();
  const std::string busy = terms.published ? "m" : terms.exact_demand ? "c" : "ceil(U)";
  std::vector<std::string> lines{
      fmt::format("{}{}: R = Y' + (carry + demand)/m + (m-1)/m C", analysis::to_string(bounds.theorem[k]),
                  terms.published ? " as published" : ""),
      fmt::format("m = {}, U = {}, ceil(U) = {}", processors, utilization(tasks).text(), to_string(terms.ceil_U)),
  };
  if (terms.exact_demand) lines.push_back(fmt::format("c = {}, between ceil(U) and m", to_string(terms.c)));
  lines.push_back(fmt::format("Y' = {} = {} - {} = {} ns", terms.published ? "Y - min(0, min Y)" : "Y - min Y", task.Y.count(),
                              terms.shift.count(), to_string(Y)));
  if (sum.carry) {
    (void)add_counted_carry(tasks, *sum.carry, busy, terms.carry, names, lines);
  } else {
    lines.push_back(
        fmt::format("carry = ({} - 1) C_max = {} x {} = {} ns", busy, to_string(terms.c - 1), terms.C_max.count(), text(terms.carry)));
  }
  if (terms.exact_demand) {
    lines.push_back(fmt::format("demand = sup over x >= 0 of sum over Y'_i <= x of (floor((x - Y'_i{})/T_i) + 1) C_i - c x <= {} ns",
                                plus_J(tasks), text(terms.demand)));
    std::ranges::move(explain_demand(tasks, terms, names), std::back_inserter(lines));
  } else {
    const bool late = some_late(tasks);
    lines.push_back(fmt::format("demand = sum over the pool's {} tasks of C_i max(0, 1 - {}/T_i) = {} ns,", tasks.size(),
                                late ? "(Y'_i - J_i)" : "Y'_i", text(terms.demand)));
    lines.emplace_back(late ? "of those above 0: sum C_i - (sum C_i (Y'_i - J_i))/T_i:"
                            : "of those with Y'_i < T_i: sum C_i - (sum C_i Y'_i)/T_i:");
    (void)carried_lines(tasks, terms.shift, names, lines);
  }
  lines.push_back(fmt::format("R = {} + ({} + {})/{} + {}/{} x {} = {} ns, rounded up", to_string(Y), text(terms.carry), text(terms.demand),
                              processors, processors - 1, processors, task.C.count(), bounds.R[k].count()));
  return lines;
}

}  // namespace rta::analysis::gel
