#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

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
      if (const Stimulus* const clock = clock_of(task)) make_dag(task, *clock);
    }
    for (const Task& task : model_.tasks) {
      if (!reached_.contains(task.name))
        notes_.assume(fmt::format("task '{}' is LEFT OUT: neither a clock nor another task starts it", one_line(task.name, 60)));
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
  const Stimulus* clock_of(const Task& task) {
    for (const std::string& name : task.stimuli) {
      const auto at = model_.stimuli.find(name);
      if (at == model_.stimuli.end()) {
        refuse(notes_.file(), fmt::format("task '{}': no stimulus is called '{}'", one_line(task.name, 60), one_line(name, 60)),
               task.place.line, task.place.column);
      }
      if (at->second.kind == "InterProcessStimulus") continue;
      if (at->second.period || options_.period) return &at->second;
      notes_.miss(fmt::format("task '{}': its stimulus '{}' ({}) has no period: give --period TIME", one_line(task.name, 60),
                              one_line(name, 60), one_line(at->second.kind, 40)));
      return &at->second;
    }
    return nullptr;
  }

  void make_dag(const Task& task, const Stimulus& clock) {
    clocked_.insert(task.name);
    DraftDag dag;
    dag.name = dag_names_.unique(one_word(task.name, "task"));
    dag_of_task_.emplace(task.name, dag.name);
    dag.T = clock.period.value_or(options_.period.value_or(Time(1)));
    dag.phase = clock.offset;
    dag.jitter = clock.jitter;
    dag.priority = model_.allocations.at(task.name).priority;
    priorities_ = priorities_ || dag.priority.has_value();
    if (const auto deadline = model_.deadlines.find(task.name); deadline != model_.deadlines.end()) {
      dag.D = deadline->second;
    } else {
      dag.D = options_.deadline;
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
    for (const Item& item : task.items) {
      switch (item.kind) {
        case Item::Kind::call: call(dag, task, item, before); break;
        case Item::Kind::trigger: trigger(dag, item, before); break;
        case Item::Kind::wait: wait(dag, task, item, before); break;
        case Item::Kind::set:
          for (const std::string& event : item.events) events_[event] = before;
          break;
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

  void call(DraftDag& dag, const Task& task, const Item& item, std::vector<NodeId>& before) {
    const auto runnable = model_.runnables.find(item.name);
    if (runnable == model_.runnables.end()) {
      refuse(notes_.file(), fmt::format("no runnable is called '{}'", one_line(item.name, 60)), item.place.line, item.place.column);
    }
    add_runnable(dag, task, runnable->second, before);
  }

  // The ticks and accesses of a runnable and of those that it calls.
  struct Work {
    Time least, most, average;
    bool all_averages = true, ticks = false;
    std::size_t accesses = 0;
    Time access_time;
  };
  void sum_up(const Task& task, const Runnable& runnable, Work& work, int depth) {
    constexpr int deepest = 64;
    if (depth > deepest) {
      refuse(notes_.file(), fmt::format("runnable '{}' calls others more than {} deep, or itself", one_line(runnable.name, 60), deepest),
             runnable.place.line, runnable.place.column);
    }
    for (const Item& item : runnable.items) {
      if (++steps_ > most_steps) refuse(notes_.file(), "runnables call one another too often");
      if (item.kind == Item::Kind::ticks) {
        const Platform::Cost cost = platform_.cost_of(task, item.ticks, item.place);
        if (!cost.known) {
          refuse(notes_.file(),
                 fmt::format("runnable '{}' has no ticks for the units that task '{}' runs on", one_line(runnable.name, 60),
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
        sum_up(task, inner->second, work, depth + 1);
      } else {
        notes_.assume(fmt::format("runnable '{}': triggers and events within it are LEFT OUT", one_line(runnable.name, 60)));
      }
    }
  }

  void add_runnable(DraftDag& dag, const Task& task, const Runnable& runnable, std::vector<NodeId>& before) {
    Work work;
    sum_up(task, runnable, work, 0);
    DraftNode node;
    node.node.name = names_.unique(one_word(runnable.name, "runnable"));
    const bool gpu = platform_.on_gpu(task);
    if (gpu && !work.ticks) {
      // A runnable on a GPU that only moves labels is a copy.
      if (work.access_time == Time::zero()) return;
      node.node.pool = platform_.copy_pool_of(task);
      node.node.demand = CopyDemand{work.access_time, std::nullopt};
    } else {
      const Time most = work.most + work.access_time, least = work.least;
      if (most == Time::zero()) return;
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
    const auto& priority = model_.allocations.at(task.name).priority;
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
    dag.nodes.push_back(std::move(node));
    before = {id};
  }

  // The tasks that a stimulus starts run beside the one that triggers it.
  void trigger(DraftDag& dag, const Item& item, const std::vector<NodeId>& before) {
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
        notes_.assume(fmt::format(
            "DAG '{}': while task '{}' waits actively, node '{}' keeps its core for {}, the time of what it waits for; delays of that are "
            "not in it, so that bounds of OTHER DAGs on the core may be too low",
            dag.name, one_line(task.name, 60), node.node.name, io::time_text(alone)));
        add(dag, std::move(node), before);
      }
    }
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
      if (dag.nodes[v].node.pool != own) length[v] = longest_piece(dag.nodes[v].node);
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
  std::set<std::string> reached_, clocked_;
  std::map<std::string, std::string> dag_of_task_;
  UniqueNames names_, dag_names_;
  std::size_t accesses_ = 0, steps_ = 0, node_count_ = 0;
  bool priorities_ = false;
};

}  // namespace
}  // namespace amalthea

Draft read_amalthea(std::string_view text, const Options& options, Notes& notes) {
  const amalthea::Model model = amalthea::read_model(text, notes);
  return amalthea::DraftMaker(model, options, notes).make();
}

}  // namespace rta::convert
