#include "rta/compare/static_timeline.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rta/static_order/graph.hpp"

namespace rta::compare {
namespace {

using static_order::ScheduledHyperepoch;
using static_order::ScheduledResource;
using static_order::ScheduledRunnable;

PoolKind kind_of(const ScheduledResource& resource) {
  if (resource.type == "GPU") return PoolKind::gpu;
  if (resource.type == "COPY_ENGINE") return PoolKind::engines;
  return static_order::kind_of_type(resource.type) == static_order::ResourceKind::cpu ? PoolKind::cpu : PoolKind::workers;
}

/// What runs it: a processor or an engine, else the first that it holds.
std::optional<std::size_t> place_of(const ScheduledHyperepoch& h, const ScheduledRunnable& runnable) {
  for (const std::size_t r : runnable.resources) {
    const auto kind = static_order::kind_of_type(h.resources[r].type);
    if (!h.resources[r].serves && kind != static_order::ResourceKind::mutex) return r;
  }
  return runnable.resources.empty() ? std::nullopt : std::optional(runnable.resources.front());
}

class Builder {
 public:
  Builder(const static_order::Schedule& schedule, const StaticComparison& comparison, std::size_t hyperepoch)
      : schedule_(schedule), comparison_(comparison), hyperepoch_(hyperepoch), h_(schedule.hyperepochs[hyperepoch]) {}

  trace::Timeline build() {
    for (const PlayedInterval& i : comparison_.timeline) {
      if (i.hyperepoch != hyperepoch_ || !place_of(h_, h_.runnables[i.scheduled])) continue;
      ends_[{i.frame, i.scheduled}] = i.end;
      shown_.push_back(&i);
    }
    name_pools();
    name_nodes();
    constexpr Time forever(std::numeric_limits<std::int64_t>::max());
    trace::Timeline timeline(std::move(system_), Time(std::numeric_limits<std::int64_t>::min()), forever, 2 * static_timeline_length);
    for (const PlayedInterval* i : shown_) {
      const ScheduledRunnable& runnable = h_.runnables[i->scheduled];
      const auto& [dag, node] = node_of_[i->runnable];
      const simulate::JobId id{dag, node, i->frame * h_.epochs[runnable.epoch].frames + runnable.frame};
      timeline.job(id, std::min(released(*i, runnable), i->start), i->start, i->end);
      timeline.run(id, 0, i->start, i->end);
      auto& client = frames_[{dag, i->frame}];
      client.first = i->frame_start;
      client.second = std::max(client.second, i->end);
    }
    for (const auto& [key, frame] : frames_) timeline.dag(key.first, key.second, frame.first, frame.second);
    return timeline;
  }

 private:
  void name_pools() {
    for (std::size_t r = 0; r < h_.resources.size(); ++r) {
      const bool used = std::ranges::any_of(shown_, [&](const PlayedInterval* i) { return place_of(h_, h_.runnables[i->scheduled]) == r; });
      if (!used) continue;
      pool_of_[r] = system_.labels.pools.size();
      system_.labels.pools.push_back({h_.resources[r].name, kind_of(h_.resources[r])});
      system_.threads.push_back(1);
      system_.units.push_back(trace::Units::single);
    }
  }

  // The clients in the schedule's order, so that each has one colour in all charts; whoever has none is one of its own.
  void name_nodes() {
    for (const std::string& client : schedule_.clients) add_dag(client);
    for (const PlayedInterval* i : shown_) {
      const PlayedRunnable& played = comparison_.runnables[i->runnable];
      if (node_of_.contains(i->runnable)) continue;
      const auto client = std::ranges::find_if(schedule_.clients, [&](const std::string& c) { return played.name.starts_with(c + "."); });
      const DagId dag = client == schedule_.clients.end() ? add_dag(played.name) : static_cast<DagId>(client - schedule_.clients.begin());
      const std::string name = client == schedule_.clients.end() ? played.name : played.name.substr(client->size() + 1);
      const ScheduledRunnable& runnable = h_.runnables[i->scheduled];
      node_of_[i->runnable] = {dag, system_.nodes[dag].size()};
      system_.labels.dags[dag].nodes.push_back({name, pool_of_.at(*place_of(h_, runnable))});
      trace::TimelineNode& node = system_.nodes[dag].emplace_back();
      if (runnable.stream) node.stream = h_.resources[*runnable.stream].name;
    }
  }

  DagId add_dag(const std::string& name) {
    system_.labels.dags.push_back({name, {}});
    system_.nodes.emplace_back();
    system_.deadlines.emplace_back();
    return system_.labels.dags.size() - 1;
  }

  [[nodiscard]] Time released(const PlayedInterval& i, const ScheduledRunnable& runnable) const {
    Time at = i.frame_start + runnable.release;
    for (const std::size_t before : runnable.after) {
      const bool in_its_stream = runnable.stream && h_.runnables[before].stream == runnable.stream;
      if (in_its_stream) continue;
      const auto end = ends_.find({i.frame, before});
      if (end != ends_.end()) at = std::max(at, end->second);
    }
    return at;
  }

  const static_order::Schedule& schedule_;
  const StaticComparison& comparison_;
  std::size_t hyperepoch_;
  const ScheduledHyperepoch& h_;
  std::vector<const PlayedInterval*> shown_;
  std::map<std::pair<std::uint64_t, std::size_t>, Time> ends_;  // by frame of the hyperepoch and runnable
  std::map<std::size_t, PoolId> pool_of_;                       // by resource
  std::map<std::size_t, std::pair<DagId, NodeId>> node_of_;     // by runnable of the comparison
  std::map<std::pair<DagId, std::uint64_t>, std::pair<Time, Time>> frames_;
  trace::TimelineSystem system_;
};

}  // namespace

trace::Timeline static_timeline(const static_order::Schedule& schedule, const StaticComparison& comparison, std::size_t hyperepoch) {
  return Builder(schedule, comparison, hyperepoch).build();
}

}  // namespace rta::compare
