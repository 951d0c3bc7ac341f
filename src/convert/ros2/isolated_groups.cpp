#include "isolated_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "../names.hpp"
#include "callback_names.hpp"

namespace rta::convert {
namespace {

constexpr std::size_t most_listed = 12;

Ros2Owner owner_of(const IsolatedCallback& callback) {
  if (callback.kind == "Timer") return Ros2Owner::timer;
  if (callback.kind == "Subscription") return Ros2Owner::subscription;
  return callback.kind == "Service" ? Ros2Owner::service : Ros2Owner::client;
}

/// A callback of a group, as often as the group has it.
struct Sought {
  std::size_t group = 0;
  std::size_t callback = 0;  // the first of equal ones
  std::size_t times = 1;
  std::int64_t period = 0;  // of a timer
  std::vector<IsolatedNode> nodes;
};

/// `x.timer-2` is the second callback that would be called `x.timer`.
std::string without_number(const std::string& name) {
  const std::size_t dash = name.rfind('-');
  if (dash == std::string::npos || dash + 1 == name.size()) return name;
  const bool digits =
      std::all_of(name.begin() + static_cast<std::ptrdiff_t>(dash) + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; });
  return digits ? name.substr(0, dash) : name;
}

std::int64_t period_of(const IsolatedThread& thread, const IsolatedCallback& callback, io::Diagnostics& out) {
  std::int64_t period = 0;
  const char* const end = callback.of.data() + callback.of.size();
  const auto [at, fault] = std::from_chars(callback.of.data(), end, period);
  if (fault != std::errc() || at != end || period <= 0)
    out.error(thread.at, fmt::format("id: Timer({}) has no period in ns", one_line(callback.of, 40)));
  return period;
}

using ByName = std::map<std::string, std::vector<Sought>>;

ByName sought_callbacks(const ThreadConfig& config, io::Diagnostics& out) {
  ByName by_name;
  for (std::size_t g = 0; g < config.groups.size(); ++g) {
    const IsolatedThread& thread = config.groups[g];
    for (std::size_t c = 0; c < thread.callbacks.size(); ++c) {
      const IsolatedCallback& callback = thread.callbacks[c];
      const auto first = static_cast<std::size_t>(std::ranges::find(thread.callbacks, callback) - thread.callbacks.begin());
      auto& of_name = by_name[callback_name(thread.node, owner_of(callback), callback.of)];
      if (first < c) {
        const auto at = std::ranges::find_if(of_name, [&](const Sought& other) { return other.group == g && other.callback == first; });
        ++at->times;
        continue;
      }
      Sought& one = of_name.emplace_back();
      one.group = g;
      one.callback = c;
      if (callback.kind == "Timer") one.period = period_of(thread, callback, out);
    }
  }
  return by_name;
}

}  // namespace

IsolatedGroups isolated_groups(const TaskSet& task_set, const ThreadConfig& config, const std::string& file) {
  io::Diagnostics out(file);
  ByName by_name = sought_callbacks(config, out);
  out.throw_if_failed();
  IsolatedGroups found;
  found.groups.resize(config.groups.size());
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const Node& node = dag.nodes()[v];
      if (!std::holds_alternative<CpuDemand>(node.demand)) continue;
      auto at = by_name.find(node.name);
      if (at == by_name.end()) at = by_name.find(without_number(node.name));
      std::vector<Sought*> fitting;
      if (at != by_name.end()) {
        for (Sought& one : at->second) {
          if (one.period == 0 || (dag.predecessors(v).empty() && dag.nominal_period() == Time(one.period))) fitting.push_back(&one);
        }
      }
      if (fitting.empty()) found.without.emplace_back(d, v);
      if (fitting.size() > 1) {
        out.error(config.groups[fitting[1]->group].at,
                  fmt::format("node '{}/{}' may be a callback of this group and of that in line {}: ids do not tell them apart",
                              one_line(dag.name(), 60), one_line(node.name, 60), config.groups[fitting[0]->group].at.line));
      } else if (!fitting.empty()) {
        fitting.front()->nodes.emplace_back(d, v);
      }
    }
  }
  for (auto& [name, all] : by_name) {
    for (Sought& one : all) {
      IsolatedGroup& group = found.groups[one.group];
      group.nodes.insert(group.nodes.end(), one.nodes.begin(), one.nodes.end());
      if (one.nodes.size() <= one.times) continue;
      if (one.period != 0) {
        out.error(config.groups[one.group].at,
                  fmt::format("the task set has {} timers '{}' of {} ns, and this group {}: which of them it has is not known",
                              one.nodes.size(), one_line(name, 60), one.period, one.times));
      }
      group.one_node_each = false;
    }
  }
  out.throw_if_failed();
  for (IsolatedGroup& group : found.groups) std::ranges::sort(group.nodes);
  if (std::ranges::all_of(found.groups, [](const IsolatedGroup& group) { return group.nodes.empty(); })) {
    out.error(
        {1, 1},
        fmt::format(
            "--thread-config: no node of the task set is a callback of these groups: nodes are called as `rta convert` calls those of a "
            "trace{}",
            by_name.empty() ? std::string() : fmt::format(", here '{}'", one_line(by_name.begin()->first, 60))));
    out.throw_if_failed();
  }
  return found;
}

std::string names_of(std::span<const IsolatedNode> nodes, const TaskSet& task_set) {
  std::set<std::string> names;
  for (const auto& [d, v] : nodes) names.insert(task_set.dags()[d].nodes()[v].name);
  std::string list;
  std::size_t shown = 0;
  for (const std::string& name : names) {
    if (shown++ == most_listed) return list + ", …";
    list += fmt::format("{}'{}'", list.empty() ? "" : ", ", one_line(name, 60));
  }
  return list;
}

std::string counted(std::size_t count, std::string_view what) { return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s"); }

std::string ids_of(std::span<const IsolatedThread* const> threads) {
  std::string list;
  std::size_t shown = 0;
  for (const IsolatedThread* const thread : threads) {
    if (shown++ == most_listed) return list + ", …";
    list += fmt::format("{}'{}'", list.empty() ? "" : ", ", one_line(thread->id, 80));
  }
  return list;
}

}  // namespace rta::convert
