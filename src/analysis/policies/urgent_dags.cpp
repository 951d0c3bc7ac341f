#include "analysis/policies/urgent_dags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/range/iterator_range.hpp>
#include <cstddef>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>

#include "analysis/policies/components.hpp"
#include "analysis/policies/policies.hpp"
#include "rta/model/fixed_priority.hpp"

namespace rta::analysis {
namespace {

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

/// A DAG's nodes on one pool.
struct Visitor {
  std::size_t dag = 0;  // place
  FixedPriority least = 0, most = 0;
};

bool spares_urgent(const Pool& pool) {
  const auto* const cpu = std::get_if<CpuPool>(&pool.resource);
  return cpu != nullptr && cpu->scheduler == Scheduler::fp && cpu->preemptive;
}

/// Edges lead to what is needed, through vertices of their own: few, however many DAGs share a pool.
void add_needs(const Pool& pool, std::vector<Visitor> visitors, Graph& needs) {
  if (visitors.size() < 2) return;
  if (!spares_urgent(pool)) {
    const auto all = boost::add_vertex(needs);
    for (const Visitor& visitor : visitors) {
      boost::add_edge(visitor.dag, all, needs);
      boost::add_edge(all, visitor.dag, needs);
    }
    return;
  }
  std::ranges::sort(visitors, std::ranges::greater{}, &Visitor::most);
  std::vector<Graph::vertex_descriptor> up_to(visitors.size());  // the DAGs up to this one, from the most urgent on
  for (std::size_t i = 0; i < visitors.size(); ++i) {
    up_to[i] = boost::add_vertex(needs);
    boost::add_edge(up_to[i], visitors[i].dag, needs);
    if (i > 0) boost::add_edge(up_to[i], up_to[i - 1], needs);
  }
  for (const Visitor& visitor : visitors) {
    const auto less = std::ranges::partition_point(visitors, [&](const Visitor& other) { return other.most >= visitor.least; });
    boost::add_edge(visitor.dag, up_to[static_cast<std::size_t>(less - visitors.begin()) - 1], needs);
  }
}

/// Rules that are not the pools'.
bool plays_otherwise(const TaskSet& part) {
  return first_executor(part.pools(), part.dags()).has_value() || first_on_threads(part.dags()).has_value();
}

bool all_bounded(const Proof& proof) {
  return std::ranges::all_of(proof.dags, [](const DagProof& dag) { return dag.bound.has_value(); });
}

/// The task set with these of its DAGs only, under the priorities that it gives them: deadline monotonic ones are numbered over all DAGs.
std::shared_ptr<const TaskSet> urgent_part(const TaskSet& whole, const FixedPriorities& priorities, const std::vector<DagId>& dags) {
  std::vector<Dag> kept;
  for (const DagId d : dags) {
    const Dag& dag = whole.dags()[d];
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    for (NodeId v = 0; v < nodes.size(); ++v) {
      const auto* const cpu = std::get_if<CpuPool>(&whole.pools()[nodes[v].pool].resource);
      if (cpu != nullptr && cpu->scheduler == Scheduler::fp) std::get<CpuDemand>(nodes[v].demand).priority = priorities.of[d][v];
    }
    kept.emplace_back(dag.name(), dag.period(), dag.deadline(), std::move(nodes), std::vector<Edge>(dag.edges().begin(), dag.edges().end()),
                      dag.attributes());
  }
  return std::make_shared<const TaskSet>(whole.name(), std::vector<Pool>(whole.pools().begin(), whole.pools().end()), std::move(kept));
}

class Search {
 public:
  Search(const Proof& proof, const Options& options)
      : task_set_(*proof.task_set), priorities_(fixed_priorities(task_set_)), options_(options), quick_(options) {
    if (options.path_bound == PathBound::best) quick_.path_bound = PathBound::T10n;
    quick_.critical_paths = false;
  }

  /// The DAGs of as many groups as have bounds together. All of them have none.
  std::vector<DagId> find(const std::vector<NeededTogether>& groups) {
    std::vector<std::size_t> some(groups.size());
    std::iota(some.begin(), some.end(), std::size_t{0});
    std::vector<bool> left(groups.size(), true);
    std::size_t kept = 0;
    std::size_t too_many = groups.size();
    while (true) {
      all_.clear();
      for (const std::size_t g : some) all_.push_back(&groups[g].dags);
      kept = most_with_bounds(kept, too_many);
      if (kept == some.size()) return dags_of(kept);
      left[some[kept]] = false;
      for (std::size_t g = some[kept] + 1; g < groups.size(); ++g) {
        left[g] = left[g] && std::ranges::all_of(groups[g].needs, [&](std::size_t needed) { return left[needed]; });
      }
      std::erase_if(some, [&](std::size_t g) { return !left[g]; });
      if (kept == some.size()) return dags_of(kept);
      too_many = some.size() + 1;
    }
  }

  /// Of what was found.
  [[nodiscard]] Proof proof() && { return std::move(proof_); }

 private:
  /// At least `kept` of the first, fewer than `too_many`.
  std::size_t most_with_bounds(std::size_t kept, std::size_t too_many) {
    std::size_t most = kept;
    for (std::size_t none = too_many; most + 1 < none;) {
      const std::size_t middle = most + (none - most) / 2;
      (proven(middle, quick_) ? most : none) = middle;
    }
    // Where the quickest theorem has none the others may have some.
    while (most > kept && !proves(most)) --most;
    for (std::size_t step = 1; step > 0;) {
      const bool more = most + step < too_many && proves(most + step);
      if (more) most += step;
      step = more ? 2 * step : step / 2;
    }
    return most;
  }

  bool proves(std::size_t count) {
    std::optional<Proof> proof = proven(count, options_);
    if (!proof) return false;
    proof_ = *std::move(proof);
    return true;
  }

  [[nodiscard]] std::optional<Proof> proven(std::size_t count, const Options& options) const {
    if (options_.stop && options_.stop()) return std::nullopt;
    Proof proof = prove_on_completion(urgent_part(task_set_, priorities_, dags_of(count)), options);
    return all_bounded(proof) ? std::optional(std::move(proof)) : std::nullopt;
  }

  /// In the order of the task set.
  [[nodiscard]] std::vector<DagId> dags_of(std::size_t count) const {
    std::vector<DagId> dags;
    for (std::size_t i = 0; i < count; ++i) dags.insert(dags.end(), all_[i]->begin(), all_[i]->end());
    std::ranges::sort(dags);
    return dags;
  }

  const TaskSet& task_set_;
  FixedPriorities priorities_;
  const Options& options_;
  Options quick_;
  std::vector<const std::vector<DagId>*> all_;  // the groups that may be kept
  Proof proof_;
};

}  // namespace

std::vector<NeededTogether> groups_by_need(const TaskSet& task_set, const std::vector<DagId>& dags) {
  const FixedPriorities priorities = fixed_priorities(task_set);
  std::map<PoolId, std::vector<Visitor>> visitors;
  for (std::size_t i = 0; i < dags.size(); ++i) {
    const Dag& dag = task_set.dags()[dags[i]];
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      std::vector<Visitor>& on_pool = visitors[dag.nodes()[v].pool];
      const FixedPriority priority = priorities.of[dags[i]][v];
      if (on_pool.empty() || on_pool.back().dag != i) on_pool.push_back({i, priority, priority});
      on_pool.back().least = std::min(on_pool.back().least, priority);
      on_pool.back().most = std::max(on_pool.back().most, priority);
    }
  }
  Graph needs(dags.size());
  for (auto& [pool, of_pool] : visitors) add_needs(task_set.pools()[pool], std::move(of_pool), needs);
  std::vector<std::size_t> group_of(boost::num_vertices(needs));
  const auto count = boost::strong_components(needs, boost::make_iterator_property_map(group_of.begin(), get(boost::vertex_index, needs)));
  std::vector<NeededTogether> groups(count);  // edges lead to lower numbers
  for (std::size_t i = 0; i < dags.size(); ++i) groups[group_of[i]].dags.push_back(dags[i]);
  for (const auto edge : boost::make_iterator_range(boost::edges(needs))) {
    const std::size_t from = group_of[boost::source(edge, needs)];
    const std::size_t to = group_of[boost::target(edge, needs)];
    if (from != to) groups[from].needs.push_back(to);
  }
  return groups;
}

void add_urgent_dags(Proof& proof, const Options& options) {
  if (!first_pool_under_fp(*proof.task_set) || all_bounded(proof)) return;
  for (const std::vector<DagId>& component : components(*proof.task_set)) {
    if (proof.dags[component.front()].bound || plays_otherwise(*part_of(*proof.task_set, component))) continue;
    const auto groups = groups_by_need(*proof.task_set, component);
    if (std::ranges::count_if(groups, [](const NeededTogether& group) { return !group.dags.empty(); }) < 2) continue;
    Search search(proof, options);
    const std::vector<DagId> found = search.find(groups);
    if (options.stop && options.stop())
      add_left_out(proof.left_out, LeftOut{.what = LeftOut::What::search, .theorems = {}, .limit = LeftOut::Limit::time, .where = {}});
    if (found.empty()) continue;
    const std::string others = less_urgent_beside(*proof.task_set, found);
    proof.warnings.push_back(fmt::format("no bound: {}; bounds of DAGs that are more urgent wherever they meet hold all the same", others));
    take_over_beside(std::move(search).proof(), found, proof);
  }
}

std::string less_urgent_beside(const TaskSet& task_set, const std::vector<DagId>& dags) {
  constexpr std::size_t most_named = 4;
  std::vector<bool> visited(task_set.pools().size());
  std::vector<bool> proven(task_set.dags().size());
  for (const DagId d : dags) {
    proven[d] = true;
    for (const Node& node : task_set.dags()[d].nodes()) visited[node.pool] = true;
  }
  std::string names;
  std::size_t count = 0;
  for (DagId e = 0; e < task_set.dags().size(); ++e) {
    const Dag& dag = task_set.dags()[e];
    if (proven[e] || std::ranges::none_of(dag.nodes(), [&](const Node& node) { return visited[node.pool]; })) continue;
    if (++count <= most_named) names += fmt::format("{}'{}'", count > 1 ? ", " : "", dag.name());
  }
  if (count > most_named) names += fmt::format(" and {} more", count - most_named);
  return names;
}

}  // namespace rta::analysis
