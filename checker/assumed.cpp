// docs/certificates.md, "What is assumed"
#include "assumed.hpp"

#include <algorithm>
#include <set>

#include "chains.hpp"
#include "configurations.hpp"

namespace checker {
namespace {

bool has_points(const Pool& pool) {
  return pool.kind == Kind::cpu && pool.scheduler != "FIFO" && pool.scheduler != "FP" && pool.scheduler != "wait-set" &&
         !pool.multi_threaded();
}

class Assumed {
 public:
  Assumed(const TaskSet& set, const Certificate& certificate) : set_(set), certificate_(certificate) {}

  std::vector<std::string> all() {
    for (const std::string_view line : certificate_.assumptions) lines_.emplace_back(line.substr(line.find(' ') + 1));
    if (certificate_.grouped) lines_.emplace_back(certificate_.granularity);
    lines_.push_back("release " + std::string(certificate_.release));
    if (certificate_.order != nullptr)
      lines_.push_back("static order of " + std::to_string(certificate_.jobs.size()) + " jobs, its 'job' lines");
    for (const Statement* shared : certificate_.shared) lines_.emplace_back(shared->text);
    for (std::size_t d = 0; d < set_.dags.size(); ++d) {
      if (certificate_.release == "segments") add_cuts(d);
      add_offsets(d);
      add_points(d);
    }
    add_queued_first();
    for (std::size_t p = 0; p < set_.pools.size(); ++p) {
      add_company(p);
      add_partition(p);
      add_registers(p);
      add_messages(p);
      add_reservation(p);
    }
    return std::move(lines_);
  }

 private:
  [[nodiscard]] std::string name(std::size_t d, std::size_t v) const { return set_.dags[d].name + "/" + set_.dags[d].nodes[v].name; }

  /// Edges between segments that the file does not cut.
  void add_cuts(std::size_t d) {
    const auto& segment = certificate_.segment[d];
    for (std::size_t v = 0; v < segment.size(); ++v) {
      const Node& node = set_.dags[d].nodes[v];
      for (const std::size_t u : node.before) {
        const bool given = std::find(node.cut_after.begin(), node.cut_after.end(), u) != node.cut_after.end();
        if (segment[u] != segment[v] && !given) lines_.push_back("cut between " + name(d, u) + " and " + name(d, v));
      }
    }
  }

  /// Of nodes that are released by the clock, but for those that come with their DAG.
  void add_offsets(std::size_t d) {
    const auto& segment = certificate_.segment[d];
    for (std::size_t v = 0; v < segment.size(); ++v) {
      const Claim& claim = certificate_.claims[d][v];
      if (claim.by == nullptr || !claim.offset || *claim.offset == Int(0)) continue;
      const auto& before = set_.dags[d].nodes[v].before;
      const auto inside = [&](std::size_t u) { return segment[u] == segment[v]; };
      if (certificate_.release == "segments" && std::any_of(before.begin(), before.end(), inside)) continue;
      lines_.push_back("offset of " + name(d, v) + " is " + to_string(*claim.offset) + " ns");
    }
  }

  /// Y = D, or T; under G-FL less (m-1)/m of what the node takes, on whole DAGs of the longest path on such a pool.
  void add_points(std::size_t d) {
    const Dag& dag = set_.dags[d];
    const bool by_dag = certificate_.release == "completion" || certificate_.release == "segments";
    for (std::size_t v = 0; v < dag.nodes.size(); ++v) {
      const Node& node = dag.nodes[v];
      const Pool& pool = set_.pools[node.pool];
      const Claim& claim = certificate_.claims[d][v];
      if (!has_points(pool) || !claim.Y) continue;
      const Int given = by_dag ? point_of(dag) : lateness(pool, node.D.value_or(dag.T), node.C);
      const bool known = pool.scheduler == "G-EDF" || pool.scheduler == "G-FL";
      const bool shortened = dag.J > 0 && !(by_dag ? dag.D : node.D);  // T less the jitter, which no scheduler need take for D
      if (!known || shortened || *claim.Y != given)
        lines_.push_back("priority point of " + name(d, v) + " is " + to_string(*claim.Y) + " ns");
    }
  }

  static Int lateness(const Pool& pool, Int D, Int C) {
    return pool.scheduler == "G-FL" ? D - floor_div(C * (pool.size - 1), pool.size) : D;
  }

  [[nodiscard]] Int point_of(const Dag& dag) const {
    const Int D = dag.D.value_or(dag.T);
    Int Y = D;
    for (std::size_t p = 0; p < set_.pools.size(); ++p) {
      if (set_.pools[p].scheduler != "G-FL") continue;
      std::vector<Int> length(dag.nodes.size(), 0);
      for (const std::size_t v : dag.order) {
        for (const std::size_t u : dag.nodes[v].before) length[v] = std::max(length[v], length[u]);
        if (dag.nodes[v].pool == p) length[v] += dag.nodes[v].C;
        Y = std::min(Y, lateness(set_.pools[p], D, length[v]));
      }
    }
    return Y;
  }

  /// docs/theory/path.md, "T10d without preemption"; docs/theory/chains.md, "A more urgent stage on the same processor".
  void add_queued_first() {
    std::set<std::size_t> pools;
    for (std::size_t d = 0; d < set_.dags.size(); ++d) {
      const auto is_T10d = [](const Claim& claim) { return claim.by != nullptr && claim.rule == "T10d"; };
      if (std::none_of(certificate_.claims[d].begin(), certificate_.claims[d].end(), is_T10d)) continue;
      for (const Node& node : set_.dags[d].nodes) {
        const Pool& pool = set_.pools[node.pool];
        if (pool.kind == Kind::cpu && !pool.preemptive && pool.scheduler != "FIFO") pools.insert(node.pool);
      }
    }
    for (const auto& [i, latencies] : certificate_.latencies) outranking_on(set_, certificate_, set_.chains[i], pools);
    for (const std::size_t p : pools) {
      lines_.push_back("pool " + set_.pools[p].name +
                       ": a processor that ends a node queues what this makes ready before it takes its next");
    }
  }

  /// Those that groups await, too, which are no nodes of the set of groups.
  template <class Use>
  void for_nodes_on(std::size_t p, const Use& use) const {
    for (std::size_t d = 0; d < set_.dags.size(); ++d) {
      for (std::size_t v = 0; v < set_.dags[d].nodes.size(); ++v) {
        if (set_.dags[d].nodes[v].pool == p) use(set_.dags[d].nodes[v], certificate_.claims[d][v]);
      }
    }
    for (std::size_t i = 0; i < certificate_.awaited.size(); ++i) {
      const Node& node = certificate_.fine.dags[certificate_.awaited[i].dag].nodes[certificate_.awaited[i].node];
      if (node.pool == p) use(node, certificate_.awaited_claims[i]);
    }
  }

  [[nodiscard]] bool any_alone(std::size_t p) const {
    return std::any_of(set_.dags.begin(), set_.dags.end(), [p](const Dag& dag) {
      return std::any_of(dag.nodes.begin(), dag.nodes.end(), [p](const Node& node) { return node.pool == p && node.alone; });
    });
  }

  /// docs/theory/contention.md
  void add_company(std::size_t p) {
    const Pool& gpu = set_.pools[p];
    if (!any_alone(p)) return;
    lines_.push_back("pool " + gpu.name + ": kernels take no longer than alone but for what interference says of those beside them (" +
                     (gpu.company->sum ? "the sum" : "the worst") + " of several classes); fewer beside one never lengthen it; " +
                     (gpu.company->same_sm.empty() ? "durations alone were measured on full SMs, " : "") +
                     (gpu.company->copies.empty() ? "with copies and CPUs" : "with CPUs outside this task set") +
                     " at work as far as they ever are" + (certificate_.window.empty() ? "" : "; periodic DAGs are released by one clock"));
  }

  /// docs/theory/partitions.md
  void add_partition(std::size_t p) {
    const Pool& gpu = set_.pools[p];
    bool bounded = false;
    for_nodes_on(p, [&](const Node&, const Claim& claim) { bounded = bounded || claim.by != nullptr; });
    if (gpu.cut.empty() || !bounded) return;
    lines_.push_back(
        "pool " + gpu.name + ": all work of GPU " + gpu.cut +
        " runs in partitions without an SM in common, blocks of this one on its own SMs only, its kernels from a queue of their own; " +
        "their times were measured in it, with the other partitions at work" + (any_alone(p) ? ", but for those measured alone" : ""));
  }

  /// docs/theory/executors.md
  void add_messages(std::size_t p) {
    bool bounded = false;
    for_nodes_on(p, [&](const Node&, const Claim& claim) { bounded = bounded || claim.by != nullptr; });
    const Pool& pool = set_.pools[p];
    if ((pool.scheduler != "wait-set" && !pool.multi_threaded() && !pool.publishes_early()) || !bounded) return;
    for (const Dag& dag : set_.dags) {
      for (const Node& node : dag.nodes) {
        const auto is_there = [&](std::size_t u) { return dag.nodes[u].pool == p; };
        if (node.pool != p || std::none_of(node.before.begin(), node.before.end(), is_there)) continue;
        lines_.push_back("pool " + set_.pools[p].name +
                         ": a message from one of its callbacks to another is in its queue when the callback that publishes it ends");
        return;
      }
    }
  }

  /// docs/theory/executors.md, T22.
  void add_reservation(std::size_t p) {
    bool bounded = false;
    for_nodes_on(p, [&](const Node&, const Claim& claim) { bounded = bounded || claim.by != nullptr; });
    if (!set_.pools[p].in_reservation() || !bounded) return;
    lines_.push_back("pool " + set_.pools[p].name +
                     ": the reservations of its processor take no more than all of it, and nothing runs there before them");
  }

  /// docs/theory/gpu.md, "Registers in parts".
  void add_registers(std::size_t p) {
    const Pool& gpu = set_.pools[p];
    if (gpu.kind != Kind::gpu || !gpu.sm[registers]) return;
    std::vector<Task> kernels;
    bool asks = false;
    bool bounded = false;
    for_nodes_on(p, [&](const Node& node, const Claim& claim) {
      if (!node.by_blocks()) return;
      kernels.emplace_back().node = &node;
      asks = asks || node.registers > 0;
      bounded = bounded || claim.by != nullptr;
    });
    if (!asks || !bounded) return;
    if (gpu.parts == Int(1)) {
      lines_.push_back("pool " + gpu.name + ": an SM has its registers in one amount, not in parts that hold whole warps");
      return;
    }
    std::vector<std::size_t> short_of;
    try {
      short_of = binding(sm_of(kernels, gpu, classes_of(kernels, gpu), std::nullopt));
    } catch (const Refused&) {
      return;  // a block fits on no SM: no bound of the pool is verified
    }
    if (std::find(short_of.begin(), short_of.end(), registers) == short_of.end()) return;
    lines_.push_back("pool " + gpu.name + ": an SM starts a block as soon as the " + to_string(gpu.parts) +
                     " parts of its register file have room for its warps, in whichever part each then is");
  }

  const TaskSet& set_;
  const Certificate& certificate_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> assumed(const TaskSet& set, const Certificate& certificate) { return Assumed(set, certificate).all(); }

}  // namespace checker
