#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "../names.hpp"
#include "isolated_groups.hpp"
#include "rta/convert/convert.hpp"
#include "rta/model/fixed_priority.hpp"
#include "rta/model/utilization.hpp"

namespace rta::convert {
namespace {

constexpr std::int64_t priority_alone = 50;  // of a thread that has its processor to itself
constexpr FixedPriority most_urgent = 99;    // of SCHED_FIFO

[[noreturn]] void no_config(const std::string& why) { throw UserError("no thread configuration: " + why); }

/// `cores12` ends with 12.
std::optional<std::uint32_t> number_at_end(const std::string& name) {
  constexpr std::size_t most_digits = 5;
  std::size_t begin = name.size();
  while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9') --begin;
  if (begin == name.size() || name.size() - begin > most_digits) return std::nullopt;
  return static_cast<std::uint32_t>(std::stoul(name.substr(begin)));
}

class IsolatedWriter {
 public:
  IsolatedWriter(const TaskSet& task_set, std::string file)
      : set_(task_set),
        file_(std::move(file)),
        config_(read_thread_config(file_, warnings_)),
        found_(isolated_groups(task_set, config_, file_)),
        priorities_(fixed_priorities(task_set)) {}

  IsolatedThreads written() {
    for (std::size_t g = 0; g < config_.groups.size(); ++g) {
      if (!found_.groups[g].nodes.empty()) groups_on_[pool_of(g)].push_back(g);
    }
    check_nodes_without();
    find_processors();
    for (const auto& [p, groups] : groups_on_) set_threads(p, groups);
    tell_the_rest();
    return {format_thread_config(config_), std::move(assumed_), std::move(warnings_)};
  }

 private:
  [[nodiscard]] const Node& node(const IsolatedNode& at) const { return set_.dags()[at.first].nodes()[at.second]; }
  [[nodiscard]] const CpuPool& cpu(PoolId p) const { return std::get<CpuPool>(set_.pools()[p].resource); }
  [[nodiscard]] std::string id(std::size_t g) const { return one_line(config_.groups[g].id, 80); }

  [[nodiscard]] PoolId pool_of(std::size_t g) const {
    const auto& nodes = found_.groups[g].nodes;
    const PoolId p = node(nodes.front()).pool;
    for (const IsolatedNode& at : nodes) {
      if (node(at).pool != p)
        no_config(fmt::format("the callbacks of '{}' are one thread's, and are on pools '{}' and '{}'", id(g), set_.pools()[p].name,
                              set_.pools()[node(at).pool].name));
    }
    return p;
  }

  void check_nodes_without() const {
    for (const IsolatedNode& at : found_.without) {
      const PoolId p = node(at).pool;
      if (groups_on_.contains(p))
        no_config(fmt::format("node '{}' is on pool '{}', and no callback group of {} has it: its thread would be anywhere", node(at).name,
                              set_.pools()[p].name, file_));
    }
  }

  // By the number at the end of a pool's name; reservations may share one.
  void find_processors() {
    std::map<std::uint32_t, Utilization> parts;
    std::set<std::uint32_t> whole;
    std::vector<PoolId> left;
    for (const auto& [p, groups] : groups_on_) {
      const auto number = number_at_end(set_.pools()[p].name);
      const auto& reserved = cpu(p).reservation;
      bool fits = number && !whole.contains(*number);
      if (fits && reserved) {
        Utilization all = parts[*number];
        all.add(reserved->runtime.count(), reserved->period.count());
        fits = all.compare(1) <= 0;
        if (fits) parts[*number] = std::move(all);
      } else if (fits) {
        fits = !parts.contains(*number) && whole.insert(*number).second;
      }
      if (!fits) left.push_back(p);
      if (fits) {
        processor_[p] = *number;
        assumed_.push_back(fmt::format("pool '{}' is on processor {}, the number at its end", set_.pools()[p].name, *number));
      }
    }
    std::uint32_t next = 0;
    for (const PoolId p : left) {
      while (whole.contains(next) || parts.contains(next)) ++next;
      whole.insert(next);
      processor_[p] = next;
      assumed_.push_back(fmt::format("pool '{}' is on processor {}, the first that no other has", set_.pools()[p].name, next));
    }
  }

  void set_threads(PoolId p, const std::vector<std::size_t>& groups) {
    const CpuPool& pool = cpu(p);
    const std::string& name = set_.pools()[p].name;
    if (pool.processors != 1)
      no_config(fmt::format("pool '{}' has {} processors, and a callback group here one thread on one", name, pool.processors));
    if (pool.scheduler == Scheduler::fp && pool.preemptive) {
      set_priorities(p, groups);
      return;
    }
    if (!is_wait_set(pool) && !pool.callbacks)
      no_config(
          fmt::format("pool '{}' is under {}{}, which threads of Linux do not follow: give its nodes executors, or the pool FP with "
                      "preemption",
                      name, to_string(pool.scheduler), pool.preemptive ? "" : " without preemption"));
    if (groups.size() > 1)
      no_config(fmt::format("pool '{}' is an executor of one thread, and the callback groups '{}' and '{}' are two", name, id(groups[0]),
                            id(groups[1])));
    const auto& nodes = found_.groups[groups.front()].nodes;
    if (!is_wait_set(pool) && nodes.size() > 1 && !is_any_order(pool, nodes))
      no_config(
          fmt::format("pool '{}' is an executor that picks callbacks in another order than the threads of callback groups, which "
                      "poll (kind: wait-set)",
                      name));
    IsolatedThread& thread = config_.groups[groups.front()];
    thread.affinity = {processor_.at(p)};
    if (pool.reservation) {
      reserve(thread, *pool.reservation, name);
    } else if (!thread.is_fixed()) {
      set_fixed(thread, priority_alone);
      assumed_.push_back(fmt::format("thread '{}' has SCHED_FIFO {}: any will do, as it has processor {} to itself",
                                     one_line(thread.id, 80), priority_alone, thread.affinity.front()));
    }
  }

  /// Of nodes that may run in any order.
  [[nodiscard]] bool is_any_order(const CpuPool& pool, const std::vector<IsolatedNode>& nodes) const {
    const auto priority = [&](const IsolatedNode& at) { return priorities_.of[at.first][at.second]; };
    return pool.scheduler == Scheduler::fp && pool.equals == Equals::any &&
           std::ranges::all_of(nodes, [&](const IsolatedNode& at) { return priority(at) == priority(nodes.front()); });
  }

  static void set_fixed(IsolatedThread& thread, std::int64_t priority) {
    if (!thread.is_fixed()) thread.policy = "SCHED_FIFO";
    thread.nice = false;
    thread.priority = priority;
  }

  static void reserve(IsolatedThread& thread, const Reservation& reservation, const std::string& pool) {
    constexpr std::int64_t least = 1024, most = std::numeric_limits<std::uint32_t>::max();  // of Linux, and of the configurator
    if (reservation.runtime.count() < least || reservation.period.count() > most)
      no_config(
          fmt::format("the reservation of pool '{}' is not one that the configurator sets: {} ns of {} ns (a runtime of {} ns at least, "
                      "a period of {} ns at most)",
                      pool, reservation.runtime.count(), reservation.period.count(), least, most));
    thread.policy = "SCHED_DEADLINE";
    thread.runtime = static_cast<std::uint64_t>(reservation.runtime.count());
    thread.deadline = thread.period = static_cast<std::uint64_t>(reservation.period.count());
  }

  void set_priorities(PoolId p, const std::vector<std::size_t>& groups) {
    const std::string& name = set_.pools()[p].name;
    std::set<FixedPriority> all;
    bool publishes = false;
    for (const std::size_t g : groups) {
      const auto& nodes = found_.groups[g].nodes;
      for (const auto& [d, v] : nodes) {
        publishes = publishes || !set_.dags()[d].successors(v).empty();
        all.insert(priorities_.of[d][v]);
        if (priorities_.of[d][v] != priorities_.of[nodes.front().first][nodes.front().second])
          no_config(fmt::format("the callbacks of '{}' are one thread's, and '{}' and '{}' have different priorities on pool '{}'", id(g),
                                node(nodes.front()).name, node({d, v}).name, name));
      }
      if (nodes.size() > 1 && cpu(p).equals != Equals::any)
        no_config(fmt::format("the callbacks of '{}' are picked by polls, and equals of pool '{}' run by ready time: give it equals: any",
                              id(g), name));
    }
    const bool as_they_are = *all.begin() >= 1 && *all.rbegin() <= most_urgent;
    if (!as_they_are && all.size() > most_urgent)
      no_config(fmt::format("pool '{}' has {} priorities, and SCHED_FIFO {}", name, all.size(), most_urgent));
    if (!as_they_are)
      assumed_.push_back(fmt::format("priorities of pool '{}' are counted from 1 upwards, as SCHED_FIFO has 1 to {}", name, most_urgent));
    if (publishes)
      assumed_.push_back(
          fmt::format("callbacks on pool '{}' publish at their ends: ONE THAT PUBLISHES EARLIER MAY BE PREEMPTED FOR ITS OWN "
                      "MESSAGE, which is in no bound",
                      name));
    for (const std::size_t g : groups) {
      const auto& [d, v] = found_.groups[g].nodes.front();
      const FixedPriority given = priorities_.of[d][v];
      IsolatedThread& thread = config_.groups[g];
      thread.affinity = {processor_.at(p)};
      thread.policy = "SCHED_FIFO";
      set_fixed(thread, as_they_are ? static_cast<std::int64_t>(given) : std::distance(all.begin(), all.find(given)) + 1);
    }
  }

  void tell_the_rest() {
    std::vector<const IsolatedThread*> kept;
    for (std::size_t g = 0; g < config_.groups.size(); ++g) {
      if (found_.groups[g].nodes.empty()) kept.push_back(&config_.groups[g]);
    }
    for (const IsolatedThread& thread : config_.others) kept.push_back(&thread);
    for (const IsolatedThread* const thread : kept) {
      const auto shares = [&](const auto& of) {
        return thread->affinity.empty() || std::ranges::find(thread->affinity, of.second) != thread->affinity.end();
      };
      if (thread->is_real_time() && std::ranges::any_of(processor_, shares))
        assumed_.push_back(fmt::format("thread '{}' ({}) may run on a processor of the task set, AND IS IN NO BOUND",
                                       one_line(thread->id, 80), thread->policy));
    }
    if (!kept.empty())
      assumed_.push_back(fmt::format("as in {}: {} of which the task set has no callback: {}", one_line(file_, 100),
                                     counted(kept.size(), "thread"), ids_of(kept)));
    if (!found_.without.empty())
      assumed_.push_back(fmt::format("no thread is configured for {} of no callback group: {}", counted(found_.without.size(), "node"),
                                     names_of(found_.without, set_)));
  }

  const TaskSet& set_;
  std::string file_;
  std::vector<io::Diagnostic> warnings_;
  ThreadConfig config_;
  IsolatedGroups found_;
  FixedPriorities priorities_;
  std::map<PoolId, std::vector<std::size_t>> groups_on_;
  std::map<PoolId, std::uint32_t> processor_;
  std::vector<std::string> assumed_;
};

}  // namespace

IsolatedThreads format_callback_isolated(const TaskSet& task_set, const std::filesystem::path& thread_config) {
  return IsolatedWriter(task_set, thread_config.string()).written();
}

}  // namespace rta::convert
