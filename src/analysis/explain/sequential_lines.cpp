#include "analysis/explain/sequential_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "analysis/cpu/gel_sequential_blocking.hpp"
#include "analysis/cpu/priority_order.hpp"
#include "analysis/cpu/sequential_share.hpp"
#include "analysis/explain/carried_lines.hpp"
#include "analysis/explain/counted_terms.hpp"

namespace rta::analysis::gel_sequential {
namespace {

// G(s), the sum of the `count` largest terms, rounded down, with one line per kind of tasks and equal term.
FineTime explain_late(std::span<const Task> tasks, Time shift, FineTime s, std::size_t count, Wide m, const TaskNames& names,
                      std::vector<std::string>& lines) {
  std::vector<FineTime> term;
  term.reserve(tasks.size());
  for (const Task& task : tasks) {
    const FineTime C = fine(task.C);
    term.push_back((s > C ? share(s - C, task, m, false) : FineTime{}) + C - gel::carried_demand(task, shift));
  }
  std::vector<std::size_t> chosen(tasks.size());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  std::stable_sort(chosen.begin(), chosen.end(), [&](std::size_t a, std::size_t b) { return term[a] > term[b]; });
  chosen.resize(count);
  std::vector<GroupKey> key;
  key.reserve(count);
  for (const std::size_t i : chosen) key.emplace_back(tasks[i].C.count(), gel::carried_demand(tasks[i], shift).count());
  FineTime G;
  for (const TaskGroup& group : grouped(chosen, key, names)) {
    const Task& task = tasks[group.tasks.front()];
    FineTime sum;
    for (const std::size_t i : group.tasks) sum += term[i];
    const std::string copies = group.tasks.size() == 1 ? std::string() : fmt::format("{} x ", group.tasks.size());
    lines.push_back(fmt::format("  {}: {}(max(0, {} - {})/{} x {}/{} + {} - {}) = {}", group.name, copies, text(s), task.C.count(),
                                to_string(m), task.C.count(), task.T.count(), task.C.count(), text(gel::carried_demand(task, shift)),
                                text(sum)));
    G += sum;
  }
  return G;
}

std::vector<std::string> explain_T3(std::span<const Task> tasks, std::uint32_t processors, const Bounds& bounds, std::size_t k,
                                    const TaskNames& names) {
  const Task& task = tasks[k];
  const Time shift = gel::least_Y(tasks);
  const Wide Y = Wide{task.Y.count()} - shift.count();
  const Utilization U = gel::utilization(tasks);
  const Wide count = static_cast<Wide>(bounds.carriers);
  std::vector<std::string> carried;
  const FineTime S = gel::carried_lines(tasks, shift, names, carried);
  std::vector<std::string> late;
  const FineTime G = explain_late(tasks, shift, bounds.s, bounds.carriers, processors, names, late);
  std::vector<std::string> lines{
      "T3: R = Y' + x + C, x = max(0, (s - C)/m), s = G(s) + S",
      fmt::format("m = {}, U = {}: G(s) sums the {} largest of x_i(s) u_i + C_i - S_i", processors, U.text(), to_string(count)),
      "S_i = C_i max(0, 1 - Y'_i/T_i), S is their sum",
      fmt::format("S = {} ns; sum C_i - (sum C_i Y'_i)/T_i of the tasks with Y'_i < T_i:", text(S)),
  };
  std::ranges::move(carried, std::back_inserter(lines));
  lines.push_back(fmt::format("s = {} ns", text(bounds.s)));
  lines.push_back(fmt::format("G(s) = {} ns; max(0, s - C_i)/m x C_i/T_i + C_i - S_i:", text(G)));
  std::ranges::move(late, std::back_inserter(lines));
  lines.push_back(fmt::format("G(s) + S = {} + {} = {} <= s", text(G), text(S), text(G + S)));
  lines.push_back(fmt::format("Y' = Y - min Y = {} - {} = {} ns", task.Y.count(), shift.count(), to_string(Y)));
  lines.push_back(fmt::format("x = max(0, ({} - {})/{})", text(bounds.s), task.C.count(), processors));
  lines.push_back(fmt::format("R = {} + x + {} = {} ns, rounded up", to_string(Y), task.C.count(), bounds.R[k].count()));
  return lines;
}

// S, then the four sums of which G(s) is made.
std::vector<std::string> explain_T3b(std::span<const Task> tasks, std::uint32_t processors, const Bounds& bounds, std::size_t k,
                                     const TaskNames& names) {
  const Task& task = tasks[k];
  const Time shift = gel::least_Y(tasks);
  const Wide Y = Wide{task.Y.count()} - shift.count();
  const std::size_t c = bounds.carriers + 1;
  const LateSum late(tasks, processors, c);
  const Late sum = late(bounds.s);
  std::vector<std::string> carried;
  const FineTime S = gel::carried_lines(tasks, shift, names, carried);
  std::vector<std::string> others;
  (void)explain_late(tasks, shift, bounds.s, std::min(bounds.carriers, tasks.size()), processors, names, others);
  std::vector<std::string> lines{
      "T3b: R = Y' + x + C, x = max(0, (s - C)/m), s = G(s) + S; nothing is preempted",
      fmt::format("m = {}, U = {}, c = {}: G(s) = min(J + N_(m-c), g_(c-1) + N_(m-c+1)); g_i = x_i(s) u_i + C_i - S_i", processors,
                  gel::utilization(tasks).text(), c),
      "S_i = C_i max(0, 1 - Y'_i/T_i), S is their sum",
      fmt::format("S = {} ns; sum C_i - (sum C_i Y'_i)/T_i of the tasks with Y'_i < T_i:", text(S)),
  };
  std::ranges::move(carried, std::back_inserter(lines));
  lines.push_back(fmt::format("s = {} ns", text(bounds.s)));
  lines.push_back(fmt::format("g_(c-1) = {} ns, the {} largest g_i; max(0, s - C_i)/m x C_i/T_i + C_i - S_i:", text(sum.of_others), c - 1));
  std::ranges::move(others, std::back_inserter(lines));
  lines.push_back(
      fmt::format("J = {} ns, the most that {} tasks' g_i sum to with C_j - S_j of one more with Y'_j > 0", text(sum.with_one), c - 1));
  lines.push_back(fmt::format("N_(m-c) = {} ns and N_(m-c+1) = {} ns, the {} and {} longest C_i with Y'_i > 0", text(sum.started),
                              text(sum.one_more), processors - c, processors - c + 1));
  lines.push_back(fmt::format("G(s) + S = min({} + {}, {} + {}) + {} = {} <= s", text(sum.with_one), text(sum.started), text(sum.of_others),
                              text(sum.one_more), text(S), text(sum.least() + S)));
  lines.push_back(fmt::format("Y' = Y - min Y = {} - {} = {} ns", task.Y.count(), shift.count(), to_string(Y)));
  lines.push_back(fmt::format("x = max(0, ({} - {})/{})", text(bounds.s), task.C.count(), processors));
  lines.push_back(fmt::format("R = {} + x + {} = {} ns, rounded up", to_string(Y), task.C.count(), bounds.R[k].count()));
  return lines;
}

std::vector<std::string> explain_T4(std::span<const Task> tasks, std::uint32_t processors, const Bounds& bounds, std::size_t k) {
  const Task& task = tasks[k];
  const Utilization U = gel::utilization(tasks);
  const Wide count = static_cast<Wide>(bounds.carriers);
  const DeviAndersonTerms& terms = bounds.T4;
  Utilization M;
  M.add(terms.M, Wide{1} << terms.bits);
  return {
      "T4: R = T + x + C, x = max(0, (E - C_min)/(m - M))",
      fmt::format("m = {}, U = {}, ceil(U) - 1 = {}", processors, U.text(), to_string(count)),
      fmt::format("E = sum of the {} largest C_i = {} ns, C_min = {} ns", to_string(count), to_string(terms.E), terms.C_min.count()),
      fmt::format("M = sum of the {} largest u_i = {}", to_string(std::max<Wide>(0, count - 1)), M.text()),
      fmt::format("x = {} ns", text(bounds.s)),
      fmt::format("R = {} + {} + {} = {} ns, rounded up", task.T.count(), text(bounds.s), task.C.count(), bounds.R[k].count()),
  };
}

}  // namespace

std::vector<std::string> explain(std::span<const Task> tasks, std::uint32_t processors, const Bounds& bounds, std::size_t k,
                                 const TaskNames& names) {
  if (bounds.theorem == Theorem::T3b) return explain_T3b(tasks, processors, bounds, k, names);
  return bounds.theorem == Theorem::T4 ? explain_T4(tasks, processors, bounds, k) : explain_T3(tasks, processors, bounds, k, names);
}

}  // namespace rta::analysis::gel_sequential
