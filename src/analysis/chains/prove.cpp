#include <algorithm>

#include "rta/analysis/chains.hpp"

namespace rta::analysis {
namespace {

/// What the stages of one chain rest on.
class ChainProver {
 public:
  ChainProver(const Proof& proof, const Chain& chain, bool with_phases)
      : proof_(proof), set_(set_with_chains(proof)), chain_(chain), with_phases_(with_phases) {}

  [[nodiscard]] ChainProof prove() const {
    ChainProof result;
    result.stages = joined_stages();
    for (std::size_t i = 0; i < result.stages.size() && !result.none; ++i) {
      result.none = chain_.communication == Communication::let ? publish(result.stages[i], i) : write(result.stages[i], i);
    }
    if (result.none) return result;
    std::vector<StageTimes> times;
    times.reserve(result.stages.size());
    for (std::size_t i = 0; i < result.stages.size(); ++i) {
      StageProof& stage = result.stages[i];
      if (i + 1 < result.stages.size()) {
        stage.times.outranks_next = outranks(stage, result.stages[i + 1]);
        stage.times.to_next = distance(stage, result.stages[i + 1]);
      }
      times.push_back(stage.times);
    }
    result.bound = chain_latencies(times);
    return result;
  }

 private:
  [[nodiscard]] std::vector<StageProof> joined_stages() const {
    std::vector<StageProof> stages;
    for (const ChainStage& stage : chain_.stages) {
      if (!stages.empty() && stages.back().dag == stage.dag) {
        stages.back().exit = stage.node;
      } else {
        stages.push_back({.dag = stage.dag, .entry = stage.node, .exit = stage.node, .times = {}});
      }
    }
    return stages;
  }

  /// Registers: read at the start, written at the end.
  [[nodiscard]] std::optional<ChainObstacle> write(StageProof& stage, std::size_t index) const {
    const auto F = end_of(stage);
    if (!F) return ChainObstacle{index, std::nullopt, std::nullopt};
    const Dag& dag = set_.dags()[stage.dag];
    stage.times = {.T_max = dag.longest_period(), .E = least_start(stage.dag, stage.entry), .F = *F};
    stage.in_order = *F <= dag.period() + least_start(stage.dag, stage.exit) || (stage.exit && dag.nodes()[*stage.exit].sequential);
    return std::nullopt;
  }

  /// LET: read at the release, published at the deadline.
  [[nodiscard]] std::optional<ChainObstacle> publish(StageProof& stage, std::size_t index) const {
    const auto F = end_of(stage);
    const Dag& dag = set_.dags()[stage.dag];
    const Time L = dag.deadline().value_or(dag.period());
    if (!F || *F > L) return ChainObstacle{index, F, L};
    stage.times = {.T_max = dag.longest_period(), .E = Time::zero(), .F = L};
    return std::nullopt;
  }

  /// Periodic from a known instant on.
  [[nodiscard]] static bool has_phase(const Dag& dag) {
    const DagAttributes& of = dag.attributes();
    return of.phase && of.jitter == Time::zero() && of.T_max.value_or(dag.period()) == dag.period();
  }

  [[nodiscard]] std::optional<Time> distance(const StageProof& stage, const StageProof& next) const {
    const Dag& dag = set_.dags()[stage.dag];
    const Dag& other = set_.dags()[next.dag];
    if (proof_.release == Release::fixed_order) return std::nullopt;  // whose clock releases every DAG, whatever its phase
    if (!with_phases_ || !has_phase(dag) || !has_phase(other)) return std::nullopt;
    return largest_distance(*dag.attributes().phase, dag.period(), *other.attributes().phase, other.period(), stage.times.F - next.times.E);
  }

  /// F, from the DAG's release.
  [[nodiscard]] std::optional<Time> end_of(const StageProof& stage) const {
    const DagProof& dag = proof_.dags[stage.dag];
    if (!stage.exit || proof_.release == Release::grouped) return dag.bound ? std::optional(dag.bound->R) : std::nullopt;
    const NodeProof& node = dag.nodes[*stage.exit];
    return node.bound && node.reference ? std::optional(*node.reference + node.bound->R) : std::nullopt;
  }

  /// E: an offset; execution times may be 0, so what is released on completion may start at once.
  [[nodiscard]] Time least_start(DagId d, const std::optional<NodeId>& v) const {
    const bool by_clock = proof_.release == Release::offsets || proof_.release == Release::segments;
    return v && by_clock ? proof_.dags[d].nodes[*v].reference.value_or(Time::zero()) : Time::zero();
  }

  /// From its release to its write, a job of `stage` always has a node ready on a single processor under fixed priorities, more urgent than
  /// all that read in `next`, which run there as well.
  [[nodiscard]] bool outranks(const StageProof& stage, const StageProof& next) const {
    if (proof_.release == Release::grouped || proof_.release == Release::fixed_order) return false;
    if (chain_.communication == Communication::let) return false;
    const std::vector<NodeId> own = needed_for_write(stage);
    if (own.size() > 1 && proof_.release != Release::completion) return false;  // there are gaps before offsets
    const auto readers = readers_of(next);
    const PoolId p = set_.dags()[stage.dag].nodes()[own.front()].pool;
    const auto* cpu = std::get_if<CpuPool>(&set_.pools()[p].resource);
    if (cpu == nullptr || cpu->scheduler != Scheduler::fp || cpu->processors != 1) return false;
    const auto runs_there = [&](DagId d) { return [&, d](NodeId v) { return set_.dags()[d].nodes()[v].pool == p; }; };
    if (!std::ranges::all_of(own, runs_there(stage.dag)) || !std::ranges::all_of(readers, runs_there(next.dag))) return false;
    return std::ranges::all_of(own, [&](NodeId u) {
      const auto urgency = proof_.dags[stage.dag].nodes[u].priority;
      return std::ranges::all_of(readers, [&](NodeId v) { return urgency > proof_.dags[next.dag].nodes[v].priority; });
    });
  }

  /// The node that writes and all before it, or the whole DAG.
  [[nodiscard]] std::vector<NodeId> needed_for_write(const StageProof& stage) const {
    const Dag& dag = set_.dags()[stage.dag];
    std::vector<bool> needed(dag.nodes().size(), !stage.exit);
    if (stage.exit) needed[*stage.exit] = true;
    const auto order = dag.topological_order();
    for (auto v = order.rbegin(); v != order.rend(); ++v) {
      if (std::ranges::any_of(dag.successors(*v), [&](NodeId w) { return needed[w]; })) needed[*v] = true;
    }
    std::vector<NodeId> nodes;
    for (NodeId v = 0; v < needed.size(); ++v) {
      if (needed[v]) nodes.push_back(v);
    }
    return nodes;
  }

  [[nodiscard]] std::vector<NodeId> readers_of(const StageProof& stage) const {
    if (stage.entry) return {*stage.entry};
    const Dag& dag = set_.dags()[stage.dag];
    std::vector<NodeId> sources;
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      if (dag.predecessors(v).empty()) sources.push_back(v);
    }
    return sources;
  }

  const Proof& proof_;
  const TaskSet& set_;
  const Chain& chain_;
  bool with_phases_;
};

}  // namespace

bool ChainProof::meets(const Chain& chain) const {
  if (!chain.reaction && !chain.age) return true;
  return bound && (!chain.reaction || bound->MRT <= *chain.reaction) && (!chain.age || bound->MDA <= *chain.age);
}

const TaskSet& set_with_chains(const Proof& proof) { return proof.ungrouped ? *proof.ungrouped : *proof.task_set; }

std::vector<ChainProof> prove_chains(const Proof& proof, bool with_phases) {
  std::vector<ChainProof> proofs;
  for (const Chain& chain : set_with_chains(proof).chains()) proofs.push_back(ChainProver(proof, chain, with_phases).prove());
  return proofs;
}

std::size_t missed_chains(const Proof& proof) {
  const auto& chains = set_with_chains(proof).chains();
  const std::vector<ChainProof> proofs = prove_chains(proof);
  std::size_t missed = 0;
  for (std::size_t c = 0; c < chains.size(); ++c) missed += proofs[c].meets(chains[c]) ? 0 : 1;
  return missed;
}

}  // namespace rta::analysis
