#include "analysis/search/node_points.hpp"

#include <algorithm>
#include <utility>

#include "analysis/search/cost.hpp"
#include "analysis/search/equal_dags.hpp"

namespace rta::analysis {
namespace {

/// Nodes that move together: a level of all DAGs of one shape, or a single node of them.
struct Group {
  std::vector<DagId> dags;
  std::vector<NodeId> nodes;
};

/// The period times the longest path up to each node, over the DAG's longest path.
std::vector<Time> share_of_period(const Dag& dag) {
  std::vector<Time> head(dag.nodes().size());
  Time longest;
  for (const NodeId v : dag.topological_order()) {
    for (const NodeId w : dag.predecessors(v)) head[v] = std::max(head[v], head[w]);
    head[v] += longest_piece(dag.nodes()[v]);
    longest = std::max(longest, head[v]);
  }
  const std::int64_t whole = std::max<std::int64_t>(1, longest.count());
  for (Time& t : head) t = to_time(Wide{t.count()} * dag.period().count() / whole);
  return head;
}

class PointSearch {
 public:
  PointSearch(const TaskSet& task_set, const NodePointSearch& search) : task_set_(task_set), search_(search) {}

  std::optional<FoundNodePoints> run(const PerNode<std::optional<Time>>& start) {
    PerNode<Time> share;
    PerNode<Time> given = zeros();
    for (const Dag& dag : task_set_.dags()) share.push_back(share_of_period(dag));
    bool complete = true;
    each_node([&](DagId d, NodeId v) {
      complete = complete && start[d][v];
      given[d][v] = start[d][v].value_or(Time());
    });
    // Steep points keep bounds at high load, flat ones make them smaller at low load.
    may_try_ = search_.evaluations - search_.evaluations / 3;
    for (const std::int64_t quarters : {4, 6, 8, 5, 3}) {
      if (complete) consider(scaled(given, quarters));
    }
    for (const std::int64_t quarters : {1, 4, 8, 16}) {
      if (!best_) consider(scaled(share, quarters));
    }
    climb();
    auto steep = std::exchange(best_, std::nullopt);
    const auto cost = cost_;
    may_try_ = search_.evaluations;
    PerNode<Time> flat = zeros();
    each_node([&](DagId d, NodeId v) { flat[d][v] = search_.of_dag[d]; });
    consider(std::move(flat));
    climb();
    return !best_ || (steep && cost <= cost_) ? std::move(steep) : std::move(best_);
  }

 private:
  bool done() const { return tried_ >= may_try_ || (search_.stop && search_.stop()); }

  bool by_node(DagId d, NodeId v) const {
    return std::ranges::find(search_.pools, task_set_.dags()[d].nodes()[v].pool) != search_.pools.end();
  }

  template <class Action>
  void each_node(Action action) const {
    for (DagId d = 0; d < task_set_.dags().size(); ++d) {
      for (NodeId v = 0; v < task_set_.dags()[d].nodes().size(); ++v) {
        if (by_node(d, v)) action(d, v);
      }
    }
  }

  PerNode<Time> zeros() const {
    PerNode<Time> Y;
    for (const Dag& dag : task_set_.dags()) Y.emplace_back(dag.nodes().size());
    return Y;
  }

  PerNode<Time> scaled(const PerNode<Time>& Y, std::int64_t quarters) const {
    PerNode<Time> result = zeros();
    each_node([&](DagId d, NodeId v) { result[d][v] = to_time(Wide{Y[d][v].count()} * quarters / 4); });
    return result;
  }

  bool consider(PerNode<Time> Y) {
    if (done()) return false;
    ++tried_;
    auto bounds = search_.bounds_at(Y);
    if (!bounds) return false;
    const auto cost = cost_of(task_set_, bounds->R, search_.objective);
    if (best_ && cost >= cost_) return false;
    cost_ = cost;
    best_ = FoundNodePoints{std::move(Y), std::move(*bounds)};
    return true;
  }

  /// The last level first: its points decide the bounds of whole DAGs most.
  std::vector<Group> levels() const {
    std::vector<Group> groups;
    for (const auto& shape : equal_dags(task_set_, [this](DagId a, DagId b) { return best_->Y[a] == best_->Y[b]; })) {
      const Dag& dag = task_set_.dags()[shape.front()];
      std::vector<std::size_t> depth(dag.nodes().size(), 0);
      std::vector<Group> of_shape(dag.nodes().size());
      for (const NodeId v : dag.topological_order()) {
        for (const NodeId w : dag.predecessors(v)) depth[v] = std::max(depth[v], depth[w] + 1);
        if (by_node(shape.front(), v)) of_shape[depth[v]].nodes.push_back(v);
      }
      for (auto it = of_shape.rbegin(); it != of_shape.rend(); ++it) {
        if (!it->nodes.empty()) groups.push_back({shape, it->nodes});
      }
    }
    return groups;
  }

  std::vector<Group> single_nodes() const {
    std::vector<Group> groups;
    for (const Group& level : levels()) {
      for (const NodeId v : level.nodes) groups.push_back({level.dags, {v}});
    }
    return groups;
  }

  void climb() {
    if (!best_) return;
    climb(levels());
    if (search_.single_nodes) climb(single_nodes());
  }

  void climb(const std::vector<Group>& groups) {
    Time step;
    for (const Dag& dag : task_set_.dags()) step = std::max(step, dag.period() + dag.period());
    constexpr int halvings = 7;
    for (int i = 0; i < halvings && step > Time::zero() && !done();) {
      bool improved = false;
      for (const Group& group : groups) {
        for (const Time change : {step, Time::zero() - step}) {
          PerNode<Time> Y = best_->Y;
          for (const DagId d : group.dags) {
            for (const NodeId v : group.nodes) Y[d][v] += change;
          }
          improved = consider(std::move(Y)) || improved;
        }
      }
      if (improved) continue;
      step = Time(step.count() / 2);
      ++i;
    }
  }

  const TaskSet& task_set_;
  const NodePointSearch& search_;
  std::optional<FoundNodePoints> best_;
  Cost cost_;
  std::size_t tried_ = 0;
  std::size_t may_try_ = 0;
};

}  // namespace

std::optional<FoundNodePoints> choose_node_points(const TaskSet& task_set, const PerNode<std::optional<Time>>& start,
                                                  const NodePointSearch& search) {
  return PointSearch(task_set, search).run(start);
}

}  // namespace rta::analysis
