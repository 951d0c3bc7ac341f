#include "rta/report/task_set_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include "analysis_words.hpp"
#include "report/parts/colours.hpp"
#include "report/parts/dot_text.hpp"
#include "report/parts/embedded_svg.hpp"
#include "report/parts/page.hpp"
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

std::string lateness_text(Time bound, Time deadline) {
  return bound <= deadline ? "lateness " + time_text(bound - deadline) : "MISSED by " + time_text(bound - deadline);
}

class Drawing {
 public:
  Drawing(const TaskSet& task_set, const Proof* proof) : set_(task_set), proof_(proof) {}

  std::string draw() {
    begin("LR");
    for (DagId d = 0; d < set_.dags().size(); ++d) add_dag(d);
    add_legend();
    return std::move(text_) + "}\n";
  }

  std::string draw(DagId d) {
    begin("TB");
    add_dag(d);
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

  void add_dag(DagId d) {
    const Dag& dag = set_.dags()[d];
    add("  subgraph cluster_{} {{\n    label={};\n    color=\"#999999\";\n", d, dot_label(dag_lines(d)));
    const std::vector<NodeId> path = proof_ != nullptr ? proof_->dags[d].critical_path : std::vector<NodeId>();
    std::set<std::pair<NodeId, NodeId>> on_path;
    for (std::size_t i = 1; i < path.size(); ++i) on_path.emplace(path[i - 1], path[i]);
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const Colour& colour = pool_colour(dag.nodes()[v].pool);
      const bool critical = std::ranges::find(path, v) != path.end();
      add("    n{}_{} [label={}, fillcolor=\"{}\", fontcolor=\"{}\"{}];\n", d, v, dot_label(node_lines(d, v)), colour.fill, colour.text,
          critical ? ", penwidth=3" : "");
    }
    for (const Edge& edge : dag.edges()) {
      const bool critical = on_path.contains({edge.from, edge.to});
      add("    n{0}_{1} -> n{0}_{2}{3};\n", d, edge.from, edge.to, critical ? " [penwidth=3, color=\"#000000\"]" : "");
    }
    text_ += "  }\n";
  }

  [[nodiscard]] std::vector<std::string> dag_lines(DagId d) const {
    const Dag& dag = set_.dags()[d];
    std::string times = "T = " + time_text(dag.nominal_period());
    if (dag.deadline()) times += ", D = " + time_text(*dag.deadline());
    std::vector<std::string> lines{dag.name(), times};
    if (proof_ == nullptr) return lines;
    const auto& bound = proof_->dags[d].bound;
    if (!bound) {
      lines.emplace_back("no bound");
    } else {
      lines.push_back(fmt::format("bound {} ({}){}", time_text(bound->R), to_string(bound->basis.theorem),
                                  dag.deadline() ? ", " + lateness_text(bound->R, *dag.deadline()) : ""));
    }
    return lines;
  }

  [[nodiscard]] std::vector<std::string> node_lines(DagId d, NodeId v) const {
    const Node& node = set_.dags()[d].nodes()[v];
    std::vector<std::string> lines{node.name, set_.pools()[node.pool].name, std::visit(DemandText{}, node.demand)};
    const auto deadline = own_deadline(set_.dags()[d], v);
    if (deadline) lines.push_back("D = " + time_text(*deadline));
    if (proof_ == nullptr) return lines;
    const analysis::NodeProof& of_node = proof_->dags[d].nodes[v];
    if (!of_node.bound) {
      lines.emplace_back("no bound");
      return lines;
    }
    const auto offset = offset_of(*proof_, of_node);
    lines.push_back(
        fmt::format("bound {}{}", time_text(of_node.bound->R), offset && *offset > Time::zero() ? " from " + time_text(*offset) : ""));
    if (deadline) lines.push_back(lateness_text(of_node.bound->R, *deadline));
    return lines;
  }

  /// The pools, each in its colour.
  void add_legend() {
    text_ += "  subgraph cluster_pools {\n    label=\"pools\";\n    color=\"#dddddd\";\n";
    for (PoolId p = 0; p < set_.pools().size(); ++p) {
      const Colour& colour = pool_colour(p);
      add("    p{} [label={}, fillcolor=\"{}\", fontcolor=\"{}\"];\n", p, dot_label({set_.pools()[p].name}), colour.fill, colour.text);
    }
    text_ += "  }\n";
  }

  const TaskSet& set_;
  const Proof* proof_;
  std::string text_;
};

}  // namespace

std::string dot(const TaskSet& task_set, const Proof* proof) {
  require(proof == nullptr || proof->dags.size() == task_set.dags().size(), "a drawing has the proof of its task set");
  return Drawing(task_set, proof).draw();
}

std::string dot(const TaskSet& task_set, const Proof* proof, DagId d) {
  require(proof == nullptr || proof->dags.size() == task_set.dags().size(), "a drawing has the proof of its task set");
  return Drawing(task_set, proof).draw(d);
}

std::string picture_page(const std::string& title, const std::string& caption, std::string_view svg) {
  return html(Page{.title = title, .summary = caption, .facts = {}, .content = {Picture{.svg = embedded_svg(svg), .label = title}}});
}

}  // namespace rta::report
