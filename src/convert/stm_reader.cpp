#include "stm_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "names.hpp"
#include "rta/model/error.hpp"

namespace rta::convert {
namespace {

using static_order::ResourceId;
using static_order::ResourceKind;
using static_order::Runnable;
using static_order::RunnableId;

class StmReader {
 public:
  StmReader(const static_order::Graph& graph, const Options& options, Notes& notes) : graph_(graph), options_(options), notes_(notes) {}

  Draft read() {
    draft_.name = graph_.name;
    make_pools();
    for (const static_order::Hyperepoch& hyperepoch : graph_.hyperepochs) {
      for (const static_order::Epoch& epoch : hyperepoch.epochs) begin_dag(hyperepoch, epoch);
    }
    read_runnables();
    std::erase_if(draft_.dags, [](const DraftDag& dag) { return dag.nodes.empty(); });
    tell_what_is_lost();
    return std::move(draft_);
  }

 private:
  [[nodiscard]] const static_order::Resource& resource(ResourceId id) const { return graph_.resources[id]; }

  // Of a runnable's needs, the one that takes its time.
  [[nodiscard]] const static_order::ResourceNeed* place_of(const Runnable& runnable) const {
    const auto at = std::ranges::find_if(runnable.needs, [&](const static_order::ResourceNeed& need) {
      const ResourceKind kind = resource(need.any_of.front()).kind;
      return kind == ResourceKind::cpu || kind == ResourceKind::engine;
    });
    return at == runnable.needs.end() ? nullptr : &*at;
  }

  void make_pools() {
    std::vector<ResourceId> root(graph_.resources.size());
    std::iota(root.begin(), root.end(), ResourceId{0});
    const auto find = [&](ResourceId id) {
      while (root[id] != id) id = root[id] = root[root[id]];
      return id;
    };
    for (const Runnable& runnable : graph_.runnables) {
      const static_order::ResourceNeed* const place = place_of(runnable);
      if (place == nullptr) continue;
      for (const ResourceId other : place->any_of)
        root[std::max(find(other), find(place->any_of.front()))] = std::min(find(other), find(place->any_of.front()));
    }
    std::map<ResourceId, std::vector<ResourceId>> members;
    for (ResourceId id = 0; id < root.size(); ++id) {
      if (resource(id).kind == ResourceKind::cpu || resource(id).kind == ResourceKind::engine) members[find(id)].push_back(id);
    }
    pool_of_.resize(root.size());
    for (const auto& [first, ids] : members) {
      for (const ResourceId id : ids) pool_of_[id] = draft_.pools.size();
      draft_.pools.push_back(pool_of(ids));
    }
    tell_of_named_processors(members);
  }

  DraftPool pool_of(const std::vector<ResourceId>& ids) {
    const static_order::Resource& first = resource(ids.front());
    const bool is_engine = first.kind == ResourceKind::engine;
    const std::string name = names_.unique(one_word(ids.size() == 1 ? full_name(graph_, ids.front()) : first.type, "pool"));
    const Scheduler standard = is_engine ? Scheduler::fifo : Scheduler::g_edf;
    if (is_engine) {
      notes_.assume(
          fmt::format("pool '{}' runs one node at a time, to its end, in FIFO order, as an engine without more detail does", name));
    } else if (options_.scheduler) {
      notes_.uses("scheduler");
    } else {
      notes_.assume(fmt::format("pool '{}' is scheduled by {} (--scheduler)", name, to_string(standard)));
    }
    DraftPool pool;
    const Scheduler scheduler = is_engine ? standard : options_.scheduler.value_or(standard);
    pool.pool = {name, CpuPool{static_cast<std::uint32_t>(ids.size()), scheduler, true}};
    return pool;
  }

  void tell_of_named_processors(const std::map<ResourceId, std::vector<ResourceId>>& members) {
    std::map<PoolId, std::size_t> named;
    for (const Runnable& runnable : graph_.runnables) {
      const static_order::ResourceNeed* const place = place_of(runnable);
      if (place == nullptr) continue;
      const PoolId pool = pool_of_[place->any_of.front()];
      const auto at = std::ranges::find_if(members, [&](const auto& m) { return pool_of_[m.first] == pool; });
      if (place->any_of.size() < at->second.size()) ++named[pool];
    }
    for (const auto& [pool, count] : named) {
      notes_.assume(fmt::format("{} runnable{} of pool '{}' name{} a processor; in the task set the pool's scheduler chooses", count,
                                count == 1 ? "" : "s", draft_.pools[pool].pool.name, count == 1 ? "s" : ""));
    }
  }

  void begin_dag(const static_order::Hyperepoch& hyperepoch, const static_order::Epoch& epoch) {
    DraftDag dag;
    dag.name = dag_names_.unique(one_word(graph_.hyperepochs.size() == 1 ? epoch.name : hyperepoch.name + "." + epoch.name, "epoch"));
    // The last frame of a hyperepoch and the first of the next may be closer than the frames within it, or farther.
    const Time before_next = hyperepoch.period - Time((static_cast<std::int64_t>(epoch.frames) - 1) * epoch.period.count());
    dag.T = epoch.frames == 1 ? hyperepoch.period : std::min(epoch.period, before_next);
    dag.D = epoch.deadline ? epoch.deadline : options_.deadline;
    if (!epoch.deadline) notes_.uses("deadline");
    if (!epoch.overlap) whole_frames_.insert(dag.name);
    dags_.emplace(std::pair(static_cast<std::size_t>(&hyperepoch - graph_.hyperepochs.data()),
                            static_cast<std::size_t>(&epoch - hyperepoch.epochs.data())),
                  draft_.dags.size());
    draft_.dags.push_back(std::move(dag));
  }

  void read_runnables() {
    std::vector<NodeId> node_of(graph_.runnables.size());
    std::vector<UniqueNames> names(draft_.dags.size());
    const auto dag_of = [&](const Runnable& r) { return dags_.at({r.hyperepoch, r.epoch}); };
    for (RunnableId id = 0; id < graph_.runnables.size(); ++id) {
      const Runnable& runnable = graph_.runnables[id];
      const static_order::ResourceNeed* const place = place_of(runnable);
      if (place == nullptr) {
        notes_.miss(
            fmt::format("runnable '{}' needs no CPU and no engine, so that nothing tells where it runs", full_name(graph_, runnable)));
        continue;
      }
      DraftDag& dag = draft_.dags[dag_of(runnable)];
      DraftNode node;
      node.node.name = names[dag_of(runnable)].unique(one_word(full_name(graph_, runnable), "runnable"));
      node.node.pool = pool_of_[place->any_of.front()];
      node.node.demand = CpuDemand{runnable.wcet};
      node.node.deadline = runnable.deadline;
      node.node.sequential = std::ranges::find(runnable.previous, id) != runnable.previous.end();
      node.process = graph_.clients[runnable.client].name;
      node_of[id] = dag.nodes.size();
      dag.add(std::move(node));
    }
    notes_.throw_if_missing();
    for (RunnableId id = 0; id < graph_.runnables.size(); ++id) {
      const Runnable& runnable = graph_.runnables[id];
      std::vector<Edge>& edges = draft_.dags[dag_of(runnable)].edges;
      for (const RunnableId other : runnable.dependencies) edges.push_back({node_of[other], node_of[id], false});
      if (runnable.submits) edges.push_back({node_of[id], node_of[*runnable.submits], false});
    }
  }

  void tell_what_is_lost() {
    std::size_t delayed = 0, of_frame_before = 0;
    std::map<std::string, std::size_t> held;  // mutex -> runnables that hold it
    for (RunnableId id = 0; id < graph_.runnables.size(); ++id) {
      const Runnable& runnable = graph_.runnables[id];
      delayed += runnable.start_time > Time::zero() ? 1U : 0U;
      of_frame_before += std::ranges::any_of(runnable.previous, [&](RunnableId other) { return other != id; }) ? 1U : 0U;
      for (const static_order::ResourceNeed& need : runnable.needs) {
        for (const ResourceId r : need.any_of) {
          if (resource(r).kind == ResourceKind::mutex) ++held[full_name(graph_, r)];
        }
      }
    }
    for (const auto& [mutex, count] : held) {
      if (count > 1)
        notes_.assume(fmt::format("mutex '{}' of {} runnables IS LEFT OUT: bounds do not count how long they wait for it", mutex, count));
    }
    if (of_frame_before > 0) {
      notes_.assume(fmt::format("{} runnables wait for others of the frame before, which IS LEFT OUT: bounds do not count that wait",
                                of_frame_before));
    }
    if (delayed > 0) notes_.assume(fmt::format("the start times of {} runnables are left out: they may run before", delayed));
    for (const static_order::Hyperepoch& hyperepoch : graph_.hyperepochs) {
      for (const static_order::Epoch& epoch : hyperepoch.epochs) {
        if (!epoch.aliases.empty())
          notes_.assume(fmt::format("epoch '{}': all steps of its alias groups run in every frame (one does)", epoch.name));
      }
    }
    if (!whole_frames_.empty())
      notes_.assume("a frame may start while the one before has not ended; in the graph it waits, unless the epoch says otherwise");
  }

  const static_order::Graph& graph_;
  const Options& options_;
  Notes& notes_;
  Draft draft_;
  UniqueNames names_, dag_names_;
  std::vector<PoolId> pool_of_;                                // by resource
  std::map<std::pair<std::size_t, std::size_t>, DagId> dags_;  // by hyperepoch and epoch
  std::set<std::string> whole_frames_;
};

}  // namespace

Draft draft_of(const static_order::Graph& graph, const Options& options, Notes& notes) { return StmReader(graph, options, notes).read(); }

}  // namespace rta::convert
