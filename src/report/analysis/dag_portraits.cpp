#include "dag_portraits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "report/parts/colours.hpp"
#include "report/parts/embedded_svg.hpp"
#include "rta/report/task_set_drawing.hpp"
#include "rta/report/time_text.hpp"
#include "why_words.hpp"

namespace rta::report {
namespace {

using analysis::Analysis;
using analysis::Proof;

// Graphviz lays them out in well below a second.
constexpr std::size_t most_drawn_nodes = 60;
constexpr std::size_t most_drawn_edges = 200;
constexpr std::size_t most_parts = 10;

/// The largest sums in their order, the others as one.
std::vector<WhySum> largest(std::vector<WhySum> sums) {
  std::erase_if(sums, [](const WhySum& sum) { return sum.length == Time::zero(); });
  if (sums.size() <= most_parts) return sums;
  std::vector<Time> lengths;
  lengths.reserve(sums.size());
  for (const WhySum& sum : sums) lengths.push_back(sum.length);
  std::ranges::sort(lengths, std::greater<>());
  std::vector<WhySum> kept;
  WhySum rest;
  std::size_t others = 0;
  for (WhySum& sum : sums) {
    if (sum.length > lengths[most_parts - 1]) {
      kept.push_back(std::move(sum));
    } else {
      rest.length = rest.length + sum.length;
      ++others;
    }
  }
  rest.what = fmt::format("{} smaller parts", others);
  kept.push_back(std::move(rest));
  return kept;
}

Waterfall waterfall_of(const Proof& proof, DagId d) {
  const Time bound = proof.dags[d].bound->R;
  const auto deadline = proof.task_set->dags()[d].deadline();
  // A deadline far beyond would leave the bars no room.
  const bool near = deadline && deadline->count() / 3 <= bound.count();
  const double width = static_cast<double>(std::max({bound.count(), near ? deadline->count() : 0, std::int64_t{1}}));
  const auto share = [&](Time time) { return static_cast<double>(time.count()) / width; };
  Waterfall waterfall;
  Time from;
  for (const WhySum& sum : largest(why_sums(proof, analysis::why(proof, d)))) {
    waterfall.rows.push_back({.name = sum.what,
                              .length = time_text(sum.length),
                              .from = share(from),
                              .to = share(from + sum.length),
                              .colour = cause_colour(sum.cause).fill});
    from = from + sum.length;
  }
  const bool met = proof.dags[d].meets(deadline);
  waterfall.rows.push_back({.name = "bound",
                            .length = time_text(bound),
                            .from = 0,
                            .to = share(bound),
                            .colour = (!deadline ? no_deadline_colour
                                       : met     ? met_colour
                                                 : missed_colour)
                                          .fill});
  if (deadline) {
    const std::string left = fmt::format("{} {}", met ? "lateness" : "MISSED by", time_text(bound - *deadline));
    waterfall.rows.push_back({.name = fmt::format("deadline {}{}, {}", time_text(*deadline), near ? " (the line)" : "", left),
                              .length = "",
                              .from = share(near ? std::min(bound, *deadline) : bound),
                              .to = share(near ? std::max(bound, *deadline) : bound),
                              .colour = near ? (met ? met_colour : missed_colour).fill : ""});
  }
  if (near) waterfall.mark = share(*deadline);
  return waterfall;
}

}  // namespace

Portrait dag_portrait(const Analysis& analysis, const KindOfDag& kind, const std::function<std::string(const std::string&)>& draw) {
  const Proof& proof = analysis.proof;
  const TaskSet& set = *proof.task_set;
  const Dag& dag = set.dags()[kind.first];
  const auto& of_dag = proof.dags[kind.first];
  Portrait portrait{.title = "DAG " + shared_name(proof, kind), .caption = "", .legend = {}, .picture = {}, .waterfall = {}};
  if (of_dag.bound && proof.release != Release::fixed_order) {  // there, bounds are places in the order, not sums
    portrait.caption = "Where the time of the bound goes: execution, and waiting by cause.";
    portrait.waterfall = waterfall_of(proof, kind.first);
  }
  if (dag.nodes().size() < 2 || !draw) return portrait;
  if (dag.nodes().size() > most_drawn_nodes || dag.edges().size() > most_drawn_edges) {
    portrait.caption += fmt::format("{}Its {} nodes and {} edges are not drawn here; 'rta draw' draws them.",
                                    portrait.caption.empty() ? "" : " ", dag.nodes().size(), dag.edges().size());
    return portrait;
  }
  if (of_dag.bound) portrait.caption += " In bold: the critical path.";
  std::set<PoolId> pools;
  for (const Node& node : dag.nodes()) pools.insert(node.pool);
  for (const PoolId p : pools) portrait.legend.emplace_back(pool_colour(p).fill, set.pools()[p].name);
  portrait.picture = Picture{.svg = embedded_svg(draw(dot(set, &proof, kind.first))),
                             .label = fmt::format("Graph of {}: {} nodes, {} edges{}", dag.name(), dag.nodes().size(), dag.edges().size(),
                                                  of_dag.bound ? "; critical path " + path_text(dag, of_dag.critical_path) : "")};
  return portrait;
}

}  // namespace rta::report
