#include "rta/analysis/slack.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "analysis/advice/changed.hpp"
#include "analysis/advice/kept.hpp"
#include "analysis/explain/dag_kinds.hpp"
#include "rta/analysis/analyze.hpp"
#include "rta/model/error.hpp"
#include "rta/model/partitions.hpp"

namespace rta::analysis {
namespace {

// To which part of themselves values are searched.
constexpr Wide of_nodes = 50;
constexpr Wide of_others = 1000;
constexpr std::size_t nodes_in_block = 32;
constexpr std::uint32_t most_counted = 64;  // sizes of pools that are tried one by one

bool uses(const TaskSet& task_set, PoolId p) {
  return std::ranges::any_of(task_set.dags(),
                             [&](const Dag& dag) { return std::ranges::find(dag.nodes(), p, &Node::pool) != dag.nodes().end(); });
}

/// Nodes that do the same at other levels or for other cameras are often numbered.
std::string without_digits(std::string name) {
  std::erase_if(name, [](char c) { return c >= '0' && c <= '9'; });
  return name;
}

/// The task set with a cut where the proof has one, so that no other cuts are searched for.
std::shared_ptr<const TaskSet> with_cuts(const Proof& proof) {
  const auto& given = as_given(proof);
  if (proof.release != Release::segments) return given;
  std::vector<Dag> dags;
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    const Dag& dag = given->dags()[d];
    std::vector<Edge> edges(dag.edges().begin(), dag.edges().end());
    for (Edge& edge : edges) edge.cut = proof.dags[d].nodes[edge.from].segment != proof.dags[d].nodes[edge.to].segment;
    dags.emplace_back(dag.name(), dag.period(), dag.deadline(), std::vector<Node>(dag.nodes().begin(), dag.nodes().end()), std::move(edges),
                      dag.attributes());
  }
  return with_all_dags(*given, std::move(dags));
}

/// Whether the inequalities of T10 or T10n alone carry the bounds.
bool by_T10(const Proof& proof) {
  if (proof.release != Release::completion) return false;
  return std::ranges::all_of(proof.evidence, [](const Evidence& evidence) {
    const auto* path = std::get_if<PathEvidence>(&evidence);
    if (path == nullptr) return false;
    return std::ranges::all_of(path->bounds.bounds.support, [](const auto& of_dag) {
      return std::ranges::all_of(of_dag, [](path::Support by) { return by == path::Support::path || by == path::Support::successor; });
    });
  });
}

class SlackSearch {
 public:
  SlackSearch(const Proof& proof, const Options& options) : base_(proof), kept_(proof), options_(options), task_set_(with_cuts(proof)) {
    options_.release = proof.release;
    most_periods_ = options.most_periods;
    options_.explain.clear();
    options_.suggest = false;
    options_.progress = nullptr;
    options_.threads = 1;  // nodes are looked at at once
    for (PoolId p = 0; p < task_set_->pools().size(); ++p) {
      if (!uses(*task_set_, p)) continue;
      const Pool& pool = task_set_->pools()[p];
      const auto* cpu = std::get_if<CpuPool>(&pool.resource);
      if (cpu != nullptr && cpu->scheduler != Scheduler::fifo) fifo_ = false;
      // G-FL's points depend on C, LP's and the weights of a GPU are chosen anew.
      const bool fixed =
          cpu != nullptr ? cpu->scheduler == Scheduler::fifo || cpu->scheduler == Scheduler::g_edf : pool.kind() != PoolKind::gpu;
      fixed_ = fixed_ && fixed;
    }
    fixed_ = fixed_ && !options_.optimize_priorities && options_.priorities.value_or(Priorities::dag) == Priorities::dag;
    // A chain's data ages when its reads come earlier.
    fixed_ = fixed_ && !kept_.has_chains();
  }

  Slack run() {
    Slack slack;
    slack.release = base_.release;
    slack.scale = scale();
    const DagKinds kinds = dag_kinds(*task_set_);
    for (const auto& kind : kinds.kinds) {
      if (stopped()) break;
      if (auto found = of_dag(kind)) slack.dags.push_back(*found);
    }
    for (PoolId p = 0; p < task_set_->pools().size() && !stopped(); ++p) {
      if (uses(*task_set_, p) && has_own_size(p) && !knows_durations(*task_set_, p)) slack.pools.push_back(of_pool(p));
    }
    slack.nodes = of_nodes_of(kinds);
    slack.complete = !stopped();
    return slack;
  }

 private:
  /// In blocks on all cores. Which nodes share hints does not depend on their number.
  std::vector<NodeSlack> of_nodes_of(const DagKinds& kinds) {
    std::vector<std::pair<DagKinds::Kind, NodeId>> nodes;
    for (const auto& kind : kinds.kinds) {
      for (NodeId v = 0; v < task_set_->dags()[kind.first].nodes().size(); ++v) nodes.emplace_back(kind, v);
    }
    as_it_is(0);
    std::vector<std::vector<NodeSlack>> found((nodes.size() + nodes_in_block - 1) / nodes_in_block);
    oneapi::tbb::parallel_for(std::size_t{0}, found.size(), [&](std::size_t block) {
      SlackSearch search = *this;
      Hints hints;
      for (std::size_t i = block * nodes_in_block; i < std::min(nodes.size(), (block + 1) * nodes_in_block) && !stopped(); ++i) {
        if (auto slack = search.of_node(nodes[i].first, nodes[i].second, hints)) found[block].push_back(*slack);
      }
    });
    std::vector<NodeSlack> all;
    for (const auto& block : found) all.insert(all.end(), block.begin(), block.end());
    return all;
  }

  [[nodiscard]] bool stopped() const { return options_.stop && options_.stop(); }

  /// Proves a changed task set. Whether all that is met stays met; then `by_T10_` tells whether T10's inequalities alone carry it.
  bool holds(std::shared_ptr<const TaskSet> changed) {
    try {
      options_.most_periods = enough_periods(*changed);
      const Analysis analysis = analyze(std::move(changed), options_);
      if (!kept_.stays_in(analysis)) return false;
      by_T10_ = by_T10(analysis.proof);
      return true;
    } catch (const Overflow&) {
      return false;
    }
  }

  /// Where every DAG has to meet a deadline, a bound beyond it need not be known.
  [[nodiscard]] std::int64_t enough_periods(const TaskSet& changed) const {
    Wide most = 0;
    for (DagId d = 0; d < base_.dags.size(); ++d) {
      const Dag& dag = changed.dags()[d];
      if (!dag.deadline() || !kept_.dag(d)) return most_periods_;
      most = std::max(most, ceil_div(dag.deadline()->count(), dag.period().count()));
    }
    return static_cast<std::int64_t>(std::min<Wide>(most, most_periods_));
  }

  /// Proves `change(value)` and returns it where it holds.
  template <class Change>
  std::optional<Proven<Wide>> proven(Wide value, const Change& change) {
    if (stopped() || !holds(change(value))) return std::nullopt;
    return Proven<Wide>{value, fixed_ && by_T10_};
  }

  /// What the task set has holds under the policy of its proof.
  std::optional<Proven<Wide>> as_it_is(Wide now) {
    if (!unchanged_ && !stopped()) unchanged_ = holds(task_set_) ? Unchanged{true, by_T10_} : Unchanged{};
    if (!unchanged_ || !unchanged_->holds) return std::nullopt;
    return Proven<Wide>{now, fixed_ && unchanged_->by_T10};
  }

  /// The largest value from `now` to `most` that holds: near `hint`, where that is one of them, else as halving finds it, of ratios, then
  /// of differences.
  template <class Change>
  std::optional<Proven<Wide>> largest(Wide now, Wide most, Wide finest, const Change& change, std::optional<Wide> hint = std::nullopt) {
    std::optional<Proven<Wide>> best = as_it_is(now);
    Wide above = std::max(now, most) + 1;
    const auto try_at = [&](Wide value) {
      const auto tried = proven(value, change);
      if (tried) best = tried;
      if (!tried) above = value;
      return tried.has_value();
    };
    if (best && hint && *hint > best->value && *hint < above) {
      const bool up = try_at(*hint);
      for (Wide stride = std::max<Wide>(1, *hint / finest); above - best->value > stride && !stopped(); stride *= 4) {
        if (try_at(up ? best->value + stride : above - stride) != up) break;
      }
    }
    if (!best) return best;
    Wide holding = best->value;
    narrow(holding, above, finest, try_at, [this] { return stopped(); });
    return best;
  }

  template <class Change>
  std::optional<Proven<Wide>> smallest(Wide now, const Change& change) {
    std::optional<Proven<Wide>> best = as_it_is(now);
    if (!best) return best;
    Wide least = now;
    Wide below = 0;
    const auto holds_at = [&](Wide value) {
      const auto tried = proven(value, change);
      if (tried) best = tried;
      return tried.has_value();
    };
    narrow(least, below, of_others, holds_at, [this] { return stopped(); });
    return best;
  }

  static std::optional<Wide> over(std::optional<Wide> work, Wide count) { return work ? std::optional(*work / count) : std::nullopt; }

  template <class T>
  static std::optional<Proven<Time>> time_of(const std::optional<Proven<T>>& found) {
    return found ? std::optional(Proven<Time>{to_time(found->value), found->covered}) : std::nullopt;
  }

  std::shared_ptr<const TaskSet> scaled(Wide thousandths) const {
    std::vector<Dag> dags;
    for (const Dag& dag : task_set_->dags()) {
      std::vector<Node> nodes;
      for (const Node& node : dag.nodes()) {
        const Wide longest = ceil_div(checked_mul(Wide{longest_piece(node).count()}, thousandths), 1000);
        nodes.push_back(with_piece(node, to_time(longest)));
      }
      dags.push_back(with_nodes(dag, std::move(nodes)));
    }
    return with_all_dags(*task_set_, std::move(dags));
  }

  std::optional<Proven<std::int64_t>> scale() {
    const auto found = largest(1000, 1'000'000'000, of_others, [&](Wide thousandths) { return scaled(thousandths); });
    if (!found) return std::nullopt;
    return Proven<std::int64_t>{static_cast<std::int64_t>(found->value), found->covered};
  }

  /// No job that meets its deadline takes longer than that.
  [[nodiscard]] Time most_piece(DagId d) const {
    const auto deadline = task_set_->dags()[d].deadline();
    return deadline && kept_.dag(d) ? *deadline : Time(std::numeric_limits<std::int64_t>::max() / 4);
  }

  /// No job that meets its deadline has more of them.
  [[nodiscard]] Wide most_pieces(DagId d, const Node& node) const {
    const Pool& pool = task_set_->pools()[node.pool];
    const auto* gpu = std::get_if<GpuPool>(&pool.resource);
    const Wide at_once = Wide{size_of(pool)} * (gpu != nullptr ? gpu->sm.blocks : 1);
    const Wide rounds = Wide{most_piece(d).count()} / std::max<std::int64_t>(1, longest_piece(node).count()) + 1;
    return std::min<Wide>(at_once * rounds, std::numeric_limits<std::int64_t>::max() / 4);
  }

  /// What was found for a node of the same kind, from which the next search starts.
  struct Found {
    std::optional<Wide> work;    // of all pieces of a job
    std::optional<Wide> pieces;  // as long as these
  };
  using Hints = std::map<std::pair<PoolId, std::string>, Found>;  // by pool, and name without digits

  std::optional<NodeSlack> of_node(DagKinds::Kind kind, NodeId v, Hints& hints) {
    const Node& node = task_set_->dags()[kind.first].nodes()[v];
    const auto B = pieces_of(node);
    Found& hint = hints[{node.pool, without_digits(node.name)}];
    const Wide count = std::max<Wide>(1, B.value_or(1));
    const auto changed = [&](const Node& other) {
      return with_dags(*task_set_, kind, [&](const Dag& dag) { return with_node(dag, v, other); });
    };
    const Time now = longest_piece(node);
    const auto piece = largest(
        now.count(), most_piece(kind.first).count(), of_nodes, [&](Wide longest) { return changed(with_piece(node, to_time(longest))); },
        over(hint.work, count));
    if (!piece) return std::nullopt;
    hint.work = checked_mul(piece->value, count);
    NodeSlack slack{kind.first, v, *time_of(piece), std::nullopt};
    if (!B) return slack;
    const auto found = largest(
        static_cast<Wide>(*B), most_pieces(kind.first, node), of_nodes,
        [&](Wide pieces) { return changed(with_pieces(node, static_cast<std::uint64_t>(pieces))); }, hint.pieces);
    if (found) hint.pieces = found->value;
    if (found) slack.pieces = Proven<std::uint64_t>{static_cast<std::uint64_t>(found->value), found->covered};
    return slack;
  }

  std::optional<DagSlack> of_dag(DagKinds::Kind kind) {
    const DagId d = kind.first;
    const Dag& dag = task_set_->dags()[d];
    const auto changed = [&](Time period, std::optional<Time> deadline) {
      return with_dags(*task_set_, kind, [&](const Dag& copy) { return with_times(copy, period, deadline); });
    };
    const auto period = time_of(smallest(dag.period().count(), [&](Wide T) { return changed(to_time(T), dag.deadline()); }));
    if (!period) return std::nullopt;
    DagSlack slack{d, *period, std::nullopt};
    // Without a D the period stands for it as a priority point.
    slack.period.covered = slack.period.covered && (fifo_ || dag.deadline());
    if (!dag.deadline() || !kept_.dag(d)) return slack;
    slack.deadline = time_of(smallest(dag.deadline()->count(), [&](Wide D) { return changed(dag.period(), to_time(D)); }));
    if (slack.deadline) slack.deadline->covered = fifo_ && fixed_;
    return slack;
  }

  /// Contexts of one GPU have its SMs in common; no file says how many a rest has.
  [[nodiscard]] bool has_own_size(PoolId p) const {
    const auto* gpu = std::get_if<GpuPool>(&task_set_->pools()[p].resource);
    return gpu == nullptr || (!gpu->sharing && !(gpu->partition && gpu->partition->rest));
  }

  PoolSlack of_pool(PoolId p) {
    const Pool& pool = task_set_->pools()[p];
    const auto changed = [&](std::uint32_t size) { return with_pool(*task_set_, p, with_size(pool, size)); };
    const std::uint32_t now = size_of(pool);
    if (now <= most_counted || partition_of(pool) != nullptr) {
      for (std::uint32_t size = 1; size < now && !stopped(); ++size) {
        const auto* const gpu = std::get_if<GpuPool>(&pool.resource);
        if (gpu != nullptr && partition_fault(std::get<GpuPool>(with_size(pool, size).resource))) continue;
        if (holds(changed(size))) return {p, now, size};
      }
      return {p, now, now};
    }
    const auto found = smallest(now, [&](Wide size) { return changed(static_cast<std::uint32_t>(size)); });
    return {p, now, found ? static_cast<std::uint32_t>(found->value) : now};
  }

  const Proof& base_;
  Kept kept_;
  Options options_;
  std::shared_ptr<const TaskSet> task_set_;
  std::int64_t most_periods_ = 0;
  bool fifo_ = true;   // no CPU pool orders by deadlines
  bool fixed_ = true;  // weights and points do not depend on C, L and B
  bool by_T10_ = false;
  struct Unchanged {
    bool holds = false;
    bool by_T10 = false;
  };
  std::optional<Unchanged> unchanged_;
};

}  // namespace

Slack slack(const Proof& proof, const Options& options) {
  require(proof.release != Release::grouped, "slack is of nodes, not of groups");
  if (options.fitting != Fitting::small || proof.release != Release::completion) return SlackSearch(proof, options).run();
  // Many changes are tried: without T10w where what is met does not rest on it.
  Options quick = options;
  quick.fitting = Fitting::open;
  quick.release = proof.release;
  const Analysis analysis = analyze(as_given(proof), quick);
  const bool rests = !Kept(proof).stays_in(analysis);
  return rests ? SlackSearch(proof, options).run() : SlackSearch(analysis.proof, quick).run();
}

}  // namespace rta::analysis
