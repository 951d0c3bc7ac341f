#include "rta/report/task_set_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis_words.hpp"
#include "report/parts/colours.hpp"
#include "report/parts/dot_text.hpp"
#include "report/parts/embedded_svg.hpp"
#include "report/parts/folded_graph.hpp"
#include "report/parts/page.hpp"
#include "rta/analysis/history.hpp"
#include "rta/model/deadline.hpp"
#include "rta/model/error.hpp"
#include "rta/model/launch.hpp"
#include "rta/report/time_text.hpp"

namespace rta::report {
namespace {

using analysis::Proof;

struct DemandText {
  std::string operator()(const CpuDemand& demand) const { return "C = " + time_text(demand.C); }
  std::string operator()(const CopyDemand& demand) const { return "C = " + time_text(demand.C); }
  std::string operator()(const WorkerDemand& demand) const { return fmt::format("{} items of {}", demand.B, time_text(demand.L)); }
  std::string operator()(const GpuDemand& demand) const {
    if (!demand.has_blocks) return time_text(*demand.time);
    return fmt::format("{} x {} threads, {}{}", demand.B, demand.H, time_text(demand.L),
                       starts_together(demand) ? ", " + together_text(demand) : "");
  }
};

std::string lateness_line(Time bound, Time deadline) {
  return bound <= deadline ? "lateness " + rounded_text(bound - deadline) : "MISSED by " + rounded_text(bound - deadline);
}

// More than so many nodes and nobody reads each: what is alike then shares a node.
constexpr std::size_t most_apart = 60;
// What a node takes of a picture's width, in points, and how wide pictures are read without scrolling.
constexpr std::size_t node_width = 190, page_width = 1'300;

/// DAGs that follow one another and are equal but for their name, of a file alone.
std::vector<KindOfDag> kinds_by_shape(const TaskSet& task_set) {
  const auto dags = task_set.dags();
  std::vector<KindOfDag> kinds;
  for (DagId d = 0; d < dags.size(); ++d) {
    if (kinds.empty() || !dags[kinds.back().first].same_shape(dags[d])) kinds.push_back({d, d});
    kinds.back().last = d;
  }
  return kinds;
}

std::size_t count_of(const KindOfDag& kind) { return kind.last - kind.first + 1; }

/// A kernel of which only the time is known.
bool is_whole_kernel(const Node& node) {
  const auto* kernel = std::get_if<GpuDemand>(&node.demand);
  return kernel != nullptr && !kernel->has_blocks;
}

/// Each number the larger one; of the same pool, and both kernels whole or both of blocks.
struct Raise {
  void operator()(CpuDemand& to, const CpuDemand& by) const { to.C = std::max(to.C, by.C); }
  void operator()(CopyDemand& to, const CopyDemand& by) const { to.C = std::max(to.C, by.C); }
  void operator()(WorkerDemand& to, const WorkerDemand& by) const {
    to.B = std::max(to.B, by.B);
    to.L = std::max(to.L, by.L);
  }
  void operator()(GpuDemand& to, const GpuDemand& by) const {
    to.B = std::max(to.B, by.B);
    to.H = std::max(to.H, by.H);
    to.L = std::max(to.L, by.L);
    if (to.time && by.time) to.time = std::max(*to.time, *by.time);
  }
  template <class A, class B>
  void operator()(A& /*to*/, const B& /*by*/) const {
    require(false, "nodes of one pool are of one kind");
  }
};

/// The DAG's nodes, those that are alike together where `merge` says so.
FoldedGraph folded_dag(const Dag& dag, bool merge) {
  std::vector<std::size_t> colours;
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  for (NodeId v = 0; v < dag.nodes().size(); ++v)
    colours.push_back(4 * dag.nodes()[v].pool + (own_deadline(dag, v) ? 2 : 0) + (is_whole_kernel(dag.nodes()[v]) ? 1 : 0));
  for (const Edge& edge : dag.edges()) edges.emplace_back(edge.from, edge.to);
  const std::vector<std::size_t> order(dag.topological_order().begin(), dag.topological_order().end());
  return folded(order, edges, colours, merge);
}

class Drawing {
 public:
  Drawing(const TaskSet& task_set, const Proof* proof) : set_(task_set), proof_(proof) {}

  std::string draw(bool all) {
    const bool merge = !all && set_.node_count() > most_apart;
    const ShownDags shown = shown_kinds(merge);
    std::vector<FoldedGraph> graphs;
    std::size_t longest = 0, beside = 0, nodes = 0, groups = 0;
    for (const KindOfDag& kind : shown.kinds) {
      graphs.push_back(folded_dag(set_.dags()[kind.first], merge));
      longest = std::max(longest, graphs.back().ranks);
      beside += graphs.back().broadest;
      nodes += graphs.back().group.size();
      groups += graphs.back().members.size();
    }
    // Long DAGs from the top down, unless that is wider still.
    const bool down = longest * node_width > page_width && beside < longest;
    begin(down ? "TB" : "LR");
    if (merge) add_note(shown, nodes, groups);
    for (std::size_t k = 0; k < graphs.size(); ++k) add_dag(shown.kinds[k], graphs[k]);
    add_legend();
    return std::move(text_) + "}\n";
  }

  std::string draw(DagId d) {
    begin("TB");
    add_dag({d, d}, folded_dag(set_.dags()[d], false));
    return std::move(text_) + "}\n";
  }

 private:
  void begin(std::string_view direction) {
    add("digraph rta {{\n  rankdir={};\n  node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\", fontsize=11];\n  graph "
        "[fontname=\"Helvetica\", fontsize=12, labeljust=l];\n  edge [color=\"#555555\"];\n",
        direction);
  }

  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }

  [[nodiscard]] ShownDags shown_kinds(bool merge) const {
    if (merge && proof_ != nullptr) return shown_dags(*proof_, false);
    ShownDags shown;
    if (!merge) {
      for (DagId d = 0; d < set_.dags().size(); ++d) shown.kinds.push_back({d, d});
      return shown;
    }
    constexpr std::size_t most = 20;
    shown.kinds = kinds_by_shape(set_);
    for (std::size_t k = most; k < shown.kinds.size(); ++k) shown.left_out += count_of(shown.kinds[k]);
    if (shown.kinds.size() > most) shown.kinds.resize(most);
    return shown;
  }

  /// What is not drawn apart, and how to see it.
  void add_note(const ShownDags& shown, std::size_t nodes, std::size_t groups) {
    std::vector<std::string> lines;
    if (groups < nodes)
      lines.push_back(fmt::format("{} nodes are drawn as {}: those alike share one, with the largest of their numbers.", nodes, groups));
    if (std::ranges::any_of(shown.kinds, [](const KindOfDag& kind) { return count_of(kind) > 1; }))
      lines.emplace_back("DAGs that are equal but for their name are drawn once.");
    if (shown.left_out > 0)
      lines.push_back(fmt::format("{} more DAGs{} are not drawn.", shown.left_out, proof_ != nullptr ? ", none of them worse," : ""));
    if (lines.empty()) return;
    lines.emplace_back("--all draws every node and DAG.");
    add("  label={};\n  labelloc=b;\n", dot_label(lines));
    cluster_place_ = "    labelloc=t;\n";  // which clusters would take over
  }

  void add_dag(const KindOfDag& kind, const FoldedGraph& graph) {
    const DagId d = kind.first;
    const Dag& dag = set_.dags()[d];
    add("  subgraph cluster_{} {{\n    label={};\n{}    color=\"#999999\";\n", d, dot_label(dag_lines(kind)), cluster_place_);
    const std::vector<NodeId> path = proof_ != nullptr ? proof_->dags[d].critical_path : std::vector<NodeId>();
    std::set<std::size_t> critical;
    for (const NodeId v : path) critical.insert(graph.group[v]);
    std::set<std::pair<std::size_t, std::size_t>> on_path;
    for (std::size_t i = 1; i < path.size(); ++i) on_path.emplace(graph.group[path[i - 1]], graph.group[path[i]]);
    for (std::size_t g = 0; g < graph.members.size(); ++g) {
      const Colour& colour = pool_colour(dag.nodes()[graph.members[g].front()].pool);
      add("    n{}_{} [label={}, fillcolor=\"{}\", fontcolor=\"{}\"{}];\n", d, g, dot_label(group_lines(d, graph.members[g])), colour.fill,
          colour.text, critical.contains(g) ? ", penwidth=3" : "");
    }
    for (const auto& [from, to] : graph.edges) {
      add("    n{0}_{1} -> n{0}_{2}{3};\n", d, from, to, on_path.contains({from, to}) ? " [penwidth=3, color=\"#000000\"]" : "");
    }
    add_history(d, dag, graph);
    text_ += "  }\n";
  }

  /// Edges from earlier jobs, which order nothing within one: dashed, and of those alike one.
  void add_history(DagId d, const Dag& dag, const FoldedGraph& graph) {
    std::set<std::tuple<std::size_t, std::size_t, std::string>> drawn;
    for (const HistoryEdge& edge : dag.history()) {
      const auto stream = analysis::stream_of(dag, edge);
      std::string label =
          stream.empty() ? fmt::format("{} job{} before", edge.jobs, edge.jobs == 1 ? "" : "s") : fmt::format("stream {}", stream);
      if (!drawn.emplace(graph.group[edge.from], graph.group[edge.to], label).second) continue;
      add("    n{0}_{1} -> n{0}_{2} [style=dashed, constraint=false, fontname=\"Helvetica\", fontsize=10, label={3}];\n", d,
          graph.group[edge.from], graph.group[edge.to], dot_label({std::move(label)}));
    }
  }

  [[nodiscard]] std::vector<std::string> dag_lines(const KindOfDag& kind) const {
    const DagId d = kind.first;
    const Dag& dag = set_.dags()[d];
    std::string times = "T = " + time_text(dag.nominal_period());
    if (dag.deadline()) times += ", D = " + time_text(*dag.deadline());
    std::vector<std::string> lines{
        count_of(kind) == 1 ? dag.name() : fmt::format("{} ... {} ({} DAGs)", dag.name(), set_.dags()[kind.last].name(), count_of(kind)),
        times};
    if (proof_ == nullptr) return lines;
    const auto& bound = proof_->dags[d].bound;
    if (!bound) {
      lines.emplace_back("no bound");
    } else {
      lines.push_back(fmt::format("bound {} ({}){}", bound_text(bound->R, dag.deadline()), to_string(bound->basis.theorem),
                                  dag.deadline() ? ", " + lateness_line(bound->R, *dag.deadline()) : ""));
    }
    return lines;
  }

  [[nodiscard]] std::vector<std::string> node_lines(DagId d, NodeId v) const {
    const Node& node = set_.dags()[d].nodes()[v];
    std::vector<std::string> lines{node.name, set_.pools()[node.pool].name, std::visit(DemandText{}, node.demand)};
    if (!node.stream.empty()) lines.push_back("stream " + node.stream);
    const auto deadline = own_deadline(set_.dags()[d], v);
    if (deadline) lines.push_back("D = " + time_text(*deadline));
    if (proof_ == nullptr) return lines;
    const analysis::NodeProof& of_node = proof_->dags[d].nodes[v];
    if (!of_node.bound) {
      lines.emplace_back("no bound");
      return lines;
    }
    const auto offset = offset_of(*proof_, of_node);
    lines.push_back(fmt::format("bound {}{}", bound_text(of_node.bound->R, deadline),
                                offset && *offset > Time::zero() ? " from " + time_text(*offset) : ""));
    if (deadline) lines.push_back(lateness_line(of_node.bound->R, *deadline));
    return lines;
  }

  /// Of nodes that are alike: the first and the last name, and the largest numbers.
  [[nodiscard]] std::vector<std::string> group_lines(DagId d, const std::vector<std::size_t>& members) const {
    if (members.size() == 1) return node_lines(d, members.front());
    const auto nodes = set_.dags()[d].nodes();
    std::vector<std::string> lines{fmt::format("{} ... {}", nodes[members.front()].name, nodes[members.back()].name),
                                   fmt::format("{} nodes on {}", members.size(), set_.pools()[nodes[members.front()].pool].name)};
    auto largest_demand = nodes[members.front()].demand;
    for (const std::size_t v : members) std::visit(Raise{}, largest_demand, nodes[v].demand);
    const std::string text = std::visit(DemandText{}, largest_demand);
    const bool equal = std::ranges::all_of(members, [&](std::size_t v) { return std::visit(DemandText{}, nodes[v].demand) == text; });
    lines.push_back((equal ? "" : "at most ") + text);
    if (const auto deadline = own_deadline(set_.dags()[d], members.front())) {
      Time least = *deadline;
      for (const std::size_t v : members) least = std::min(least, *own_deadline(set_.dags()[d], v));
      lines.push_back((least == *deadline ? "D = " : "D from ") + time_text(least));
    }
    if (proof_ == nullptr) return lines;
    std::optional<Time> largest = Time::zero(), worst;
    for (const std::size_t v : members) {
      const auto& bound = proof_->dags[d].nodes[v].bound;
      if (!bound || !largest) {
        largest.reset();
        continue;
      }
      largest = std::max(*largest, bound->R);
      const auto deadline = own_deadline(set_.dags()[d], v);
      if (deadline && bound->R > *deadline) worst = std::max(worst.value_or(Time::zero()), bound->R - *deadline);
    }
    lines.push_back(largest ? "bound at most " + rounded_text(*largest) : "some without bound");
    if (worst) lines.push_back("MISSED by " + rounded_text(*worst));
    return lines;
  }

  /// The pools, each in its colour.
  void add_legend() {
    add("  subgraph cluster_pools {{\n    label=\"pools\";\n{}    color=\"#dddddd\";\n", cluster_place_);
    for (PoolId p = 0; p < set_.pools().size(); ++p) {
      const Colour& colour = pool_colour(p);
      add("    p{} [label={}, fillcolor=\"{}\", fontcolor=\"{}\"];\n", p, dot_label({set_.pools()[p].name}), colour.fill, colour.text);
    }
    text_ += "  }\n";
  }

  const TaskSet& set_;
  const Proof* proof_;
  std::string text_;
  std::string_view cluster_place_;  // of labels; none: Graphviz's own
};

}  // namespace

std::string dot(const TaskSet& task_set, const Proof* proof, Apart apart) {
  require(proof == nullptr || proof->dags.size() == task_set.dags().size(), "a drawing has the proof of its task set");
  return Drawing(task_set, proof).draw(apart == Apart::all);
}

std::string dot(const TaskSet& task_set, const Proof* proof, DagId d) {
  require(proof == nullptr || proof->dags.size() == task_set.dags().size(), "a drawing has the proof of its task set");
  return Drawing(task_set, proof).draw(d);
}

std::string picture_page(const std::string& title, const std::string& caption, std::string_view svg) {
  return html(Page{.title = title, .summary = caption, .facts = {}, .content = {Picture{.svg = embedded_svg(svg), .label = title}}});
}

}  // namespace rta::report
