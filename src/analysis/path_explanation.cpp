#include "path_explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace rta::analysis {
namespace {

path::Derivations derivations_of(const SegmentBounds& bounds, const path::Bounds& R, bool whole) {
  if (whole) return {bounds.system.system, R};
  return {bounds.system.system, bounds.bounds};
}

/// The nodes of one path::Dag, as nodes of the DAG.
std::vector<NodeId> nodes_of(const SegmentBounds& bounds, DagId d, std::size_t segment) {
  std::vector<NodeId> nodes;
  for (NodeId v = 0; v < bounds.segments[d].size(); ++v) {
    if (bounds.segments[d][v] == segment) nodes.push_back(v);
  }
  return nodes;
}

NodeId last_sink(const TaskSet& task_set, const SegmentBounds& bounds, DagId d) {
  const Dag& dag = task_set.dags()[d];
  std::optional<NodeId> last;
  for (NodeId v = 0; v < dag.nodes().size(); ++v) {
    if (dag.successors(v).empty() && (!last || bounds.F[d][v] > bounds.F[d][*last])) last = v;
  }
  return *last;
}

std::string order_in_words(const path::Pool& pool) {
  switch (pool.order) {
    case path::Order::fifo: return "FIFO";
    case path::Order::gel: return "GEL by DAG";
    case path::Order::gel_non_preemptive: return "non-preemptive GEL by DAG";
    case path::Order::gel_by_node: return "GEL by node";
  }
  return "";
}

std::string jobs_in_words(const path::CountedJobs& jobs) {
  if (jobs.least == jobs.most) return fmt::format("{} job{}", rta::to_string(jobs.most), jobs.most == 1 ? "" : "s");
  return fmt::format("{} to {} jobs", rta::to_string(jobs.least), rta::to_string(jobs.most));
}

}  // namespace

CriticalPaths::CriticalPaths(const TaskSet& task_set, const SegmentBounds& bounds, bool whole)
    : task_set_(task_set), bounds_(bounds), R_{bounds.R}, derivations_(derivations_of(bounds, R_, whole)), whole_(whole) {}

std::vector<NodeId> CriticalPaths::of(DagId d) const {
  const Dag& dag = task_set_.dags()[d];
  std::vector<NodeId> path;
  NodeId v = last_sink(task_set_, bounds_, d);
  for (;;) {
    const auto& place = bounds_.system.place[d][v];
    const auto nodes = nodes_of(bounds_, d, bounds_.segments[d][v]);
    const auto derivation = whole_ ? derivations_.of(place.dag) : derivations_.of(place.dag, place.node);
    for (auto it = derivation.path.rbegin(); it != derivation.path.rend(); ++it) path.push_back(nodes[*it]);
    // On to the segment that decides this segment's offset.
    std::optional<NodeId> before;
    for (const Edge& edge : dag.edges()) {
      if (bounds_.segments[d][edge.to] != bounds_.segments[d][v] || bounds_.segments[d][edge.from] == bounds_.segments[d][v]) continue;
      if (!before || bounds_.F[d][edge.from] > bounds_.F[d][*before]) before = edge.from;
    }
    if (!before) break;
    v = *before;
  }
  std::ranges::reverse(path);
  return path;
}

PathExplanations::PathExplanations(const TaskSet& task_set, const SegmentBounds& bounds, std::string theorem)
    : task_set_(task_set),
      bounds_(bounds),
      theorem_(std::move(theorem)),
      R_{bounds.R},
      derivations_(derivations_of(bounds, R_, theorem_ == "T10")) {}

Explanation PathExplanations::of(const std::string& wanted) const {
  for (DagId d = 0; d < task_set_.dags().size(); ++d) {
    const Dag& dag = task_set_.dags()[d];
    if (dag.name() == wanted) return {wanted, lines(d, last_sink(task_set_, bounds_, d))};
  }
  for (DagId d = 0; d < task_set_.dags().size(); ++d) {
    const Dag& dag = task_set_.dags()[d];
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const std::string full = dag.name() + "/" + dag.nodes()[v].name;
      if (wanted == full || wanted == dag.nodes()[v].name) return {full, lines(d, v)};
    }
  }
  throw std::invalid_argument("no DAG or node '" + wanted + "' to explain; name it as dag, node or dag/node");
}

std::vector<std::string> PathExplanations::lines(DagId d, NodeId v) const {
  const auto& place = bounds_.system.place[d][v];
  const std::size_t segment = bounds_.segments[d][v];
  if (theorem_ == "T10") return lines(derivations_.of(place.dag), d, segment, "R", bounds_.R[d]);
  const Time F = bounds_.bounds.F[place.dag][place.node];
  const auto derivation = derivations_.of(place.dag, place.node);
  const auto late = derivations_.late(place.dag, place.node);
  auto all = late && ceil_to_time(derivation.total) > F && ceil_to_time(late->total) <= F
                 ? lines(*late, bounds_.system.system.pools[task_pool(d, v)], F)
                 : lines(derivation, d, segment, "F", F);
  if (bounds_.offset[d].size() > 1) {
    all.push_back(fmt::format("segment {}: released {} ns after the DAG, so '{}' ends by {} + {} = {} ns", segment,
                              bounds_.offset[d][segment].count(), task_set_.dags()[d].nodes()[v].name, bounds_.offset[d][segment].count(),
                              F.count(), bounds_.F[d][v].count()));
  }
  return all;
}

std::size_t PathExplanations::task_pool(DagId d, NodeId v) const {
  const auto& place = bounds_.system.place[d][v];
  return bounds_.system.system.dags[place.dag].nodes[place.node].pool;
}

std::vector<std::string> PathExplanations::lines(const path::LateDerivation& late, const path::Pool& pool, Time bound) {
  const char* const theorem = pool.order == path::Order::fifo ? "T10j" : "T10g";
  return {fmt::format("{}: F = A + (carry + work)/capacity + e - s/capacity", theorem),
          fmt::format("A = {} ns: its predecessors end by then", late.ready.count()),
          fmt::format("carry/capacity = {} ns: left of jobs from before pool {} ({}) was busy", text(late.carry), pool.name,
                      order_in_words(pool)),
          fmt::format("work/capacity = {} ns: of all jobs on it since then", text(late.work)),
          fmt::format("F = {} + {} + {} + {} = {} = {} ns, rounded up", late.ready.count(), text(late.carry), text(late.work),
                      text(late.own), text(late.total), bound.count())};
}

std::vector<std::string> PathExplanations::lines(const path::Derivation& derivation, DagId d, std::size_t segment, const std::string& left,
                                                 Time bound) const {
  const path::System& system = bounds_.system.system;
  const auto nodes = nodes_of(bounds_, d, segment);
  std::string path;
  for (const std::size_t v : derivation.path) path += (path.empty() ? "" : " -> ") + task_set_.dags()[d].nodes()[nodes[v]].name;
  std::vector<std::string> all{
      fmt::format("{}: {} >= sum of e over the path + per pool (work of the counted jobs - last pieces s of the path)/capacity", theorem_,
                  left),
      fmt::format("path {}: execution {} ns", path, derivation.execution.count())};
  std::string sum = fmt::format("{}", derivation.execution.count());
  for (const path::Waiting& wait : derivation.waits) {
    const path::Pool& pool = system.pools[wait.pool];
    Wide work = 0;
    all.push_back(fmt::format("pool {} ({}):", pool.name, order_in_words(pool)));
    for (const path::CountedJobs& jobs : wait.jobs) {
      work = checked_add(work, jobs.work);
      if (jobs.work > 0)
        all.push_back(fmt::format("  {}: {}, work {}", system.dags[jobs.dag].name, jobs_in_words(jobs), rta::to_string(jobs.work)));
    }
    const std::string capacity =
        pool.unit == 1 ? fmt::format("{}", pool.capacity) : fmt::format("({} x {})", pool.capacity, rta::to_string(pool.unit));
    all.push_back(fmt::format("  waiting ({} - {})/{}{} = {} ns", rta::to_string(work), rta::to_string(wait.last_pieces), capacity,
                              wait.blocking > FineTime::zero() ? " + blocking " + text(wait.blocking) : std::string(), text(wait.length)));
    sum += " + " + text(wait.length);
  }
  if (ceil_to_time(derivation.total) > bound) {
    all.push_back(
        fmt::format("{} = {} ns, proven by {} where this sum of {} ns is larger", left, bound.count(), theorem_, text(derivation.total)));
  } else {
    all.push_back(fmt::format("{} = {} = {} ns, rounded up", left, sum, bound.count()));
  }
  return all;
}

}  // namespace rta::analysis
