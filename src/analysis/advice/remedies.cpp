#include "rta/analysis/remedies.hpp"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/advice/apart.hpp"
#include "analysis/advice/changed.hpp"
#include "analysis/explain/dag_kinds.hpp"
#include "rta/analysis/analyze.hpp"
#include "rta/analysis/chains.hpp"
#include "rta/analysis/deadlines.hpp"
#include "rta/model/device.hpp"
#include "rta/model/error.hpp"
#include "rta/model/launch.hpp"
#include "rta/model/partitions.hpp"

namespace rta::analysis {
namespace {

constexpr std::int64_t parts_of_period = 4;
constexpr std::size_t most_single_phases = 12;  // of DAGs that fail, one alone at another phase
constexpr std::size_t most_apart = 3;           // of what keeps kernels apart
constexpr std::size_t most_parted = 2;          // of these, DAGs of another T
constexpr std::size_t most_phases = 32;         // that are told as one change

constexpr Scheduler schedulers[] = {Scheduler::g_edf, Scheduler::g_fl, Scheduler::fifo, Scheduler::lp, Scheduler::fp};

/// What is wrong with a proof; less is better.
struct Failures {
  std::size_t unbounded = 0;
  std::size_t missed = 0;  // deadlines of DAGs and nodes, limits of chains
  auto operator<=>(const Failures&) const = default;
};

Failures failures_of(const Proof& proof) {
  Failures failures;
  for (const DagProof& dag : proof.dags) failures.unbounded += dag.bound ? 0 : 1;
  for (const DeadlineCount& count : {end_to_end_deadlines(proof), own_deadlines(proof)}) failures.missed += count.given - count.met;
  failures.missed += missed_chains(proof);
  return failures;
}

bool has(const GivenOptions& given, std::string_view name) {
  return std::ranges::find(given, name, &GivenOptions::value_type::first) != given.end();
}

GivenOptions with(GivenOptions given, const GivenOptions& others) {
  for (const auto& [name, value] : others) {
    const auto at = std::ranges::find(given, name, &GivenOptions::value_type::first);
    if (at != given.end()) {
      at->second = value;
    } else {
      given.emplace_back(name, value);
    }
  }
  return given;
}

class Trial {
 public:
  Trial(std::shared_ptr<const TaskSet> task_set, const Proof& proof, const GivenOptions& given, const Limit& limit, bool kernel_switches)
      : task_set_(std::move(task_set)),
        before_(failures_of(proof)),
        base_(proof),
        given_(given),
        limit_(limit),
        kernel_switches_(kernel_switches) {
    for (const Dag& dag : task_set_->dags()) nodes_ += dag.nodes().size();
    const auto& chains = task_set_->chains();
    const std::vector<ChainProof> proofs = prove_chains(proof);
    for (std::size_t c = 0; c < chains.size(); ++c) {
      if (proofs[c].meets(chains[c])) continue;
      late_chains_.push_back(c);
      for (const ChainStage& stage : chains[c].stages) late_in_chains_.insert(stage.dag);
    }
  }

  Remedies run() {
    try_apart();
    if (before_ == Failures{}) return std::move(found_);
    try_options();
    try_pools();
    try_communication();
    try_kernel_priorities();
    try_phases();
    try_blocks();
    try_splits();
    std::ranges::stable_sort(found_.list, {}, [](const Remedy& remedy) { return failures_of(remedy.proof); });
    return std::move(found_);
  }

 private:
  bool stopped() {
    found_.ended_by = limit_.cause();
    return !found_.complete();
  }

  /// Blocks that start together; all others fit where one SM holds them.
  static bool fit_at_once(const TaskSet& set) {
    return std::ranges::all_of(set.dags(), [&](const Dag& dag) {
      return std::ranges::all_of(dag.nodes(), [&](const Node& node) {
        const auto* const kernel = std::get_if<GpuDemand>(&node.demand);
        if (kernel == nullptr || !starts_together(*kernel)) return true;
        return launch_faults(*kernel, std::get<GpuPool>(set.pools()[node.pool].resource), {}).empty();
      });
    });
  }

  /// What is proven with the change; nothing where it cannot be tried.
  std::optional<Proof> proven(const GivenOptions& options_given, std::shared_ptr<const TaskSet> task_set) {
    limit_.spend(fixed_ + nodes_ * nodes_ / 4);
    if (stopped() || !fit_at_once(*task_set)) return std::nullopt;
    ++found_.tried;
    try {
      Options options = options_of(options_given);
      options.stop = [this] {
        limit_.spend(fixed_ + nodes_ * nodes_ * (100 + nodes_) / 100);
        return limit_.reached();
      };
      options.kernel_switches = kernel_switches_;
      return analyze(std::move(task_set), options).proof;
    } catch (const UserError&) {  // the options do not go together
      return std::nullopt;
    } catch (const Overflow&) {
      return std::nullopt;
    }
  }

  /// Proves the change and keeps it if it helps. Whether it does.
  bool attempt(Change change, const GivenOptions& options_given, std::shared_ptr<const TaskSet> task_set) {
    auto proof = proven(options_given, std::move(task_set));
    if (!proof || failures_of(*proof) >= before_) return false;
    found_.list.push_back({std::move(change), std::move(*proof), {}});
    return true;
  }
  bool attempt(const GivenOptions& others) { return attempt(OtherOptions{others}, with(given_, others), task_set_); }
  bool attempt(Change change, std::shared_ptr<const TaskSet> task_set) { return attempt(std::move(change), given_, std::move(task_set)); }

  /// Whether fewer are missed, or as many, and what has a bound keeps one, and all bounds together are smaller.
  [[nodiscard]] bool helps_or_lowers(const Proof& proof) const {
    const Failures now = failures_of(proof);
    if (now != before_) return now < before_;
    for (DagId d = 0; d < proof.dags.size(); ++d) {
      if (base_.dags[d].bound && !proof.dags[d].bound) return false;
    }
    return sum_of(proof) < sum_of(base_);
  }
  static Wide sum_of(const Proof& proof) {
    Wide sum = 0;
    for (const DagProof& dag : proof.dags) sum += dag.bound ? dag.bound->R.count() : 0;
    return sum;
  }

  /// Where durations were measured alone: what keeps kernels apart.
  void try_apart() {
    if (!base_.company) return;
    std::vector<Remedy> lower;
    for (ApartCandidate& one : apart_candidates(*task_set_, base_)) {
      auto proof = proven(given_, std::move(one.task_set));
      if (proof && helps_or_lowers(*proof)) lower.push_back({std::move(one.change), std::move(*proof), {}});
      if (stopped()) break;
    }
    keep_lowest(lower, most_apart);
    std::vector<Remedy> slower =
        parted_jobs(*task_set_, base_, [&](std::shared_ptr<const TaskSet> changed) { return proven(given_, std::move(changed)); });
    std::erase_if(slower, [&](const Remedy& one) { return !helps_or_lowers(one.proof); });
    keep_lowest(slower, most_parted);
  }

  void keep_lowest(std::vector<Remedy>& some, std::size_t most) {
    std::ranges::stable_sort(some, {}, [](const Remedy& one) { return std::pair(failures_of(one.proof), sum_of(one.proof)); });
    if (some.size() > most) some.resize(most);
    for (Remedy& one : some) {
      if (!std::holds_alternative<SplitPool>(one.change)) one.apart = kept_apart(base_, one.proof);
      found_.list.push_back(std::move(one));
    }
  }

  [[nodiscard]] std::vector<PoolId> pools_of(PoolKind kind) const {
    std::vector<PoolId> pools;
    for (PoolId p = 0; p < task_set_->pools().size(); ++p) {
      if (task_set_->pools()[p].kind() == kind) pools.push_back(p);
    }
    return pools;
  }
  [[nodiscard]] std::vector<PoolId> cpu_pools() const { return pools_of(PoolKind::cpu); }

  void try_options() {
    if (first_executor(task_set_->pools(), task_set_->dags())) return;  // which is bounded in one way
    const bool fixed_release = has(given_, "release");
    if (fixed_release) attempt({{"release", "best"}});
    attempt({{"optimize", "priorities"}});
    for (const Scheduler scheduler : schedulers) {
      const auto has_it = [&](PoolId p) { return std::get<CpuPool>(base_.task_set->pools()[p].resource).scheduler == scheduler; };
      if (std::ranges::all_of(cpu_pools(), has_it)) continue;
      const std::string name(to_string(scheduler));
      if (!attempt({{"scheduler", name}}) && fixed_release) attempt({{"release", "best"}, {"scheduler", name}});
    }
    attempt({{"release", "completion"}, {"priorities", "node"}});
    const auto preemptive = [&](PoolId p) { return std::get<CpuPool>(base_.task_set->pools()[p].resource).preemptive; };
    if (std::ranges::any_of(cpu_pools(), preemptive)) attempt({{"non-preemptive", "true"}});
  }

  void try_pools() {
    const std::vector<PoolId> pools = cpu_pools();
    for (const PoolId p : pools) {
      const Pool& pool = task_set_->pools()[p];
      const auto& cpu = std::get<CpuPool>(pool.resource);
      if (is_wait_set(cpu) || is_multi_threaded(cpu) || cpu.callbacks) continue;
      const auto attempt_pool = [&](CpuPool to) { attempt(OtherPool{p, to}, with_pool(*task_set_, p, {pool.name, to})); };
      if (!has(given_, "non-preemptive") && (!cpu.preemptive || pools.size() > 1)) {
        CpuPool to = cpu;
        to.preemptive = !cpu.preemptive;
        attempt_pool(to);
      }
      if (!has(given_, "scheduler") && cpu.scheduler == Scheduler::fp) {
        CpuPool to = cpu;
        to.equals = cpu.equals == Equals::any ? Equals::fifo : Equals::any;
        attempt_pool(to);
      }
      if (has(given_, "scheduler") || pools.size() == 1) continue;
      for (const Scheduler scheduler : schedulers) {
        if (scheduler == cpu.scheduler) continue;
        CpuPool to = cpu;
        to.scheduler = scheduler;
        to.equals = scheduler == Scheduler::fp ? usual_equals(to.processors) : Equals::any;
        attempt_pool(to);
      }
    }
  }

  void try_communication() {
    for (const ChainId c : late_chains_) {
      const bool let = task_set_->chains()[c].communication == Communication::let;
      const OtherCommunication change{c, let ? Communication::registers : Communication::let};
      attempt(change, with_communication(*task_set_, c, change.to));
    }
  }

  /// Of each kind of DAG the first that fails.
  [[nodiscard]] std::vector<DagKinds::Kind> failing() const {
    std::vector<DagKinds::Kind> failing;
    for (const auto& kind : dag_kinds(*task_set_).kinds) {
      const auto fails = [&](DagId d) { return !base_.dags[d].bound || !meets_deadlines(base_, d) || late_in_chains_.contains(d); };
      for (DagId d = kind.first; d <= kind.last; ++d) {
        if (!fails(d)) continue;
        failing.push_back(kind);
        break;
      }
    }
    return failing;
  }

  /// All DAGs of a kind with some nodes changed; null where no node changes.
  template <class ChangeNode>
  std::shared_ptr<const TaskSet> changed(DagKinds::Kind kind, const ChangeNode& change) const {
    const Dag& dag = task_set_->dags()[kind.first];
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    for (NodeId v = 0; v < nodes.size(); ++v) change(v, nodes[v]);
    if (std::ranges::equal(nodes, dag.nodes())) return nullptr;
    return with_dags(*task_set_, kind, [&](const Dag& copy) { return with_nodes(copy, nodes); });
  }

  /// The highest that the file has, `high` at least: more levels than it says the device need not have.
  [[nodiscard]] StreamPriority urgent() const {
    StreamPriority most = high_priority;
    for (const Dag& dag : task_set_->dags()) {
      for (const Node& node : dag.nodes()) {
        if (const auto* kernel = std::get_if<GpuDemand>(&node.demand)) most = std::max(most, kernel->priority);
      }
    }
    return most;
  }

  void try_kernel_priorities() {
    const StreamPriority priority = urgent();
    for (const auto kind : failing()) {
      auto task_set = changed(kind, [&](NodeId, Node& node) {
        if (auto* kernel = std::get_if<GpuDemand>(&node.demand)) kernel->priority = priority;
      });
      if (task_set) attempt(KernelPriority{kind.first, kind.last, priority}, std::move(task_set));
    }
  }

  void try_phases() {
    if (!std::ranges::all_of(task_set_->dags(), [](const Dag& dag) { return dag.attributes().periodic; })) return;
    attempt_phases(spread());
    attempt_phases(one_after_another());
    std::size_t attempts = 0;
    for (const auto kind : failing()) {
      const Dag& dag = task_set_->dags()[kind.first];
      for (std::int64_t part = 1; part < parts_of_period && attempts < most_single_phases; ++part, ++attempts) {
        const Wide T = dag.nominal_period().count();
        const Wide later = Wide{dag.attributes().phase->count()} + T * part / parts_of_period;
        if (attempt_phases({{kind.first, to_time(later % T)}})) break;
      }
    }
  }

  /// Those with one T share it evenly.
  [[nodiscard]] std::vector<std::pair<DagId, Time>> spread() const {
    std::map<Time, std::vector<DagId>> with_period;
    for (DagId d = 0; d < task_set_->dags().size(); ++d) with_period[task_set_->dags()[d].nominal_period()].push_back(d);
    std::vector<std::pair<DagId, Time>> phases;
    for (const auto& [T, dags] : with_period) {
      for (std::size_t i = 0; i < dags.size(); ++i) phases.emplace_back(dags[i], to_time(Wide{T.count()} * i / dags.size()));
    }
    return phases;
  }

  /// Each comes when those before it in the file, alone, have ended.
  [[nodiscard]] std::vector<std::pair<DagId, Time>> one_after_another() const {
    std::vector<std::pair<DagId, Time>> phases;
    Wide ended = 0;
    for (DagId d = 0; d < task_set_->dags().size(); ++d) {
      const Dag& dag = task_set_->dags()[d];
      phases.emplace_back(d, to_time(ended % dag.nominal_period().count()));
      ended += dag.attributes().jitter.count();
      for (const Node& node : dag.nodes()) ended += longest_piece(node).count();
    }
    return phases;
  }

  /// Those that are as they were are no change.
  bool attempt_phases(std::vector<std::pair<DagId, Time>> phases) {
    const auto dags = task_set_->dags();
    std::erase_if(phases, [&](const auto& one) { return dags[one.first].attributes().phase == one.second; });
    if (phases.empty() || phases.size() > most_phases) return false;
    std::vector<Dag> with(dags.begin(), dags.end());
    for (const auto& [d, phase] : phases) with[d] = with_phase(with[d], phase);
    return attempt(OtherPhases{std::move(phases)}, with_all_dags(*task_set_, std::move(with)));
  }

  void try_blocks() {
    for (const Suggestion& s : suggest_block_sizes(*task_set_).list) {
      for (const auto& kind : dag_kinds(*task_set_).kinds) {
        const Dag& dag = task_set_->dags()[kind.first];
        for (NodeId v = 0; v < dag.nodes().size(); ++v) {
          if (s.node != dag.name() + "/" + dag.nodes()[v].name) continue;
          auto task_set = changed({kind.first, kind.first + s.dags - 1}, [&](NodeId u, Node& node) {
            auto* kernel = std::get_if<GpuDemand>(&node.demand);
            if (u != v || kernel == nullptr) return;
            kernel->B = s.B;
            kernel->H = s.H;
            kernel->shared_memory = s.shared_memory;
            node = with_piece(node, kernel->L);
          });
          if (task_set) attempt(OtherBlocks{kind.first, kind.first + s.dags - 1, v, s.B, s.H, s.shared_memory}, std::move(task_set));
        }
      }
    }
  }

  void try_splits() {
    for (const auto kind : failing()) {
      for (const PoolKind of : {PoolKind::cpu, PoolKind::gpu, PoolKind::workers}) {
        for (const PoolId p : pools_of(of)) try_split(kind, p);
      }
    }
  }

  static bool green_context_fault(const GpuPool& gpu, std::uint32_t sms) {
    const Device* const device = find_device(gpu.device);
    return device != nullptr && partition_fault(PartitionKind::green, sms, device->compute_capability);
  }

  void try_split(DagKinds::Kind kind, PoolId p) {
    const auto* cpu = std::get_if<CpuPool>(&task_set_->pools()[p].resource);
    if (cpu != nullptr && is_multi_threaded(*cpu)) return;  // groups exclude each other within one executor alone
    const auto* gpu = std::get_if<GpuPool>(&task_set_->pools()[p].resource);
    if (gpu != nullptr && (gpu->sharing || gpu->partition)) return;  // processes have SMs in common, partitions their own granularity
    if (knows_durations(*task_set_, p)) return;
    const std::uint32_t size = size_of(task_set_->pools()[p]);
    for (std::uint32_t own = 1; own < size && !stopped(); ++own) {
      if (gpu != nullptr && green_context_fault(*gpu, own)) continue;
      // Parts still share memory, which pools of their own would not.
      auto task_set = gpu != nullptr && gpu->interference ? with_partitions(*task_set_, kind, p, own) : split(kind, p, own);
      if (task_set == nullptr || attempt(SplitPool{p, kind.first, kind.last, own}, std::move(task_set))) return;
    }
  }

  /// Null where these DAGs have nothing on the pool, or all that is on it.
  [[nodiscard]] std::shared_ptr<const TaskSet> split(DagKinds::Kind kind, PoolId p, std::uint32_t own) const {
    const auto on_it = [&](const Dag& dag) { return std::ranges::find(dag.nodes(), p, &Node::pool) != dag.nodes().end(); };
    const auto users = static_cast<std::size_t>(std::ranges::count_if(task_set_->dags(), on_it));
    if (!on_it(task_set_->dags()[kind.first]) || users == kind.last - kind.first + 1) return nullptr;
    std::vector<Pool> pools(task_set_->pools().begin(), task_set_->pools().end());
    Pool added = with_size(pools[p], own);
    added.name = split_name(*task_set_, p, kind.first);
    pools[p] = with_size(pools[p], size_of(pools[p]) - own);
    pools.push_back(std::move(added));
    const auto wider = with_pools(*task_set_, std::move(pools));
    return with_dags(*wider, kind, [&](const Dag& dag) {
      std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
      for (Node& node : nodes) {
        if (node.pool == p) node.pool = wider->pools().size() - 1;
      }
      return with_nodes(dag, std::move(nodes));
    });
  }

  std::shared_ptr<const TaskSet> task_set_;
  Failures before_;
  std::vector<ChainId> late_chains_;  // which miss a limit
  std::set<DagId> late_in_chains_;    // their stages
  const Proof& base_;
  const GivenOptions& given_;
  Limit limit_;
  static constexpr std::uint64_t fixed_ = 40;  // of each attempt and round, beside what grows with the nodes; as measured
  std::uint64_t nodes_ = 0;
  bool kernel_switches_;
  Remedies found_;
};

}  // namespace

std::string split_name(const TaskSet& task_set, PoolId p, DagId d) {
  const std::string& dag = task_set.dags()[d].name();
  std::string name = task_set.pools()[p].name + "_" + dag.substr(0, dag.find('['));
  while (std::ranges::find(task_set.pools(), name, &Pool::name) != task_set.pools().end()) name += "_";
  return name;
}

Remedies remedies(const std::shared_ptr<const TaskSet>& task_set, const Proof& proof, const GivenOptions& given, const Limit& limit,
                  bool kernel_switches) {
  return Trial(task_set, proof, given, limit, kernel_switches).run();
}

}  // namespace rta::analysis
