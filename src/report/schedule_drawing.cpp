#include "rta/report/schedule_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "report/parts/dot_text.hpp"
#include "report/parts/series_colours.hpp"
#include "rta/report/time_text.hpp"

namespace rta::report {
namespace {

using static_order::Decision;
using static_order::HyperepochProof;
using static_order::ScheduledHyperepoch;
using static_order::ScheduledRunnable;

// By name, so that a resource has one colour in all hyperepochs and no other resource has it by accident.
using ResourceColours = std::map<std::string, SeriesColour>;

// Of the resources that runnables run on, in the schedule's order.
ResourceColours colours_of(const static_order::Schedule& schedule) {
  ResourceColours colours;
  for (const ScheduledHyperepoch& h : schedule.hyperepochs) {
    std::set<std::size_t> resources;
    for (const ScheduledRunnable& r : h.runnables) {
      if (!r.resources.empty()) resources.insert(r.resources.front());
    }
    for (const std::size_t r : resources) {
      const std::size_t next = colours.size();
      colours.emplace(h.resources[r].name, shade(pool_colour(next), next / palette.size() % 3));
    }
  }
  return colours;
}

constexpr std::size_t most_apart = 60;  // runnables, frame by frame

class HyperepochDrawing {
 public:
  HyperepochDrawing(const ScheduledHyperepoch& hyperepoch, const HyperepochProof& proof, std::size_t number, const ResourceColours& colours)
      : h_(hyperepoch), proof_(proof), number_(number), colours_(colours) {
    for (std::size_t i = 1; i < proof.critical_path.size(); ++i) critical_.emplace(proof.critical_path[i - 1], proof.critical_path[i]);
  }

  std::string draw(bool all) {
    if (!all && h_.runnables.size() > most_apart) return draw_merged();
    add("  subgraph cluster_{} {{\n    label={};\n    color=gray60;\n", number_,
        dot_quoted(fmt::format("{}, every {}, done by {}", h_.name, time_text(h_.period), time_text(proof_.length))));
    for (std::size_t id = 0; id < h_.runnables.size(); ++id) add("    {};\n", node(id));
    add("  }}\n");
    for (std::size_t id = 0; id < h_.runnables.size(); ++id) add_edges(id);
    add_legend();
    return std::move(text_);
  }

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> text, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), text, std::forward<Values>(values)...);
  }

  [[nodiscard]] std::string name(std::size_t id) const { return fmt::format("h{}_{}", number_, id); }

  // Streams and mutexes are held beside what a runnable runs on.
  [[nodiscard]] SeriesColour colour(const ScheduledRunnable& runnable) const {
    return runnable.resources.empty() ? shade(no_deadline_colour, 0) : colours_.at(h_.resources[runnable.resources.front()].name);
  }

  [[nodiscard]] std::string node(std::size_t id) const {
    const ScheduledRunnable& r = h_.runnables[id];
    const static_order::RunnableProof& proven = proof_.runnables[id];
    std::vector<std::string> lines{h_.epochs[r.epoch].frames > 1 ? fmt::format("{} (frame {})", r.full_name(), r.frame) : r.full_name()};
    lines.push_back(fmt::format("{} to {}", time_text(proven.start), time_text(proven.end)));
    std::vector<std::string> resources;
    for (const std::size_t resource : r.resources) resources.push_back(h_.resources[resource].name);
    if (r.stream) resources.push_back(h_.resources[*r.stream].name);
    if (!resources.empty()) lines.push_back(fmt::format("{}", fmt::join(resources, ", ")));
    if (r.deadline) {
      lines.push_back(proven.end <= *r.deadline
                          ? fmt::format("by {}, {} left", time_text(*r.deadline), time_text(*r.deadline - proven.end))
                          : fmt::format("by {}: MISSED by {}", time_text(*r.deadline), time_text(proven.end - *r.deadline)));
    }
    return fmt::format("{} [label={}, fillcolor=\"{}\", fontcolor=\"{}\"]", name(id), dot_label(lines), colour(r).fill, colour(r).text);
  }

  /// All frames of a runnable as one node.
  std::string draw_merged() {
    std::map<std::pair<std::size_t, std::string>, std::size_t> numbers;
    std::vector<std::vector<std::size_t>> groups;
    std::vector<std::size_t> group_of;
    for (std::size_t id = 0; id < h_.runnables.size(); ++id) {
      const ScheduledRunnable& r = h_.runnables[id];
      const std::size_t g = numbers.try_emplace({r.epoch, r.full_name()}, groups.size()).first->second;
      if (g == groups.size()) groups.emplace_back();
      groups[g].push_back(id);
      group_of.push_back(g);
    }
    add("  subgraph cluster_{} {{\n    label={};\n    color=gray60;\n", number_,
        dot_label({fmt::format("{}, every {}, done by {}", h_.name, time_text(h_.period), time_text(proof_.length)),
                   fmt::format("{} jobs are drawn as {}: all frames of a runnable share one, and the order of resources is left out.",
                               h_.runnables.size(), groups.size()),
                   "--all draws every job."}));
    for (const auto& group : groups) add("    {};\n", merged(group));
    add("  }}\n");
    std::map<std::pair<std::size_t, std::size_t>, std::string> edges;
    for (std::size_t id = 0; id < h_.runnables.size(); ++id) {
      for (const Decision& decision : predecessors(h_, id)) {
        const std::pair edge(group_of[decision.predecessor], group_of[id]);
        if (edge.first == edge.second || decision.by == Decision::By::resource || decision.by == Decision::By::stream) continue;
        std::string& attributes = edges[edge];
        if (critical_.contains({decision.predecessor, id})) attributes = " [penwidth=3]";
      }
    }
    for (const auto& [edge, attributes] : edges)
      add("  {} -> {}{};\n", name(groups[edge.first].front()), name(groups[edge.second].front()), attributes);
    add_legend();
    return std::move(text_);
  }

  [[nodiscard]] std::string merged(const std::vector<std::size_t>& group) const {
    if (group.size() == 1) return node(group.front());
    const ScheduledRunnable& r = h_.runnables[group.front()];
    Time start = proof_.runnables[group.front()].start, end, late;
    std::set<std::size_t> resources;
    for (const std::size_t id : group) {
      const ScheduledRunnable& one = h_.runnables[id];
      const static_order::RunnableProof& proven = proof_.runnables[id];
      start = std::min(start, proven.start);
      end = std::max(end, proven.end);
      if (one.deadline && proven.end > *one.deadline) late = std::max(late, proven.end - *one.deadline);
      resources.insert(one.resources.begin(), one.resources.end());
      if (one.stream) resources.insert(*one.stream);
    }
    std::vector<std::string> names;
    for (const std::size_t resource : resources) names.push_back(h_.resources[resource].name);
    std::vector<std::string> lines{fmt::format("{} x {}", r.full_name(), group.size()),
                                   fmt::format("{} to {}", time_text(start), time_text(end))};
    if (!names.empty()) lines.push_back(fmt::format("{}", fmt::join(names, ", ")));
    if (late > Time::zero()) lines.push_back("MISSED by " + time_text(late));
    return fmt::format("{} [label={}, fillcolor=\"{}\", fontcolor=\"{}\"]", name(group.front()), dot_label(lines), colour(r).fill,
                       colour(r).text);
  }

  void add_edges(std::size_t id) {
    const std::vector<Decision> before = predecessors(h_, id);
    const auto is_order = [](const Decision& d) { return d.by == Decision::By::resource || d.by == Decision::By::stream; };
    std::set<std::size_t> drawn;
    for (const Decision& decision : before) {
      if (is_order(decision) || !drawn.insert(decision.predecessor).second) continue;
      add_edge(decision.predecessor, id, decision.by == Decision::By::submitter_start ? "style=dotted, label=\"starts\"" : "");
    }
    for (const Decision& decision : before) {
      if (!is_order(decision) || !drawn.insert(decision.predecessor).second) continue;
      add_edge(decision.predecessor, id, fmt::format("style=dashed, label={}", dot_quoted(h_.resources[decision.resource].name)));
    }
  }

  void add_edge(std::size_t from, std::size_t to, std::string attributes) {
    if (critical_.contains({from, to})) attributes += attributes.empty() ? "penwidth=3" : ", penwidth=3";
    add("  {} -> {}{};\n", name(from), name(to), attributes.empty() ? "" : fmt::format(" [{}]", attributes));
  }

  void add_legend() {
    std::set<std::size_t> resources;
    for (const ScheduledRunnable& r : h_.runnables) {
      if (!r.resources.empty()) resources.insert(r.resources.front());
    }
    add("  subgraph cluster_resources_{} {{\n    label={};\n    color=gray80;\n", number_,
        dot_quoted(fmt::format("resources of {}", h_.name)));
    for (const std::size_t r : resources) {
      const SeriesColour& colour = colours_.at(h_.resources[r].name);
      add("    resource{}_{} [label={}, fillcolor=\"{}\", fontcolor=\"{}\"];\n", number_, r, dot_quoted(h_.resources[r].name), colour.fill,
          colour.text);
    }
    add("  }}\n");
  }

  const ScheduledHyperepoch& h_;
  const HyperepochProof& proof_;
  std::size_t number_;
  const ResourceColours& colours_;
  std::set<std::pair<std::size_t, std::size_t>> critical_;
  std::string text_;
};

}  // namespace

std::string dot(const static_order::Schedule& schedule, const std::vector<HyperepochProof>& proofs, Apart apart) {
  std::string text = fmt::format(
      "digraph {} {{\n  rankdir=LR;\n  node [shape=box, style=\"rounded,filled\", fontname=\"Helvetica\", fontsize=11];\n  graph "
      "[fontname=\"Helvetica\", fontsize=12];\n  edge [color=\"#555555\", fontname=\"Helvetica\", fontsize=9];\n",
      dot_quoted(schedule.graph));
  const ResourceColours colours = colours_of(schedule);
  for (std::size_t i = 0; i < schedule.hyperepochs.size(); ++i)
    text += HyperepochDrawing(schedule.hyperepochs[i], proofs[i], i, colours).draw(apart == Apart::all);
  return text + "}\n";
}

}  // namespace rta::report
