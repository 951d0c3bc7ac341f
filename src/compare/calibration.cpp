#include "rta/compare/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "node_index.hpp"
#include "overheads.hpp"
#include "rta/model/overloaded.hpp"
#include "rta/model/time_slices.hpp"
#include "rta/simulate/statistics.hpp"
#include "rta/trace/content.hpp"

namespace rta::compare {
namespace {

constexpr std::uint32_t whole = 1'000'000;

/// The first DAG that is a copy of each: same shape, and a name that differs in its index alone.
std::vector<DagId> first_copies(const TaskSet& task_set) {
  const auto base = [](const std::string& name) { return name.substr(0, name.find('[')); };
  std::vector<DagId> first;
  std::map<std::string, std::vector<DagId>> seen;
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    auto& candidates = seen[base(dag.name())];
    const auto same = std::ranges::find_if(candidates, [&](DagId c) { return task_set.dags()[c].same_shape(dag); });
    first.push_back(same == candidates.end() ? d : *same);
    if (same == candidates.end()) candidates.push_back(d);
  }
  return first;
}

class Observations {
 public:
  Observations(const TaskSet& task_set, std::string trace, const trace::Header& header)
      : names_(task_set, std::move(trace)), first_(first_copies(task_set)), overheads_(task_set, header) {
    for (const Dag& dag : task_set.dags()) {
      lengths_.emplace_back(dag.nodes().size());
      least_.emplace_back(dag.nodes().size());
      running_.emplace_back(dag.nodes().size());
    }
  }

  void operator()(const trace::DagRecord& r) { overheads_.dag(names_.dag(r.job.dag), r.job.job, r.release); }
  void operator()(const trace::BlockRecord& r) { add_piece(r.job, r.start, r.end); }
  void operator()(const trace::CopyRecord& r) { add_piece(r.job, r.start, r.end); }
  void operator()(const trace::CheckRecord&) {}
  void operator()(const trace::Activity&) {}
  /// A job may run in several pieces; it is whole when its own record comes.
  void operator()(const trace::RunRecord& r) {
    const DagId d = names_.dag(r.job.dag);
    const NodeId v = names_.node(d, r.job.node);
    const Time length = r.consumed.value_or(r.end - r.start);
    running_[d][v][r.job.job] += length;
    overheads_.ran(d, v, r.job.job, length);
  }
  void operator()(const trace::JobRecord& r) {
    const DagId d = names_.dag(r.job.dag);
    const NodeId v = names_.node(d, r.job.node);
    overheads_.job(d, v, r.job.job, r.release, r.end);
    auto& pieces = running_[d][v];
    const auto at = pieces.find(r.job.job);
    if (at == pieces.end()) return;
    add(r.job, at->second);
    pieces.erase(at);
  }

  [[nodiscard]] std::optional<Time> length(DagId d, NodeId v, std::uint32_t ppm) const {
    const simulate::Statistics& observed = lengths_[first_[d]][v];
    if (observed.count() == 0) return std::nullopt;
    return ppm == whole ? observed.max() : std::min(observed.quantile(ppm), observed.max());
  }

  /// Of a node that has a length.
  [[nodiscard]] Time least(DagId d, NodeId v) const { return *least_[first_[d]][v]; }

  [[nodiscard]] std::vector<SeenOverhead> overheads() const { return overheads_.seen(); }

 private:
  void add_piece(const trace::Job& job, Time start, Time end) {
    add(job, end - start);
    const DagId d = names_.dag(job.dag);
    overheads_.ran(d, names_.node(d, job.node), job.job, start, end);
  }
  void add(const trace::Job& job, Time length) {
    const DagId d = names_.dag(job.dag);
    const NodeId v = names_.node(d, job.node);
    lengths_[first_[d]][v].add(length.count(), job.job);
    std::optional<Time>& least = least_[first_[d]][v];
    least = std::min(least.value_or(length), length);
  }

  NodeIndex names_;
  std::vector<DagId> first_;
  OverheadsSeen overheads_;
  std::vector<std::vector<simulate::Statistics>> lengths_;
  std::vector<std::vector<std::optional<Time>>> least_;
  std::vector<std::vector<std::unordered_map<std::uint64_t, Time>>> running_;
};

/// What pieces of nodes on GPUs are in a trace.
enum class GpuPieces : std::uint8_t { blocks, kernels };

void replace(Node& node, Time length, GpuPieces pieces) {
  std::visit(overloaded{[&](CpuDemand& job) { job.C = length; },
                        [&](GpuDemand& kernel) {
                          if (pieces == GpuPieces::kernels || !kernel.has_blocks) kernel.time = length;
                          if (kernel.time) kernel.time = std::max(*kernel.time, length);
                          kernel.L = length;
                          kernel.C = Workload(checked_mul<Wide>(length.count(), kernel.H));
                        },
                        [&](CopyDemand& copy) { copy.C = length; }, [&](WorkerDemand& items) { items.L = length; }},
             node.demand);
}

/// The shortest and the likeliest time stay, as far as what was seen and the new worst case allow: bounds of periodic DAGs rest on the
/// shortest.
void keep_between(Time seen, Time longest, std::optional<Variation>& variation) {
  if (!variation) return;
  variation->least = std::min({variation->least, seen, longest});
  if (variation->mode) variation->mode = std::min(*variation->mode, longest);
}

/// Says what the trace lacks and puts what was observed, and the overheads, in place of what the task set says.
void finish(const Observations& observations, GpuPieces pieces, const Overheads& overheads, std::uint32_t ppm, bool complete,
            std::uint64_t lost_records, const std::string& name, Calibration& result) {
  result.complete = complete;
  if (!complete) result.warnings.push_back(name + ": is incomplete; later jobs may have taken longer");
  if (first_gpu_with_slices(result.task_set))
    result.warnings.push_back(name + ": times of blocks count pauses while other processes had the GPU");
  if (lost_records > 0) result.warnings.push_back(fmt::format("{}: {} records were lost", name, lost_records));

  const TaskSet task_set = result.task_set;
  std::vector<Dag> dags;
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    for (NodeId v = 0; v < nodes.size(); ++v) {
      auto length = observations.length(d, v, ppm);
      if (!length || *length <= Time::zero()) {
        result.warnings.push_back(
            fmt::format("node '{}/{}': the trace shows no execution of it; its value stays (record with --trace-level block)", dag.name(),
                        nodes[v].name));
        continue;
      }
      *length += overheads.of(task_set.pools()[nodes[v].pool]);
      replace(nodes[v], *length, pieces);
      keep_between(observations.least(d, v), *length, nodes[v].variation);
      ++result.replaced;
    }
    dags.emplace_back(dag.name(), dag.period(), dag.deadline(), std::move(nodes), std::vector<Edge>(dag.edges().begin(), dag.edges().end()),
                      dag.attributes());
  }
  result.task_set = TaskSet(task_set.name(), std::vector<Pool>(task_set.pools().begin(), task_set.pools().end()), std::move(dags),
                            task_set.chains(), task_set.requirements());
}

}  // namespace

Calibration calibrate(const TaskSet& task_set, const std::string& sha256, std::uint32_t ppm, trace::Reader& reader, const std::string& name,
                      const std::map<std::string, Time>& given) {
  Calibration result{task_set, reader.header(), false, 0, {}, {}};
  if (auto warning = check_task_set(reader.header(), sha256, trace::content_sha256(task_set), name))
    result.warnings.push_back(std::move(*warning));
  const Overheads overheads(reader.header(), name, given);
  Observations observations(task_set, name, reader.header());
  while (const auto record = reader.next()) std::visit(observations, *record);
  result.overheads = observations.overheads();
  finish(observations, GpuPieces::blocks, overheads, ppm, reader.complete(), reader.lost_records(), name, result);
  return result;
}

Calibration calibrate(const TaskSet& task_set, std::uint32_t ppm, const Jobs& jobs, const std::string& name) {
  Calibration result{task_set, jobs.header, false, 0, {}, {}};
  Observations observations(task_set, name, jobs.header);
  for (const trace::Record& record : jobs.records) std::visit(observations, record);
  finish(observations, GpuPieces::kernels, Overheads(jobs.header, name), ppm, jobs.complete, jobs.lost_records, name, result);
  return result;
}

}  // namespace rta::compare
