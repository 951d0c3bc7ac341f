#include "rta/analysis/suggestion.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/explain/dag_kinds.hpp"
#include "analysis/gpu/block_sizes.hpp"
#include "analysis/policies/pool_nodes.hpp"
#include "rta/model/time_slices.hpp"

namespace rta::analysis {
namespace {

constexpr std::size_t most_sizes = 3;  // per node

/// Advice on one GPU.
class BlockSizeAdvice {
 public:
  BlockSizeAdvice(const TaskSet& task_set, std::span<const PoolNode> nodes)
      : task_set_(task_set), kinds_(dag_kinds(task_set)), nodes_(nodes) {
    std::map<std::pair<std::size_t, NodeId>, std::size_t> first;
    first_.reserve(nodes.size());
    for (std::size_t k = 0; k < nodes.size(); ++k)
      first_.push_back(first.try_emplace({kinds_.of[nodes[k].dag], nodes[k].id}, k).first->second);
  }

  void add_to(Suggestions& suggestions, const GpuPool& gpu) const {
    // Of a kernel that is known by its duration nobody knows how long blocks of another size take.
    const auto by_time = [](const PoolNode& node) {
      const auto& kernel = std::get<GpuDemand>(node.node->demand);
      return kernel.time.has_value() || starts_together(kernel);
    };
    if (std::ranges::any_of(nodes_, by_time)) return;
    const auto tasks = gpu_tasks(nodes_, gpu);
    if (fifo::does_not_fit(tasks, gpu)) return;
    const auto sizes = fifo::better_block_sizes(tasks, gpu, most_sizes, first_);
    std::map<std::size_t, std::size_t> number;  // of the groups that some suggestion is about
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
      if (first_[k] != k) continue;
      const auto& kind = kinds_.kinds[kinds_.of[nodes_[k].dag]];
      for (const fifo::BlockSize& size : sizes.better[k]) {
        const auto [group, is_new] = number.try_emplace(size.group, suggestions.groups.size());
        if (is_new) suggestions.groups.push_back(names_of(sizes.groups[size.group]));
        suggestions.list.push_back({.node = name(nodes_[k]),
                                    .dags = kind.last - kind.first + 1,
                                    .H = size.H,
                                    .B = size.B,
                                    .shared_memory = size.shared_memory,
                                    .capacity_alone = size.capacity_alone,
                                    .gain_alone = size.capacity_alone - sizes.capacity,
                                    .capacity = size.capacity_together,
                                    .gain = size.capacity_together - sizes.capacity,
                                    .group = group->second});
      }
    }
  }

 private:
  [[nodiscard]] std::string name(const PoolNode& node) const { return task_set_.dags()[node.dag].name() + "/" + node.node->name; }

  [[nodiscard]] std::vector<std::string> names_of(const std::vector<std::size_t>& group) const {
    std::vector<std::string> names;
    for (const std::size_t k : group) {
      if (first_[k] == k) names.push_back(name(nodes_[k]));
    }
    return names;
  }

  const TaskSet& task_set_;
  DagKinds kinds_;
  std::span<const PoolNode> nodes_;
  std::vector<std::size_t> first_;  // the first copy of each node
};

}  // namespace

Suggestions suggest_block_sizes(const TaskSet& task_set) {
  Suggestions suggestions;
  const PoolNodes nodes = nodes_of_pools(task_set);
  for (PoolId p = 0; p < nodes.size(); ++p) {
    const auto* gpu = std::get_if<GpuPool>(&task_set.pools()[p].resource);
    const bool slices = slices_of(task_set.pools()[p]) != nullptr;  // its capacity is not what the SMs hold
    if (gpu != nullptr && !slices && !nodes[p].empty()) BlockSizeAdvice(task_set, nodes[p]).add_to(suggestions, *gpu);
  }
  std::ranges::stable_sort(suggestions.list, [](const Suggestion& a, const Suggestion& b) { return a.gain > b.gain; });
  return suggestions;
}

}  // namespace rta::analysis
