#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "../../io/yaml_text.hpp"
#include "../amalthea_reader.hpp"
#include "../names.hpp"
#include "model.hpp"
#include "platform.hpp"

namespace rta::convert {
namespace amalthea {
namespace {

class DraftMaker {
 public:
  DraftMaker(const Model& model, const Options& options, Notes& notes)
      : model_(model), options_(options), notes_(notes), platform_(model, options, notes) {
    for (const Task& task : model.tasks) {
      for (const std::string& stimulus : task.stimuli) started_by_[stimulus].push_back(&task);
    }
  }

  Draft make() {
    draft_.name = std::filesystem::path(notes_.file()).filename().string();
    for (const Task& task : model_.tasks) {
      const std::vector<const Stimulus*> clocks = clocks_of(task);
      if (clocks.size() > 1) {
        if (platform_.processors_of(task) > 1) {
          refuse(
              notes_.file(),
              fmt::format("task '{}' has {} clocks, and its pool several processors: that its jobs wait for one another, a task set does "
                          "not say, and bounds would be too low",
                          one_line(task.name, 60), clocks.size()),
              task.place.line, task.place.column);
        }
        notes_.assume(fmt::format("task '{}' has {} clocks: a DAG for each; that their jobs wait for one another is not said",
                                  one_line(task.name, 60), clocks.size()));
      }
      for (const Stimulus* const clock : clocks) make_dag(task, *clock);
    }
    notes_.throw_if_missing();
    if (options_.period && !period_used_)
      refuse(notes_.file(), "--period: the model gives every clock its period, which the option does not change");
    for (const Task& task : model_.tasks) {
      if (!reached_.contains(task.name))
        notes_.assume(fmt::format("task '{}' is LEFT OUT: neither a clock nor another task starts it", one_line(task.name, 60)));
    }
    for (const auto& [stimulus, tasks] : started_by_) {
      const auto at = model_.stimuli.find(stimulus);
      if (at == model_.stimuli.end() || at->second.kind != "InterProcessStimulus" || triggered_.contains(stimulus)) continue;
      notes_.assume(fmt::format("stimulus '{}' of task '{}' is LEFT OUT: nothing that a clock starts triggers it", one_line(stimulus, 60),
                                one_line(tasks.front()->name, 60)));
    }
    for (const auto& [task, deadline] : model_.deadlines) {
      if (!clocked_.contains(task)) {
        notes_.assume(
            fmt::format("the deadline of '{}', {}, is left out: it is no DAG of its own", one_line(task, 60), io::time_text(deadline)));
      }
    }
    if (accesses_ > 0) {
      notes_.assume(fmt::format(
          "{} accesses of labels take no time of their own: the model gives neither a data rate nor (with --access-size BYTES) a latency "
          "for them",
          accesses_));
    }
    if (priorities_) notes_.found("priorities: a larger number is more urgent");
    make_chains();
    draft_.pools = platform_.take_pools();
    return std::move(draft_);
  }

 private:
  std::vector<const Stimulus*> clocks_of(const Task& task) {
    std::vector<const Stimulus*> clocks;
    for (const std::string& name : task.stimuli) {
      const auto at = model_.stimuli.find(name);
      if (at == model_.stimuli.end()) {
        refuse(notes_.file(), fmt::format("task '{}': no stimulus is called '{}'", one_line(task.name, 60), one_line(name, 60)),
               task.place.line, task.place.column);
      }
      if (at->second.kind == "InterProcessStimulus") continue;
      if (std::ranges::find(clocks, &at->second) != clocks.end()) continue;
      if (!at->second.period && !at->second.least_distance && !options_.period) {
        notes_.miss(fmt::format("task '{}': its stimulus '{}' ({}) has no period: give --period TIME", one_line(task.name, 60),
                                one_line(name, 60), one_line(at->second.kind, 40)));
      }
      clocks.push_back(&at->second);
    }
    return clocks;
  }

  // Jobs of a clock with jitter come within `jitter` after instants that are T apart.
  void set_releases(const Stimulus& clock, DraftDag& dag) {
    if (!clock.period) {
      period_used_ = period_used_ || !clock.least_distance;
      notes_.uses("period");
      dag.T = clock.least_distance.value_or(options_.period.value_or(Time(1)));
      return;
    }
    dag.T = *clock.period;
    dag.phase = clock.offset;
    if (!clock.jitter.most) return;
    const Time earliest = std::min(clock.jitter.least.value_or(Time::zero()), Time::zero());
    const Time jitter = std::max(*clock.jitter.most, Time::zero()) - earliest;
    if (earliest < Time::zero()) dag.phase.reset();
    if (jitter < dag.T || !clock.least_distance) {
      dag.jitter = jitter;
      return;
    }
    notes_.assume(
        fmt::format("DAG '{}': its release jitter of {} is not below its period of {}; T is the least distance of releases instead, {}",
                    dag.name, io::time_text(jitter), io::time_text(dag.T), io::time_text(*clock.least_distance)));
    dag.T = *clock.least_distance;
    dag.phase.reset();
  }

  void make_dag(const Task& task, const Stimulus& clock) {
    clocked_.insert(task.name);
    DraftDag dag;
    dag.name = dag_names_.unique(one_word(task.name, "task"));
    dag_of_task_.emplace(task.name, dag.name);
    set_releases(clock, dag);
    dag.priority = platform_.priority_of(task);
    priorities_ = priorities_ || dag.priority.has_value();
    if (const auto deadline = model_.deadlines.find(task.name); deadline != model_.deadlines.end()) {
      dag.D = deadline->second;
    } else {
      dag.D = options_.deadline;
      notes_.uses("deadline");
    }
    names_ = {};
    events_.clear();
    running_.clear();
    std::vector<NodeId> before;
    add_task(dag, task, before);
    if (dag.nodes.empty()) {
      notes_.assume(fmt::format("task '{}' is LEFT OUT: nothing that it does takes time", one_line(task.name, 60)));
      return;
    }
    draft_.dags.push_back(std::move(dag));
  }

  // What a task does: `before` are the nodes that its next one follows.
  void add_task(DraftDag& dag, const Task& task, std::vector<NodeId>& before) {
    if (!running_.insert(task.name).second) {
      refuse(notes_.file(), fmt::format("task '{}' triggers itself, directly or by others", one_line(task.name, 60)), task.place.line,
             task.place.column);
    }
    constexpr std::size_t deepest = 64;
    if (running_.size() > deepest || ++steps_ > most_steps) {
      refuse(notes_.file(), fmt::format("tasks trigger one another too often, or more than {} deep", deepest), task.place.line,
             task.place.column);
    }
    reached_.insert(task.name);
    add_items(dag, task, before);
    running_.erase(task.name);
  }

  void add_items(DraftDag& dag, const Task& task, std::vector<NodeId>& before) {
    if (is_whole(task)) return add_whole(dag, task, before);
    for (const Item& item : task.items) {
      switch (item.kind) {
        case Item::Kind::call: call(dag, task, item, before); break;
        case Item::Kind::trigger:
        case Item::Kind::wait:
        case Item::Kind::set: synchronise(dag, task, item, before); break;
        case Item::Kind::ticks:
        case Item::Kind::access: {
          Item one = item;
          Runnable alone{task.name, {std::move(one)}, item.place};
          add_runnable(dag, task, alone, before);
          break;
        }
      }
    }
  }

  void synchronise(DraftDag& dag, const Task& task, const Item& item, std::vector<NodeId>& before) {
    if (item.kind == Item::Kind::trigger) trigger(dag, item, before);
    if (item.kind == Item::Kind::wait) wait(dag, task, item, before);
    if (item.kind != Item::Kind::set) return;
    for (const std::string& event : item.events) events_[event] = before;
  }

  void call(DraftDag& dag, const Task& task, const Item& item, std::vector<NodeId>& before) {
    const auto runnable = model_.runnables.find(item.name);
    if (runnable == model_.runnables.end()) {
      refuse(notes_.file(), fmt::format("no runnable is called '{}'", one_line(item.name, 60)), item.place.line, item.place.column);
    }
    add_runnable(dag, task, runnable->second, before);
  }

  // The ticks and accesses of a runnable and of those that it calls, up to where it triggers, waits or sets an event.
  struct Work {
    Time least, most, average;
    bool all_averages = true, ticks = false;
    std::size_t accesses = 0;
    Time access_time;
  };
  struct Running {
    DraftDag& dag;
    const Task& task;
    std::string name;
    std::vector<NodeId>& before;
    Work work = {};
  };
  void sum_up(Running& running, const Runnable& runnable, int depth) {
    const Task& task = running.task;
    constexpr int deepest = 64;
    if (depth > deepest) {
      refuse(notes_.file(), fmt::format("runnable '{}' calls others more than {} deep, or itself", one_line(runnable.name, 60), deepest),
             runnable.place.line, runnable.place.column);
    }
    for (const Item& item : runnable.items) {
      Work& work = running.work;
      if (++steps_ > most_steps) refuse(notes_.file(), "runnables call one another too often");
      if (item.kind == Item::Kind::ticks) {
        const Platform::Cost cost = platform_.cost_of(task, item.ticks, item.place);
        if (!cost.known) {
          refuse(notes_.file(),
                 fmt::format("runnable '{}' has no ticks for each of the units that task '{}' may run on", one_line(runnable.name, 60),
                             one_line(task.name, 60)),
                 item.place.line, item.place.column);
        }
        work.ticks = true;
        work.least += cost.least;
        work.most += cost.most;
        work.all_averages = work.all_averages && cost.average;
        work.average += cost.average.value_or(cost.most);
      } else if (item.kind == Item::Kind::access) {
        ++work.accesses;
        const auto time = platform_.access_time(task, item.access);
        if (time) work.access_time += *time;
        accesses_ += static_cast<std::size_t>(!time);
      } else if (item.kind == Item::Kind::call) {
        const auto inner = model_.runnables.find(item.name);
        if (inner == model_.runnables.end())
          refuse(notes_.file(), fmt::format("no runnable is called '{}'", one_line(item.name, 60)), item.place.line, item.place.column);
        sum_up(running, inner->second, depth + 1);
      } else {
        end_piece(running);
        synchronise(running.dag, task, item, running.before);
      }
    }
  }

  void add_runnable(DraftDag& dag, const Task& task, const Runnable& runnable, std::vector<NodeId>& before) {
    Running running{dag, task, runnable.name, before};
    sum_up(running, runnable, 0);
    end_piece(running);
  }

  // A task that cannot be preempted is one node up to where it waits: no other starts between its runnables.
  [[nodiscard]] bool is_whole(const Task& task) const { return task.preemption == "non_preemptive" && !platform_.on_gpu(task); }

  void add_whole(DraftDag& dag, const Task& task, std::vector<NodeId>& before) {
    unbroken_.erase(&task);
    Running running{dag, task, {}, before};
    for (const Item& item : task.items) {
      const bool runs = item.kind == Item::Kind::call || item.kind == Item::Kind::ticks || item.kind == Item::Kind::access;
      if (runs) running.name = running.name.empty() && item.kind == Item::Kind::call ? item.name : task.name;
      Item one = item;
      sum_up(running, {task.name, {std::move(one)}, item.place}, 0);
      if (!runs) running.name.clear();
    }
    end_piece(running);
  }

  // Between two nodes of such a task it has waited.
  void begin_piece(const Task& task) {
    if (!is_whole(task) || unbroken_.insert(&task).second) return;
    refuse(notes_.file(),
           fmt::format("task '{}' cannot be preempted, and between what it does it starts another task, sets an event or waits actively: "
                       "that no other task runs then, a task set does not say",
                       one_line(task.name, 60)),
           task.place.line, task.place.column);
  }

  // The node of what the runnable has done since it last triggered, waited or set an event.
  void end_piece(Running& running) {
    const Work work = std::exchange(running.work, {});
    DraftDag& dag = running.dag;
    const Task& task = running.task;
    std::vector<NodeId>& before = running.before;
    DraftNode node;
    const bool gpu = platform_.on_gpu(task);
    if (gpu && !work.ticks) {
      // A runnable on a GPU that only moves labels is a copy.
      if (work.access_time == Time::zero()) return;
      node.node.name = names_.unique(one_word(running.name, "runnable"));
      node.node.pool = platform_.copy_pool_of(task);
      node.node.demand = CopyDemand{work.access_time, std::nullopt};
    } else {
      const Time most = work.most + work.access_time, least = work.least;
      if (most == Time::zero()) return;
      begin_piece(task);
      node.node.name = names_.unique(one_word(running.name.empty() ? task.name : running.name, "runnable"));
      node.node.pool = platform_.pool_of(task);
      if (gpu) {
        node.node.demand = platform_.whole_gpu(task, most);
      } else {
        node.node.demand = CpuDemand{most};
      }
      if (least < most)
        node.node.variation = Variation{least, work.all_averages ? likeliest(least, most, work.average + work.access_time) : std::nullopt};
    }
    if (gpu) node.process = task.name;
    const auto priority = platform_.priority_of(task);
    if (!gpu && priority != dag.priority) node.priority = priority;
    add(dag, std::move(node), before);
  }

  // The mode of a triangular density with that mean.
  static std::optional<Time> likeliest(Time least, Time most, Time mean) {
    const Wide mode = static_cast<Wide>(mean.count()) * 3 - least.count() - most.count();
    return to_time(std::clamp<Wide>(mode, least.count(), most.count()));
  }

  void add(DraftDag& dag, DraftNode node, std::vector<NodeId>& before) {
    constexpr std::size_t most_nodes = 1'000'000;
    if (++node_count_ > most_nodes) refuse(notes_.file(), fmt::format("the model makes more than {} nodes", most_nodes));
    const NodeId id = dag.nodes.size();
    for (const NodeId u : before) dag.edges.push_back({u, id, false});
    dag.add(std::move(node));
    before = {id};
  }

  // The tasks that a stimulus starts run beside the one that triggers it.
  void trigger(DraftDag& dag, const Item& item, const std::vector<NodeId>& before) {
    triggered_.insert(item.name);
    const auto tasks = started_by_.find(item.name);
    if (tasks == started_by_.end()) {
      notes_.assume(fmt::format("stimulus '{}' starts no task", one_line(item.name, 60)));
      return;
    }
    for (const Task* const task : tasks->second) {
      std::vector<NodeId> branch = before;
      add_task(dag, *task, branch);
    }
  }

  void wait(DraftDag& dag, const Task& task, const Item& item, std::vector<NodeId>& before) {
    std::vector<NodeId> ends;
    for (const std::string& event : item.events) {
      const auto set = events_.find(event);
      if (set == events_.end()) {
        refuse(notes_.file(),
               fmt::format("task '{}' waits for event '{}', which nothing that it triggered before sets", one_line(task.name, 60),
                           one_line(event, 60)),
               item.place.line, item.place.column);
      }
      ends.insert(ends.end(), set->second.begin(), set->second.end());
    }
    if (item.active && !platform_.on_gpu(task)) {
      // The thread executes while what it waits for runs elsewhere; alone, that is the longest way to it.
      DraftNode node;
      node.node.name = names_.unique(one_word("wait-" + (item.events.empty() ? task.name : item.events.front()), "wait"));
      node.node.pool = platform_.pool_of(task);
      const Time alone = way_to(dag, ends, before, node.node.pool);
      node.node.demand = CpuDemand{alone};
      if (alone > Time::zero()) {
        begin_piece(task);
        notes_.assume(fmt::format(
            "DAG '{}': while task '{}' waits actively, node '{}' keeps its core for {}, the time of what it waits for; delays of that are "
            "not in it, so that bounds of OTHER DAGs on the core may be too low",
            dag.name, one_line(task.name, 60), node.node.name, io::time_text(alone)));
        add(dag, std::move(node), before);
      }
    }
    if (!item.active) unbroken_.erase(&task);
    before.insert(before.end(), ends.begin(), ends.end());
    std::ranges::sort(before);
    before.erase(std::unique(before.begin(), before.end()), before.end());
  }

  // The longest path to one of `ends` behind all of `before`, without what runs on the pool of the waiting thread: while that runs, the
  // thread does not.
  static Time way_to(const DraftDag& dag, const std::vector<NodeId>& ends, const std::vector<NodeId>& before, PoolId own) {
    std::vector<Time> length(dag.nodes.size());
    const NodeId first = before.empty() ? 0 : before.back() + 1;
    for (NodeId v = first; v < dag.nodes.size(); ++v) {
      if (dag.nodes[v].pool != own) length[v] = longest_piece(dag.nodes[v]);
    }
    // Edges are in the order of the nodes that they lead to.
    std::vector<Time> total = length;
    for (const Edge& e : dag.edges) {
      if (e.from >= first && e.to >= first) total[e.to] = std::max(total[e.to], total[e.from] + length[e.to]);
    }
    Time longest;
    for (const NodeId end : ends) longest = std::max(longest, total[end]);
    return longest;
  }

  void make_chains() {
    for (const ChainInfo& info : model_.chains) {
      DraftChain chain;
      chain.name = one_word(info.name, "chain");
      for (const std::string& event : info.events) {
        const auto entity = model_.entity_of_event.find(event);
        const std::string& name = entity == model_.entity_of_event.end() ? event : entity->second;
        const auto dag = dag_of_task_.find(name);
        const std::string stage = dag == dag_of_task_.end() ? one_word(name, "event") : dag->second;
        if (chain.stages.empty() || chain.stages.back() != stage) chain.stages.push_back(stage);
      }
      draft_.chains.push_back(std::move(chain));
    }
  }

  static constexpr std::size_t most_steps = 10'000'000;

  const Model& model_;
  const Options& options_;
  Notes& notes_;
  Platform platform_;
  Draft draft_;
  std::map<std::string, std::vector<const Task*>> started_by_;  // stimulus
  std::map<std::string, std::vector<NodeId>> events_;           // of the DAG at hand: set when these have ended
  std::set<std::string> running_;                               // tasks that are being added
  std::set<std::string> reached_, clocked_, triggered_;
  std::set<const Task*> unbroken_;  // that cannot be preempted, and have not waited since their last node
  std::map<std::string, std::string> dag_of_task_;
  UniqueNames names_, dag_names_;
  std::size_t accesses_ = 0, steps_ = 0, node_count_ = 0;
  bool priorities_ = false, period_used_ = false;
};

}  // namespace
}  // namespace amalthea

Draft read_amalthea(std::string_view text, const Options& options, Notes& notes) {
  const amalthea::Model model = amalthea::read_model(text, notes);
  return amalthea::DraftMaker(model, options, notes).make();
}

}  // namespace rta::convert
