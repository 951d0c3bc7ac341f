#include "analysis/advice/apart.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <utility>
#include <variant>

#include "analysis/advice/changed.hpp"
#include "analysis/company/phases.hpp"
#include "analysis/explain/dag_kinds.hpp"
#include "rta/analysis/meetings.hpp"
#include "rta/model/device.hpp"
#include "rta/model/partitions.hpp"
#include "rta/model/streams.hpp"

namespace rta::analysis {
namespace {

constexpr std::size_t most_edges_tried = 8;
constexpr std::size_t most_streams_tried = 2;
constexpr std::size_t most_phases_tried = 6;
constexpr std::size_t most_of_jobs_tried = 4;    // nodes and DAGs whose jobs follow one another
constexpr std::size_t most_parts_tried = 6;      // partitions
constexpr std::size_t most_closed_kernels = 64;  // of a DAG, of whose edges all that they order is counted
constexpr std::size_t most_edge_kernels = 400;   // of a DAG whose edges are looked at

/// How much shorter kernels of a GPU are without some pairs: one of a class no longer counts where no other of that class is met.
class Savings {
 public:
  Savings(const Proof& proof, const GpuMeetings& gpu)
      : set_(*proof.company->alone), gpu_(gpu), interference_(interference_of(gpu)), met_(gpu.kernels.size()) {
    for (std::size_t i = 0; i < gpu.kernels.size(); ++i) {
      met_[i].resize(interference_.classes.size() + 1);
      for (std::size_t j = 0; j < gpu.kernels.size(); ++j) met_[i][class_of(j)] += is_apart(gpu.at(i, j)) ? 0 : 1;
    }
  }

  /// Pairs by their places, each once.
  [[nodiscard]] Wide without(const std::vector<std::pair<std::size_t, std::size_t>>& pairs) const {
    std::set<std::size_t> touched;
    std::vector<std::vector<std::size_t>> lost(met_.size());
    const auto lose = [&](std::size_t i, std::size_t j) {
      if (lost[i].empty()) lost[i].resize(met_[i].size());
      ++lost[i][class_of(j)];
      touched.insert(i);
    };
    for (const auto& [i, j] : pairs) {
      lose(i, j);
      if (i != j) lose(j, i);
    }
    Wide saved = 0;
    for (const std::size_t i : touched) {
      for (std::size_t c = 0; c < lost[i].size(); ++c) {
        if (lost[i][c] > 0 && lost[i][c] == met_[i][c]) saved += added(i, c);
      }
    }
    return saved;
  }

 private:
  [[nodiscard]] const GpuDemand& kernel(std::size_t i) const {
    return std::get<GpuDemand>(set_.dags()[gpu_.kernels[i].dag].nodes()[gpu_.kernels[i].node].demand);
  }
  [[nodiscard]] const Interference& interference_of(const GpuMeetings& gpu) const {
    const KernelId first = gpu.kernels.front();
    return *std::get<GpuPool>(set_.pools()[set_.dags()[first.dag].nodes()[first.node].pool].resource).interference;
  }
  [[nodiscard]] std::size_t class_of(std::size_t i) const {
    return kernel(i).interference_class.value_or(static_cast<std::uint32_t>(interference_.classes.size()));
  }
  /// What company of that class adds to it, or of any.
  [[nodiscard]] Wide added(std::size_t i, std::size_t of) const {
    if (!kernel(i).alone) return 0;
    const auto entry = [&](const std::vector<std::vector<Lengthening>>& matrix) {
      Lengthening most = 0;
      for (std::size_t r = 0; r < matrix.size(); ++r) {
        for (std::size_t c = 0; c < matrix[r].size(); ++c) {
          const bool row = class_of(i) == interference_.classes.size() || class_of(i) == r;
          if (row && (of == interference_.classes.size() || of == c)) most = std::max(most, matrix[r][c]);
        }
      }
      return most;
    };
    return Wide{kernel(i).L.count()} * (Wide{entry(interference_.other_sm)} + entry(interference_.same_sm));
  }

  const TaskSet& set_;
  const GpuMeetings& gpu_;
  const Interference& interference_;
  std::vector<std::vector<std::size_t>> met_;  // kernel, class -> how many it can meet
};

struct Weighed {
  Wide saved = 0;
  ApartCandidate candidate;
};

/// What lies before or after each node, and the node itself.
std::vector<std::vector<bool>> reach(const Dag& dag, bool backwards) {
  std::vector<std::vector<bool>> all(dag.nodes().size(), std::vector<bool>(dag.nodes().size()));
  const auto order = dag.topological_order();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const NodeId v = backwards ? order[i] : order[order.size() - 1 - i];
    all[v][v] = true;
    for (const NodeId u : backwards ? dag.predecessors(v) : dag.successors(v)) {
      for (NodeId w = 0; w < dag.nodes().size(); ++w) all[v][w] = all[v][w] || all[u][w];
    }
  }
  return all;
}

Dag with_edge(const Dag& dag, Edge edge) {
  std::vector<Edge> edges(dag.edges().begin(), dag.edges().end());
  edges.push_back(edge);
  return {dag.name(), dag.period(), dag.deadline(), {dag.nodes().begin(), dag.nodes().end()}, std::move(edges), dag.attributes()};
}

Dag with_attributes(const Dag& dag, DagAttributes attributes) {
  return {dag.name(),
          dag.period(),
          dag.deadline(),
          {dag.nodes().begin(), dag.nodes().end()},
          {dag.edges().begin(), dag.edges().end()},
          std::move(attributes)};
}

/// Whether one thread may play them as they are: one after another, and none waits in another way.
bool fits_one_thread(const TaskSet& set, const Dag& dag) {
  const DagAttributes& has = dag.attributes();
  if (has.threads || has.in_flight || !dag.history().empty() || first_executor(set.pools(), set.dags())) return false;
  const auto waits = [](const Node& node) { return node.sequential || !node.stream.empty() || !node.group.empty(); };
  if (std::ranges::any_of(dag.nodes(), waits) || std::ranges::any_of(dag.edges(), &Edge::cut)) return false;
  const auto order = dag.topological_order();
  for (std::size_t i = 1; i < order.size(); ++i) {
    const auto before = dag.predecessors(order[i]);
    if (std::ranges::find(before, order[i - 1]) == before.end()) return false;
  }
  return true;
}

/// The DAG with all its kernels in one stream; none where it has streams or threads, or the order of the file is against its edges.
std::optional<Dag> with_one_stream(const Dag& dag) {
  const auto in_stream = [](const Node& node) { return !node.stream.empty(); };
  if (dag.attributes().threads || std::ranges::any_of(dag.nodes(), in_stream)) return std::nullopt;
  std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
  std::vector<Edge> edges(dag.edges().begin(), dag.edges().end());
  for (Node& node : nodes) {
    if (std::holds_alternative<GpuDemand>(node.demand)) node.stream = "one";
  }
  if (order_streams(nodes, edges)) return std::nullopt;
  return Dag(dag.name(), dag.period(), dag.deadline(), std::move(nodes), std::move(edges), dag.attributes());
}

/// The largest power of ten of which a hundred fit.
std::int64_t round_step(std::int64_t of) {
  std::int64_t step = 1;
  while (step <= of / 1000) step *= 10;
  return step;
}

class ApartSearch {
 public:
  ApartSearch(const TaskSet& task_set, const Proof& proof, const GpuMeetings& gpu)
      : set_(task_set), proof_(proof), gpu_(gpu), savings_(proof, gpu), place_(task_set.dags().size()) {
    for (DagId d = 0; d < place_.size(); ++d) place_[d].resize(task_set.dags()[d].nodes().size(), none);
    for (std::size_t i = 0; i < gpu.kernels.size(); ++i) place_[gpu.kernels[i].dag][gpu.kernels[i].node] = i;
  }

  std::vector<ApartCandidate> all() {
    for (const DagKinds::Kind kind : dag_kinds(set_).kinds) {
      add_edges(kind);
      add_stream(kind);
      add_jobs(kind);
    }
    take(most_edges_tried, edges_);
    take(most_streams_tried, streams_);
    take(most_of_jobs_tried, jobs_);
    add_phases();
    take(most_phases_tried, phases_);
    add_partitions();
    return std::move(all_);
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

  void take(std::size_t most, std::vector<Weighed>& from) {
    std::ranges::stable_sort(from, std::ranges::greater{}, &Weighed::saved);
    for (std::size_t i = 0; i < from.size() && i < most; ++i) all_.push_back(std::move(from[i].candidate));
  }

  [[nodiscard]] std::vector<NodeId> kernels_of(DagId d) const {
    std::vector<NodeId> kernels;
    for (NodeId v = 0; v < place_[d].size(); ++v) {
      if (place_[d][v] != none) kernels.push_back(v);
    }
    return kernels;
  }

  /// Edges between kernels that run in parallel, and what each of them saves; only the best become task sets.
  void add_edges(DagKinds::Kind kind) {
    const Dag& dag = set_.dags()[kind.first];
    const std::vector<NodeId> kernels = kernels_of(kind.first);
    if (kernels.size() > most_edge_kernels) return;
    const bool closed = kernels.size() <= most_closed_kernels;
    const auto before = closed ? reach(dag, true) : std::vector<std::vector<bool>>();
    const auto after = closed ? reach(dag, false) : std::vector<std::vector<bool>>();
    std::vector<std::pair<Wide, Edge>> found;
    for (const NodeId u : kernels) {
      for (const NodeId v : kernels) {
        if (u == v || gpu_.at(place_[kind.first][u], place_[kind.first][v]) != Meeting::parallel) continue;
        Pairs pairs;
        for (const NodeId x : kernels) {
          if (closed ? !before[u][x] : x != u) continue;
          for (const NodeId y : kernels) {
            if (closed ? !after[v][y] : y != v) continue;
            const std::size_t i = place_[kind.first][x], j = place_[kind.first][y];
            if (gpu_.at(i, j) == Meeting::parallel) pairs.emplace_back(i, j);
          }
        }
        if (const Wide saved = savings_.without(pairs); saved > 0) found.emplace_back(saved, Edge{u, v});
      }
    }
    std::ranges::stable_sort(found, std::ranges::greater{}, [](const auto& one) { return one.first; });
    if (found.size() > most_edges_tried) found.resize(most_edges_tried);
    for (const auto& [saved, edge] : found) {
      edges_.push_back({saved, {OtherEdge{kind.first, kind.last, edge.from, edge.to}, with_dags(set_, kind, [edge = edge](const Dag& one) {
                                  return with_edge(one, edge);
                                })}});
    }
  }

  /// What several edges do at once, where more than two kernels run in parallel.
  void add_stream(DagKinds::Kind kind) {
    const Dag& dag = set_.dags()[kind.first];
    const std::vector<NodeId> kernels = kernels_of(kind.first);
    if (kernels.size() < 3 || kernels.size() > most_edge_kernels) return;
    const bool other_gpu = static_cast<std::size_t>(std::ranges::count_if(dag.nodes(), [](const Node& node) {
                             return std::holds_alternative<GpuDemand>(node.demand);
                           })) != kernels.size();
    Pairs pairs;
    for (const NodeId u : kernels) {
      for (const NodeId v : kernels) {
        const std::size_t i = place_[kind.first][u], j = place_[kind.first][v];
        if (u < v && gpu_.at(i, j) == Meeting::parallel) pairs.emplace_back(i, j);
      }
    }
    const Wide saved = pairs.size() < 2 || other_gpu ? 0 : savings_.without(pairs);
    if (saved == 0 || !with_one_stream(dag)) return;
    streams_.push_back(
        {saved, {OneStream{kind.first, kind.last}, with_dags(set_, kind, [](const Dag& one) { return *with_one_stream(one); })}});
  }

  /// Kernels that meet those of other jobs of their DAG.
  void add_jobs(DagKinds::Kind kind) {
    const Dag& dag = set_.dags()[kind.first];
    Pairs of_jobs;
    const std::vector<NodeId> kernels = kernels_of(kind.first);
    for (const NodeId v : kernels) {
      const std::size_t i = place_[kind.first][v];
      for (const NodeId u : kernels) {
        const std::size_t j = place_[kind.first][u];
        if (u <= v && gpu_.at(i, j) == Meeting::jobs) of_jobs.emplace_back(i, j);
      }
      if (gpu_.at(i, i) != Meeting::jobs || dag.attributes().threads) continue;
      const Wide saved = savings_.without({{i, i}});
      if (saved == 0) continue;
      Node node = dag.nodes()[v];
      node.sequential = true;
      jobs_.push_back({saved, {SequentialNode{kind.first, kind.last, v}, with_dags(set_, kind, [&](const Dag& one) {
                                 return with_node(one, v, node);
                               })}});
    }
    if (of_jobs.empty() || !fits_one_thread(set_, dag)) return;
    DagAttributes one_thread = dag.attributes();
    one_thread.threads = 1;
    jobs_.push_back({savings_.without(of_jobs), {OneThread{kind.first, kind.last}, with_dags(set_, kind, [&](const Dag& one) {
                                                   return with_attributes(one, one_thread);
                                                 })}});
  }

  /// When kernels of the DAG run here, at most.
  [[nodiscard]] Window hull_of(DagId d) const {
    std::optional<Time> from, until;
    Time work;
    bool bounded = true;
    for (const NodeId v : kernels_of(d)) {
      const NodeProof& node = proof_.dags[d].nodes[v];
      const Time start = node.reference.value_or(Time::zero());
      from = from ? std::min(*from, start) : start;
      work += longest_piece(proof_.company->alone->dags()[d].nodes()[v]);
      bounded = bounded && node.bound && node.reference;
      if (bounded) until = std::max(until.value_or(Time::zero()), start + node.bound->R);
    }
    return {*from, bounded ? *until : *from + work};
  }

  /// DAGs of one clock: the later one of the file begins when the part of G that the other's kernels take is over.
  void add_phases() {
    if (!has_clock(set_)) return;
    const auto clocked = [&](DagKinds::Kind kind) {
      const DagAttributes& has = set_.dags()[kind.first].attributes();
      return kind.first == kind.last && has.periodic && !has.threads && !kernels_of(kind.first).empty();
    };
    const auto kinds = dag_kinds(set_).kinds;
    for (const DagKinds::Kind other : kinds) {
      for (const DagKinds::Kind moved : kinds) {
        if (moved.first > other.first && clocked(other) && clocked(moved)) add_phase(other.first, moved.first);
      }
    }
  }

  void add_phase(DagId other, DagId moved) {
    Pairs pairs;
    for (const NodeId u : kernels_of(other)) {
      for (const NodeId v : kernels_of(moved)) {
        const std::size_t i = place_[other][u], j = place_[moved][v];
        if (!is_apart(gpu_.at(i, j))) pairs.emplace_back(i, j);
      }
    }
    if (pairs.empty()) return;
    const Dag& first = set_.dags()[other];
    const Dag& second = set_.dags()[moved];
    const Window of_first = hull_of(other), of_second = hull_of(moved);
    const std::int64_t G = std::gcd(first.nominal_period().count(), second.nominal_period().count());
    const auto length = [](const Dag& dag, const Window& window) {
      return std::max<Wide>(1, Wide{(window.until - window.from).count()} + dag.attributes().jitter.count());
    };
    const Wide its = length(first, of_first);
    const std::int64_t step = round_step(G);
    const Wide delta = Wide{G} * its / (its + length(second, of_second)) / step * step;
    const Wide P = second.nominal_period().count();
    Wide phase = (Wide{first.attributes().phase->count()} + of_first.from.count() + delta - of_second.from.count()) % P;
    if (phase < 0) phase += P;
    if (to_time(phase) == second.attributes().phase) return;
    std::vector<Dag> dags(set_.dags().begin(), set_.dags().end());
    dags[moved] = with_phase(second, to_time(phase));
    phases_.push_back({savings_.without(pairs), {OtherPhases{{{moved, to_time(phase)}}}, with_all_dags(set_, std::move(dags))}});
  }

  /// What fills an SM does so in its own partition alone: a quarter, a half or three of the SMs for the kernels of one DAG.
  void add_partitions() {
    std::size_t tried = 0;
    for (PoolId p = 0; p < set_.pools().size(); ++p) {
      const auto* const gpu = std::get_if<GpuPool>(&set_.pools()[p].resource);
      if (gpu == nullptr || set_.pools()[p].name != gpu_.gpu || !gpu->interference || gpu->interference->same_sm.empty()) continue;
      for (const DagKinds::Kind kind : dag_kinds(set_).kinds) {
        for (std::uint32_t quarters = 1; quarters < 4 && tried < most_parts_tried; ++quarters) {
          auto size = static_cast<std::uint32_t>(std::uint64_t{gpu->sms} * quarters / 4);
          while (size < gpu->sms && (size == 0 || green_fault(*gpu, size))) ++size;
          auto parts = size < gpu->sms ? with_partitions(set_, kind, p, size) : nullptr;
          if (parts == nullptr) continue;
          ++tried;
          all_.push_back({SplitPool{p, kind.first, kind.last, size}, std::move(parts)});
        }
      }
    }
  }

  static bool green_fault(const GpuPool& gpu, std::uint32_t sms) {
    const Device* const device = find_device(gpu.device);
    return device != nullptr && partition_fault(PartitionKind::green, sms, device->compute_capability).has_value();
  }

  const TaskSet& set_;
  const Proof& proof_;
  const GpuMeetings& gpu_;
  Savings savings_;
  PerNode<std::size_t> place_;  // of kernels here among those of the GPU
  std::vector<Weighed> edges_, streams_, jobs_, phases_;
  std::vector<ApartCandidate> all_;
};

}  // namespace

std::vector<ApartCandidate> apart_candidates(const TaskSet& task_set, const Proof& proof) {
  std::vector<ApartCandidate> all;
  for (const GpuMeetings& gpu : meetings(proof)) {
    if (gpu.of.empty()) continue;
    for (ApartCandidate& one : ApartSearch(task_set, proof, gpu).all()) all.push_back(std::move(one));
  }
  return all;
}

std::vector<KeptApart> kept_apart(const Proof& before, const Proof& after) {
  std::vector<KeptApart> pairs;
  const auto now = meetings(before), then = meetings(after);
  const auto piece = [](const Proof& proof, KernelId of) { return longest_piece(proof.task_set->dags()[of.dag].nodes()[of.node]); };
  for (const GpuMeetings& gpu : now) {
    const auto other = std::ranges::find(then, gpu.gpu, &GpuMeetings::gpu);
    if (other == then.end() || other->kernels != gpu.kernels || gpu.of.empty()) continue;
    for (std::size_t i = 0; i < gpu.kernels.size(); ++i) {
      for (std::size_t j = i; j < gpu.kernels.size(); ++j) {
        if (is_apart(gpu.at(i, j)) || !is_apart(other->at(i, j))) continue;
        const KernelId a = gpu.kernels[i], b = gpu.kernels[j];
        pairs.push_back({a, b, piece(before, a), piece(after, a), piece(before, b), piece(after, b)});
      }
    }
  }
  const auto falls = [](const KeptApart& pair) { return pair.a_before - pair.a_after + (pair.b_before - pair.b_after); };
  std::ranges::stable_sort(pairs, std::ranges::greater{}, falls);
  return pairs;
}

}  // namespace rta::analysis
