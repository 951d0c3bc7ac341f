#include "hand_over.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <queue>
#include <set>

#include "../io/stage_index.hpp"
#include "../io/yaml_text.hpp"
#include "names.hpp"
#include "rta/model/time_slices.hpp"
#include "written.hpp"

namespace rta::convert {
namespace {

// Nodes of a cycle, in order; empty when there is none.
std::vector<NodeId> cycle_in(std::size_t nodes, const std::vector<Edge>& edges) {
  if (std::ranges::all_of(edges, [](const Edge& e) { return e.from < e.to; })) return {};
  std::vector<std::vector<NodeId>> predecessors(nodes), successors(nodes);
  std::vector<std::size_t> open(nodes);
  for (const Edge& e : edges) {
    successors[e.from].push_back(e.to);
    predecessors[e.to].push_back(e.from);
    ++open[e.to];
  }
  std::queue<NodeId> ready;
  for (NodeId v = 0; v < nodes; ++v) {
    if (open[v] == 0) ready.push(v);
  }
  for (; !ready.empty(); ready.pop()) {
    for (const NodeId w : successors[ready.front()]) {
      if (--open[w] == 0) ready.push(w);
    }
  }
  const auto stuck = std::ranges::find_if(open, [](std::size_t n) { return n > 0; });
  if (stuck == open.end()) return {};
  // Backwards from a node that waits for ever to others that do, until one comes again.
  std::vector<NodeId> path{static_cast<NodeId>(stuck - open.begin())};
  std::vector<bool> seen(nodes);
  for (; !seen[path.back()];) {
    seen[path.back()] = true;
    path.push_back(*std::ranges::find_if(predecessors[path.back()], [&](NodeId u) { return open[u] > 0; }));
  }
  path.erase(path.begin(), std::ranges::find(path, path.back()));
  std::ranges::reverse(path);
  return path;
}

void check_edges(const DraftDag& dag, const std::string& file) {
  for (const Edge& e : dag.edges) {
    if (e.from == e.to) refuse(file, fmt::format("DAG '{}': node '{}' precedes itself", dag.name, dag.nodes[e.from].name));
  }
  const std::vector<NodeId> cycle = cycle_in(dag.nodes.size(), dag.edges);
  if (cycle.empty()) return;
  constexpr std::size_t shown = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(cycle.size(), shown); ++i) text += (i == 0 ? "" : " -> ") + dag.nodes[cycle[i]].name;
  refuse(file, fmt::format("DAG '{}' has a cycle: {}{}", dag.name, text,
                           cycle.size() > shown ? fmt::format(" -> … ({} nodes)", cycle.size() - 1) : std::string()));
}

std::vector<Edge> without_repetition(std::vector<Edge> edges) {
  std::vector<std::pair<NodeId, NodeId>> pairs;
  pairs.reserve(edges.size());
  for (const Edge& e : edges) pairs.emplace_back(e.from, e.to);
  std::ranges::sort(pairs);
  if (std::ranges::adjacent_find(pairs) == pairs.end()) return edges;
  std::vector<Edge> out;
  std::set<std::pair<NodeId, NodeId>> seen;
  for (const Edge& e : edges) {
    if (seen.emplace(e.from, e.to).second) out.push_back(e);
  }
  return out;
}

// `a`, `b` and 3 more.
class Listed {
 public:
  void add(const std::string& name) {
    if (++count_ <= 6) text_ += (text_.empty() ? "'" : ", '") + name + "'";
  }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::string text() const { return count_ <= 6 ? text_ : fmt::format("{} and {} more", text_, count_ - 6); }

 private:
  std::string text_;
  std::size_t count_ = 0;
};

// The facts of a draft that no member of a task set holds.
/// Releases that overtake one another cannot be said.
bool keeps_jitter(const DraftDag& dag) { return dag.jitter && *dag.jitter >= Time::zero() && *dag.jitter < dag.T; }

void tell_what_is_lost(const Draft& draft, Notes& notes) {
  for (const DraftDag& dag : draft.dags) {
    if (dag.jitter && !keeps_jitter(dag)) {
      refuse(notes.file(), fmt::format("DAG '{}': its release jitter of {} is not below its period of {}: releases would overtake one "
                                       "another, which a task set does not say",
                                       dag.name, io::time_text(*dag.jitter), io::time_text(dag.T)));
    }
  }
}

const std::string& process_of(const DraftDag& dag, NodeId v) {
  const std::string& own = dag.own_of(v).process;
  return own.empty() ? dag.process : own;
}

/// Processes that are not told apart, where some GPU is not known to serve them in slices.
void tell_of_processes(const Draft& draft, bool told_apart, Notes& notes) {
  Listed processes;
  std::set<std::string> names;
  for (const DraftDag& dag : draft.dags) {
    for (NodeId v = 0; v < dag.nodes.size(); ++v) {
      const auto* gpu = std::get_if<GpuPool>(&draft.pools[dag.nodes[v].pool].pool.resource);
      if (told_apart && (gpu == nullptr || gpu->sharing)) continue;
      const std::string& process = process_of(dag, v);
      if (!process.empty() && names.insert(process).second) processes.add(process);
    }
  }
  if (names.size() > 1)
    notes.assume(fmt::format("processes ({}) are not told apart: bounds on a GPU need one address space, or MPS", processes.text()));
}

/// The contexts of a GPU that processes share, in the order of their names; process -> its pool.
std::map<std::string, PoolId> add_contexts(const Draft& draft, PoolId p, const rta::Sharing& slices, std::vector<DraftPool>& pools) {
  std::set<std::string> processes;
  for (const DraftDag& dag : draft.dags) {
    for (NodeId v = 0; v < dag.nodes.size(); ++v) {
      if (dag.nodes[v].pool == p) processes.insert(process_of(dag, v));
    }
  }
  UniqueNames names;
  std::map<std::string, std::string> by_name;
  for (const std::string& process : processes)
    by_name.emplace(process.empty() ? process : names.unique(one_word(process, "process")), process);
  std::map<std::string, PoolId> contexts;
  for (const auto& [name, process] : by_name) {
    contexts.emplace(process, pools.size());
    DraftPool pool = draft.pools[p];
    rta::Sharing& sharing = std::get<GpuPool>(pool.pool.resource).sharing.emplace(slices);
    sharing.process = name;
    sharing.contexts = static_cast<std::uint32_t>(by_name.size());
    pool.pool.name = context_name(sharing.gpu, name);
    pools.push_back(std::move(pool));
  }
  return contexts;
}

/// GPUs that processes share by time slices have a pool per process, where slice and switch are known.
void hand_over_processes(Draft& draft, const Options& options, Notes& notes) {
  std::vector<DraftPool> pools;
  std::vector<std::map<std::string, PoolId>> contexts(draft.pools.size());
  bool told_apart = false;
  for (PoolId p = 0; p < draft.pools.size(); ++p) {
    const auto& shared = draft.pools[p].sharing;
    const std::string& name = draft.pools[p].pool.name;
    const auto slice = options.slice || !shared ? options.slice : shared->slice;
    const auto switching = options.switching || !shared ? options.switching : shared->switching;
    if (shared && slice && switching) {
      contexts[p] = add_contexts(draft, p, {.gpu = name, .process = {}, .slice = *slice, .switch_time = *switching}, pools);
      if (contexts[p].size() > 1) {
        notes.assume(fmt::format("processes share pool '{}' in time slices of {}, with {} for a switch", name, io::time_text(*slice),
                                 io::time_text(*switching)));
      }
      told_apart = true;
    }
    if (contexts[p].empty()) {
      contexts[p].emplace(std::string(), pools.size());
      pools.push_back(draft.pools[p]);
      if (!shared || (slice && switching)) continue;
      notes.assume(
          fmt::format("processes share pool '{}' in time slices{}: it holds as if they were one process, as {} not said ({}; "
                      "rta examine measures both)",
                      name, slice ? fmt::format(" of {}", io::time_text(*slice)) : std::string(),
                      slice ? "what a switch takes is" : "how long slices are is", slice ? "--switch" : "--slice, --switch"));
    }
  }
  if ((options.slice || options.switching) && !std::ranges::any_of(draft.pools, [](const DraftPool& p) { return p.sharing.has_value(); })) {
    refuse(notes.file(), "--slice and --switch are of a GPU that processes share; here none does");
  }
  for (DraftDag& dag : draft.dags) {
    for (NodeId v = 0; v < dag.nodes.size(); ++v) {
      const auto& of_pool = contexts[dag.nodes[v].pool];
      const auto at = of_pool.find(process_of(dag, v));
      dag.nodes[v].pool = at == of_pool.end() ? of_pool.begin()->second : at->second;
    }
  }
  draft.pools = std::move(pools);
  tell_of_processes(draft, told_apart, notes);
}

// Nodes elsewhere than on CPUs go; what they joined stays joined.
void keep_cpu_only(DraftDag& dag, const std::vector<DraftPool>& pools) {
  const std::size_t n = dag.nodes.size();
  std::vector<std::vector<NodeId>> before(n);
  std::vector<std::size_t> open(n);
  std::vector<std::vector<NodeId>> after(n);
  for (const Edge& e : dag.edges) {
    before[e.to].push_back(e.from);
    after[e.from].push_back(e.to);
    ++open[e.to];
  }
  const auto stays = [&](NodeId v) { return pools[dag.nodes[v].pool].pool.kind() == PoolKind::cpu; };
  std::vector<std::set<NodeId>> follows(n);  // nodes that stay, by way of nodes that go
  std::vector<NodeId> index(n);
  DraftDag kept;
  for (NodeId v = 0; v < n; ++v) {
    if (stays(v)) {
      index[v] = kept.nodes.size();
      kept.add({dag.nodes[v], dag.own_of(v).priority, dag.own_of(v).process});
    }
  }
  std::vector<Edge> edges;
  std::queue<NodeId> ready;
  for (NodeId v = 0; v < n; ++v) {
    if (open[v] == 0) ready.push(v);
  }
  for (; !ready.empty(); ready.pop()) {
    const NodeId v = ready.front();
    for (const NodeId u : before[v]) {
      if (stays(u)) {
        follows[v].insert(u);
      } else {
        follows[v].insert(follows[u].begin(), follows[u].end());
      }
    }
    if (stays(v)) {
      for (const NodeId u : follows[v]) edges.push_back({index[u], index[v], false});
    }
    for (const NodeId w : after[v]) {
      if (--open[w] == 0) ready.push(w);
    }
  }
  dag.nodes = std::move(kept.nodes);
  dag.own = std::move(kept.own);
  dag.edges = std::move(edges);
}

void keep_cpu_only(Draft& draft, Notes& notes) {
  notes.assume("--cpu-only: nodes on GPUs and copy engines are left out, and with them their time");
  for (DraftDag& dag : draft.dags) {
    check_edges(dag, notes.file());
    keep_cpu_only(dag, draft.pools);
  }
  std::erase_if(draft.dags, [](const DraftDag& dag) { return dag.nodes.empty(); });
  std::vector<PoolId> index(draft.pools.size());
  std::vector<DraftPool> pools;
  for (PoolId p = 0; p < draft.pools.size(); ++p) {
    index[p] = pools.size();
    if (draft.pools[p].pool.kind() == PoolKind::cpu) pools.push_back(std::move(draft.pools[p]));
  }
  draft.pools = std::move(pools);
  for (DraftDag& dag : draft.dags) {
    for (Node& node : dag.nodes) node.pool = index[node.pool];
  }
}

// Whether a pool under FP can be written: each of its nodes has a priority that a task set can say, its own or its DAG's.
bool all_have_priorities(const Draft& draft, PoolId p) {
  return std::ranges::all_of(draft.dags, [&](const DraftDag& dag) {
    for (NodeId v = 0; v < dag.nodes.size(); ++v) {
      const auto& own = dag.own_of(v).priority;
      const auto& priority = own ? own : dag.priority;
      if (dag.nodes[v].pool == p && !(priority && *priority >= 0 && *priority <= std::int64_t{highest_priority})) return false;
    }
    return true;
  });
}

// Pools of fixed priorities become FP, and the priorities of their nodes are written; the others' are told and left out.
void hand_over_priorities(Draft& draft, const Options& options, Notes& notes) {
  std::vector<bool> all_have(draft.pools.size());
  for (PoolId p = 0; p < draft.pools.size(); ++p) {
    auto* cpu = std::get_if<CpuPool>(&draft.pools[p].pool.resource);
    if (cpu == nullptr) continue;
    const bool all = all_have_priorities(draft, p);
    all_have[p] = all;
    if (draft.pools[p].fixed_priority && !options.scheduler) {
      if (all) {
        cpu->scheduler = Scheduler::fp;
      } else {
        notes.assume(
            fmt::format("pool '{}' has fixed priorities, but the file gives not all of its nodes one from 0 to {}: {} is written "
                        "(--scheduler asks for another), and BOUNDS HOLD FOR THAT ORDER ALONE",
                        draft.pools[p].pool.name, highest_priority, to_string(cpu->scheduler)));
      }
    }
    if (cpu->scheduler == Scheduler::fp && !cpu->callbacks) cpu->equals = usual_equals(cpu->processors);
  }
  for (DraftDag& dag : draft.dags) {
    Listed lost;
    bool used = false;
    for (NodeId v = 0; v < dag.nodes.size(); ++v) {
      Node& n = dag.nodes[v];
      const auto& priority = dag.own_of(v).priority;
      const auto* cpu = std::get_if<CpuPool>(&draft.pools[n.pool].pool.resource);
      if (cpu != nullptr && cpu->scheduler == Scheduler::fp && all_have[n.pool]) {
        if (priority) std::get<CpuDemand>(n.demand).priority = static_cast<FixedPriority>(*priority);
        used = true;
      } else if (priority && priority != dag.priority) {
        lost.add(fmt::format("{}: {}", n.name, *priority));
      }
    }
    if (!lost.empty() || (dag.priority && !used)) {
      notes.assume(fmt::format("DAG '{}': the priority{} is left out{}", dag.name,
                               dag.priority && !used ? fmt::format(" {}", *dag.priority) : " of nodes",
                               lost.empty() ? "" : ": " + lost.text()));
    }
    if (!used) dag.priority.reset();
  }
}

DagAttributes attributes_of(const DraftDag& dag) {
  DagAttributes attributes;
  attributes.T_max = dag.T_max;
  if (keeps_jitter(dag)) attributes.jitter = *dag.jitter;
  if (dag.phase && *dag.phase >= Time::zero()) attributes.phase = dag.phase;
  attributes.periodic = dag.periodic && (!dag.jitter || keeps_jitter(dag));
  if (dag.priority) attributes.priority = static_cast<FixedPriority>(*dag.priority);
  return attributes;
}

// The chain, or why a task set cannot hold it.
std::optional<std::string> hand_over_chain(const DraftChain& draft, const std::vector<Dag>& dags, io::StageIndex& index, Chain& chain) {
  chain = {draft.name, {}, draft.let ? Communication::let : Communication::registers, draft.reaction, draft.age};
  for (const std::string& stage : draft.stages) {
    const auto found = index.find(stage);
    if (!found) return fmt::format("'{}' is no DAG or node of the task set", stage);
    chain.stages.push_back(*found);
  }
  if (const auto fault = chain_fault(chain, dags)) return fault->what;
  for (const auto& limit : {chain.reaction, chain.age}) {
    if (limit && *limit <= Time::zero()) return fmt::format("its limit of {} ns is not positive", limit->count());
  }
  return std::nullopt;
}

std::vector<Chain> hand_over_chains(const Draft& draft, const std::vector<Dag>& dags, Notes& notes) {
  io::StageIndex index(dags);
  std::vector<Chain> chains;
  std::set<std::string> names;
  for (const Dag& dag : dags) names.insert(dag.name());
  for (const DraftChain& of_draft : draft.chains) {
    Chain chain;
    auto why = hand_over_chain(of_draft, dags, index, chain);
    for (std::size_t i = 2; names.contains(chain.name); ++i) chain.name = fmt::format("{}-{}", of_draft.name, i);
    if (!why) {
      names.insert(chain.name);
      chains.push_back(std::move(chain));
      continue;
    }
    std::string stages;
    for (const std::string& stage : of_draft.stages) stages += (stages.empty() ? "" : " -> ") + stage;
    notes.assume(fmt::format("chain '{}' ({}) is left out: {}", of_draft.name, stages, *why));
  }
  return chains;
}

}  // namespace

// Whoever teaches TaskSet one of these facts writes it here, and takes its sentence out of `tell_what_is_lost`.
TaskSet hand_over(Draft draft, const Options& options, Notes& notes) {
  notes.throw_if_missing();
  const auto elsewhere = [](const DraftPool& pool) { return pool.pool.kind() != PoolKind::cpu; };
  if (std::ranges::any_of(draft.pools, elsewhere)) notes.uses("cpu-only");
  if (options.cpu_only) keep_cpu_only(draft, notes);
  tell_what_is_lost(draft, notes);
  hand_over_processes(draft, options, notes);
  hand_over_priorities(draft, options, notes);
  std::vector<Pool> pools;
  for (DraftPool& p : draft.pools) pools.push_back(std::move(p.pool));
  std::vector<Dag> dags;
  dags.reserve(draft.dags.size());
  if (draft.dags.empty()) refuse(notes.file(), "there is nothing in it that a DAG could be made of");
  for (DraftDag& dag : draft.dags) {
    if (dag.nodes.empty()) refuse(notes.file(), fmt::format("DAG '{}' has no node", dag.name));
    if (dag.T <= Time::zero()) refuse(notes.file(), fmt::format("DAG '{}': its period must be positive", dag.name));
    if (dag.T_max && *dag.T_max < dag.T) {
      refuse(notes.file(), fmt::format("DAG '{}': its longest distance of releases must not be below its period", dag.name));
    }
    if (dag.D && *dag.D <= Time::zero()) refuse(notes.file(), fmt::format("DAG '{}': its deadline must be positive", dag.name));
    check_edges(dag, notes.file());
    const DagAttributes attributes = attributes_of(dag);
    DraftDag gone = std::move(dag);
    dags.emplace_back(gone.name, gone.T - attributes.jitter, gone.D, std::move(gone.nodes), without_repetition(std::move(gone.edges)),
                      attributes);
  }
  std::vector<Chain> chains = hand_over_chains(draft, dags, notes);
  return as_written(TaskSet(std::filesystem::path(notes.file()).filename().string(), std::move(pools), std::move(dags), std::move(chains)),
                    notes.file());
}

}  // namespace rta::convert
