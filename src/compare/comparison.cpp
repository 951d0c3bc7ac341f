#include "rta/compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "contexts.hpp"
#include "node_index.hpp"
#include "reasons.hpp"
#include "releases.hpp"
#include "rta/model/deadline.hpp"
#include "rta/trace/content.hpp"
#include "timeline_part.hpp"

namespace rta::compare {
namespace {

// A node's job whose DAG job has no record yet.
struct Waiting {
  NodeId node = 0;
  Time release, end;
};

// A DAG's job: of a measured run its record may come before those of its nodes, which other threads have written.
struct DagJob {
  std::optional<Time> release;  // once its record has come
  bool over = false;            // it or a node that came before it
  std::size_t nodes = 0;        // whose records have come
  std::vector<Waiting> waiting;
};

class Collector {
 public:
  Collector(const TaskSet& task_set, const Bounds& bounds, const Shown& shown, Comparison& result)
      : task_set_(task_set),
        bounds_(bounds),
        result_(result),
        names_(task_set, result.trace),
        evidence_(task_set),
        chains_(task_set),
        releases_(task_set),
        overheads_(task_set, result.header),
        part_(task_set, shown) {
    const auto dags = task_set.dags();
    jobs_.resize(dags.size());
    nodes_.resize(dags.size());
    for (DagId d = 0; d < dags.size(); ++d) {
      result.dags.push_back(fresh(d, std::nullopt, bounds.dag[d], dags[d].deadline()));
      for (NodeId v = 0; v < dags[d].nodes().size(); ++v) nodes_[d].push_back(fresh(d, v, bounds.node[d][v], own_deadline(dags[d], v)));
    }
  }

  void operator()(const trace::DagRecord& r) {
    const DagId d = names_.dag(r.job.dag);
    chains_.dag(d, r.job.job, r.release, r.end);
    releases_.add(d, r.job.job, r.release);
    part_.dag(d, r.job.job, r.release, r.end);
    overheads_.dag(d, r.job.job, r.release);
    DagJob& job = jobs_[d][r.job.job];
    job.release = r.release;
    job.over = add(result_.dags[d], r.job.job, r.release, r.end - r.release);
    for (const Waiting& w : job.waiting) job.over = add_node(d, r.job.job, r.release, w) || job.over;
    if (job.over) {
      for (const Waiting& w : job.waiting) entered(d, r.job.job, r.release, w);
    }
    job.waiting = {};
    forget_if_whole(d, r.job.job);
  }
  void operator()(const trace::JobRecord& r) {
    const DagId d = names_.dag(r.job.dag);
    const NodeId v = names_.node(d, r.job.node);
    DagJob& job = jobs_[d][r.job.job];
    ++job.nodes;
    const Waiting node{v, r.release, r.end};
    if (!job.release) {
      job.waiting.push_back(node);
    } else {
      job.over = add_node(d, r.job.job, *job.release, node) || job.over;
      if (job.over) entered(d, r.job.job, *job.release, node);
      forget_if_whole(d, r.job.job);
    }
    part_.job({d, v, r.job.job}, r.release, r.start, r.end);
    evidence_.ended(d, v, r.job.job);
    overheads_.job(d, v, r.job.job, r.release, r.end);
    chains_.job({d, v, r.job.job}, r.release, r.start, r.end);
  }
  void operator()(const trace::BlockRecord& r) {
    const simulate::JobId id = executed(r.job, r.start, r.end);
    part_.block(id, r.block, r.sm, r.start, r.end);
  }
  void operator()(const trace::CopyRecord& r) { part_.run(executed(r.job, r.start, r.end), r.engine, r.start, r.end); }
  void operator()(const trace::RunRecord& r) {
    const DagId d = names_.dag(r.job.dag);
    const NodeId v = names_.node(d, r.job.node);
    const Time length = r.consumed.value_or(r.end - r.start);
    evidence_.ran(d, v, r.job.job, length);
    overheads_.ran(d, v, r.job.job, length);
    part_.run({d, v, r.job.job}, r.cpu, r.start, r.end);
  }
  void operator()(const trace::CheckRecord& r) { result_.checks.push_back(r); }
  void operator()(const trace::Activity&) {}

  void finish() {
    // DAG jobs without an end: their release is not known, so a node's response counts from its entry into the queue, at the latest.
    std::size_t unfinished = 0;
    for (DagId d = 0; d < jobs_.size(); ++d) {
      for (const auto& [number, job] : jobs_[d]) {
        if (!job.release) ++unfinished;
        for (const Waiting& w : job.waiting) add(nodes_[d][w.node], number, w.release, std::max(Time::zero(), w.end - w.release));
      }
    }
    if (unfinished > 0)
      result_.warnings.push_back(
          fmt::format("{}: {} DAG jobs have no end in the trace; their response times are not known", result_.trace, unfinished));
    for (auto& row : nodes_) {
      for (Responses& node : row) {
        if (node.count() > 0) result_.nodes.push_back(std::move(node));
      }
    }
    for (auto* rows : {&result_.dags, &result_.nodes}) {
      for (Responses& row : *rows) std::ranges::sort(row.sorted);
    }
    std::ranges::sort(violations_, [](const Violation& a, const Violation& b) {
      return std::tuple(b.response - b.bound, a.dag, a.node, a.job) < std::tuple(a.response - a.bound, b.dag, b.node, b.job);
    });
    for (const Violation& violation : violations_) {
      const LateCause cause = evidence_.cause(violation, result_);
      auto group = std::ranges::find(result_.late, cause, &LateGroup::cause);
      if (group == result_.late.end()) group = result_.late.insert(group, {cause, 0, violation});  // the worst come first
      ++group->jobs;
    }
    result_.overheads = overheads_.seen();
    if (violations_.size() > most_violations) violations_.resize(most_violations);
    finish_chains();
    for (Violation& violation : violations_) violation.reasons = evidence_.reasons(violation, result_);
    result_.violations = std::move(violations_);
    result_.timeline =
        part_.timeline(std::ranges::find(result_.header.details, std::pair<std::string, std::string>("streams", "per-task")) !=
                       result_.header.details.end());
  }

 private:
  void finish_chains() {
    const auto seen = chains_.latencies();
    const auto& bounds = releases_.by_phases() ? bounds_.phased_chains : bounds_.chains;
    for (std::size_t c = 0; c < seen.size(); ++c) {
      const Chain& chain = task_set_.chains()[c];
      auto bound = bounds[c];
      for (const ChainStage& stage : chain.stages) {
        if (!bound || !releases_.too_far(stage.dag)) continue;
        bound.reset();
        result_.warnings.push_back(fmt::format("{}: chain '{}': releases of '{}' are further apart than its {}: no bound holds",
                                               result_.trace, chain.name, task_set_.dags()[stage.dag].name(),
                                               task_set_.dags()[stage.dag].attributes().T_max ? "T_max" : "T"));
      }
      result_.chains.push_back(compared(chain, seen[c], bound));
    }
  }

  static Responses fresh(DagId d, std::optional<NodeId> v, std::optional<Time> bound, std::optional<Time> deadline) {
    Responses responses;
    responses.dag = d;
    responses.node = v;
    responses.bound = bound;
    responses.deadline = deadline;
    return responses;
  }

  simulate::JobId executed(const trace::Job& job, Time start, Time end) {
    const DagId d = names_.dag(job.dag);
    const NodeId v = names_.node(d, job.node);
    evidence_.executed(d, v, job.job, end - start);
    overheads_.ran(d, v, job.job, start, end);
    return {d, v, job.job};
  }

  bool add_node(DagId d, std::uint64_t job, Time release, const Waiting& node) {
    const Time due = release + bounds_.reference[d][node.node];
    return add(nodes_[d][node.node], job, release, std::max(Time::zero(), node.end - due));
  }
  void entered(DagId d, std::uint64_t job, Time release, const Waiting& node) {
    evidence_.entered(d, node.node, job, node.release - release - bounds_.reference[d][node.node]);
  }
  void forget_if_whole(DagId d, std::uint64_t job) {
    const auto at = jobs_[d].find(job);
    if (at->second.release && at->second.nodes == task_set_.dags()[d].nodes().size()) jobs_[d].erase(at);
  }

  /// Whether the response is above the bound.
  bool add(Responses& row, std::uint64_t job, Time release, Time response) {
    if (row.sorted.empty() || response > largest_[{row.dag, row.node}]) {
      largest_[{row.dag, row.node}] = response;
      row.worst_job = job;
    }
    row.sorted.push_back(response);
    row.sum += response.count();
    if (row.deadline && response > *row.deadline) {
      ++row.missed;
      ++result_.missed;
    }
    if (!row.bound || response <= *row.bound) return false;
    ++row.over;
    ++result_.over;
    violations_.push_back({row.dag, row.node, job, release, response, *row.bound, {}});
    evidence_.keep(row.dag, row.node, job);
    // Only the worst are shown; an overloaded run has millions.
    constexpr std::size_t kept = 200'000;
    if (violations_.size() < kept) return true;
    std::ranges::nth_element(violations_, violations_.begin() + most_violations, std::greater<>(),
                             [](const Violation& v) { return v.response - v.bound; });
    violations_.resize(most_violations);
    return true;
  }

  const TaskSet& task_set_;
  const Bounds& bounds_;
  Comparison& result_;
  NodeIndex names_;
  Evidence evidence_;
  simulate::ChainObserver chains_;
  Releases releases_;
  OverheadsSeen overheads_;
  TimelinePart part_;
  std::vector<std::map<std::uint64_t, DagJob>> jobs_;  // DAG -> those of which something is still to come
  std::vector<std::vector<Responses>> nodes_;
  std::map<std::pair<DagId, std::optional<NodeId>>, Time> largest_;
  std::vector<Violation> violations_;
};

void finish(Collector& collector, bool complete, std::uint64_t lost_records, Comparison& result) {
  result.complete = complete;
  result.lost_records = lost_records;
  if (!complete) result.warnings.push_back(result.trace + ": is incomplete; what it holds was compared");
  if (lost_records > 0) result.warnings.push_back(fmt::format("{}: {} records were lost", result.trace, lost_records));
  collector.finish();
}

}  // namespace

Time Responses::quantile(std::uint32_t ppm) const {
  const auto rank = ceil_div(static_cast<Wide>(sorted.size()) * ppm, 1'000'000);
  return sorted[static_cast<std::size_t>(std::max<Wide>(rank, 1)) - 1];
}

bool Comparison::valid() const {
  return std::ranges::none_of(checks, [](const trace::CheckRecord& check) { return check.outcome == "failed"; });
}

std::size_t Comparison::chains_over() const { return static_cast<std::size_t>(std::ranges::count_if(chains, &ComparedChain::over)); }

std::size_t Comparison::chains_missed() const { return static_cast<std::size_t>(std::ranges::count_if(chains, &ComparedChain::missed)); }

bool Comparison::conclusive() const {
  const auto compared = [](const Responses& row) { return row.bound && row.count() > 0; };
  return std::ranges::any_of(dags, compared) || std::ranges::any_of(nodes, compared);
}

EndToEnd end_to_end(const Comparison& comparison) {
  EndToEnd largest;
  largest.bound = Time::zero();
  for (const Responses& dag : comparison.dags) {
    if (!dag.bound) largest.bound = std::nullopt;
    if (largest.bound) largest.bound = std::max(*largest.bound, *dag.bound);
    if (dag.count() == 0) continue;
    const auto raise = [](std::optional<Time>& to, Time value) { to = std::max(to.value_or(Time::zero()), value); };
    raise(largest.max, dag.max());
    raise(largest.of_99_percent, dag.quantile(990'000));
    raise(largest.of_90_percent, dag.quantile(900'000));
    raise(largest.median, dag.quantile(500'000));
    raise(largest.mean, dag.mean());
  }
  return largest;
}

std::vector<Time> all_responses(const Comparison& comparison) {
  std::vector<Time> all;
  for (const Responses& dag : comparison.dags) all.insert(all.end(), dag.sorted.begin(), dag.sorted.end());
  std::ranges::sort(all);
  return all;
}

Comparison compare(const TaskSet& task_set, const Bounds& bounds, const std::string& sha256, trace::Reader& reader, const std::string& name,
                   const Shown& shown) {
  Comparison result;
  result.trace = name;
  result.header = reader.header();
  if (auto warning = check_task_set(reader.header(), sha256, trace::content_sha256(task_set), name))
    result.warnings.push_back(std::move(*warning));
  if (auto warning = other_contexts(task_set, reader.header(), name)) result.warnings.push_back(std::move(*warning));
  Collector collector(task_set, bounds, shown, result);
  while (const auto record = reader.next()) std::visit(collector, *record);
  finish(collector, reader.complete(), reader.lost_records(), result);
  return result;
}

Comparison compare(const TaskSet& task_set, const Bounds& bounds, const Jobs& jobs, const std::string& name, const Shown& shown) {
  Comparison result;
  result.trace = name;
  result.header = jobs.header;
  Collector collector(task_set, bounds, shown, result);
  for (const trace::Record& record : jobs.records) std::visit(collector, record);
  finish(collector, jobs.complete, jobs.lost_records, result);
  return result;
}

}  // namespace rta::compare
