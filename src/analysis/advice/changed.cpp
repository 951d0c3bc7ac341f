#include "analysis/advice/changed.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "rta/model/partitions.hpp"

namespace rta::analysis {
namespace {

std::vector<Dag> dags_of(const TaskSet& task_set) { return {task_set.dags().begin(), task_set.dags().end()}; }
std::vector<Pool> pools_of(const TaskSet& task_set) { return {task_set.pools().begin(), task_set.pools().end()}; }

/// What a pool is counted in.
template <class PoolVariant>
auto& count_in(PoolVariant& resource) {
  return *std::visit(
      [](auto& pool) {
        using Kind = std::remove_cvref_t<decltype(pool)>;
        if constexpr (std::is_same_v<Kind, CpuPool>)
          return &pool.processors;
        else if constexpr (std::is_same_v<Kind, GpuPool>)
          return &pool.sms;
        else if constexpr (std::is_same_v<Kind, EnginePool>)
          return &pool.engines;
        else
          return &pool.workers;
      },
      resource);
}

/// A measured duration when its blocks last `longest` in place of L: it grows as they do, and never ends before one of them.
Time duration_with(Time time, Time L, Time longest) {
  if (time == L) return longest;
  constexpr Wide most = std::numeric_limits<std::int64_t>::max();  // no period is longer
  const Wide grown = L > Time::zero() ? ceil_div(checked_mul(Wide{time.count()}, Wide{longest.count()}), L.count()) : most;
  return to_time(std::min(std::max<Wide>(grown, longest.count()), most));
}

}  // namespace

std::shared_ptr<const TaskSet> with_pools(const TaskSet& task_set, std::vector<Pool> pools) {
  return std::make_shared<const TaskSet>(task_set.name(), std::move(pools), dags_of(task_set), task_set.chains(), task_set.requirements());
}

std::shared_ptr<const TaskSet> with_pool(const TaskSet& task_set, PoolId p, Pool pool) {
  std::vector<Pool> pools = pools_of(task_set);
  pools[p] = std::move(pool);
  return with_pools(task_set, std::move(pools));
}

std::shared_ptr<const TaskSet> with_all_dags(const TaskSet& task_set, std::vector<Dag> dags) {
  return std::make_shared<const TaskSet>(task_set.name(), pools_of(task_set), std::move(dags), task_set.chains(), task_set.requirements());
}

std::shared_ptr<const TaskSet> with_communication(const TaskSet& task_set, ChainId chain, Communication communication) {
  std::vector<Chain> chains = task_set.chains();
  chains[chain].communication = communication;
  return std::make_shared<const TaskSet>(task_set.name(), pools_of(task_set), dags_of(task_set), std::move(chains),
                                         task_set.requirements());
}

std::shared_ptr<const TaskSet> with_dags(const TaskSet& task_set, DagKinds::Kind kind, const std::function<Dag(const Dag&)>& change) {
  std::vector<Dag> dags = dags_of(task_set);
  for (DagId d = kind.first; d <= kind.last; ++d) dags[d] = change(dags[d]);
  return with_all_dags(task_set, std::move(dags));
}

std::shared_ptr<const TaskSet> with_partitions(const TaskSet& task_set, DagKinds::Kind kind, PoolId p, std::uint32_t size) {
  const auto on_it = [&](const Dag& dag) { return std::ranges::find(dag.nodes(), p, &Node::pool) != dag.nodes().end(); };
  const auto users = static_cast<std::size_t>(std::ranges::count_if(task_set.dags(), on_it));
  if (!on_it(task_set.dags()[kind.first]) || users == kind.last - kind.first + 1) return nullptr;
  std::vector<Pool> pools = pools_of(task_set);
  const Pool whole = pools[p];
  const std::uint32_t sms = size_of(whole);
  const std::string& dag = task_set.dags()[kind.first].name();
  const std::string part = dag.substr(0, dag.find('['));
  const auto part_of = [&](const std::string& name, std::uint32_t own, bool rest) {
    Pool pool = with_size(whole, own);
    pool.name = partition_name(whole.name, name);
    std::get<GpuPool>(pool.resource).partition =
        Partition{.gpu = whole.name, .name = name, .kind = PartitionKind::green, .of = sms, .rest = rest};
    return pool;
  };
  pools[p] = part_of(part, size, false);
  pools.insert(pools.begin() + static_cast<std::ptrdiff_t>(p) + 1, part_of(part == "rest" ? "others" : "rest", sms - size, true));
  std::vector<Dag> dags = dags_of(task_set);
  for (DagId d = 0; d < dags.size(); ++d) {
    std::vector<Node> nodes(dags[d].nodes().begin(), dags[d].nodes().end());
    for (Node& node : nodes) {
      if (node.pool > p || (node.pool == p && (d < kind.first || d > kind.last))) ++node.pool;
    }
    dags[d] = with_nodes(dags[d], std::move(nodes));
  }
  return std::make_shared<const TaskSet>(task_set.name(), std::move(pools), std::move(dags), task_set.chains(), task_set.requirements());
}

Dag with_nodes(const Dag& dag, std::vector<Node> nodes) {
  return {dag.name(), dag.period(), dag.deadline(), std::move(nodes), {dag.edges().begin(), dag.edges().end()}, dag.attributes()};
}

Dag with_node(const Dag& dag, NodeId v, Node node) {
  std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
  nodes[v] = std::move(node);
  return with_nodes(dag, std::move(nodes));
}

Dag with_phase(const Dag& dag, Time phase) {
  DagAttributes attributes = dag.attributes();
  attributes.phase = phase;
  return {dag.name(), dag.period(), dag.deadline(), {dag.nodes().begin(), dag.nodes().end()}, {dag.edges().begin(), dag.edges().end()},
          attributes};
}

Dag with_times(const Dag& dag, Time period, std::optional<Time> deadline) {
  std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
  // A single node's D is its DAG's.
  if (nodes.size() == 1 && nodes[0].deadline == dag.deadline()) nodes[0].deadline = deadline;
  DagAttributes attributes = dag.attributes();
  if (attributes.periodic && attributes.T_max) attributes.T_max = period + attributes.jitter;  // which is T
  return {dag.name(), period, deadline, std::move(nodes), {dag.edges().begin(), dag.edges().end()}, attributes};
}

Node with_piece(Node node, Time longest) {
  node.variation.reset();
  if (longest == longest_piece(node)) return node;  // C of a kernel may be below H L
  if (auto* cpu = std::get_if<CpuDemand>(&node.demand)) cpu->C = longest;
  if (auto* copy = std::get_if<CopyDemand>(&node.demand)) copy->C = longest;
  if (auto* items = std::get_if<WorkerDemand>(&node.demand)) items->L = longest;
  if (auto* kernel = std::get_if<GpuDemand>(&node.demand)) {
    if (kernel->time) kernel->time = duration_with(*kernel->time, kernel->L, longest);
    kernel->L = longest;
    kernel->C = Workload(checked_mul(Wide{longest.count()}, Wide{kernel->H}));
  }
  return node;
}

std::optional<std::uint64_t> pieces_of(const Node& node) {
  if (const auto* kernel = std::get_if<GpuDemand>(&node.demand)) {
    return counts_by_blocks(*kernel) && !kernel->time ? std::optional(kernel->B) : std::nullopt;  // with other blocks `time` is another
  }
  if (const auto* items = std::get_if<WorkerDemand>(&node.demand)) return items->B;
  return std::nullopt;
}

Node with_pieces(Node node, std::uint64_t B) {
  if (auto* kernel = std::get_if<GpuDemand>(&node.demand)) kernel->B = B;
  if (auto* items = std::get_if<WorkerDemand>(&node.demand)) items->B = B;
  return node;
}

std::uint32_t size_of(const Pool& pool) { return count_in(pool.resource); }

Pool with_size(Pool pool, std::uint32_t size) {
  count_in(pool.resource) = size;
  return pool;
}

bool knows_durations(const TaskSet& task_set, PoolId p) {
  return std::ranges::any_of(task_set.dags(), [p](const Dag& dag) {
    return std::ranges::any_of(dag.nodes(), [p](const Node& node) {
      const auto* const kernel = std::get_if<GpuDemand>(&node.demand);
      return node.pool == p && kernel != nullptr && kernel->time;
    });
  });
}

}  // namespace rta::analysis
