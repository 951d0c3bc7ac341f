#include "rta/certificate/certificate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>

#include "certificate/counted_carry.hpp"
#include "certificate/parameters.hpp"
#include "rta/analysis/chains.hpp"
#include "rta/analysis/gpu/configuration.hpp"
#include "rta/analysis/path/busy_intervals.hpp"
#include "rta/analysis/path/strand_choices.hpp"
#include "rta/model/error.hpp"

namespace rta::certificate {
namespace {

using analysis::Bound;
using analysis::NodeProof;
using analysis::Proof;
using analysis::Theorem;

class Writer {
 public:
  explicit Writer(const Proof& proof) : proof_(proof), set_(*proof.task_set) {}

  Certificate write(const TaskSet& file, std::string_view sha256) {
    const TaskSet& stated = proof_.ungrouped ? *proof_.ungrouped : set_;
    line("rta-certificate 1");
    line("file {}", sha256);
    add_assumptions(file, stated, out_.text);
    add_parameters(stated, out_.text);
    line("release {}", proof_.ungrouped ? "offsets" : to_string(proof_.release));
    if (proof_.ungrouped) line("granularity {}", is_monolithic() ? "monolithic" : "coarse");
    add_weights_of_paths();
    add_overloads();
    bool bounded = true;
    for (DagId d = 0; d < set_.dags().size(); ++d) bounded = add_dag(d) && bounded;
    add_awaited();
    out_.text += bounds_;
    const bool in_time = add_latencies(stated);
    auto verdict = bounded ? verdict_of(proof_) : analysis::Verdict::unbounded;
    if (verdict == analysis::Verdict::schedulable && !in_time) verdict = analysis::Verdict::deadline_missed;
    line("verdict {}", verdict == analysis::Verdict::deadline_missed ? "deadline-missed" : to_string(verdict));
    return std::move(out_);
  }

 private:
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(out_.text), format, std::forward<Values>(values)...);
    out_.text += '\n';
  }
  template <class... Values>
  void bound_line(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(bounds_), format, std::forward<Values>(values)...);
    bounds_ += '\n';
  }

  /// Whether the DAG has an end-to-end bound that the certificate carries. Bases come before all bounds, which are kept back.
  bool add_dag(DagId d) {
    const Dag& dag = set_.dags()[d];
    const analysis::DagProof& of_dag = proof_.dags[d];
    if (proof_.release == Release::segments && of_dag.bound) {
      bounds_ += fmt::format("segments {}", d);
      for (const NodeProof& node : of_dag.nodes) fmt::format_to(std::back_inserter(bounds_), " {}", node.segment);
      bounds_ += '\n';
    }
    for (NodeId v = 0; v < of_dag.nodes.size(); ++v) {
      const NodeProof& node = of_dag.nodes[v];
      if (!node.bound) continue;
      std::string rule = rule_of(*node.bound, set_, d, v);
      if (rule.empty()) {  // the others rest on it all the same
        out_.uncertified.push_back(fmt::format("{}/{} ({})", dag.name(), dag.nodes()[v].name, to_string(node.bound->basis.theorem)));
        rule = "uncertified";
      }
      bound_line("bound {} {} {} {} {} {}", d, v, ns(node.reference), node.bound->R.count(), ns(node.priority_point), rule);
    }
    if (!of_dag.bound) return false;
    bound_line("end {} {}", d, of_dag.bound->R.count());
    return true;
  }

  /// Where both granularities come to the same, either will do.
  [[nodiscard]] bool is_monolithic() const {
    return std::ranges::all_of(set_.dags(), [&](const Dag& dag) {
      const Node& first = dag.nodes().front();
      return dag.nodes().size() == 1 && first.name == dag.name() && set_.pools()[first.pool].kind() == PoolKind::cpu;
    });
  }

  /// What groups issue and await.
  void add_awaited() {
    for (const analysis::PoolProof& pool : proof_.pools) {
      for (const analysis::PoolTask& task : pool.tasks) {
        if (!task.awaited || !task.bound) continue;
        const std::string rule = rule_of(*task.bound, *proof_.ungrouped, task.dag, task.node);
        bound_line("awaited {} {} {} {}", task.dag, task.node, task.bound->R.count(), rule);
      }
    }
  }

  /// T13. Whether all chains are within their limits.
  bool add_latencies(const TaskSet& stated) {
    const auto chains = analysis::prove_chains(proof_);
    bool in_time = true;
    for (std::size_t i = 0; i < chains.size(); ++i) {
      in_time = in_time && chains[i].meets(stated.chains()[i]);
      if (!chains[i].bound) continue;
      const analysis::ChainLatencies& bound = *chains[i].bound;
      line("latencies {} {} {} {} {}", i, bound.MRT.count(), bound.MRRT.count(), bound.MRDA.count(), bound.MDA.count());
    }
    return in_time;
  }

  static std::string ns(const std::optional<Time>& time) { return time ? fmt::format("{}", time->count()) : "-"; }

  /// Empty: no statement carries it.
  std::string rule_of(const Bound& bound, const TaskSet& of, DagId d, NodeId v) {
    const auto& evidence = proof_.evidence[bound.basis.evidence];
    return std::visit([&](const auto& e) { return rule(e, bound, of, d, v); }, evidence);
  }

  // ---- at offsets: a base for all bounds of one kind on one pool ----

  template <class... Words>
  std::string base(const Bound& bound, const std::vector<Wide>& key, fmt::format_string<Words...> format, Words&&... words) {
    const auto [at, fresh] = bases_.try_emplace({bound.basis.evidence, key}, bases_.size());
    if (fresh) line("base {} {}", at->second, fmt::format(format, std::forward<Words>(words)...));
    return fmt::format("base {}", at->second);
  }

  std::string rule(const analysis::GelEvidence& e, const Bound& bound, const TaskSet& /*of*/, DagId /*d*/, NodeId /*v*/) {
    if (bound.basis.theorem == Theorem::T1n) return "T1n";
    const auto& terms = e.bounds.terms;
    const std::string_view theorem = to_string(bound.basis.theorem);
    if (!terms.exact_demand) return base(bound, {}, "{} {} {}", theorem, e.pool, to_string(terms.c));
    return base(bound, {}, "{} {} {} {}", theorem, e.pool, to_string(terms.c), fraction(terms.demand));
  }

  std::string rule(const analysis::SequentialEvidence& e, const Bound& bound, const TaskSet& /*of*/, DagId /*d*/, NodeId /*v*/) {
    if (bound.basis.theorem == Theorem::T4) return base(bound, {}, "T4 {} {}", e.pool, e.bounds.carriers);
    return base(bound, {}, "T3 {} {} {}", e.pool, e.bounds.carriers, fraction(e.bounds.s));
  }

  std::string rule(const analysis::QueueEvidence& e, const Bound& bound, const TaskSet& of, DagId d, NodeId v) {
    const auto* copy = std::get_if<CopyDemand>(&of.dags()[d].nodes()[v].demand);
    const auto* engines = std::get_if<EnginePool>(&of.pools()[e.pool].resource);
    const int queue = engines != nullptr && engines->engines > 1 && copy != nullptr && copy->direction == Direction::d2h ? 1 : 0;
    return base(bound, {}, "T8 {} {} {} {}", e.pool, queue, to_string(std::max<Wide>(1, e.bounds.terms.ceil_U)),
                e.bounds.terms.counted ? "counted" : "all");
  }

  std::string rule(const analysis::KernelEvidence& e, const Bound& bound, const TaskSet& /*of*/, DagId /*d*/, NodeId /*v*/) {
    const analysis::fifo::Basis& basis = e.bounds.basis[bound.basis.place];
    if (basis.theorem == Theorem::T5) return base(bound, {}, "T5 {}", e.pool);
    const std::string_view level = basis.theorem != Theorem::T7                            ? "only"
                                   : e.tasks[bound.basis.place].priority == Priority::high ? "high"
                                                                                           : "low";
    const std::size_t weights = weights_of(e, bound, basis.set, level);
    const std::vector<Wide> key{basis.set, static_cast<Wide>(basis.theorem), static_cast<Wide>(basis.carry)};
    return base(bound, key, "{} {} {}{}", to_string(basis.theorem), e.pool, weights, carry(e, basis));
  }

  static std::string carry(const analysis::KernelEvidence& e, const analysis::fifo::Basis& basis) {
    using analysis::fifo::Carry;
    switch (basis.carry) {
      case Carry::theorem_4_3:
      case Carry::none: return "";
      case Carry::resident: return " resident";
      case Carry::all_resident: return " all-resident";
      case Carry::light: return " light";
      case Carry::counted:
      case Carry::counted_light: {
        const CountedCarry counted = counted_carry(e, basis);
        if (basis.carry == Carry::counted_light) return fmt::format(" counted-light {}", to_string(counted.lambda));
        return fmt::format(" counted {} {}", static_cast<int>(counted.resource), to_string(counted.lambda));
      }
    }
    return "";
  }

  static std::string fraction(analysis::FineTime time) {
    return fmt::format("{}/{}", to_string(time.count()), std::int64_t{1} << analysis::fine_bits);
  }

  std::size_t weights_of(const analysis::KernelEvidence& e, const Bound& bound, std::uint32_t set, std::string_view level) {
    const auto [at, fresh] = weights_.try_emplace({bound.basis.evidence, set, level == "high"}, weights_.size());
    if (fresh) {
      const auto& weight_set = e.bounds.sets[set];
      std::vector<analysis::fifo::Task> tasks;
      tasks.reserve(e.tasks.size());
      for (const auto& task : e.tasks) tasks.push_back(analysis::fifo::rounded_to_warps(task, e.gpu));
      line("weights {} {} {} {}{}", at->second, e.pool, level, to_string(weight_set.guaranteed),
           densities(tasks, e.gpu, weight_set.density));
    }
    return at->second;
  }

  /// One density for each class of blocks.
  static std::string densities(const std::vector<analysis::fifo::Task>& tasks, const GpuPool& gpu, const std::vector<Wide>& density) {
    std::vector<analysis::fifo::Amounts> demand;
    demand.reserve(tasks.size());
    for (const auto& task : tasks) demand.push_back(block_demand(task, gpu));
    const auto classes = analysis::fifo::classify(demand);
    std::vector<Wide> of_class(classes.demand.size());
    for (std::size_t i = 0; i < tasks.size(); ++i) of_class[classes.of[i]] = density[i];
    std::string words;
    for (const Wide n : of_class) words += " " + to_string(n);
    return words;
  }

  // ---- on completion and on segments ----

  void add_weights_of_paths() {
    for (const auto& evidence : proof_.evidence) {
      const auto* path = std::get_if<analysis::PathEvidence>(&evidence);
      if (path == nullptr) continue;
      for (PoolId p = 0; p < set_.pools().size(); ++p) {
        if (const auto* gpu = std::get_if<GpuPool>(&set_.pools()[p].resource)) add_weights_of_path(*path, p, *gpu);
      }
      add_strands(*path);
    }
  }

  /// T10v: which jobs lose work beside the paths of each DAG or segment with such bounds.
  void add_strands(const analysis::PathEvidence& path) {
    const analysis::PathSystem& system = path.bounds.system;
    const auto& support = path.bounds.bounds.support;
    const auto overlapped = [](const auto& of) { return std::ranges::find(of, analysis::path::Support::overlapped) != of.end(); };
    if (std::ranges::none_of(support, overlapped)) return;
    const auto choices = analysis::path::strand_choices(system.system);
    const auto place = [&](std::size_t k) {
      const DagId d = system.dag_of[k];
      return fmt::format("{} {}", path.dags.empty() ? d : path.dags[d], system.segment_of[k]);
    };
    for (std::size_t k = 0; k < choices.size(); ++k) {
      if (!overlapped(support[k])) continue;
      for (const auto& choice : choices[k]) {
        std::string words;
        for (const auto& share : choice)
          words += fmt::format(" {} {} {} {}", place(share.dag), share.from.count(), share.jobs, share.strands);
        line("strands {}{}", place(k), words);
      }
    }
  }

  /// A block of C' G-threads x ns counts s = density C'.
  void add_weights_of_path(const analysis::PathEvidence& path, PoolId p, const GpuPool& gpu) {
    const analysis::SegmentBounds& bounds = path.bounds;
    std::vector<analysis::fifo::Task> tasks;
    std::vector<Wide> density;
    for (DagId i = 0; i < bounds.system.place.size(); ++i) {
      const Dag& dag = set_.dags()[path.dags.empty() ? i : path.dags[i]];
      for (NodeId v = 0; v < dag.nodes().size(); ++v) {
        if (dag.nodes()[v].pool != p) continue;
        const auto& kernel = std::get<GpuDemand>(dag.nodes()[v].demand);
        analysis::fifo::Task task;
        task.H = kernel.H;
        task.C = kernel.C;
        task.shared_memory = kernel.shared_memory;
        task.registers_per_thread = kernel.registers_per_thread;
        tasks.push_back(rounded_to_warps(task, gpu));
        const auto& place = bounds.system.place[i][v];
        density.push_back(bounds.system.system.dags[place.dag].nodes[place.node].s / tasks.back().C.count());
      }
    }
    if (tasks.empty()) return;
    const std::size_t number = weights_.size();
    weights_.emplace(std::tuple(UINT32_MAX, static_cast<std::uint32_t>(p), false), number);
    line("weights {} {} only {}{}", number, p, to_string(bounds.system.system.pools[p].unit), densities(tasks, gpu, density));
    line("counted {} {}", p, number);
  }

  std::string late_rule(const analysis::SegmentBounds& bounds, const analysis::PathSystem::Place& place) {
    const analysis::path::System& system = bounds.system.system;
    const auto order = system.pools[system.dags[place.dag].nodes[place.node].pool].order;
    if (order != analysis::path::Order::fixed) return order == analysis::path::Order::fifo ? "T10j" : "T10g";
    const auto& busy = busy_.try_emplace(&bounds, system, bounds.bounds).first->second;
    std::string rule = "T11j";
    for (const Time z : busy.of(place.dag, place.node)) rule += fmt::format(" {}", z.count());
    return rule;
  }

  std::string rule(const analysis::PathEvidence& e, const Bound& /*bound*/, const TaskSet& /*of*/, DagId d, NodeId v) {
    const analysis::SegmentBounds& bounds = e.bounds;
    const DagId at = e.dags.empty() ? d : static_cast<DagId>(std::ranges::find(e.dags, d) - e.dags.begin());
    if (bounds.bounds.support.empty()) return "T10";
    if (analysis::path::has_release_jitter(bounds.system.system)) return "";
    const auto& place = bounds.system.place[at][v];
    switch (bounds.bounds.support[place.dag][place.node]) {
      case analysis::path::Support::path: return "T10n";
      case analysis::path::Support::late: return late_rule(bounds, place);
      case analysis::path::Support::fixed: return "T11";
      case analysis::path::Support::aligned: return "T10a";
      case analysis::path::Support::overlapped: return "T10v";
      case analysis::path::Support::carried: return "T10c";
      case analysis::path::Support::given: return "";
      case analysis::path::Support::successor: break;
    }
    const auto& F = bounds.bounds.F[place.dag];
    for (const NodeId w : set_.dags()[d].successors(v)) {
      const auto& other = bounds.system.place[at][w];
      if (other.dag == place.dag && F[other.node] == F[place.node]) return fmt::format("before {}", w);
    }
    require(false, "an end that a successor lends is that successor's");
    return "";
  }

  // ---- no bound ----

  void add_overloads() {
    for (PoolId p = 0; p < set_.pools().size() && !proof_.ungrouped; ++p) {
      if (!proof_.pools[p].none) continue;
      if (const auto* gpu = std::get_if<GpuPool>(&set_.pools()[p].resource)) {
        add_kernel_overload(p, *gpu);
        continue;
      }
      for (const int queue : {0, 1}) add_overload(p, queue);
    }
  }

  void add_overload(PoolId p, int queue) {
    const Pool& pool = set_.pools()[p];
    const auto* engines = std::get_if<EnginePool>(&pool.resource);
    Utilization U;
    for (const Dag& dag : set_.dags()) {
      for (const Node& node : dag.nodes()) {
        if (node.pool != p) continue;
        Wide work = longest_piece(node).count();
        int of = 0;
        if (const auto* copy = std::get_if<CopyDemand>(&node.demand))
          of = engines->engines > 1 && copy->direction == Direction::d2h ? 1 : 0;
        if (const auto* items = std::get_if<WorkerDemand>(&node.demand)) {
          work += std::get<WorkerPool>(pool.resource).dispatch_overhead.count();
          work = checked_mul(work, static_cast<Wide>(items->B));
        }
        if (of == queue) U.add(work, dag.period().count());
      }
    }
    Wide capacity = 1;
    if (const auto* cpu = std::get_if<CpuPool>(&pool.resource)) capacity = cpu->processors;
    if (const auto* workers = std::get_if<WorkerPool>(&pool.resource)) capacity = workers->workers;
    if (U.compare(capacity) > 0) line("overload {} {} {}", p, queue, to_string(capacity));
  }

  void add_kernel_overload(PoolId p, const GpuPool& gpu) {
    const auto* overload = std::get_if<analysis::reason::KernelOverload>(&proof_.pools[p].none->reason);
    if (overload == nullptr || proof_.pools[p].none->pool != p) return;
    std::vector<analysis::fifo::Task> tasks;
    std::vector<bool> high;
    for (const analysis::PoolTask& task : proof_.pools[p].tasks) {
      const auto& kernel = std::get<GpuDemand>(set_.dags()[task.dag].nodes()[task.node].demand);
      high.push_back(kernel.priority == Priority::high);
      analysis::fifo::Task made;
      made.H = kernel.H;
      made.C = kernel.C;
      made.shared_memory = kernel.shared_memory;
      made.registers_per_thread = kernel.registers_per_thread;
      tasks.push_back(rounded_to_warps(made, gpu));
    }
    std::vector<analysis::fifo::Amounts> demand;
    demand.reserve(tasks.size());
    for (const auto& task : tasks) demand.push_back(block_demand(task, gpu));
    const auto classes = analysis::fifo::classify(demand);
    analysis::fifo::Configuration x(classes.demand.size());
    for (const auto& resident : overload->worst.residents) x[classes.of[resident.task]] += resident.blocks;
    std::vector<bool> may_wait(classes.demand.size(), !overload->high_only);
    for (std::size_t i = 0; i < high.size(); ++i) may_wait[classes.of[i]] = may_wait[classes.of[i]] || high[i];
    // A relaxation found the configuration: where low kernels are resident beside waiting high ones it may block nothing.
    const analysis::fifo::Sm sm(analysis::fifo::sm_capacity(gpu), classes.demand, may_wait);
    const Wide used = sm.used(x, analysis::fifo::Resource::threads);
    if (!sm.blocking(x) || overload->U.compare(checked_mul(used, Wide{gpu.sms})) <= 0) return;
    const bool one_level = std::ranges::all_of(high, [&](bool is_high) { return is_high == high.front(); });
    line("overload {} {} {}", p, one_level ? "only" : overload->high_only ? "high" : "low", fmt::join(x, " "));
  }

  const Proof& proof_;
  const TaskSet& set_;
  Certificate out_;
  std::string bounds_;                                                        // after all bases
  std::map<std::pair<std::uint32_t, std::vector<Wide>>, std::size_t> bases_;  // evidence, what tells bases on it apart
  std::map<const analysis::SegmentBounds*, analysis::path::BusyIntervals> busy_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::size_t> weights_;  // evidence, set, high priority
};

}  // namespace

Certificate certificate_of(const analysis::Proof& proof, const TaskSet& file, std::string_view sha256) {
  return Writer(proof).write(file, sha256);
}

}  // namespace rta::certificate
