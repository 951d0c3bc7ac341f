#include "analysis/policies/thread_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "analysis/policies/components.hpp"
#include "analysis/policies/path_proof.hpp"
#include "analysis/policies/policies.hpp"
#include "analysis/search/cost.hpp"
#include "rta/model/error.hpp"
#include "rta/model/time_slices.hpp"

namespace rta::analysis {
namespace {

/// What its threads find there; as `ThreadEvidence` has it.
std::vector<threads::Pool> pools_of(const PathSystem& system, const TaskSet& task_set) {
  std::vector<threads::Pool> pools;
  pools.reserve(system.system.pools.size());
  for (std::size_t p = 0; p < system.system.pools.size(); ++p) {
    const path::Pool& pool = system.system.pools[p];
    const PoolKind kind = task_set.pools()[system.pool_of[p]].kind();
    const bool one_piece_each = kind == PoolKind::cpu || kind == PoolKind::engines;
    pools.push_back({.rate = checked_mul(Wide{pool.capacity}, pool.unit),
                     .places = one_piece_each ? std::uint64_t{pool.capacity} : 0,
                     .processors = kind == PoolKind::cpu});
  }
  return pools;
}

std::vector<threads::Body> bodies_of(const PathSystem& system, const TaskSet& task_set) {
  std::vector<threads::Body> bodies;
  bodies.reserve(task_set.dags().size());
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    threads::Body& body = bodies.emplace_back();
    body.threads = *dag.attributes().threads;
    body.T = dag.period();
    body.spins = dag.attributes().wait == Wait::spin;
    body.pieces.reserve(dag.nodes().size());
    for (const NodeId v : dag.topological_order()) {
      const auto& place = system.place[d][v];
      const path::Node& node = system.system.dags[place.dag].nodes[place.node];
      body.pieces.push_back({.pool = node.pool, .e = node.e, .s = node.s, .vol = node.vol});
    }
  }
  return bodies;
}

bool all_on_threads(const TaskSet& task_set) {
  return std::ranges::all_of(task_set.dags(), [](const Dag& dag) { return dag.attributes().threads.has_value(); });
}

std::vector<Time> ends_of(const ThreadEvidence& e) {
  std::vector<Time> R;
  R.reserve(e.holds.bodies.size());
  for (const threads::Hold& hold : e.holds.bodies) R.push_back(*hold.F);
  return R;
}

/// T21h, T41. Neither: it is not for what shares these pools, or for their order.
struct Held {
  std::optional<ThreadEvidence> evidence;
  std::optional<reason::HeldTooLong> too_long;
  std::optional<reason::SpinsBeside> spins = std::nullopt;  // there is no other theorem
};

std::optional<DagId> first_spinning(const TaskSet& task_set) {
  const auto dags = task_set.dags();
  const auto at = std::ranges::find_if(dags, [](const Dag& dag) { return dag.attributes().wait == Wait::spin; });
  return at == dags.end() ? std::nullopt : std::optional(static_cast<DagId>(at - dags.begin()));
}

/// Where not: the pool, and why, if DAG `spins` does.
reason::SpinsBeside beside(const ThreadEvidence& e, const PathSystem& system, std::size_t p, std::string spins) {
  using enum reason::SpinsBeside::What;
  const path::Pool& pool = system.system.pools[p];
  return {.dag = std::move(spins),
          .what = pool.slices                            ? time_slices
                  : pool.mixed || !e.pools[p].processors ? stream_priorities
                                                         : order,
          .other = pool.name,
          .threads = e.holds.threads[p],
          .processors = e.pools[p].places};
}

/// Whether nobody waits there behind anything else than a FIFO of threads' pieces.
std::optional<std::size_t> unsuited(const ThreadEvidence& e, const PathSystem& system) {
  for (std::size_t p = 0; p < e.pools.size(); ++p) {
    const path::Pool& pool = system.system.pools[p];
    if (e.holds.threads[p] == 0) continue;
    const bool nobody_waits = e.pools[p].processors && e.holds.threads[p] <= e.pools[p].places;
    if (pool.slices || pool.mixed || (pool.order != path::Order::fifo && !nobody_waits)) return p;
  }
  return std::nullopt;
}

/// Of one choice of weights.
Held held(const TaskSet& task_set, PathSystem system) {
  ThreadEvidence e;
  e.pools = pools_of(system, task_set);
  e.bodies = bodies_of(system, task_set);
  e.holds = threads::holds(e.bodies, e.pools);
  if (const auto p = unsuited(e, system)) {
    const auto spins = first_spinning(task_set);
    if (!spins) return {};
    return {.evidence = std::nullopt, .too_long = std::nullopt, .spins = beside(e, system, *p, task_set.dags()[*spins].name())};
  }
  for (DagId d = 0; d < e.bodies.size(); ++d) {
    const threads::Hold& hold = e.holds.bodies[d];
    if (!hold.F)
      return {.evidence = std::nullopt,
              .too_long = reason::HeldTooLong{task_set.dags()[d].name(), hold.H, e.bodies[d].threads, e.bodies[d].T}};
  }
  e.system = std::move(system);
  return {.evidence = std::move(e), .too_long = std::nullopt};
}

/// Why each of two choices of weights fails: what is nearer to a bound, for the same DAG the shorter hold.
std::optional<reason::HeldTooLong> nearer(const std::optional<reason::HeldTooLong>& a, const std::optional<reason::HeldTooLong>& b) {
  if (!a) return b;
  return b && b->dag == a->dag && b->H < a->H ? b : a;
}

/// The least, over the weights.
Held least_held(const PathInput& input) {
  const TaskSet& task_set = *input.task_set;
  if (!all_on_threads(task_set) || !input.weights) return {};
  std::vector<PlatformWeights> all = *input.weights;
  if (auto turns = with_turns(all.back(), input.in_turn)) all.push_back(*std::move(turns));
  Held best;
  std::optional<Cost> least;
  for (const PlatformWeights& weights : all) {
    Held found = held(task_set, path_system(task_set, whole_dags(task_set), weights, input.Y));
    best.too_long = nearer(best.too_long, found.too_long);
    if (found.spins) best.spins = std::move(found.spins);
    if (!found.evidence) continue;
    const Cost cost = cost_of(task_set, ends_of(*found.evidence), input.options.objective);
    if (least && *least <= cost) continue;
    least = cost;
    best.evidence = std::move(found.evidence);
  }
  return best;
}

Theorem theorem_of(const ThreadEvidence& e) { return std::ranges::any_of(e.bodies, &threads::Body::spins) ? Theorem::T41 : Theorem::T21h; }

DagProof dag_proof(const PathInput& input, const ThreadEvidence& e, DagId d) {
  const Dag& dag = input.task_set->dags()[d];
  DagProof proof;
  proof.nodes.resize(dag.nodes().size());
  const auto order = dag.topological_order();
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Node& node = dag.nodes()[order[i]];
    const auto* cpu = std::get_if<CpuPool>(&input.task_set->pools()[node.pool].resource);
    NodeProof& of = proof.nodes[order[i]];
    of.reference = Time::zero();
    if (cpu != nullptr && has_priority_points(*cpu)) of.priority_point = input.Y[d];
    of.bound = Bound{e.holds.bodies[d].ends[i], {theorem_of(e), 0, static_cast<std::uint32_t>(i)}};
  }
  proof.critical_path.assign(order.begin(), order.end());
  proof.bound = proof.nodes[order.back()].bound;
  return proof;
}

/// As the DAGs are played while no job waits for a thread.
std::shared_ptr<const TaskSet> without_threads(const TaskSet& task_set) {
  std::vector<Dag> dags;
  dags.reserve(task_set.dags().size());
  for (const Dag& dag : task_set.dags()) {
    DagAttributes attributes = dag.attributes();
    attributes.threads.reset();
    attributes.wait = Wait::block;
    dags.emplace_back(dag.name(), dag.period(), dag.deadline(), std::vector<Node>(dag.nodes().begin(), dag.nodes().end()),
                      std::vector<Edge>(dag.edges().begin(), dag.edges().end()), attributes);
  }
  return std::make_shared<const TaskSet>(task_set.name(), std::vector<Pool>(task_set.pools().begin(), task_set.pools().end()),
                                         std::move(dags), task_set.chains(), task_set.requirements());
}

/// The first DAG on threads that goes on, on a CPU pool for which `asked` holds, from one node to the next; and that pool.
template <class Asked>
std::optional<reason::RunsToItsEnd> first_run(const TaskSet& task_set, const Asked& asked) {
  for (const Dag& dag : task_set.dags()) {
    if (!dag.attributes().threads) continue;
    const auto order = dag.topological_order();
    for (std::size_t i = 1; i < order.size(); ++i) {
      const PoolId p = dag.nodes()[order[i]].pool;
      const auto* cpu = std::get_if<CpuPool>(&task_set.pools()[p].resource);
      if (cpu == nullptr || p != dag.nodes()[order[i - 1]].pool || !asked(*cpu)) continue;
      return reason::RunsToItsEnd{dag.name(), dag.nodes()[order[i - 1]].name, dag.nodes()[order[i]].name, task_set.pools()[p].name};
    }
  }
  return std::nullopt;
}

bool by_ready_time(const CpuPool& cpu) {
  return cpu.scheduler == Scheduler::fifo || (cpu.scheduler == Scheduler::fp && cpu.equals == Equals::fifo);
}

/// T21b: what holds on completion, where no job waits for a thread.
Result<Proof, NoBound> counted(const std::shared_ptr<const TaskSet>& task_set, const Options& given) {
  const auto to_end = [](const CpuPool& cpu) { return !cpu.preemptive && cpu.scheduler != Scheduler::fifo; };
  if (const auto run = first_run(*task_set, to_end)) return NoBound{*run, std::nullopt};
  Options options = given;
  options.priorities = Priorities::dag;
  options.enough = Enough::bounds;  // F <= k T may ask for less than deadlines do
  // T10n and T11 alone count no less where what goes on with its processor passes those who wait.
  if (first_run(*task_set, by_ready_time)) options.path_bound = PathBound::T10n;
  Proof proof = prove_on_completion(without_threads(*task_set), options, nullptr);
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    const Dag& dag = task_set->dags()[d];
    const auto& bound = proof.dags[d].bound;
    if (!dag.attributes().threads) continue;
    // By the theorem no bound stands beside a body without one.
    if (!bound && std::ranges::any_of(proof.dags, [](const DagProof& other) { return other.bound.has_value(); }))
      return NoBound{reason::NodeWithout{}, std::nullopt};
    if (!bound) continue;
    if (Wide{bound->R.count()} > checked_mul(Wide{*dag.attributes().threads}, Wide{dag.period().count()}))
      return NoBound{reason::MoreThanThreads{dag.name(), bound->R, *dag.attributes().threads, dag.period()}, std::nullopt};
  }
  proof.task_set = task_set;
  return proof;
}

Proof proof_of_holds(const PathInput& input, ThreadEvidence evidence) {
  Proof proof = path_proof(input, Release::completion, NoBound{reason::NodeWithout{}, std::nullopt}, path::Refinement::T10n);
  proof.left_out.clear();  // of theorems that nobody asks here
  for (PoolProof& pool : proof.pools) {
    pool.none.reset();
    if (!pool.tasks.empty()) pool.theorems = {theorem_of(evidence)};
  }
  for (DagId d = 0; d < proof.dags.size(); ++d) proof.dags[d] = dag_proof(input, evidence, d);
  proof.evidence.emplace_back(std::move(evidence));
  return proof;
}

Proof nothing_proven(const PathInput& input, Reason why) {
  Proof proof = path_proof(input, Release::completion, NoBound{std::move(why), std::nullopt}, path::Refinement::T10n);
  proof.left_out.clear();  // of theorems that nobody asks here
  return proof;
}

/// Of threads one of which spins, in one part of a set.
Reason why_not_by_holds(const PathInput& input, const Held& found, DagId spins) {
  if (found.too_long) return *found.too_long;
  if (found.spins) return *found.spins;
  const auto dags = input.task_set->dags();
  const auto other = std::ranges::find_if(dags, [](const Dag& dag) { return !dag.attributes().threads; });
  if (other == dags.end()) return input.weights ? Reason(reason::NodeWithout{}) : input.weights.reason().reason;
  return reason::SpinsBeside{.dag = dags[spins].name(), .what = reason::SpinsBeside::What::no_threads, .other = other->name()};
}

}  // namespace

void refuse_options_for_threads(const TaskSet& task_set, const Options& options) {
  const std::string& dag = task_set.dags()[*first_on_threads(task_set.dags())].name();
  const auto refuse = [&dag](std::string_view what) {
    throw UserError(fmt::format("DAG '{}' is played by threads (`threads`): {}", dag, what));
  };
  if (options.granularity != Granularity::fine) refuse("its nodes are not grouped; --granularity is for DAGs without `threads`");
  if (options.release && *options.release != Release::completion)
    refuse(fmt::format("its nodes follow one another on completion, and --release {} has no theorem for it", to_string(*options.release)));
  if (options.priorities == Priorities::node) refuse("its nodes have no priority points of their own (--priorities node)");
  if (options.optimize_priorities) refuse("its bounds are without a search for priority points (--optimize priorities)");
  if (options.path_bound != PathBound::best) refuse("T21h and T21b bound it, whatever --path-bound says");
}

Proof prove_on_threads(std::shared_ptr<const TaskSet> task_set, const Options& options) {
  const PathInput input(std::move(task_set), options);
  Held found = least_held(input);
  const auto spins = first_spinning(*input.task_set);
  if (found.evidence) {
    Proof by_holds = proof_of_holds(input, *std::move(found.evidence));
    if (spins) return by_holds;  // counts of jobs know of no processors that are kept
    const bool may_be_enough = options.enough == Enough::deadlines && input.task_set->chains().empty();
    if (may_be_enough && verdict_of(by_holds) != Verdict::deadline_missed) return by_holds;
    auto by_counts = counted(input.task_set, options);
    return by_counts && better(*by_counts, by_holds, options.objective) ? *std::move(by_counts) : std::move(by_holds);
  }
  // Each part of the set has theorems, and reasons, of its own.
  if (components(*input.task_set).size() > 1)
    return nothing_proven(input, found.too_long ? Reason(*found.too_long) : reason::NodeWithout{});
  if (spins) return nothing_proven(input, why_not_by_holds(input, found, *spins));
  auto by_counts = counted(input.task_set, options);
  if (!found.too_long) return by_counts ? *std::move(by_counts) : nothing_proven(input, by_counts.reason().reason);
  const bool all = by_counts && std::ranges::all_of(by_counts->dags, [](const DagProof& dag) { return dag.bound.has_value(); });
  return all ? *std::move(by_counts) : nothing_proven(input, *found.too_long);
}

}  // namespace rta::analysis
