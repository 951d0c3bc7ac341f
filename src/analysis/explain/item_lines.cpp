#include "analysis/explain/item_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "analysis/explain/counted_terms.hpp"
#include "analysis/explain/longest_pieces.hpp"

namespace rta::analysis::workers {
namespace {

void add_carry(const Terms& terms, const PoolSum& sum, const TaskNames& names, std::vector<std::string>& lines) {
  if (!sum.carry) {
    lines.push_back(fmt::format("carried over: (ceil(U) - 1) L_max = {} ns", terms.carry.count()));
    return;
  }
  const PieceLines longest = piece_lines(*sum.carry, names);
  lines.push_back(fmt::format(
      "carried over: the ceil(U) - 1 = {} longest items of ceil((R_i + J_i)/T_i) jobs, {} {} {} ns:", to_string(sum.carry->most),
      to_string(longest.sum), longest.sum < terms.carry.count() ? "<=" : "=", terms.carry.count()));
  std::ranges::copy(longest.lines, std::back_inserter(lines));
}

// L_i B_i (1 + J_i/T_i), tasks of a kind with equal T and J together.
void add_released(std::span<const Task> tasks, Time overhead, const Bounds& bounds, const TaskNames& names,
                  std::vector<std::string>& lines) {
  lines.push_back(fmt::format("released: sum L_i B_i (1 + J_i / T_i) = {} ns:", bounds.terms.released.count()));
  std::vector<std::size_t> all(tasks.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<GroupKey> key;
  key.reserve(tasks.size());
  for (const Task& task : tasks) key.emplace_back(task.T.count(), task.J.count());
  std::vector<TermLine> terms;
  for (const TaskGroup& group : grouped(all, key, names)) {
    const Task& first = tasks[group.tasks.front()];
    Wide once = 0;
    Wide sum = 0;
    for (const std::size_t i : group.tasks) {
      const Wide work = checked_mul(Wide{(tasks[i].L + overhead).count()}, static_cast<Wide>(tasks[i].B));
      once = checked_add(once, work);
      sum = checked_add(sum, checked_add(work, ceil_div(checked_mul(work, Wide{first.J.count()}), first.T.count())));
    }
    const std::string jitter = first.J == Time::zero() ? "" : fmt::format(" (1 + {}/{})", first.J.count(), first.T.count());
    terms.push_back({fmt::format("  {}: {}{} = {}", group.name, to_string(once), jitter, to_string(sum)), sum});
  }
  std::ranges::move(shortened(terms), std::back_inserter(lines));
}

}  // namespace

std::vector<std::string> explain(std::span<const Task> tasks, std::uint32_t workers, Time overhead, const Bounds& bounds, std::size_t k,
                                 const PoolSum& sum, const TaskNames& names) {
  const Terms& terms = bounds.terms;
  const Time L = tasks[k].L + overhead;
  std::vector<std::string> lines{
      "T8: R_k = (carry + sum L_i B_i - L_k) / N + L_k",
      fmt::format("N = {}, U = {}, ceil(U) = {}, L_max = {} ns (dispatch overhead {} ns included)", workers,
                  utilization(tasks, overhead).text(), terms.ceil_U, terms.L_max.count(), overhead.count()),
  };
  add_carry(terms, sum, names, lines);
  add_released(tasks, overhead, bounds, names, lines);
  lines.push_back(fmt::format("R_k = ({} + {} - {}) / {} + {} = {} ns", terms.carry.count(), terms.released.count(), L.count(), workers,
                              L.count(), bounds.R[k].count()));
  return lines;
}

}  // namespace rta::analysis::workers
