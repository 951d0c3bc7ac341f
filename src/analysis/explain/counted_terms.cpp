#include "analysis/explain/counted_terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>

namespace rta::analysis {
namespace {

constexpr std::size_t most_named = 6;  // nodes of a group; the others are counted
constexpr std::size_t most_lines = 16;

std::string name_of(std::span<const std::size_t> tasks, const TaskNames& names) {
  if (names.tasks.empty()) return fmt::format("task #{}", tasks.front());
  std::vector<std::string> nodes;
  for (const std::size_t i : tasks) {
    const std::string& node = names.tasks[i].node;
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
  }
  const std::size_t others = nodes.size() - std::min(nodes.size(), most_named);
  nodes.resize(nodes.size() - others);
  const std::string& kind = names.kinds[names.tasks[tasks.front()].kind];
  std::string text = nodes.size() == 1 && nodes.front() == kind ? kind : fmt::format("{} ({}", kind, fmt::join(nodes, ", "));
  if (others > 0) fmt::format_to(std::back_inserter(text), " and {} other{}", others, others == 1 ? "" : "s");
  if (text.size() > kind.size()) text += ")";
  if (tasks.size() > 1) fmt::format_to(std::back_inserter(text), ", {} tasks", tasks.size());
  return text;
}

}  // namespace

std::vector<TaskGroup> grouped(std::span<const std::size_t> tasks, std::span<const GroupKey> key, const TaskNames& names) {
  std::map<std::tuple<std::size_t, GroupKey>, std::vector<std::size_t>> members;
  for (std::size_t j = 0; j < tasks.size(); ++j) {
    const std::size_t kind = names.tasks.empty() ? tasks[j] : names.tasks[tasks[j]].kind;
    members[{kind, key[j]}].push_back(tasks[j]);
  }
  std::vector<TaskGroup> groups;
  groups.reserve(members.size());
  for (auto& [shared, own] : members) {
    std::string name = name_of(own, names);
    groups.push_back({std::move(name), std::move(own)});
  }
  return groups;
}

std::vector<std::string> counted_lines(std::span<const CountedTask> tasks, const TaskNames& names) {
  std::vector<std::size_t> all(tasks.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<GroupKey> key;
  key.reserve(tasks.size());
  for (const CountedTask& task : tasks) key.emplace_back(task.jobs, task.T);
  std::vector<std::string> lines;
  for (const TaskGroup& group : grouped(all, key, names)) {
    const CountedTask& first = tasks[group.tasks.front()];
    Wide least = first.length;
    Wide most = first.length;
    Wide work = 0;
    for (const std::size_t i : group.tasks) {
      least = std::min(least, tasks[i].length);
      most = std::max(most, tasks[i].length);
      work = checked_add(work, tasks[i].work);
    }
    const std::string T = to_string(first.T);
    const std::string from = least == most ? std::string() : fmt::format("{}/{} to ", to_string(least), T);
    lines.push_back(fmt::format("  {}: {}{}/{}, n_i = {}, {} x {} = {}", group.name, from, to_string(most), T, to_string(first.jobs),
                                to_string(first.jobs), to_string(work), to_string(checked_mul(first.jobs, work))));
  }
  return lines;
}

std::vector<std::string> shortened(const std::vector<TermLine>& lines) {
  std::vector<std::size_t> by_work(lines.size());
  std::iota(by_work.begin(), by_work.end(), std::size_t{0});
  std::ranges::stable_sort(by_work, std::greater<>(), [&](std::size_t i) { return lines[i].work; });
  std::vector<bool> shown(lines.size(), true);
  Wide sum = 0;
  for (std::size_t i = most_lines; i < by_work.size(); ++i) {
    shown[by_work[i]] = false;
    sum = checked_add(sum, lines[by_work[i]].work);
  }
  std::vector<std::string> text;
  text.reserve(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (shown[i]) text.push_back(lines[i].text);
  }
  if (lines.size() > most_lines) text.push_back(fmt::format("  and {} more such lines: {}", lines.size() - most_lines, to_string(sum)));
  return text;
}

}  // namespace rta::analysis
