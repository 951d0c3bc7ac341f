#include "rta/model/task_set.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <tuple>
#include <unordered_set>

#include "rta/model/error.hpp"
#include "rta/model/other_work.hpp"
#include "rta/model/partitions.hpp"
#include "rta/model/streams.hpp"
#include "rta/model/time_slices.hpp"
#include "rta/model/topological_order.hpp"

namespace rta {
namespace {

// Compressed rows: the `second`s of each `first`, in edge order.
void build_rows(std::size_t nodes, const std::vector<Edge>& edges, NodeId Edge::*row, NodeId Edge::*value, std::vector<std::size_t>& first,
                std::vector<NodeId>& values) {
  first.assign(nodes + 1, 0);
  for (const Edge& e : edges) ++first[e.*row + 1];
  for (std::size_t v = 0; v < nodes; ++v) first[v + 1] += first[v];
  values.resize(edges.size());
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  for (const Edge& e : edges) values[next[e.*row]++] = e.*value;
}

bool any_twice(const std::vector<Edge>& edges) {
  const auto rising = [](const Edge& a, const Edge& b) { return std::pair(a.from, a.to) >= std::pair(b.from, b.to); };
  if (std::adjacent_find(edges.begin(), edges.end(), rising) == edges.end()) return false;
  std::vector<std::pair<NodeId, NodeId>> pairs;
  pairs.reserve(edges.size());
  for (const Edge& e : edges) pairs.emplace_back(e.from, e.to);
  std::sort(pairs.begin(), pairs.end());
  return std::adjacent_find(pairs.begin(), pairs.end()) != pairs.end();
}

// A node whose name an earlier one has; a table of numbers, for there may be a million.
const Node* named_twice(std::span<const Node> nodes) {
  std::vector<std::uint32_t> table(std::bit_ceil(2 * nodes.size()));  // from 1 on
  for (std::uint32_t v = 0; v < nodes.size(); ++v) {
    std::size_t at = std::hash<std::string_view>{}(nodes[v].name);
    for (; table[at &= table.size() - 1] != 0; ++at) {
      if (nodes[table[at] - 1].name == nodes[v].name) return &nodes[v];
    }
    table[at] = v + 1;
  }
  return nullptr;
}

bool within_worst_case(const Variation& v, Time worst) {
  const Time mode = v.mode.value_or(v.least);
  return Time::zero() <= v.least && v.least <= mode && mode <= worst;
}

void check_chain(const Chain& chain, std::span<const Dag> dags) {
  for (const ChainStage& stage : chain.stages) {
    if (stage.dag >= dags.size() || (stage.node && *stage.node >= dags[stage.dag].nodes().size())) {
      throw_defect("chain '" + chain.name + "' has an unknown stage");
    }
  }
  if (const auto fault = chain_fault(chain, dags)) throw_defect("chain '" + chain.name + "': " + fault->what);
  for (const auto& limit : {chain.reaction, chain.age}) {
    if (limit && *limit <= Time::zero()) throw_defect("chain '" + chain.name + "': limits must be positive");
  }
}

const Sharing* sharing_of(const Pool& pool) {
  const auto* gpu = std::get_if<GpuPool>(&pool.resource);
  return gpu == nullptr || !gpu->sharing ? nullptr : &*gpu->sharing;
}

// The contexts of a GPU that processes share stand side by side, by the names of the processes, and differ in nothing else.
void check_contexts(const std::vector<Pool>& pools) {
  std::unordered_set<std::string_view> gpus;
  for (std::size_t first = 0; first < pools.size();) {
    const Sharing* const sharing = sharing_of(pools[first]);
    if (sharing == nullptr) {
      ++first;
      continue;
    }
    const auto fault = [&](const char* what) { throw_defect("GPU '" + sharing->gpu + "': " + what); };
    if (!gpus.insert(sharing->gpu).second) fault("its contexts do not stand side by side");
    if (sharing->slice <= Time::zero() || sharing->switch_time < Time::zero()) fault("a slice is above 0, a switch not below");
    GpuPool expected = std::get<GpuPool>(pools[first].resource);
    std::size_t at = first;
    for (; at < pools.size() && sharing_of(pools[at]) != nullptr && sharing_of(pools[at])->gpu == sharing->gpu; ++at) {
      const Sharing& context = *sharing_of(pools[at]);
      if (pools[at].name != context_name(context.gpu, context.process)) fault("a context's name is not that of its process");
      if (at > first && context.process <= expected.sharing->process) fault("its contexts are not in the order of their names");
      expected.sharing->process = context.process;
      if (std::get<GpuPool>(pools[at].resource) != expected) fault("its contexts differ");
    }
    if (at - first != sharing->contexts) fault("its contexts are not as many as they say");
    first = at;
  }
}

// The partitions of a GPU stand side by side, what the others leave last, and differ in their SMs alone; all together fit on the GPU.
void check_partitions(const std::vector<Pool>& pools) {
  std::unordered_set<std::string_view> gpus;
  for (std::size_t first = 0; first < pools.size();) {
    const Partition* const partition = partition_of(pools[first]);
    if (partition == nullptr) {
      ++first;
      continue;
    }
    const auto fault = [&](const char* what) { throw_defect("GPU '" + partition->gpu + "': " + what); };
    if (!gpus.insert(partition->gpu).second) fault("its partitions do not stand side by side");
    std::uint64_t sms = 0;
    GpuPool expected = std::get<GpuPool>(pools[first].resource);
    std::size_t at = first;
    for (; at < pools.size() && partition_of(pools[at]) != nullptr && partition_of(pools[at])->gpu == partition->gpu; ++at) {
      const auto& gpu = std::get<GpuPool>(pools[at].resource);
      if (pools[at].name != partition_name(gpu.partition->gpu, gpu.partition->name)) fault("a partition's pool is not named as it is");
      if (at > first && expected.partition->rest) fault("what the other partitions leave does not stand last");
      if (gpu.sms == 0 || gpu.sharing) fault("a partition has SMs, and no time slices");
      expected.sms = gpu.sms;
      expected.partition->name = gpu.partition->name;
      expected.partition->rest = gpu.partition->rest;
      if (gpu != expected) fault("its partitions differ");
      sms += gpu.sms;
    }
    if (sms > partition->of) fault("its partitions have more SMs than it");
    first = at;
  }
  for (const Pool& pool : pools) {
    if (gpus.contains(pool.name)) throw_defect("GPU '" + pool.name + "' is cut into partitions, and a pool as well");
  }
}

bool is_matrix(const std::vector<std::vector<Lengthening>>& rows, std::size_t classes, std::size_t columns) {
  return rows.size() == classes && std::ranges::all_of(rows, [columns](const auto& row) {
           return row.size() == columns && std::ranges::all_of(row, [](Lengthening one) { return one >= 0 && one <= most_lengthening; });
         });
}

void check_interference(const std::vector<Pool>& pools) {
  for (const Pool& pool : pools) {
    const auto* const gpu = std::get_if<GpuPool>(&pool.resource);
    if (gpu == nullptr || !gpu->interference) continue;
    const Interference& of = *gpu->interference;
    const bool whole = !gpu->sharing && (!gpu->partition || gpu->partition->kind != PartitionKind::mig);
    const std::size_t n = of.classes.size();
    const std::size_t beside = counts_other_work(of) ? n + 2 : n;
    if (!whole || n == 0 || n > most_classes || !is_matrix(of.other_sm, n, beside) || !(of.same_sm.empty() || is_matrix(of.same_sm, n, n)))
      throw_defect("GPU '" + pool.name + "': its interference is no matrix of its classes, or counts in no such GPU");
  }
}

bool has_interference(const Node& node, const Pool& pool) {
  const auto* const kernel = std::get_if<GpuDemand>(&node.demand);
  if (kernel == nullptr || (!kernel->alone && !kernel->interference_class)) return true;
  const auto& of = std::get<GpuPool>(pool.resource).interference;
  return of && kernel->interference_class.value_or(0) < of->classes.size();
}

std::tuple<NodeId, NodeId, std::uint32_t> place_of(const HistoryEdge& edge) { return {edge.to, edge.from, edge.jobs}; }

/// `attributes.after` is in order.
std::vector<HistoryEdge> history_of(const std::string& name, std::span<const Node> nodes, const std::vector<Edge>& edges,
                                    const DagAttributes& attributes) {
  std::vector<HistoryEdge> history = attributes.after;
  for (const HistoryEdge& edge : history) {
    if (edge.from >= nodes.size() || edge.to >= nodes.size()) throw_defect("DAG '" + name + "': a history edge joins an unknown node");
    if (edge.jobs == 0) throw_defect("DAG '" + name + "': a history edge is from an earlier job");
  }
  if (std::ranges::adjacent_find(history) != history.end()) throw_defect("DAG '" + name + "' has a history edge twice");
  const auto on_device = [](const Node& node) {
    return std::holds_alternative<GpuDemand>(node.demand) || std::holds_alternative<CopyDemand>(node.demand);
  };
  const std::vector<Stream> streams = streams_of(nodes);
  for (const Stream& stream : streams) {
    for (const NodeId v : stream.operations) {
      if (!on_device(nodes[v])) throw_defect("DAG '" + name + "': a stream is of kernels and copies");
    }
    const HistoryEdge again{stream.operations.back(), stream.operations.front(), 1};
    if (!std::ranges::binary_search(attributes.after, place_of(again), {}, place_of)) history.push_back(again);
  }
  if (!history.empty() && attributes.threads) throw_defect("DAG '" + name + "': threads know of no history edges");
  if (streams.empty()) return history;
  std::vector<Edge> ordered = edges;
  if (order_streams(nodes, ordered) || ordered.size() != edges.size())
    throw_defect("DAG '" + name + "': the operations of a stream do not follow one another");
  return history;
}

/// Throws `Defect` unless its threads have one pool of processors to spin on, from the first node on.
void check_spinning(const Dag& dag) {
  if (!dag.attributes().threads) throw_defect("DAG '" + dag.name() + "': who spins is a thread");
  const Node& first = dag.nodes()[dag.topological_order().front()];
  const auto elsewhere = [&](const Node& node) { return std::holds_alternative<CpuDemand>(node.demand) && node.pool != first.pool; };
  if (!std::holds_alternative<CpuDemand>(first.demand) || std::ranges::any_of(dag.nodes(), elsewhere))
    throw_defect("DAG '" + dag.name() + "': threads that spin do so on one pool of processors, from their first node on");
}

}  // namespace

Time longest_piece(const Node& node) {
  return std::visit([](const auto& demand) { return longest_piece(demand); }, node.demand);
}

Dag::Dag(std::string name, Time period, std::optional<Time> deadline, std::vector<Node> nodes, std::vector<Edge> edges,
         DagAttributes attributes)
    : name_(std::move(name)),
      period_(period),
      deadline_(deadline),
      attributes_(std::move(attributes)),
      nodes_(std::move(nodes)),
      edges_(std::move(edges)) {
  if (nodes_.empty()) throw_defect("DAG '" + name_ + "' has no node");
  if (period_ <= Time::zero()) throw_defect("DAG '" + name_ + "': T must be positive");
  if (attributes_.jitter < Time::zero()) throw_defect("DAG '" + name_ + "': jitter must not be negative");
  if (attributes_.phase && *attributes_.phase < Time::zero()) throw_defect("DAG '" + name_ + "': phase must not be negative");
  if (attributes_.T_max && *attributes_.T_max < nominal_period()) throw_defect("DAG '" + name_ + "': T_max must not be below T");
  if (attributes_.periodic && (!attributes_.phase || attributes_.T_max.value_or(nominal_period()) != nominal_period()))
    throw_defect("DAG '" + name_ + "': periodic releases have a phase and are T apart");
  if (deadline_ && *deadline_ <= Time::zero()) throw_defect("DAG '" + name_ + "': D must be positive");
  for (const Edge& e : edges_) {
    if (e.from >= nodes_.size() || e.to >= nodes_.size()) throw_defect("DAG '" + name_ + "': an edge joins an unknown node");
    if (e.from == e.to) throw_defect("DAG '" + name_ + "': node '" + nodes_[e.from].name + "' precedes itself");
  }
  if (any_twice(edges_)) throw_defect("DAG '" + name_ + "' has an edge twice");

  build_rows(nodes_.size(), edges_, &Edge::to, &Edge::from, first_predecessor_, predecessors_);
  build_rows(nodes_.size(), edges_, &Edge::from, &Edge::to, first_successor_, successors_);

  order_ = rta::topological_order(nodes_.size(), [this](NodeId v) { return successors(v); });
  if (order_.size() != nodes_.size()) throw_defect("DAG '" + name_ + "' has a cycle");
  if (attributes_.in_flight && (*attributes_.in_flight == 0 || attributes_.threads))
    throw_defect("DAG '" + name_ + "': a limit of jobs under way is one at least, and of a DAG without threads");
  std::ranges::sort(attributes_.after, {}, place_of);
  history_ = history_of(name_, nodes_, edges_, attributes_);
  if (attributes_.wait == Wait::spin) check_spinning(*this);
  if (!attributes_.threads) return;
  if (*attributes_.threads == 0) throw_defect("DAG '" + name_ + "' has no thread");
  for (std::size_t i = 0; i < order_.size(); ++i) {
    if (nodes_[order_[i]].sequential) throw_defect("DAG '" + name_ + "': a node of threads is sequential");
    if (i == 0) continue;
    const auto before = predecessors(order_[i]);
    if (std::ranges::find(before, order_[i - 1]) == before.end()) throw_defect("DAG '" + name_ + "': threads play nodes in one order");
  }
}

std::optional<DagId> first_on_threads(std::span<const Dag> dags) {
  for (DagId d = 0; d < dags.size(); ++d) {
    if (dags[d].attributes().threads) return d;
  }
  return std::nullopt;
}

std::optional<DagId> first_limited(std::span<const Dag> dags) {
  for (DagId d = 0; d < dags.size(); ++d) {
    if (dags[d].attributes().in_flight) return d;
  }
  return std::nullopt;
}

std::optional<DagId> first_with_history(std::span<const Dag> dags) {
  for (DagId d = 0; d < dags.size(); ++d) {
    if (!dags[d].history().empty()) return d;
  }
  return std::nullopt;
}

namespace {

template <class Is>
std::optional<PoolId> first_pool(std::span<const Pool> pools, std::span<const Dag> dags, Is&& is) {
  std::optional<PoolId> first;
  for (const Dag& dag : dags) {
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const PoolId p = dag.nodes()[v].pool;
      const auto* cpu = std::get_if<CpuPool>(&pools[p].resource);
      if (cpu != nullptr && p < first.value_or(pools.size()) && is(*cpu, dag, v)) first = p;
    }
  }
  return first;
}

}  // namespace

std::optional<PoolId> first_wait_set(std::span<const Pool> pools, std::span<const Dag> dags) {
  return first_pool(pools, dags, [](const CpuPool& cpu, const Dag&, NodeId) { return is_wait_set(cpu); });
}

std::optional<PoolId> first_multi_threaded(std::span<const Pool> pools, std::span<const Dag> dags) {
  return first_pool(pools, dags, [](const CpuPool& cpu, const Dag&, NodeId) { return is_multi_threaded(cpu); });
}

std::optional<PoolId> first_reserved(std::span<const Pool> pools, std::span<const Dag> dags) {
  return first_pool(pools, dags, [](const CpuPool& cpu, const Dag&, NodeId) { return cpu.reservation.has_value(); });
}

std::optional<PoolId> first_executor(std::span<const Pool> pools, std::span<const Dag> dags) {
  return first_pool(pools, dags, [](const CpuPool& cpu, const Dag& dag, NodeId v) {
    return is_wait_set(cpu) || is_multi_threaded(cpu) || cpu.reservation || (cpu.callbacks && !dag.successors(v).empty());
  });
}

std::span<const NodeId> Dag::predecessors(NodeId v) const {
  return std::span(predecessors_).subspan(first_predecessor_[v], first_predecessor_[v + 1] - first_predecessor_[v]);
}

std::span<const NodeId> Dag::successors(NodeId v) const {
  return std::span(successors_).subspan(first_successor_[v], first_successor_[v + 1] - first_successor_[v]);
}

bool Dag::precedes(NodeId u, NodeId v) const {
  std::vector<bool> after(nodes_.size());
  after[u] = true;
  for (const NodeId w : order_) {
    const auto before = predecessors(w);
    if (std::ranges::any_of(before, [&](NodeId x) { return after[x]; })) after[w] = true;
    if (w == v) break;
  }
  return u != v && after[v];
}

bool Dag::same_shape(const Dag& other) const {
  return period_ == other.period_ && deadline_ == other.deadline_ && attributes_ == other.attributes_ && nodes_ == other.nodes_ &&
         edges_ == other.edges_;
}

TaskSet::TaskSet(std::string name, std::vector<Pool> pools, std::vector<Dag> dags, std::vector<Chain> chains,
                 std::vector<Requirement> requirements)
    : name_(std::move(name)),
      pools_(std::move(pools)),
      dags_(std::move(dags)),
      chains_(std::move(chains)),
      requirements_(std::move(requirements)) {
  std::unordered_set<std::string_view> names;
  for (const Pool& pool : pools_) {
    if (!names.insert(pool.name).second) throw_defect("pool '" + pool.name + "' is named twice");
    const auto* cpu = std::get_if<CpuPool>(&pool.resource);
    if (cpu != nullptr && is_wait_set(*cpu) && (cpu->processors != 1 || cpu->preemptive))
      throw_defect("pool '" + pool.name + "': an executor has one processor, and preempts nothing");
    if (cpu != nullptr && is_multi_threaded(*cpu) && cpu->preemptive)
      throw_defect("pool '" + pool.name + "': an executor preempts nothing");
    if (cpu != nullptr && cpu->reservation) {
      if (!may_be_reserved(*cpu)) throw_defect("pool '" + pool.name + "': a reservation is an executor's, of one thread");
      if (cpu->reservation->runtime <= Time::zero() || cpu->reservation->runtime > cpu->reservation->period)
        throw_defect("pool '" + pool.name + "': a reservation has a runtime from above 0 up to its period");
    }
    if (cpu != nullptr && cpu->callbacks && !may_have_callbacks(*cpu))
      throw_defect("pool '" + pool.name + "': callbacks are on one processor, by FIFO or by fixed priorities without preemption");
  }
  check_contexts(pools_);
  check_partitions(pools_);
  check_interference(pools_);
  names.clear();
  for (const Dag& dag : dags_) {
    if (!names.insert(dag.name()).second) throw_defect("DAG '" + dag.name() + "' is named twice");
    if (const Node* const node = named_twice(dag.nodes()))
      throw_defect("DAG '" + dag.name() + "': node '" + node->name + "' is named twice");
    for (const Node& node : dag.nodes()) {
      if (node.pool >= pools_.size()) throw_defect("DAG '" + dag.name() + "': node '" + node.name + "' runs on an unknown pool");
      if (node.demand.index() != pools_[node.pool].resource.index()) {
        throw_defect("DAG '" + dag.name() + "': the demand of node '" + node.name + "' does not fit pool '" + pools_[node.pool].name + "'");
      }
      if (!has_interference(node, pools_[node.pool])) {
        throw_defect("DAG '" + dag.name() + "': node '" + node.name + "' has a class, or a duration alone, that its GPU knows nothing of");
      }
      if (node.variation && !within_worst_case(*node.variation, longest_piece(node))) {
        throw_defect("DAG '" + dag.name() + "': execution times of node '" + node.name + "' need 0 <= least <= mode <= the worst case");
      }
    }
  }
  for (const Chain& chain : chains_) {
    if (!names.insert(chain.name).second) throw_defect("chain '" + chain.name + "' has the name of a DAG or another chain");
    check_chain(chain, dags_);
  }
  for (const Requirement& one : requirements_) {
    const auto* const stage = std::get_if<ChainStage>(&one.subject);
    const bool is_there = stage != nullptr ? stage->dag < dags_.size() && (!stage->node || *stage->node < dags_[stage->dag].nodes().size())
                                           : std::get<ChainId>(one.subject) < chains_.size();
    if (!is_there) throw_defect("requirement '" + one.name + "' is of nothing that is there");
  }
}

std::size_t TaskSet::node_count() const {
  std::size_t count = 0;
  for (const Dag& dag : dags_) count += dag.nodes().size();
  return count;
}

}  // namespace rta
