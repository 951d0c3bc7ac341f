#include "analysis/explain/longest_pieces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "analysis/explain/counted_terms.hpp"

namespace rta::analysis {

PieceLines piece_lines(const LongestPieces& of, const TaskNames& names) {
  const std::vector<LeftOver>& tasks = of.tasks;
  Wide most = of.most;
  const auto jobs = [&](std::size_t i) { return ceil_div(tasks[i].length, tasks[i].T); };
  std::vector<std::size_t> all(tasks.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<GroupKey> key;
  key.reserve(tasks.size());
  for (const std::size_t i : all) key.emplace_back(tasks[i].work, jobs(i));
  std::vector<TaskGroup> groups = grouped(all, key, names);
  std::ranges::stable_sort(groups, std::greater<>(), [&](const TaskGroup& group) { return tasks[group.tasks.front()].work; });
  PieceLines found;
  for (const TaskGroup& group : groups) {
    if (most == 0) break;
    const LeftOver& first = tasks[group.tasks.front()];
    if (first.work == 0) break;
    Wide pieces = 0;
    for (const std::size_t i : group.tasks) pieces = checked_add(pieces, checked_mul(jobs(i), tasks[i].pieces));
    if (pieces == 0) continue;
    const Wide taken = std::min(most, pieces);
    most -= taken;
    const Wide sum = checked_mul(taken, first.work);
    found.sum = checked_add(found.sum, sum);
    const auto [least, largest] = std::ranges::minmax(group.tasks, {}, [&](std::size_t i) { return tasks[i].length; });
    const std::string from = tasks[least].length == tasks[largest].length ? "" : to_string(tasks[least].length) + " to ";
    found.lines.push_back(fmt::format("  {}: ceil({}{}/{}) = {}, {} piece{}{}, {} x {} = {}", group.name, from,
                                      to_string(tasks[largest].length), to_string(first.T), to_string(jobs(largest)), to_string(pieces),
                                      pieces == 1 ? "" : "s", taken < pieces ? ", " + to_string(taken) + " of them" : "", to_string(taken),
                                      to_string(first.work), to_string(sum)));
  }
  return found;
}

}  // namespace rta::analysis
