#include "certificate/static_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "certificate/line.hpp"
#include "rta/model/error.hpp"
#include "static_order/passed_on.hpp"

namespace rta::certificate {
namespace {

using static_order::ScheduledRunnable;
using static_order::Sharing;

/// T15w: units of a GPU's room that a kernel takes from earlier ones.
using Taken = std::vector<std::pair<std::size_t, std::int64_t>>;

/// As many units as possible go from kernels to kernels that wait for them. `units`: of each kernel.
std::vector<Taken> passed_on(const std::vector<std::size_t>& kernels, const std::vector<std::int64_t>& units,
                             const std::vector<ScheduledRunnable>& runnables) {
  std::map<std::size_t, std::size_t> index;
  for (std::size_t k = 0; k < kernels.size(); ++k) index[kernels[k]] = k;
  std::vector<std::vector<std::size_t>> before(kernels.size());
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    for (const std::size_t earlier : runnables[kernels[k]].after) {
      if (const auto from = index.find(earlier); from != index.end()) before[k].push_back(from->second);
    }
  }
  std::vector<Taken> taken = static_order::most_passed_on(units, before).from;
  for (Taken& from : taken) {
    for (auto& [kernel, part] : from) kernel = kernels[kernel];
  }
  return taken;
}

class OrderLines {
 public:
  OrderLines(const static_order::ScheduledHyperepoch& order, const TaskSet& set)
      : order_(order), set_(set), taken_(order.runnables.size()) {
    std::vector<std::map<std::string_view, NodeId>> named(set.dags().size());
    for (DagId d = 0; d < set.dags().size(); ++d) {
      const auto nodes = set.dags()[d].nodes();
      for (NodeId v = 0; v < nodes.size(); ++v) named[d].emplace(nodes[v].name, v);
    }
    for (const ScheduledRunnable& runnable : order.runnables) node_.push_back(named[runnable.epoch].at(runnable.name));
  }

  void add_to(std::string& out) {
    line(out, "order {}", order_.period.count());
    for (const Sharing& sharing : order_.sharing) add_sharing(sharing, out);
    for (std::size_t i = 0; i < order_.runnables.size(); ++i) add_job(i, out);
  }

 private:
  [[nodiscard]] const Node& node(std::size_t i) const { return set_.dags()[order_.runnables[i].epoch].nodes()[node_[i]]; }

  /// DAG, node, frame.
  [[nodiscard]] std::string name(std::size_t i) const {
    return fmt::format("{} {} {}", order_.runnables[i].epoch, node_[i], order_.runnables[i].frame);
  }

  void add_sharing(const Sharing& sharing, std::string& out) {
    std::vector<std::size_t> kernels;
    std::int64_t least = 0;
    for (std::size_t i = 0; i < order_.runnables.size(); ++i) {
      const ScheduledRunnable& runnable = order_.runnables[i];
      if (std::ranges::find(runnable.resources, sharing.resource) == runnable.resources.end()) continue;
      kernels.push_back(i);
      if (runnable.weight > 0) least = least == 0 ? runnable.weight : std::min(least, runnable.weight);
    }
    if (kernels.empty()) return;
    const PoolId pool = node(kernels.front()).pool;
    if (sharing.by == Sharing::By::streams) {
      line(out, "shared {} {} streams", pool, sharing.capacity);
      return;
    }
    least = std::max<std::int64_t>(least, 1);
    line(out, "shared {} {} weights {}", pool, sharing.capacity, least);
    const std::int64_t room = sharing.capacity + least - 1;
    std::vector<std::int64_t> units;
    units.reserve(kernels.size());
    for (const std::size_t i : kernels) {
      const ScheduledRunnable& runnable = order_.runnables[i];
      units.push_back(runnable.weight > 0 ? runnable.weight * static_cast<std::int64_t>(runnable.blocks) : room);
    }
    const auto taken = passed_on(kernels, units, order_.runnables);
    for (std::size_t k = 0; k < kernels.size(); ++k) taken_[kernels[k]] = taken[k];
  }

  /// Of a processor pool's resources any numbers will do; of two copy engines the first has h2d.
  std::size_t instance(std::size_t i) {
    const Pool& pool = set_.pools()[node(i).pool];
    if (const auto* engines = std::get_if<EnginePool>(&pool.resource)) {
      return engines->engines > 1 && std::get<CopyDemand>(node(i).demand).direction == Direction::d2h ? 1 : 0;
    }
    if (pool.kind() != PoolKind::cpu) return 0;
    require(order_.runnables[i].resources.size() == 1, "a node takes one processor");
    auto& of_pool = instances_[node(i).pool];
    return of_pool.try_emplace(order_.runnables[i].resources.front(), of_pool.size()).first->second;
  }

  /// Whether the task set says already that i waits for another one.
  [[nodiscard]] bool is_given(std::size_t i, std::size_t before) const {
    const ScheduledRunnable& a = order_.runnables[i];
    const ScheduledRunnable& b = order_.runnables[before];
    if (a.epoch != b.epoch) return false;
    if (a.frame != b.frame) return node_[i] == node_[before] && b.frame + 1 == a.frame && node(i).sequential;
    const auto predecessors = set_.dags()[a.epoch].predecessors(node_[i]);
    return std::ranges::find(predecessors, node_[before]) != predecessors.end();
  }

  void add_job(std::size_t i, std::string& out) {
    const ScheduledRunnable& runnable = order_.runnables[i];
    std::string words = fmt::format("job {} {} {}", name(i), instance(i), runnable.end.count());
    if (runnable.weight > 0) words += fmt::format(" weight {}", runnable.weight);
    const auto is_taken = [&](std::size_t before) {
      return std::ranges::find(taken_[i], before, &Taken::value_type::first) != taken_[i].end();
    };
    bool first = true;
    for (const std::size_t before : runnable.after) {
      if (is_given(i, before) || is_taken(before)) continue;
      words += std::exchange(first, false) ? " after " : " ";
      words += name(before);
    }
    first = true;
    for (const auto& [from, units] : taken_[i])
      words += fmt::format("{}{} {}", std::exchange(first, false) ? " units " : " ", name(from), units);
    line(out, "{}", words);
  }

  const static_order::ScheduledHyperepoch& order_;
  const TaskSet& set_;
  std::vector<NodeId> node_;                                        // of each job
  std::vector<Taken> taken_;                                        // likewise
  std::map<PoolId, std::map<std::size_t, std::size_t>> instances_;  // resource -> its number in the pool
};

}  // namespace

void add_order(const static_order::ScheduledHyperepoch& order, const TaskSet& set, std::string& out) { OrderLines(order, set).add_to(out); }

}  // namespace rta::certificate
