#include "rta/certificate/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>

#include "certificate/company.hpp"
#include "certificate/densities.hpp"
#include "certificate/overloads.hpp"
#include "certificate/parameters.hpp"
#include "certificate/path_rules.hpp"
#include "certificate/static_order.hpp"
#include "rta/analysis/chains.hpp"
#include "rta/model/error.hpp"

namespace rta::certificate {
namespace {

using analysis::Bound;
using analysis::NodeProof;
using analysis::Proof;
using analysis::Theorem;

class Writer {
 public:
  explicit Writer(const Proof& proof, const static_order::ScheduledHyperepoch* order = nullptr)
      : proof_(proof), last_(proof), set_(*proof.task_set), order_(order) {}
  /// T36's ends come on top of what was proven before.
  Writer(const Proof& before, const Proof& last) : proof_(before), last_(last), set_(*last.task_set), order_(nullptr) {}

  Certificate write(const TaskSet& file, std::string_view sha256) {
    const TaskSet& stated = proof_.ungrouped ? *proof_.ungrouped : set_;
    line("rta-certificate 1");
    line("file {}", sha256);
    add_assumptions(file, proof_.company ? *proof_.company->alone : stated, out_.text);
    if (proof_.company) add_company(proof_, out_.text);
    add_parameters(stated, out_.text);
    line("release {}", proof_.ungrouped ? "offsets" : to_string(proof_.release));
    if (proof_.ungrouped) line("granularity {}", is_monolithic() ? "monolithic" : "coarse");
    for (std::size_t i = 0; i < proof_.evidence.size(); ++i) {
      const auto* const path = std::get_if<analysis::PathEvidence>(&proof_.evidence[i]);
      if (path != nullptr) path_rules_.add_statements(*path, other_reading(i), out_.text);
      if (const auto* held = std::get_if<analysis::ThreadEvidence>(&proof_.evidence[i])) {
        analysis::PathEvidence read{.bounds = {}, .dags = held->dags};  // how the work of its GPUs counts
        read.bounds.system = held->system;
        path_rules_.add_statements(read, nullptr, out_.text);
      }
      if (const auto* admitted = std::get_if<analysis::AdmissionEvidence>(&proof_.evidence[i])) {
        analysis::PathEvidence read{.bounds = {}, .dags = admitted->dags};
        read.bounds.system = admitted->system;
        path_rules_.add_statements(read, nullptr, out_.text);
      }
      if (const auto* executors = std::get_if<analysis::ExecutorEvidence>(&proof_.evidence[i])) {
        analysis::PathEvidence read{.bounds = {}, .dags = executors->dags};
        read.bounds.system = executors->system;
        path_rules_.add_statements(read, nullptr, out_.text);
      }
      if (const auto* windows = std::get_if<analysis::WindowEvidence>(&proof_.evidence[i])) add_windows(*windows);
    }
    if (!proof_.ungrouped && !proof_.company) add_overloads(proof_, out_.text);
    if (order_ != nullptr && verdict_of(proof_) != analysis::Verdict::unbounded) add_order(*order_, set_, out_.text);
    if (is_followed()) add_reached();
    bool bounded = true;
    for (DagId d = 0; d < set_.dags().size(); ++d) bounded = add_dag(d) && bounded;
    add_awaited();
    out_.text += bounds_;
    const bool in_time = add_latencies(stated);
    auto verdict = bounded ? verdict_of(last_) : analysis::Verdict::unbounded;
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

  /// T35: the ends of all jobs of a hyperperiod, unless these are too many to read.
  void add_windows(const analysis::WindowEvidence& e) {
    if ((!is_needed() && !is_followed()) || !fits(e)) return;
    for (DagId d = 0; d < e.windows.ends.size(); ++d) {
      for (NodeId v = 0; v < e.windows.ends[d].size(); ++v) add_ends("windows", d, v, e.windows.ends[d][v]);
    }
  }
  [[nodiscard]] bool is_followed() const { return &proof_ != &last_; }
  void add_reached() {
    for (const analysis::Evidence& evidence : last_.evidence) {
      const auto* const e = std::get_if<analysis::ReachEvidence>(&evidence);
      if (e == nullptr) continue;
      add_followed(*e);
      for (DagId d = 0; d < proof_.dags.size(); ++d) {
        for (NodeId v = 0; v < proof_.dags[d].nodes.size(); ++v) {
          const NodeProof& node = proof_.dags[d].nodes[v];
          if (!node.bound && node.priority_point) line("point {} {} {}", d, v, node.priority_point->count());
        }
      }
      for (DagId d = 0; d < e->reached.windows.ends.size(); ++d) {
        for (NodeId v = 0; v < e->reached.windows.ends[d].size(); ++v) add_ends("reached", d, v, e->reached.windows.ends[d][v]);
      }
    }
  }
  /// The pools of which T36 need not know each start.
  void add_followed(const analysis::ReachEvidence& e) {
    for (std::size_t p = 0; p < e.system.pools.size(); ++p) {
      const bool items = std::ranges::any_of(e.system.dags, [&](const analysis::periodic::Dag& dag) {
        return std::ranges::any_of(dag.nodes, [&](const analysis::periodic::Node& node) { return node.pool == p && node.pieces > 1; });
      });
      if (!items && !e.system.pools[p].in_turn) continue;
      if (analysis::periodic::is_followed(e.system, p)) line("follow {}", e.pool_of[p]);
    }
  }
  void add_ends(std::string_view statement, DagId d, NodeId v, const std::vector<Time>& ends) {
    out_.text += fmt::format("{} {} {}", statement, d, v);
    for (const Time end : ends) fmt::format_to(std::back_inserter(out_.text), " {}", end.count());
    out_.text += '\n';
  }
  /// Whether some bound rests on it.
  [[nodiscard]] bool is_needed() const {
    return std::ranges::any_of(proof_.dags, [](const analysis::DagProof& dag) {
      return std::ranges::any_of(dag.nodes, [](const NodeProof& node) { return node.bound && node.bound->basis.theorem == Theorem::T35; });
    });
  }
  [[nodiscard]] static bool fits(const analysis::WindowEvidence& e) {
    constexpr std::size_t most_jobs = 50'000;
    std::size_t jobs = 0;
    for (const auto& dag : e.windows.ends) {
      for (const auto& ends : dag) jobs += ends.size();
    }
    return jobs <= most_jobs;
  }

  /// Whether the DAG has an end-to-end bound that the certificate carries. Bases come before all bounds, which are kept back.
  bool add_dag(DagId d) {
    const analysis::DagProof& of_dag = proof_.dags[d];
    if (proof_.release == Release::segments && of_dag.bound) {
      bounds_ += fmt::format("segments {}", d);
      for (const NodeProof& node : of_dag.nodes) fmt::format_to(std::back_inserter(bounds_), " {}", node.segment);
      bounds_ += '\n';
    }
    add_turns(d);
    for (NodeId v = 0; v < of_dag.nodes.size(); ++v) {
      const NodeProof& node = of_dag.nodes[v];
      if (!node.bound) continue;
      const std::string rule = rule_or_uncertified(*node.bound, set_, d, v);
      bound_line("bound {} {} {} {} {} {}", d, v, ns(node.reference), R_of(*node.bound, d, v), ns(node.priority_point), rule);
    }
    if (!last_.dags[d].bound) return false;
    bound_line("end {} {}", d, last_.dags[d].bound->R.count());
    return true;
  }

  /// The same ends, where the kernels of some GPUs are read otherwise than by evidence i.
  [[nodiscard]] const analysis::PathEvidence* other_reading(std::size_t i) const {
    const auto& path = std::get<analysis::PathEvidence>(proof_.evidence[i]);
    const auto* const next = i + 1 < proof_.evidence.size() ? std::get_if<analysis::PathEvidence>(&proof_.evidence[i + 1]) : nullptr;
    return next != nullptr && next->dags == path.dags ? next : nullptr;
  }

  /// Whether evidence i reads a GPU in turn that others like it count by weights.
  [[nodiscard]] bool is_in_turn(std::size_t i) const {
    const auto* const path = std::get_if<analysis::PathEvidence>(&proof_.evidence[i]);
    if (path == nullptr) return false;
    const analysis::PathEvidence* other = other_reading(i);
    if (other == nullptr && i > 0 && std::holds_alternative<analysis::PathEvidence>(proof_.evidence[i - 1]) && other_reading(i - 1) == path)
      other = &std::get<analysis::PathEvidence>(proof_.evidence[i - 1]);
    if (other == nullptr) return false;
    const auto& pools = path->bounds.system.system.pools;
    for (std::size_t p = 0; p < pools.size(); ++p) {
      if (pools[p].in_turn && !other->bounds.system.system.pools[p].in_turn) return true;
    }
    return false;
  }

  /// The nodes whose inequalities read GPUs in turn that others count by weights.
  void add_turns(DagId d) {
    std::string nodes;
    for (NodeId v = 0; v < proof_.dags[d].nodes.size(); ++v) {
      const auto& bound = proof_.dags[d].nodes[v].bound;
      if (!bound || order_ != nullptr) continue;
      if (is_in_turn(bound->basis.evidence)) fmt::format_to(std::back_inserter(nodes), " {}", v);
    }
    if (!nodes.empty()) bound_line("turns {}{}", d, nodes);
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
        const std::string rule = rule_or_uncertified(*task.bound, *proof_.ungrouped, task.dag, task.node);
        bound_line("awaited {} {} {} {}", task.dag, task.node, task.bound->R.count(), rule);
      }
    }
  }

  /// T13. Whether all chains are within their limits.
  bool add_latencies(const TaskSet& stated) {
    const auto chains = analysis::prove_chains(last_);
    bool in_time = true;
    for (std::size_t i = 0; i < chains.size(); ++i) {
      in_time = in_time && chains[i].meets(stated.chains()[i]);
      if (!chains[i].bound) continue;
      const analysis::ChainLatencies& bound = *chains[i].bound;
      line("latencies {} {} {} {} {}", i, bound.MRT.count(), bound.MRRT.count(), bound.MRDA.count(), bound.MDA.count());
    }
    return in_time;
  }

  /// In ns; a fraction where the theorem holds in parts of one.
  [[nodiscard]] std::string R_of(const Bound& bound, DagId d, NodeId v) const {
    const auto* path = order_ == nullptr ? std::get_if<analysis::PathEvidence>(&proof_.evidence[bound.basis.evidence]) : nullptr;
    if (path == nullptr || path->bounds.unit == 1) return fmt::format("{}", bound.R.count());
    return fmt::format("{}/{}", path_rules_.end_of(*path, d, v).count(), path->bounds.unit);
  }

  static std::string ns(const std::optional<Time>& time) { return time ? fmt::format("{}", time->count()) : "-"; }

  /// What no statement carries is noted; the others rest on it all the same.
  std::string rule_or_uncertified(const Bound& bound, const TaskSet& of, DagId d, NodeId v) {
    std::string rule = rule_of(bound, of, d, v);
    if (!rule.empty()) return rule;
    const Dag& dag = of.dags()[d];
    out_.uncertified.push_back(fmt::format("{}/{} ({})", dag.name(), dag.nodes()[v].name, to_string(bound.basis.theorem)));
    return "uncertified";
  }

  /// Empty: no statement carries it.
  std::string rule_of(const Bound& bound, const TaskSet& of, DagId d, NodeId v) {
    if (order_ != nullptr) return std::string(to_string(bound.basis.theorem));
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

  /// Ends a rule or base that counts releases by nominal ones. What groups await is late by J, too, which the checker knows.
  template <class Task>
  [[nodiscard]] std::string_view by_nominal_periods(const std::vector<Task>& tasks) const {
    const bool late = std::ranges::any_of(tasks, [](const Task& task) { return task.J > Time::zero(); });
    return late && !proof_.ungrouped ? " late" : "";
  }

  std::string rule(const analysis::GelEvidence& e, const Bound& bound, const TaskSet& /*of*/, DagId /*d*/, NodeId /*v*/) {
    const std::string_view late = by_nominal_periods(e.tasks);
    if (bound.basis.theorem == Theorem::T1n || bound.basis.theorem == Theorem::T1bn)
      return fmt::format("{}{}", to_string(bound.basis.theorem), late);
    const auto& terms = e.bounds.terms;
    const std::string_view theorem = to_string(bound.basis.theorem);
    if (!e.bounds.c.empty() && e.bounds.c[bound.basis.place] > 0) {  // T1r, T1re, T1b, T1be
      const Wide c = e.bounds.c[bound.basis.place];
      return base(bound, {static_cast<Wide>(bound.basis.theorem), c}, "{} {} {}{}", theorem, e.pool, to_string(c), late);
    }
    if (!terms.exact_demand) return base(bound, {}, "{} {} {}{}", theorem, e.pool, to_string(terms.c), late);
    return base(bound, {}, "{} {} {} {}{}", theorem, e.pool, to_string(terms.c), fraction(terms.demand), late);
  }

  std::string rule(const analysis::SequentialEvidence& e, const Bound& bound, const TaskSet& /*of*/, DagId /*d*/, NodeId /*v*/) {
    if (bound.basis.theorem == Theorem::T4) return base(bound, {}, "T4 {} {}", e.pool, e.bounds.carriers);
    return base(bound, {}, "{} {} {} {}", to_string(bound.basis.theorem), e.pool, e.bounds.carriers, fraction(e.bounds.s));
  }

  static std::string rule(const analysis::HardEvidence& e, const Bound& bound, const TaskSet& /*of*/, DagId /*d*/, NodeId /*v*/) {
    const std::size_t k = bound.basis.place;
    if (bound.basis.theorem == Theorem::T17) return "T17";
    if (bound.basis.theorem == Theorem::T16) return e.bounds.window[k] == analysis::hard::Window::busy ? "T16 busy" : "T16 release";
    return fmt::format("T18 {}/{}", to_string(e.bounds.density[k].sigma), 1U << static_cast<unsigned>(analysis::hard::Density::bits));
  }

  static std::string rule(const analysis::ThreadEvidence& /*e*/, const Bound& bound, const TaskSet& /*of*/, DagId /*d*/, NodeId /*v*/) {
    return std::string(to_string(bound.basis.theorem));
  }

  static std::string rule(const analysis::AdmissionEvidence& /*e*/, const Bound& bound, const TaskSet& /*of*/, DagId /*d*/, NodeId /*v*/) {
    return std::string(to_string(bound.basis.theorem));
  }

  static std::string rule(const analysis::ExecutorEvidence& e, const Bound& bound, const TaskSet& /*of*/, DagId d, NodeId v) {
    const std::size_t k = e.place_of(d);
    if (e.bounds.carrier[k][v] == analysis::executors::Carrier::successor) return fmt::format("before {}", e.bounds.by[k][v]);
    return std::string(to_string(bound.basis.theorem));
  }

  static std::string rule(const analysis::WindowEvidence& e, const Bound& /*bound*/, const TaskSet& /*of*/, DagId /*d*/, NodeId /*v*/) {
    return fits(e) ? "T35" : "";
  }
  /// No node's bound in a certificate: its ends are statements of their own.
  static std::string rule(const analysis::ReachEvidence& /*e*/, const Bound& /*bound*/, const TaskSet& /*of*/, DagId /*d*/, NodeId /*v*/) {
    return "";
  }

  std::string rule(const analysis::QueueEvidence& e, const Bound& bound, const TaskSet& of, DagId d, NodeId v) {
    if (bound.basis.theorem == Theorem::T27) return base(bound, {}, "T27 {}{}", e.pool, by_nominal_periods(e.tasks));
    const auto* copy = std::get_if<CopyDemand>(&of.dags()[d].nodes()[v].demand);
    const auto* engines = std::get_if<EnginePool>(&of.pools()[e.pool].resource);
    const int queue = engines != nullptr && engines->engines > 1 && copy != nullptr && copy->direction == Direction::d2h ? 1 : 0;
    return base(bound, {}, "T8 {} {} {} {}{}", e.pool, queue, to_string(std::max<Wide>(1, e.bounds.terms.ceil_U)),
                e.bounds.terms.counted ? "counted" : "all", by_nominal_periods(e.tasks));
  }

  std::string rule(const analysis::KernelEvidence& e, const Bound& bound, const TaskSet& /*of*/, DagId /*d*/, NodeId /*v*/) {
    const analysis::fifo::Basis& basis = e.bounds.basis[bound.basis.place];
    if (basis.theorem == Theorem::T5) return base(bound, {}, "T5 {}{}", e.pool, by_nominal_periods(e.tasks));
    const std::string level = basis.theorem != Theorem::T7 ? "only" : stream_priority_text(e.tasks[bound.basis.place].priority);
    const std::size_t weights = weights_of(e, bound, basis.set, level);
    const std::vector<Wide> key{basis.set, static_cast<Wide>(basis.theorem), static_cast<Wide>(basis.carry)};
    return base(bound, key, "{} {} {}{}{}", to_string(basis.theorem), e.pool, weights, carry(basis), by_nominal_periods(e.tasks));
  }

  static std::string carry(const analysis::fifo::Basis& basis) {
    using analysis::fifo::Carry;
    switch (basis.carry) {
      case Carry::theorem_4_3:
      case Carry::none: return "";
      case Carry::sliced:
      case Carry::resident: return " resident";
      case Carry::all_resident: return " all-resident";
      case Carry::sliced_light:
      case Carry::light: return " light";
      case Carry::counted: return fmt::format(" counted {} {}", static_cast<int>(basis.resource), to_string(basis.lambda));
      case Carry::counted_light: return fmt::format(" counted-light {}", to_string(basis.lambda));
    }
    return "";
  }

  static std::string fraction(analysis::FineTime time) {
    return fmt::format("{}/{}", to_string(time.count()), std::int64_t{1} << analysis::fine_bits);
  }

  std::size_t weights_of(const analysis::KernelEvidence& e, const Bound& bound, std::uint32_t set, std::string_view level) {
    const auto [at, fresh] = weights_.try_emplace({bound.basis.evidence, set}, weights_.size() + path_rules_.weights());
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

  std::string rule(const analysis::PathEvidence& e, const Bound& bound, const TaskSet& /*of*/, DagId d, NodeId v) {
    return path_rules_.rule(e, bound, d, v);
  }

  const Proof& proof_;
  const Proof& last_;
  const TaskSet& set_;
  const static_order::ScheduledHyperepoch* order_;
  Certificate out_;
  std::string bounds_;                                                        // after all bases
  std::map<std::pair<std::uint32_t, std::vector<Wide>>, std::size_t> bases_;  // evidence, what tells bases on it apart
  PathRules path_rules_{proof_};
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> weights_;  // evidence, set
};

}  // namespace

Certificate certificate_of(const analysis::Proof& proof, const TaskSet& file, std::string_view sha256) {
  if (proof.before_reach.empty()) return Writer(proof).write(file, sha256);
  Proof before = proof;
  before.dags = proof.before_reach;
  return Writer(before, proof).write(file, sha256);
}

Certificate certificate_of(const analysis::Proof& proof, const static_order::ScheduledHyperepoch& order, const TaskSet& file,
                           std::string_view sha256) {
  return Writer(proof, &order).write(file, sha256);
}

}  // namespace rta::certificate
