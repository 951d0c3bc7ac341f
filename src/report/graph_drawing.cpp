#include "rta/report/graph_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "report/parts/dot_text.hpp"
#include "rta/report/time_text.hpp"

namespace rta::report {
namespace {

using static_order::Graph;
using static_order::ResourceKind;
using static_order::Runnable;
using static_order::RunnableId;

// Paper tones by what a runnable runs on.
const char* colour(const Graph& graph, const Runnable& runnable) {
  for (const auto& need : runnable.needs) {
    const auto& resource = graph.resources[need.any_of.front()];
    if (resource.kind == ResourceKind::cpu) return "#dbe9f6";
    if (resource.kind == ResourceKind::engine) return resource.type == "GPU" ? "#dff0d8" : "#fbe5d0";
  }
  return "#eeeeee";
}

std::string node(const Graph& graph, RunnableId id) {
  const Runnable& r = graph.runnables[id];
  std::vector<std::string> lines{r.name};
  if (r.wcet > Time::zero()) lines.push_back(time_text(r.wcet));
  if (r.blocks) lines.push_back(fmt::format("{} blocks of {} x {}", r.blocks->B, r.blocks->H, time_text(r.blocks->L)));
  std::vector<std::string> resources;
  for (const auto& need : r.needs) resources.push_back(need.type.empty() ? full_name(graph, need.any_of.front()) : need.type);
  lines.push_back(fmt::format("{}", fmt::join(resources, ", ")));
  if (r.deadline) lines.push_back("by " + time_text(*r.deadline));
  return fmt::format("r{} [label={}, fillcolor=\"{}\"]", id, dot_label(lines), colour(graph, r));
}

}  // namespace

std::string dot(const Graph& graph) {
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out,
                 "digraph {} {{\n  rankdir=LR;\n  node [shape=box, style=filled, fontname=\"Helvetica\", fontsize=11];\n  graph "
                 "[fontname=\"Helvetica\", fontsize=12];\n",
                 dot_quoted(graph.name));
  std::size_t clusters = 0;
  for (static_order::HyperepochId h = 0; h < graph.hyperepochs.size(); ++h) {
    for (std::size_t e = 0; e < graph.hyperepochs[h].epochs.size(); ++e) {
      const auto& epoch = graph.hyperepochs[h].epochs[e];
      fmt::format_to(out, "  subgraph cluster_{} {{\n    label={};\n    color=gray60;\n", clusters++,
                     dot_quoted(fmt::format(
                         "{}.{}, every {}{}", graph.hyperepochs[h].name, epoch.name, time_text(epoch.period),
                         epoch.frames > 1 ? fmt::format(", {} frames in {}", epoch.frames, time_text(graph.hyperepochs[h].period)) : "")));
      for (static_order::ClientId c = 0; c < graph.clients.size(); ++c) {
        bool any = false;
        for (RunnableId id = 0; id < graph.runnables.size(); ++id) {
          const Runnable& r = graph.runnables[id];
          if (r.client != c || r.hyperepoch != h || r.epoch != e) continue;
          if (!any)
            fmt::format_to(out, "    subgraph cluster_{} {{\n      label={};\n      color=gray80;\n", clusters++,
                           dot_quoted(graph.clients[c].name));
          any = true;
          fmt::format_to(out, "      {};\n", node(graph, id));
        }
        if (any) fmt::format_to(out, "    }}\n");
      }
      fmt::format_to(out, "  }}\n");
      for (const auto& group : epoch.aliases) {
        // Steps of a slot, in turn.
        std::vector<std::string> steps;
        for (const auto& step : group.steps) {
          if (step) steps.push_back(fmt::format("r{}", *step));
        }
        if (steps.size() > 1)
          fmt::format_to(out, "  {} [style=dotted, dir=none, constraint=false, label={}];\n", fmt::join(steps, " -> "),
                         dot_quoted(group.name));
      }
    }
  }
  for (RunnableId id = 0; id < graph.runnables.size(); ++id) {
    const Runnable& r = graph.runnables[id];
    for (const RunnableId before : r.dependencies) {
      if (graph.runnables[before].submits != id) fmt::format_to(out, "  r{} -> r{};\n", before, id);
    }
    for (const RunnableId before : r.previous)
      fmt::format_to(out, "  r{} -> r{} [style=dashed, constraint=false, label=\"next frame\"];\n", before, id);
    if (r.submits) fmt::format_to(out, "  r{} -> r{} [style=bold, label=\"submits\"];\n", id, *r.submits);
  }
  return text + "}\n";
}

}  // namespace rta::report
