// docs/theory/chains.md
#include "chains.hpp"

#include <algorithm>
#include <vector>

namespace checker {
namespace {

/// Nodes of a chain that follow one another inside a DAG: the first reads, the last writes; none: the whole DAG.
struct Part {
  std::size_t dag = 0;
  std::optional<std::size_t> entry, exit;
  Int T_max = 0, E = 0, F = 0;
};

std::vector<Part> parts_of(const Chain& chain) {
  std::vector<Part> parts;
  for (const Chain::Stage& stage : chain.stages) {
    if (!parts.empty() && parts.back().dag == stage.dag) {
      parts.back().exit = stage.node;
    } else {
      parts.push_back({stage.dag, stage.node, stage.node, 0, 0, 0});
    }
  }
  return parts;
}

/// F: the proven end of the node that writes, or the DAG's.
Int end_of(const Part& part, const Certificate& certificate) {
  if (!part.exit || certificate.grouped) {
    need(certificate.end[part.dag].has_value(), "a stage has no bound");
    return *certificate.end[part.dag];
  }
  const std::optional<Int> end = end_of(certificate, part.dag, *part.exit);
  need(end.has_value(), "a stage has no bound");
  return *end;
}

/// E: the offset that releases the node that reads; 0 where nodes are released on completion, or with the DAG.
Int start_of(const Part& part, const Certificate& certificate) {
  const bool by_clock = certificate.release == "offsets" || certificate.release == "segments";
  if (!part.entry || !by_clock || certificate.grouped) return 0;
  return certificate.claims[part.dag][*part.entry].offset.value_or(0);
}

/// The node that writes and all before it, or the whole DAG.
std::vector<std::size_t> needed_for_write(const Part& part, const Dag& dag) {
  std::vector<bool> needed(dag.nodes.size(), !part.exit);
  if (part.exit) needed[*part.exit] = true;
  for (auto v = dag.order.rbegin(); v != dag.order.rend(); ++v) {
    for (const std::size_t u : dag.nodes[*v].before) needed[u] = needed[u] || needed[*v];
  }
  std::vector<std::size_t> nodes;
  for (std::size_t v = 0; v < needed.size(); ++v) {
    if (needed[v]) nodes.push_back(v);
  }
  return nodes;
}

/// "A more urgent stage on the same processor": what writes in `part` runs on one processor under FP, on completion or as a single source,
/// and whatever reads in `next` runs there with lower priorities.
bool outranks(const Part& part, const Part& next, const TaskSet& set, const Certificate& certificate) {
  if (certificate.grouped || certificate.release == "static") return false;  // priorities alone do not decide there
  const Dag& dag = set.dags[part.dag];
  const Dag& reading = set.dags[next.dag];
  const auto own = needed_for_write(part, dag);
  const bool at_once = certificate.release == "completion" || certificate.claims[part.dag][own.front()].offset == Int(0);
  if (!at_once || (own.size() > 1 && certificate.release != "completion")) return false;  // it waits for no instant
  const std::size_t p = dag.nodes[own.front()].pool;
  if (set.pools[p].kind != Kind::cpu || set.pools[p].scheduler != "FP" || set.pools[p].size != Int(1)) return false;
  std::optional<Int> lowest;
  for (const std::size_t u : own) {
    if (dag.nodes[u].pool != p) return false;
    lowest = std::min(lowest.value_or(dag.nodes[u].fixed_priority), dag.nodes[u].fixed_priority);
  }
  for (std::size_t v = 0; v < reading.nodes.size(); ++v) {
    const Node& node = reading.nodes[v];
    const bool reads = next.entry ? v == *next.entry : node.before.empty();
    if (reads && (node.pool != p || node.fixed_priority >= *lowest)) return false;
  }
  return true;
}

/// Periodic from a known instant on.
bool has_phase(const Dag& dag) { return dag.phase && dag.J == Int(0) && dag.T_max.value_or(dag.T) == dag.T; }

/// "Known phases": D = F_i - E_{i+1} + T_{i+1} - g + (c mod g), g = gcd(T_i, T_{i+1}), c = phi_{i+1} - phi_i - (F_i - E_{i+1}).
std::optional<Int> known_distance(const Part& part, const Part& next, const TaskSet& set) {
  const Dag& dag = set.dags[part.dag];
  const Dag& reading = set.dags[next.dag];
  if (!has_phase(dag) || !has_phase(reading)) return std::nullopt;
  const Int after = part.F - next.E;
  const Int g = gcd(dag.T, reading.T);
  const Int c = *reading.phase - *dag.phase - after;
  return after + reading.T - g + (c - floor_div(c, g) * g);
}

/// F, E and Tmax of all parts.
std::vector<Part> bounded_parts(const TaskSet& set, const Certificate& certificate, const Chain& chain) {
  std::vector<Part> parts = parts_of(chain);
  for (Part& part : parts) {
    const Dag& dag = set.dags[part.dag];
    part.T_max = dag.T_max.value_or(dag.T + dag.J) + dag.J;  // two releases in a row are at most Tmax + J apart
    part.F = end_of(part, certificate);
    part.E = start_of(part, certificate);
    if (chain.let) {
      need(part.F <= dag.D.value_or(dag.T), "under LET a stage ends after it should have published");
      part.F = dag.D.value_or(dag.T);
      part.E = 0;
    }
  }
  return parts;
}

/// From one part to the next.
struct Step {
  Int age = 0, reaction = 0;
};

Step step(const Part& part, const Part& next, const TaskSet& set, const Certificate& certificate, const Chain& chain) {
  const Int any_phases = part.F - next.E + next.T_max;
  const bool phases = certificate.release != "static";  // whose clock releases every DAG, whatever its phase
  const Int gap = std::min(any_phases, phases ? known_distance(part, next, set).value_or(any_phases) : any_phases);
  const bool ranked = !chain.let && outranks(part, next, set, certificate);
  return {gap, ranked ? std::min(gap, next.T_max) : gap};
}

}  // namespace

/// S = sum of Tmax_i + F_i - E_i: MDA = S, MRDA = S - Tmax_n; MRT = S less F_i - E_{i+1} where a stage outranks the next, MRRT = MRT -
/// Tmax_1. Under LET E = 0 and F = L, the DAG's D (or T), where the bound is within. "Known phases": D_i in place of F_i - E_{i+1} +
/// Tmax_{i+1}, where that is less; where the stage outranks the next, no more than Tmax_{i+1} counts of either.
std::array<Int, 4> T13(const TaskSet& set, const Certificate& certificate, const Chain& chain) {
  const std::vector<Part> parts = bounded_parts(set, certificate, chain);
  Int S = parts.front().T_max + parts.back().F - parts.front().E;
  Int reaction = S;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    const auto [age, of_reaction] = step(parts[i], parts[i + 1], set, certificate, chain);
    S += age;
    reaction += of_reaction;
  }
  return {reaction, reaction - parts.front().T_max, S - parts.back().T_max, S};
}

/// A single node makes nothing ready.
void outranking_on(const TaskSet& set, const Certificate& certificate, const Chain& chain, std::set<std::size_t>& pools) {
  std::vector<Part> parts;
  try {
    parts = bounded_parts(set, certificate, chain);
  } catch (const Refused&) {
    return;  // nor are the latencies verified
  }
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    const auto [age, of_reaction] = step(parts[i], parts[i + 1], set, certificate, chain);
    if (of_reaction == age) continue;
    const Dag& dag = set.dags[parts[i].dag];
    const auto own = needed_for_write(parts[i], dag);
    if (own.size() > 1) pools.insert(dag.nodes[own.front()].pool);
  }
}

}  // namespace checker
