#include "reasons.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rta/analysis/company.hpp"
#include "rta/model/overloaded.hpp"

namespace rta::compare {
namespace {

std::string us(Time time) { return fmt::format("{}.{:03} us", time.count() / 1000, time.count() % 1000); }

const char* symbol_of(const Node& node) {
  return std::visit(overloaded{[](const CpuDemand&) { return "C"; }, [](const GpuDemand&) { return "L"; },
                               [](const CopyDemand&) { return "C"; }, [](const WorkerDemand&) { return "L"; }},
                    node.demand);
}

// Wake-ups and clock readings: a queue entry later than that is worth a word.
constexpr Time noise{10'000};

}  // namespace

Evidence::Evidence(const TaskSet& task_set)
    : task_set_(task_set), longest_(measured_alone(task_set) ? analysis::with_company(task_set, analysis::all_last(task_set)) : nullptr) {
  for (const Dag& dag : task_set.dags()) {
    running_.emplace_back(dag.nodes().size());
    executions_seen_.emplace_back(dag.nodes().size(), false);
  }
}

void Evidence::executed(DagId d, NodeId v, std::uint64_t job, Time length) {
  executions_seen_[d][v] = true;
  const Time limit = longest_piece(with_durations().dags()[d].nodes()[v]);
  if (length <= limit + Time(limit.count() / 1000 + 1'000)) return;  // a clock's reading is no excess
  Time& longest = too_long_[{d, v, job}];
  longest = std::max(longest, length);
}

void Evidence::ran(DagId d, NodeId v, std::uint64_t job, Time length) { running_[d][v][job] += length; }

void Evidence::ended(DagId d, NodeId v, std::uint64_t job) {
  const auto at = running_[d][v].find(job);
  if (at == running_[d][v].end()) return;
  executed(d, v, job, at->second);
  running_[d][v].erase(at);
}

void Evidence::entered(DagId d, NodeId v, std::uint64_t job, Time late) {
  if (late > noise) late_[{d, v, job}] = late;
}

void Evidence::keep(DagId d, std::optional<NodeId> v, std::uint64_t job) {
  if (v) over_[{d, *v, job}] = true;
}

std::string Evidence::label(DagId d, NodeId v) const { return task_set_.dags()[d].name() + "/" + task_set_.dags()[d].nodes()[v].name; }

void Evidence::add_node_reasons(DagId d, NodeId v, std::uint64_t job, std::vector<std::string>& reasons) const {
  const Dag& dag = task_set_.dags()[d];
  if (const auto at = too_long_.find({d, v, job}); at != too_long_.end()) {
    const Node& node = with_durations().dags()[d].nodes()[v];
    reasons.push_back(fmt::format("{} exceeded its {}: {} of {}", label(d, v), symbol_of(node), us(at->second), us(longest_piece(node))));
  }
  for (const NodeId p : dag.predecessors(v)) {
    if (over_.contains({d, p, job})) reasons.push_back(fmt::format("its predecessor {} was above its own bound", label(d, p)));
  }
  if (const auto at = late_.find({d, v, job}); at != late_.end())
    reasons.push_back(fmt::format("{} entered its queue {} after its offset", label(d, v), us(at->second)));
}

LateCause Evidence::cause(const Violation& violation, const Comparison& comparison) const {
  const DagId d = violation.dag;
  Time exceeded;
  bool unseen = false;
  for (NodeId v = 0; v < task_set_.dags()[d].nodes().size(); ++v) {
    if (const auto at = too_long_.find({d, v, violation.job}); at != too_long_.end())
      exceeded += at->second - longest_piece(with_durations().dags()[d].nodes()[v]);
    unseen = unseen || !executions_seen_[d][v];
  }
  if (exceeded + exceeded >= violation.response - violation.bound) return LateCause::execution;
  if (!comparison.valid()) return LateCause::invalid;
  return unseen ? LateCause::unseen : LateCause::machine;
}

std::vector<std::string> Evidence::reasons(const Violation& violation, const Comparison& comparison) const {
  const DagId d = violation.dag;
  std::vector<std::string> reasons;
  bool unseen = false;
  if (violation.node) {
    add_node_reasons(d, *violation.node, violation.job, reasons);
    unseen = !executions_seen_[d][*violation.node];
  } else {
    for (const NodeId v : task_set_.dags()[d].topological_order()) {
      if (over_.contains({d, v, violation.job})) reasons.push_back(fmt::format("{} was above its own bound", label(d, v)));
      add_node_reasons(d, v, violation.job, reasons);
      unseen = unseen || !executions_seen_[d][v];
    }
  }
  // Other jobs on the pool that ran too long delay this one as well.
  std::uint64_t others = 0;
  for (const auto& [key, length] : too_long_) {
    const auto& [other, node, job] = key;
    if (other != d || job != violation.job) ++others;
  }
  if (others > 0) reasons.push_back(fmt::format("{} other jobs of the trace exceeded their C or L", others));
  for (const trace::CheckRecord& check : comparison.checks) {
    if (check.outcome != "ok") reasons.push_back(fmt::format("the run's check '{}': {} ({})", check.name, check.text, check.outcome));
  }
  if (reasons.empty() && unseen)
    reasons.emplace_back("nothing that the trace shows; record with --trace-level block to see execution times");
  if (reasons.empty())
    reasons.emplace_back(
        "nothing that the trace shows: no C or L exceeded, no late release, no failed check. The bound or the model is wrong for this "
        "machine, or C and L leave out what it takes to start nodes and to notice their end (rta run --overhead)");
  return reasons;
}

}  // namespace rta::compare
