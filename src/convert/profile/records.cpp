#include "records.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <variant>

namespace rta::convert {
namespace {

/// A node's occurrences by job; what was fused lasts from the first to the last of them.
std::map<std::uint32_t, Occurrence> by_job(const std::vector<Occurrence>& seen) {
  std::map<std::uint32_t, Occurrence> out;
  for (const Occurrence& one : seen) {
    const auto [at, fresh] = out.emplace(one.job, one);
    if (fresh) continue;
    at->second.start = std::min(at->second.start, one.start);
    at->second.end = std::max(at->second.end, one.end);
  }
  return out;
}

/// How long it took, as far as its profile tells: a kernel like one block.
trace::Record execution(const Node& node, const trace::Job& job, Time start, Time end) {
  if (std::holds_alternative<CpuDemand>(node.demand)) return trace::RunRecord{job, 0, start, end, std::nullopt};
  if (std::holds_alternative<CopyDemand>(node.demand)) return trace::CopyRecord{job, 0, start, end};
  return trace::BlockRecord{job, 0, 0, start, end};
}

}  // namespace

void add_records(const DraftDag& dag, const JobFamily& family, const UnionGraph& graph, std::vector<trace::Record>& records) {
  std::vector<std::map<std::uint32_t, Occurrence>> seen;
  seen.reserve(graph.nodes.size());
  for (const std::vector<Occurrence>& all : graph.seen) seen.push_back(by_job(all));
  std::vector<std::vector<std::uint32_t>> before(graph.nodes.size());
  for (const auto& [from, to] : graph.edges) before[to].push_back(from);
  for (std::uint32_t j = 0; j < family.jobs.size(); ++j) {
    const std::int64_t begin = family.jobs[j].start;
    for (std::uint32_t v = 0; v < graph.nodes.size(); ++v) {
      const auto at = seen[v].find(j);
      if (at == seen[v].end()) continue;
      std::int64_t ready = begin;
      for (const std::uint32_t u : before[v]) {
        if (const auto earlier = seen[u].find(j); earlier != seen[u].end()) ready = std::max(ready, earlier->second.end);
      }
      const Time start(std::max(at->second.start, begin));
      const Time end(std::max(at->second.end, start.count()));
      const trace::Job job{dag.name, dag.nodes[v].name, j + 1};
      records.push_back(execution(dag.nodes[v], job, start, end));
      records.emplace_back(trace::JobRecord{job, std::min(Time(ready), start), start, end});
    }
    records.emplace_back(trace::DagRecord{{dag.name, "", j + 1}, Time(begin), Time(begin + graph.recorded_of[j])});
  }
}

}  // namespace rta::convert
