#include "isolated_threads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "../../io/yaml_text.hpp"
#include "isolated_groups.hpp"
#include "rta/model/utilization.hpp"

namespace rta::convert {
namespace {

class ThreadsOnProcessors {
 public:
  ThreadsOnProcessors(const TaskSet& task_set, std::string file, Notes& notes)
      : set_(task_set), file_(std::move(file)), notes_(notes), out_(file_), config_(read(file_, notes)) {}

  TaskSet completed() {
    found_ = isolated_groups(set_, config_, file_);
    tell_of_the_file();
    place_threads();
    out_.throw_if_failed();
    for (const auto& [processor, groups] : on_) add_pools(processor, groups);
    out_.throw_if_failed();
    tell_who_stays();
    return rebuilt();
  }

 private:
  static ThreadConfig read(const std::string& file, Notes& notes) {
    std::vector<io::Diagnostic> warnings;
    ThreadConfig config = read_thread_config(file, warnings);
    for (io::Diagnostic& warning : warnings) notes.warn(std::move(warning));
    return config;
  }

  [[nodiscard]] const IsolatedThread& thread(std::size_t g) const { return config_.groups[g]; }
  [[nodiscard]] const Node& node(const IsolatedNode& at) const { return set_.dags()[at.first].nodes()[at.second]; }

  void tell_of_the_file() {
    if (!config_.hardware.empty()) notes_.found(fmt::format("hardware_info of {} is not compared with anything", one_line(file_, 100)));
    if (!config_.throttling.empty())
      notes_.assume("rt_throttling: real-time threads never run for so long that Linux throttles them, WHICH IS IN NO BOUND");
  }

  // Real-time threads, by their processor.
  void place_threads() {
    for (std::size_t g = 0; g < config_.groups.size(); ++g) {
      const IsolatedThread& of = thread(g);
      if (found_.groups[g].nodes.empty() || !of.is_real_time()) continue;
      if (of.affinity.size() != 1) {
        out_.error(of.affinity_at.line == 0 ? of.at : of.affinity_at,
                   fmt::format("affinity: no bound covers a thread of {} that may run on {} processors: give it one", of.policy,
                               of.affinity.empty() ? "all" : fmt::format("{}", of.affinity.size())));
        continue;
      }
      if (of.is_deadline() && of.deadline != of.period) {
        out_.error(of.policy_at, fmt::format("deadline: bounds are of reservations whose deadline is their period, and not {} ns of {} ns",
                                             of.deadline, of.period));
        continue;
      }
      for (const IsolatedNode& at : found_.groups[g].nodes) check_node(of, at);
      on_[of.affinity.front()].push_back(g);
    }
  }

  void check_node(const IsolatedThread& of, const IsolatedNode& at) {
    const Dag& dag = set_.dags()[at.first];
    const auto& cpu = std::get<CpuPool>(set_.pools()[node(at).pool].resource);
    if (dag.attributes().threads)
      out_.error(of.at, fmt::format("DAG '{}' is played by threads of its own (`threads`)", one_line(dag.name(), 60)));
    if (is_multi_threaded(cpu) && node(at).group == reentrant_group) {
      out_.error(of.policy_at, fmt::format("'{}' is of a reentrant group, which has several threads: no bound covers them beside others",
                                           one_line(node(at).name, 60)));
    }
  }

  void add_pools(std::uint32_t processor, const std::vector<std::size_t>& groups) {
    const auto reserved = [&](std::size_t g) { return thread(g).is_deadline(); };
    const auto first_reserved = std::ranges::find_if(groups, reserved);
    const auto first_fixed = std::ranges::find_if_not(groups, reserved);
    tell_strangers(processor);
    if (first_reserved != groups.end() && first_fixed != groups.end()) {
      out_.error(thread(*first_fixed).policy_at,
                 fmt::format("processor {} serves '{}' by SCHED_DEADLINE before this thread, which no bound counts: give it a reservation, "
                             "too, or another processor",
                             processor, one_line(thread(*first_reserved).id, 80)));
      return;
    }
    if (first_reserved != groups.end()) return add_reservations(processor, groups);
    if (groups.size() == 1) {
      add_pool(fmt::format("cpu{}", processor), executor(groups.front()), groups);
      return;
    }
    for (const std::size_t g : groups) {
      const auto& nodes = found_.groups[g].nodes;
      const auto publishes =
          std::ranges::find_if(nodes, [&](const IsolatedNode& at) { return !set_.dags()[at.first].successors(at.second).empty(); });
      if (publishes == nodes.end()) continue;
      out_.error(thread(g).at, fmt::format("threads share processor {}, and '{}' publishes, which a thread that shares its processor by "
                                           "priority may do before it ends: there are no bounds yet; give it a processor, or a "
                                           "reservation (SCHED_DEADLINE)",
                                           processor, one_line(node(*publishes).name, 60)));
    }
    add_pool(fmt::format("cpu{}", processor), {.processors = 1, .scheduler = Scheduler::fp, .preemptive = true, .equals = Equals::any},
             groups);
  }

  void add_reservations(std::uint32_t processor, const std::vector<std::size_t>& groups) {
    Utilization all;
    for (const std::size_t g : groups) {
      const IsolatedThread& of = thread(g);
      all.add(of.runtime, of.period);
      if (all.compare(1) > 0)
        out_.error(of.policy_at, fmt::format("the reservations of processor {} are more than all of it: {}", processor, all.text()));
      CpuPool pool = executor(g);
      pool.reservation = Reservation{Time(static_cast<std::int64_t>(of.runtime)), Time(static_cast<std::int64_t>(of.period))};
      const std::string name = reserved_names_.unique(one_word(of.node.substr(of.node.rfind('/') + 1), "thread"));
      add_pool(fmt::format("{}-cpu{}", name, processor), pool, {g});
    }
  }

  // A single-threaded executor of the group alone.
  CpuPool executor(std::size_t g) {
    if (found_.groups[g].one_node_each) return {.processors = 1, .scheduler = Scheduler::wait_set, .preemptive = false};
    notes_.assume(
        fmt::format("thread '{}': some callback of it is several nodes, whose messages wait in one queue, which the theorems of the "
                    "wait-set rule do not count: its callbacks count in any order",
                    one_line(thread(g).id, 80)));
    return {.processors = 1, .scheduler = Scheduler::fp, .preemptive = false, .equals = Equals::any, .callbacks = true};
  }

  void add_pool(std::string name, const CpuPool& pool, const std::vector<std::size_t>& groups) {
    for (const std::size_t g : groups) {
      const IsolatedThread& of = thread(g);
      for (const IsolatedNode& at : found_.groups[g].nodes) {
        const bool ranked = pool.scheduler == Scheduler::fp;
        const FixedPriority priority = pool.preemptive ? static_cast<FixedPriority>(of.priority) : FixedPriority{1};
        moved_.emplace(at, Move{added_.size(), ranked ? std::optional(priority) : std::nullopt});
      }
      notes_.found(fmt::format("thread '{}': {} on processor {}: {}", one_line(of.id, 100),
                               of.is_deadline() ? fmt::format("SCHED_DEADLINE, {} every {},", io::time_text(pool.reservation->runtime),
                                                              io::time_text(pool.reservation->period))
                                                : fmt::format("{} {}", of.policy, of.priority),
                               of.affinity.front(), names_of(found_.groups[g].nodes, set_)));
    }
    added_.push_back({std::move(name), pool});
  }

  // Real-time threads of which the task set knows nothing.
  void tell_strangers(std::uint32_t processor) {
    const auto tell = [&](const IsolatedThread& of) {
      const bool there = of.affinity.empty() || std::ranges::find(of.affinity, processor) != of.affinity.end();
      if (of.is_real_time() && there)
        notes_.assume(fmt::format("thread '{}' ({}) may run on processor {}, AND IS IN NO BOUND: the task set has none of its work",
                                  one_line(of.id, 100), of.policy, processor));
    };
    for (std::size_t g = 0; g < config_.groups.size(); ++g) {
      if (found_.groups[g].nodes.empty()) tell(thread(g));
    }
    for (const IsolatedThread& of : config_.others) tell(of);
  }

  void tell_who_stays() {
    std::vector<const IsolatedThread*> empty, others;
    std::vector<IsolatedNode> kept;
    for (std::size_t g = 0; g < config_.groups.size(); ++g) {
      const auto& nodes = found_.groups[g].nodes;
      if (nodes.empty()) empty.push_back(&thread(g));
      if (!thread(g).is_real_time()) kept.insert(kept.end(), nodes.begin(), nodes.end());
    }
    for (const IsolatedThread& of : config_.others) others.push_back(&of);
    if (!kept.empty())
      notes_.assume(
          fmt::format("left where the task set has them: {} of threads that Linux schedules behind all real-time ones (SCHED_OTHER, "
                      "SCHED_BATCH, SCHED_IDLE); BOUNDS HOLD WHERE NOTHING ELSE RUNS ON THEIR PROCESSORS: {}",
                      counted(kept.size(), "node"), names_of(kept, set_)));
    if (!found_.without.empty())
      notes_.assume(fmt::format("left where the task set has them: {} of no callback group of the file: {}",
                                counted(found_.without.size(), "node"), names_of(found_.without, set_)));
    if (!empty.empty())
      notes_.assume(fmt::format("of the file no part of the task set: {}, of which it has no callback: {}",
                                counted(empty.size(), "callback group"), ids_of(empty)));
    if (!others.empty())
      notes_.assume(fmt::format("of the file no part of the task set: {} beside callback groups: {}", counted(others.size(), "thread"),
                                ids_of(others)));
  }

  [[nodiscard]] TaskSet rebuilt() const {
    std::vector<std::size_t> before(set_.pools().size()), after(set_.pools().size());
    for (DagId d = 0; d < set_.dags().size(); ++d) {
      for (NodeId v = 0; v < set_.dags()[d].nodes().size(); ++v) {
        const PoolId p = node({d, v}).pool;
        ++before[p];
        if (!moved_.contains({d, v})) ++after[p];
      }
    }
    std::vector<Pool> pools;
    std::vector<PoolId> index(set_.pools().size());
    UniqueNames names;
    for (PoolId p = 0; p < set_.pools().size(); ++p) {
      if (before[p] > 0 && after[p] == 0) continue;
      index[p] = pools.size();
      pools.push_back(set_.pools()[p]);
      static_cast<void>(names.unique(pools.back().name));
    }
    const std::size_t first = pools.size();
    for (const Pool& pool : added_) pools.push_back({names.unique(pool.name), pool.resource});
    std::vector<Dag> dags;
    for (DagId d = 0; d < set_.dags().size(); ++d) dags.push_back(rebuilt_dag(d, index, first));
    return {set_.name(), std::move(pools), std::move(dags), set_.chains(), set_.requirements()};
  }

  [[nodiscard]] Dag rebuilt_dag(DagId d, const std::vector<PoolId>& index, std::size_t first) const {
    const Dag& dag = set_.dags()[d];
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    for (NodeId v = 0; v < nodes.size(); ++v) {
      const auto at = moved_.find({d, v});
      if (at == moved_.end()) {
        nodes[v].pool = index[nodes[v].pool];
        continue;
      }
      if (is_multi_threaded(std::get<CpuPool>(set_.pools()[nodes[v].pool].resource))) nodes[v].group.clear();
      nodes[v].pool = first + at->second.pool;
      std::get<CpuDemand>(nodes[v].demand).priority = at->second.priority;
    }
    return {dag.name(), dag.period(), dag.deadline(), std::move(nodes), {dag.edges().begin(), dag.edges().end()}, dag.attributes()};
  }

  struct Move {
    std::size_t pool = 0;  // of those that are added
    std::optional<FixedPriority> priority;
  };

  const TaskSet& set_;
  std::string file_;
  Notes& notes_;
  io::Diagnostics out_;
  ThreadConfig config_;
  IsolatedGroups found_;
  std::map<std::uint32_t, std::vector<std::size_t>> on_;  // processors: groups
  std::vector<Pool> added_;
  UniqueNames reserved_names_;
  std::map<IsolatedNode, Move> moved_;
};

}  // namespace

TaskSet with_isolated_threads(const TaskSet& task_set, const std::filesystem::path& file, Notes& notes) {
  return ThreadsOnProcessors(task_set, file.string(), notes).completed();
}

}  // namespace rta::convert
