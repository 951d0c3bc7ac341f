#include "contention.hpp"

#include <algorithm>
#include <map>

namespace rta::static_order {
namespace {

constexpr std::size_t most_in_group = 150;  // of tasks whose energy on several machines is compared with their windows

}  // namespace

std::optional<std::size_t> Contention::pairs_of(const Problem& problem) {
  for (const Machine& m : problem.machines) {
    if (m.capacity > 1) return std::nullopt;
  }
  for (const std::uint32_t options : problem.options) {
    if (options > 64) return std::nullopt;
  }
  std::vector<std::size_t> users(problem.machines.size(), 0);
  std::size_t pairs = 0;
  for (const Need& need : problem.needs) {
    for (const MachineId m : need.machine) pairs += users[m]++;
  }
  return pairs;  // pairs that may meet on several machines count several times
}

Contention::Contention(const Problem& problem) : pairs_of_task(problem.size()), needs_of_machine(problem.machines.size()) {
  for (std::uint32_t need = 0; need < problem.needs.size(); ++need) {
    // Several options may lead to one machine.
    for (const MachineId m : problem.needs[need].machine) {
      if (needs_of_machine[m].empty() || needs_of_machine[m].back() != need) needs_of_machine[m].push_back(need);
    }
  }
  add_pairs(problem);
  add_twins(problem);
  find_given_sides(problem);
  add_groups(problem);
}

void Contention::add_pairs(const Problem& problem) {
  std::map<std::pair<TaskId, TaskId>, bool> seen;
  for (const auto& needs : needs_of_machine) {
    for (std::size_t i = 0; i < needs.size(); ++i) {
      for (std::size_t j = i + 1; j < needs.size(); ++j) {
        const auto [a, b] = std::minmax(problem.needs[needs[i]].task, problem.needs[needs[j]].task);
        if (a != b) seen[{a, b}] = true;
      }
    }
  }
  for (const auto& [ends, unused] : seen) {
    const auto id = static_cast<std::uint32_t>(pairs.size());
    pairs.push_back({ends.first, ends.second, none});
    pairs_of_task[ends.first].push_back(id);
    pairs_of_task[ends.second].push_back(id);
  }
}

// Submitters that must share a stream, and their submittees. Where the stream is a choice, the submittees' own pairs on it follow later.
void Contention::add_twins(const Problem& problem) {
  std::map<std::pair<TaskId, TaskId>, std::uint32_t> index;
  for (std::uint32_t p = 0; p < pairs.size(); ++p) index[{pairs[p].a, pairs[p].b}] = p;
  for (std::uint32_t p = 0; p < pairs.size(); ++p) {
    const TaskId a = problem.tasks[pairs[p].a].submittee;
    const TaskId b = problem.tasks[pairs[p].b].submittee;
    if (a == none || b == none) continue;
    const auto at = index.find(std::minmax(a, b));
    if (at == index.end()) continue;
    pairs[p].twin = at->second;
    pairs[at->second].twin = p;
  }
}

// Tasks that arcs put one behind the other's end.
void Contention::find_given_sides(const Problem& problem) {
  const std::size_t n = problem.size();
  std::vector<std::vector<bool>> behind(n), behind_end(n);  // what comes after a start, after an end
  for (std::size_t i = n; i-- > 0;) {
    const TaskId t = problem.order[i];
    behind[t].assign(n, false);
    behind_end[t].assign(n, false);
    for (const Arc& arc : problem.outof(t)) {
      for (TaskId u = 0; u < n; ++u) {
        if (u != arc.to && !behind[arc.to][u]) continue;
        behind[t][u] = true;
        if (!arc.from_start) behind_end[t][u] = true;
      }
    }
  }
  given.assign(pairs.size(), Side::open);
  for (std::uint32_t p = 0; p < pairs.size(); ++p) {
    if (behind_end[pairs[p].a][pairs[p].b]) given[p] = Side::a_first;
    if (behind_end[pairs[p].b][pairs[p].a]) given[p] = Side::b_first;
  }
}

void Contention::add_groups(const Problem& problem) {
  std::map<std::vector<MachineId>, MachineGroup> by_machines;
  for (const Need& need : problem.needs) {
    if (need.machine.size() < 2) continue;
    std::vector<MachineId> machines = need.machine;
    std::ranges::sort(machines);
    machines.erase(std::unique(machines.begin(), machines.end()), machines.end());
    by_machines[machines].machines = machines.size();
  }
  for (auto& [machines, group] : by_machines) {
    for (const Need& need : problem.needs) {
      const bool within =
          std::ranges::all_of(need.machine, [&among = machines](MachineId m) { return std::ranges::binary_search(among, m); });
      if (within) group.tasks.push_back(need.task);
    }
    if (group.tasks.size() > group.machines && group.tasks.size() <= most_in_group) groups.push_back(std::move(group));
  }
}

}  // namespace rta::static_order
