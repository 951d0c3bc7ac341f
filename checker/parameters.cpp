#include "parameters.hpp"

#include <algorithm>
#include <stdexcept>

namespace checker {
namespace {

std::string amount(const std::optional<Int>& limit) { return limit ? to_string(*limit) : "-"; }

std::string line_of(const Pool& pool, std::size_t p) {
  std::string line = "pool " + std::to_string(p) + " " + pool.name;
  switch (pool.kind) {
    case Kind::cpu:
      line += " cpu " + to_string(pool.size) + " " + pool.scheduler + (pool.preemptive ? " preemptive" : " non-preemptive");
      if (pool.scheduler == "FP") line += pool.equals_any() ? " equals-any" : " equals-fifo";
      if (pool.sees_first) line += " simultaneous-before-starts";
      if (pool.publishes_early()) line += " callbacks";
      return pool.in_reservation() ? line + " reservation " + to_string(pool.runtime) + " " + to_string(pool.period) : line;
    case Kind::gpu:
      line += " gpu " + to_string(pool.size);
      for (const auto& limit : pool.sm) line += " " + amount(limit);
      line += " " + to_string(pool.warp) + " " + to_string(pool.unit) + " " + to_string(pool.reserved) + " " + to_string(pool.per) + " " +
              to_string(pool.parts);
      return pool.pauses ? line + " slices " + to_string(pool.slice) + " " + to_string(pool.gap) : line;
    case Kind::engines: return line + " engines " + to_string(pool.size);
    case Kind::workers: return line + " workers " + to_string(pool.size) + " " + to_string(pool.overhead);
  }
  return line;
}

std::string priority_of(const Node& kernel) {
  return kernel.priority == Int(0) ? "low" : kernel.priority == Int(1) ? "high" : to_string(kernel.priority);
}

std::string line_of(const Dag& dag, const Pool& pool, std::size_t d, std::size_t v) {
  const Node& node = dag.nodes[v];
  std::string line = "node " + std::to_string(d) + " " + std::to_string(v) + " " + node.name + " " + std::to_string(node.pool);
  switch (pool.kind) {
    case Kind::cpu: line += " " + to_string(node.C); break;
    case Kind::engines: line += " " + to_string(node.C) + " " + node.direction; break;
    case Kind::workers: line += " " + to_string(node.B) + " " + to_string(node.L - pool.overhead); break;
    case Kind::gpu:
      if (!node.has_blocks) {
        line += " alone " + to_string(*node.time) + " " + priority_of(node);
        break;
      }
      line += " " + to_string(node.blocks) + " " + to_string(node.H) + " " + to_string(node.C) + " " + to_string(node.L) + " " +
              to_string(node.shared_memory) + " " + to_string(node.registers) + " " + priority_of(node) +
              (node.time ? " time " + to_string(*node.time) : "") + (node.cluster > 1 ? " cluster " + to_string(node.cluster) : "") +
              (node.cooperative ? " cooperative" : "");
      break;
  }
  if (dag.periodic && node.least > 0) line += " least " + to_string(node.least);
  if (node.sequential) line += " sequential";
  if (pool.kind == Kind::cpu && pool.scheduler == "FP") line += " priority " + to_string(node.fixed_priority);
  if (pool.multi_threaded() && node.group != "-") line += " group " + node.group;
  if (node.D) line += " deadline " + to_string(*node.D);
  if (node.before.empty()) return line;
  line += " after";
  for (const std::size_t u : node.before) line += " " + std::to_string(u);
  return line;
}

std::size_t index_of(std::string_view word, std::size_t end) {
  const Int number = to_int(word);
  if (number < 0 || number >= Int(static_cast<Int::Raw>(end))) throw std::invalid_argument("there is no such DAG or node");
  return static_cast<std::size_t>(number.raw());
}

/// D/V+N or D/V=N: node V of DAG D, which runs on pool p.
Node& kernel_at(TaskSet& set, std::size_t p, std::string_view value, char sign) {
  const std::size_t slash = value.find('/');
  const std::size_t end = value.find(sign);
  if (slash == std::string_view::npos || end == std::string_view::npos || end < slash)
    throw std::invalid_argument(std::string("DAG/NODE") + sign + "NUMBER is expected");
  Dag& dag = set.dags[index_of(value.substr(0, slash), set.dags.size())];
  Node& node = dag.nodes[index_of(value.substr(slash + 1, end - slash - 1), dag.nodes.size())];
  if (node.pool != p) throw std::invalid_argument("a kernel of that pool is expected");
  return node;
}

/// D/V=N: node V of DAG D, which runs on pool p, has priority N.
void give_priority(TaskSet& set, std::size_t p, std::string_view value) {
  const std::size_t slash = value.find('/');
  const std::size_t equals = value.find('=');
  if (slash == std::string_view::npos || equals == std::string_view::npos || equals < slash)
    throw std::invalid_argument("DAG/NODE=PRIORITY is expected");
  Dag& dag = set.dags[index_of(value.substr(0, slash), set.dags.size())];
  Node& node = dag.nodes[index_of(value.substr(slash + 1, equals - slash - 1), dag.nodes.size())];
  const Int priority = to_int(value.substr(equals + 1));
  if (node.pool != p || priority < 0) throw std::invalid_argument("a priority of a node of that pool is expected");
  node.given_priority = priority;
}

}  // namespace

void assume(TaskSet& set, std::size_t p, std::string_view property, std::string_view value) {
  Pool& pool = set.pools.at(p);
  const bool gpu = pool.kind == Kind::gpu;
  const auto limit = [&]() -> std::optional<Int> { return value == "-" ? std::nullopt : std::optional(to_int(value)); };
  const auto positive = [&] {
    const Int number = to_int(value);
    if (number <= 0) throw std::invalid_argument("a number above 0 is expected");
    return number;
  };
  if (property == "scheduler" && pool.kind == Kind::cpu) {
    pool.scheduler = value;
  } else if (property == "preemptive" && pool.kind == Kind::cpu) {
    pool.preemptive = value == "yes";
  } else if (property == "equals" && pool.kind == Kind::cpu) {
    pool.equals = value;
  } else if (property == "priority" && pool.kind == Kind::cpu) {
    give_priority(set, p, value);
  } else if (property == "sms" && gpu) {
    if (!pool.cut.empty()) throw std::invalid_argument("a partition has the SMs that the file gives it");
    pool.size = positive();
  } else if (property == "threads" && gpu) {
    pool.sm[threads] = positive();
  } else if (property == "blocks" && gpu) {
    pool.sm[slots] = positive();
  } else if (property == "shared_memory" && gpu) {
    pool.sm[shared_memory] = limit();
  } else if (property == "registers" && gpu) {
    pool.sm[registers] = limit();
  } else if (property == "warp" && gpu) {
    pool.warp = positive();
  } else if (property == "shared_memory_unit" && gpu) {
    pool.unit = positive();
  } else if (property == "shared_memory_reserved" && gpu) {
    pool.reserved = to_int(value);
  } else if (property == "register_unit" && gpu) {
    pool.per = positive();
  } else if (property == "register_parts" && gpu) {
    pool.parts = positive();
  } else if (property == "latency" && gpu) {
    for (Dag& dag : set.dags) {
      for (Node& node : dag.nodes) {
        if (node.pool != p || !node.has_blocks) continue;
        node.C += positive() * node.H;
        node.L += positive();
        if (node.time) *node.time += positive();
      }
    }
  } else if (property == "switch" && gpu) {
    Node& node = kernel_at(set, p, value, '+');
    const Int more = to_int(value.substr(value.find('+') + 1));
    if (more <= 0 || !node.by_blocks()) throw std::invalid_argument("more blocks of a kernel of that pool are expected");
    node.B += more;
    node.blocks += more;
    pool.switches = true;
  } else if (property == "time" && gpu) {
    Node& node = kernel_at(set, p, value, '=');
    const Int time = to_int(value.substr(value.find('=') + 1));
    if (time < node.time.value_or(node.L)) throw std::invalid_argument("a kernel takes no less time than the file says");
    node.time = time;
    if (!node.has_blocks) node.L = time;
  } else {
    throw std::invalid_argument("pool " + pool.name + " has no such property");
  }
}

void set_fixed_priorities(TaskSet& set) {
  for (std::size_t p = 0; p < set.pools.size(); ++p) {
    if (set.pools[p].kind != Kind::cpu || set.pools[p].scheduler != "FP") continue;
    bool given = false;
    std::vector<Dag*> dags;
    for (Dag& dag : set.dags) {
      for (Node& node : dag.nodes) {
        if (node.pool != p) continue;
        given = given || node.given_priority;
        node.fixed_priority = node.given_priority.value_or(0);
        if (dags.empty() || dags.back() != &dag) dags.push_back(&dag);
      }
    }
    if (given) continue;
    std::stable_sort(dags.begin(), dags.end(),
                     [](const Dag* a, const Dag* b) { return a->D.value_or(a->T + a->J) < b->D.value_or(b->T + b->J); });
    Int priority = static_cast<std::int64_t>(dags.size());
    for (Dag* dag : dags) {
      for (Node& node : dag->nodes) {
        if (node.pool == p) node.fixed_priority = priority;
      }
      priority -= 1;
    }
  }
}

std::vector<std::string> lines_of(const TaskSet& set) {
  std::vector<std::string> lines;
  for (std::size_t p = 0; p < set.pools.size(); ++p) lines.push_back(line_of(set.pools[p], p));
  for (std::size_t d = 0; d < set.dags.size(); ++d) {
    const Dag& dag = set.dags[d];
    lines.push_back("dag " + std::to_string(d) + " " + dag.name + " " + to_string(dag.T) + " " + amount(dag.D) +
                    (dag.T_max ? " longest " + to_string(*dag.T_max) : "") + (dag.J > 0 ? " jitter " + to_string(dag.J) : "") +
                    (dag.phase ? " phase " + to_string(*dag.phase) : "") + (dag.periodic ? " periodic" : "") +
                    (dag.threads > 0 ? " threads " + to_string(dag.threads) : "") + (dag.spins ? " spin" : "") +
                    (dag.in_flight > 0 ? " in_flight " + to_string(dag.in_flight) : ""));
    for (std::size_t v = 0; v < dag.nodes.size(); ++v) lines.push_back(line_of(dag, set.pools[dag.nodes[v].pool], d, v));
    for (const HistoryEdge& edge : dag.history) {
      lines.push_back("after " + std::to_string(d) + " " + std::to_string(edge.from) + " " + std::to_string(edge.to) + " " +
                      to_string(edge.jobs));
    }
  }
  for (std::size_t i = 0; i < set.chains.size(); ++i) {
    const Chain& chain = set.chains[i];
    std::string& line = lines.emplace_back("chain " + std::to_string(i) + " " + chain.name + (chain.let ? " LET " : " register "));
    line += amount(chain.reaction) + " " + amount(chain.age);
    for (const Chain::Stage& stage : chain.stages) {
      line += " " + std::to_string(stage.dag) + (stage.node ? "/" + std::to_string(*stage.node) : "");
    }
  }
  return lines;
}

}  // namespace checker
