#include "rta/analysis/machine_checked.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "analysis/path/system/started.hpp"
#include "analysis/policies/limited_jobs.hpp"
#include "rta/analysis/company.hpp"
#include "rta/analysis/executors/wait_set.hpp"
#include "rta/analysis/inequality.hpp"
#include "rta/model/other_work.hpp"
#include "rta/model/time_slices.hpp"

namespace rta::analysis {
namespace {

using enum Theorem;

constexpr std::array checked{
    std::pair{T1, "T1"},
    std::pair{T1e, "T1e"},
    std::pair{T1c, "carry_counted"},
    std::pair{T1r, "T10g_safe"},
    std::pair{T1re, "T1re_any_carry"},
    std::pair{T1n, "fed_back"},
    std::pair{T1b, "T1b"},
    std::pair{T1be, "T1be"},
    std::pair{T1bn, "T1bn"},
    std::pair{T5, "T5"},
    std::pair{T6a, "T6_a"},
    std::pair{T6b, "T6_b"},
    std::pair{T6c, "T6c"},
    std::pair{T6n, "fed_back"},
    std::pair{T7, "T7"},
    std::pair{T8, "T8"},
    std::pair{T10, "T10_in_every_schedule"},
    std::pair{T10n, "T10n_in_every_schedule"},
    std::pair{T10p, "T10n_in_every_schedule"},
    std::pair{T10d, "waits_by_wholes"},
    std::pair{T10w, "T10w_safe"},
    std::pair{T10m, "T10m_safe"},
    std::pair{T10a, "T10a_in_every_schedule"},
    std::pair{T10v, "T10v_in_every_schedule"},
    std::pair{T10c, "T10c_in_every_schedule"},
    std::pair{T10f, "T10f_safe"},
    std::pair{T10j, "T10j_safe"},
    std::pair{T10g, "T10g_safe"},
    std::pair{T11, "T10n_in_every_schedule"},
    std::pair{T11j, "urgent_safe"},
    std::pair{T12, "T12_safe"},
    std::pair{T12j, "T12j_safe"},
    std::pair{T12d, "late_waits_by_wholes"},
    std::pair{T12w, "T12w_safe"},
    std::pair{T12m, "T12m_safe"},
    std::pair{T14, "T14_in_every_tick"},
    std::pair{T15, "T15_worst_finish"},
    std::pair{T19, "executors_safe"},
    std::pair{T19j, "T19j_safe"},
    std::pair{T20, "executors_safe"},
    std::pair{T21h, "T21h_safe"},
    std::pair{T23, "T23_safe"},
    std::pair{T24, "T24_safe"},
    std::pair{T35, "T35_in_every_tick"},
    std::pair{T39, "T39_safe"},
};
/// What carries bounds of every schedule over to schedules with gates (T38 (a), T40), with company (C1), beside others (T37).
constexpr std::string_view gates_checked = "T40_safe", company_checked = "C1_safe", others_checked = "T37_safe";
constexpr std::string_view by_age_checked = "T10d_by_age_safe", late_by_age_checked = "T12d_by_age_safe",
                           started_checked = "waits_by_started", pieces_checked = "T23_bc_safe", lowest_checked = "T7_lowest_a",
                           lowest_light_checked = "T7_lowest_b", lowest_counted_checked = "T7_lowest_c", by_resources_checked = "T6c_a",
                           lowest_by_resources_checked = "T7_lowest_d", one_processor_checked = "T11j_one_processor",
                           late_one_processor_checked = "T12j_one_processor";

std::string_view headline_of(Theorem theorem) {
  const auto found = std::ranges::find(checked, theorem, [](const auto& entry) { return entry.first; });
  return found == checked.end() ? std::string_view() : std::string_view(found->second);
}

/// T10d and T12d: what counts is known by the age of jobs, or the path visits threads that run to the end of what they began.
Headline of_wholes(const Proof& proof, const Inequality& of, const Bound& bound) {
  const auto& sum = std::get<path::CountedSum>(of.detail);
  const auto& pools = std::get<PathEvidence>(proof.evidence[bound.basis.evidence]).bounds.system.system.pools;
  const bool started = std::ranges::any_of(sum.waits, [&](const path::Waiting& wait) { return path::runs_to_end(pools[wait.pool].order); });
  const bool by_age = std::ranges::any_of(sum.waits, [](const path::Waiting& wait) {
    return std::ranges::any_of(wait.jobs, [](const path::CountedJobs& jobs) { return jobs.whole && jobs.whole->as_soon; });
  });
  const bool late = of.theorem == T12d;
  if (started && by_age) return {{}, "without preemption, by age"};
  if (started) return {late ? std::string_view() : started_checked, "without preemption"};
  if (by_age) return {late ? late_by_age_checked : by_age_checked, "by age"};
  return {headline_of(of.theorem), {}};
}

/// T11j and T12j have a form for one processor, and T11j one that counts v's own jobs by when v is ready.
Headline of_late(const Inequality& of) {
  const auto& late = std::get<path::SporadicSum>(of.detail);
  if (late.busy) return {of.theorem == T11j ? one_processor_checked : late_one_processor_checked, "one processor"};
  if (of.theorem == T11j && late.ready > Time::zero()) return {{}, "ready after its release"};
  return {headline_of(of.theorem), of.theorem == T11j ? "ready at its release" : ""};
}

Headline of_visit(const Inequality& of) {
  const auto by = std::get<path::VisitSum>(of.detail).by;
  if (by == path::VisitSum::By::pieces) return {pieces_checked, "(b)"};
  if (by == path::VisitSum::By::waves) return {pieces_checked, "(c)"};
  return {headline_of(of.theorem), "(a)"};
}

/// Windows of other jobs may rest on ends of kernels in turn (T27).
Headline of_windows(const Proof& proof, const Bound& bound) {
  const auto& pools = std::get<WindowEvidence>(proof.evidence[bound.basis.evidence]).system.pools;
  if (std::ranges::any_of(pools, &periodic::Pool::in_turn)) return {{}, "beside kernels in turn"};
  return {headline_of(bound.basis.theorem), {}};
}

/// Whether v is on a GPU whose kernels count one after another (T27), or what its theorem looks at before it.
bool counts_in_turn(const Proof& proof, const Bound& bound, DagId d, NodeId v) {
  constexpr std::array local{T23, T24, T10j, T10g, T11j, T12j, T14j};
  const auto* const path = std::get_if<PathEvidence>(&proof.evidence[bound.basis.evidence]);
  if (path == nullptr) return false;
  const TaskSet& set = *proof.task_set;
  const Dag& dag = set.dags()[d];
  const auto in_turn = [&](NodeId u) {
    const std::string& name = set.pools()[dag.nodes()[u].pool].name;
    return std::ranges::any_of(path->bounds.system.system.pools,
                               [&](const path::Pool& pool) { return pool.name == name && (pool.in_turn || pool.mixed); });
  };
  if (std::ranges::find(local, bound.basis.theorem) != local.end()) return in_turn(v);
  std::vector<NodeId> open{v};
  std::vector<bool> seen(dag.nodes().size(), false);
  while (!open.empty()) {
    const NodeId u = open.back();
    open.pop_back();
    if (seen[u]) continue;
    seen[u] = true;
    if (in_turn(u)) return true;
    const auto before = dag.predecessors(u);
    open.insert(open.end(), before.begin(), before.end());
  }
  return false;
}

/// Of the theorems on completion and on segments, those that are proved beside GPUs that processes share by time slices.
bool knows_slices(Theorem theorem) {
  constexpr std::array those{T14, T10n, T10p, T11};
  return std::ranges::find(those, theorem) != those.end();
}

bool shares_by_slices(const TaskSet& set) {
  return std::ranges::any_of(set.pools(), [](const Pool& pool) { return slices_of(pool) != nullptr; });
}

/// T6c and T7 differ in what they count as left over.
Headline of_kernel(const Proof& proof, const Bound& bound) {
  const auto& bounds = std::get<KernelEvidence>(proof.evidence[bound.basis.evidence]).bounds;
  const bool lowest = bound.basis.theorem == T7;
  switch (bounds.basis[bound.basis.place].carry) {
    case fifo::Carry::counted: return {lowest ? lowest_by_resources_checked : by_resources_checked, {}};
    case fifo::Carry::resident: return {lowest ? lowest_checked : headline_of(bound.basis.theorem), {}};
    case fifo::Carry::light: return {lowest ? lowest_light_checked : headline_of(bound.basis.theorem), {}};
    case fifo::Carry::counted_light: return {lowest ? lowest_counted_checked : headline_of(bound.basis.theorem), {}};
    default: return {headline_of(bound.basis.theorem), {}};
  }
}

/// Theorems of single pools are proved for nodes released by themselves without jitter, or with T - J for T.
bool needs_no_jitter(Theorem theorem) {
  constexpr std::array those{T1, T1c, T1e, T1re, T1r, T1n, T6c, T6n};
  return std::ranges::find(those, theorem) != those.end();
}

Headline headline(const Proof& proof, const Bound& bound, DagId d, NodeId v, bool jitter) {
  const Theorem theorem = bound.basis.theorem;
  if (counts_in_turn(proof, bound, d, v)) return {{}, "with kernels in turn"};
  const bool whole = proof.release == Release::completion || proof.release == Release::segments;
  if (whole && shares_by_slices(*proof.task_set)) {
    if (knows_slices(theorem)) return {headline_of(T14), {}};
    return {{}, theorem == T14j ? "" : "beside time slices"};
  }
  switch (theorem) {
    case T10d:
    case T12d: return of_wholes(proof, inequality_of(proof, bound, d, v), bound);
    case T11j:
    case T12j: return of_late(inequality_of(proof, bound, d, v));
    case T6c:
    case T7: return of_kernel(proof, bound);
    case T23: return of_visit(inequality_of(proof, bound, d, v));
    case T35: return of_windows(proof, bound);
    case T19:
    case T19j:
    case T20: {
      const auto& executors = std::get<ExecutorEvidence>(proof.evidence[bound.basis.evidence]);
      const bool follows = executors.bounds.carrier[executors.place_of(d)][v] == executors::Carrier::successor;
      return follows ? Headline{{}, "of a node that follows"} : Headline{headline_of(theorem), {}};
    }
    default: break;
  }
  if (proof.release == Release::offsets && jitter && needs_no_jitter(theorem)) return {{}, "with jitter"};
  return {headline_of(theorem), {}};
}

bool any_kernel(const Dag& dag, bool (*holds)(const GpuDemand&)) {
  return std::ranges::any_of(dag.nodes(), [&](const Node& node) {
    const auto* const kernel = std::get_if<GpuDemand>(&node.demand);
    return kernel != nullptr && holds(*kernel);
  });
}

bool asks_for_registers(const TaskSet& set, PoolId p) {
  return std::ranges::any_of(set.dags(), [p](const Dag& dag) {
    return std::ranges::any_of(
        dag.nodes(), [p](const Node& node) { return node.pool == p && std::get<GpuDemand>(node.demand).registers_per_thread > 0; });
  });
}

bool has_several_priorities(const TaskSet& set, PoolId p) {
  std::optional<StreamPriority> first;
  for (const Dag& dag : set.dags()) {
    for (const Node& node : dag.nodes()) {
      if (node.pool != p) continue;
      const StreamPriority priority = std::get<GpuDemand>(node.demand).priority;
      if (first && *first != priority) return true;
      first = priority;
    }
  }
  return false;
}

bool any_bound(const Proof& proof, bool (*holds)(Theorem)) {
  return std::ranges::any_of(proof.dags, [&](const DagProof& dag) {
    return std::ranges::any_of(dag.nodes, [&](const NodeProof& node) { return node.bound && holds(node.bound->basis.theorem); });
  });
}

/// C1 is checked on completion, for kernels that other kernels on all SMs make longer, all the time.
bool company_is_covered(const Proof& proof) {
  if (proof.release != Release::completion || proof.company->by_pairs || jobs_may_wait(*proof.task_set)) return false;
  const TaskSet& alone = *proof.company->alone;
  const bool wider = std::ranges::any_of(alone.pools(), [](const Pool& pool) {
    const auto* const gpu = std::get_if<GpuPool>(&pool.resource);
    return gpu != nullptr && gpu->interference && counts_other_work(*gpu->interference);
  });
  return !wider && std::ranges::none_of(alone.dags(), [](const Dag& dag) {
    return any_kernel(dag, [](const GpuDemand& kernel) {
      return kernel.alone && (!kernel.has_blocks || kernel.C.count() != Wide{kernel.L.count()} * kernel.H);
    });
  });
}

/// T38 (a) and T40 are, on completion: limits and history edges that delay no job, by bounds without them.
bool gates_are_covered(const Proof& proof) {
  return proof.release == Release::completion && !proof.company && !any_bound(proof, [](Theorem theorem) { return theorem == T38; });
}

/// Of a CPU node.
FixedPriority priority_of(const Dag& dag, const Node& node) {
  return std::get<CpuDemand>(node.demand).priority.value_or(dag.attributes().priority.value_or(0));
}

/// T37: whether DAGs without bounds share with those that have some only processors under fixed priorities with preemption, on which they
/// are less urgent by priorities of the file.
bool others_are_less_urgent(const Proof& proof) {
  const TaskSet& set = *proof.task_set;
  if (proof.release != Release::completion || proof.company || jobs_may_wait(set)) return false;
  for (PoolId p = 0; p < set.pools().size(); ++p) {
    std::optional<FixedPriority> least;  // of what has bounds
    std::optional<FixedPriority> most;   // of what has none
    bool kept = false, others = false, given = true;
    for (DagId d = 0; d < set.dags().size(); ++d) {
      const Dag& dag = set.dags()[d];
      for (const Node& node : dag.nodes()) {
        if (node.pool != p) continue;
        (proof.dags[d].bound ? kept : others) = true;
        const auto* const cpu = std::get_if<CpuDemand>(&node.demand);
        given = given && cpu != nullptr && (cpu->priority || dag.attributes().priority);
        if (!given) continue;
        const FixedPriority priority = priority_of(dag, node);
        auto& extreme = proof.dags[d].bound ? least : most;
        extreme = !extreme ? priority : proof.dags[d].bound ? std::min(*extreme, priority) : std::max(*extreme, priority);
      }
    }
    if (!kept || !others) continue;
    const auto* const cpu = std::get_if<CpuPool>(&set.pools()[p].resource);
    if (cpu == nullptr || cpu->scheduler != Scheduler::fp || !cpu->preemptive || !given || *most >= *least) return false;
  }
  return true;
}

/// Theorems of which some schedules are asked more than that they are of the platform: not beside gates and company, nor beside others.
bool asks_more(const TaskSet& set, const Bound& bound, const Headline& headline) {
  constexpr std::array those{T19, T19j, T20, T21h, T35};
  return shares_by_slices(set) || std::ranges::find(those, bound.basis.theorem) != those.end() || headline.name == started_checked ||
         headline.name == one_processor_checked || headline.name == late_one_processor_checked ||
         (headline.name == pieces_checked && headline.form == "(c)");
}

/// Of DAGs and pools that differ in what the model of the proofs leaves out, the first.
std::vector<std::string> outside_of(const Proof& proof) {
  const TaskSet& set = *proof.task_set;
  std::vector<std::string> all;
  const auto add_dag = [&](auto holds, const char* what) {
    const auto dag = std::ranges::find_if(set.dags(), holds);
    if (dag != set.dags().end()) all.push_back(fmt::format("DAG '{}' has {}", dag->name(), what));
  };
  add_dag([](const Dag& dag) { return std::ranges::any_of(dag.nodes(), &Node::sequential); }, "sequential nodes");
  add_dag(
      [&](const Dag& dag) {  // T21b is of a model without threads
        const auto& nodes = proof.dags[static_cast<std::size_t>(&dag - set.dags().data())].nodes;
        return dag.attributes().threads.has_value() &&
               std::ranges::any_of(nodes, [](const NodeProof& node) { return node.bound && node.bound->basis.theorem != T21h; });
      },
      "threads that wait for its kernels");
  if (!gates_are_covered(proof)) {
    add_dag([](const Dag& dag) { return dag.attributes().in_flight.has_value(); }, "a limit of jobs under way");
    add_dag([](const Dag& dag) { return !dag.history().empty(); }, "nodes that wait for earlier jobs");
  }
  add_dag([](const Dag& dag) { return any_kernel(dag, [](const GpuDemand& kernel) { return kernel.time.has_value(); }); },
          "kernels with a duration");
  add_dag([](const Dag& dag) { return any_kernel(dag, [](const GpuDemand& kernel) { return starts_together(kernel); }); },
          "kernels whose blocks start together");
  if (proof.release == Release::early) all.emplace_back("nodes are released early");
  if (proof.ungrouped) all.emplace_back("groups wait for their kernels");
  if (proof.company && !company_is_covered(proof)) all.emplace_back("durations were measured alone, and company is added");
  for (PoolId p = 0; p < set.pools().size(); ++p) {
    const auto* const gpu = std::get_if<GpuPool>(&set.pools()[p].resource);
    if (gpu == nullptr) continue;
    const bool whole = proof.release == Release::completion || proof.release == Release::segments;  // by T11g and beside it
    if (whole && has_several_priorities(set, p))
      all.push_back(fmt::format("kernels of GPU '{}' have several stream priorities", set.pools()[p].name));
    if (gpu->allocation.register_parts > 1 && asks_for_registers(set, p))
      all.push_back(fmt::format("registers of GPU '{}' are in several parts", set.pools()[p].name));
  }
  for (const Evidence& evidence : proof.evidence) {
    const auto* const path = std::get_if<PathEvidence>(&evidence);
    if (path == nullptr) continue;
    const auto& pools = path->bounds.system.system.pools;
    const auto switches = std::ranges::find_if(pools, &path::Pool::switches);
    if (switches == pools.end()) continue;
    all.push_back(fmt::format("GPU '{}' takes time from one kernel to the next", switches->name));
    break;
  }
  const auto bounded = [](const DagProof& dag) { return dag.bound.has_value(); };
  if (std::ranges::any_of(proof.dags, bounded) && !std::ranges::all_of(proof.dags, bounded) && !others_are_less_urgent(proof))
    all.emplace_back("some DAGs have no bound, beside which others have one (T37)");
  return all;
}

}  // namespace

MachineChecked machine_checked(const Proof& proof) {
  MachineChecked result;
  result.outside = outside_of(proof);
  const bool gated = jobs_may_wait(*proof.task_set);
  const bool beside_others = std::ranges::any_of(proof.dags, [](const DagProof& dag) { return !dag.bound; });
  if (result.outside.empty() && gated) result.carried_by.emplace_back(gates_checked);
  if (result.outside.empty() && proof.company) result.carried_by.emplace_back(company_checked);
  if (result.outside.empty() && beside_others) result.carried_by.emplace_back(others_checked);
  const bool jitter = std::ranges::any_of(proof.task_set->dags(), [](const Dag& dag) { return dag.attributes().jitter > Time::zero(); });
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    auto& nodes = result.nodes.emplace_back();
    for (NodeId v = 0; v < proof.dags[d].nodes.size(); ++v) {
      auto& node = nodes.emplace_back();
      const auto& bound = proof.dags[d].nodes[v].bound;
      if (!bound) continue;
      ++result.bounds;
      node = result.outside.empty() ? headline(proof, *bound, d, v, jitter) : Headline{};
      if (!result.carried_by.empty() && asks_more(*proof.task_set, *bound, *node)) node = Headline{{}, "beside others, gates or company"};
      if (!node->name.empty() || !result.outside.empty()) continue;
      const auto other = std::ranges::find_if(
          result.others, [&](const Unchecked& one) { return one.theorem == bound->basis.theorem && one.form == node->form; });
      if (other == result.others.end()) {
        result.others.push_back({bound->basis.theorem, node->form, 1});
      } else {
        ++other->bounds;
      }
    }
  }
  std::ranges::stable_sort(result.others, std::ranges::greater(), &Unchecked::bounds);
  return result;
}

std::vector<std::string_view> headlines() {
  std::vector<std::string_view> all{gates_checked,         company_checked,           others_checked,       by_age_checked,
                                    late_by_age_checked,   started_checked,           pieces_checked,       lowest_checked,
                                    lowest_light_checked,  lowest_counted_checked,    by_resources_checked, lowest_by_resources_checked,
                                    one_processor_checked, late_one_processor_checked};
  for (const auto& entry : checked) all.emplace_back(entry.second);
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace rta::analysis
