#include "recorded_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "rta/io/diagnostic.hpp"
#include "rta/model/kernel_time.hpp"
#include "rta/report/time_text.hpp"
#include "rta/simulate/simulate.hpp"

namespace rta::cli {
namespace {

using convert::RecordedDag;
using report::time_text;

// How much less or more the GPU may be busy, and how much longer a job may be, in parts of a hundred.
constexpr Wide busy_percent = 5, longer_percent = 150;
constexpr std::size_t most_node_jobs = 200'000;
// Blocks that are played of one job of each DAG, and of all recorded jobs: millions of them end in a second.
constexpr Wide most_blocks = 20'000'000;

// When each node of the job of one DAG ran.
class OneJob : public simulate::Observer {
 public:
  explicit OneJob(std::size_t nodes) : Observer(simulate::Detail::job), ran(nodes) {}

  void dag(DagId /*dag*/, std::uint64_t /*job*/, Time release, Time end) override { length = end - release; }
  void job(simulate::JobId id, Time /*release*/, Time start, Time end) override { ran[id.node] = {start, end}; }
  void block(simulate::JobId /*id*/, std::uint64_t /*block*/, std::uint32_t /*sm*/, Time /*start*/, Time /*end*/) override {}
  void copy(simulate::JobId /*id*/, std::uint32_t /*engine*/, Time /*start*/, Time /*end*/) override {}
  void run(simulate::JobId /*id*/, std::uint32_t /*cpu*/, Time /*start*/, Time /*end*/) override {}

  Time length;
  std::vector<std::pair<Time, Time>> ran;
};

// A kernel of which `time` is known is played in waves of as many blocks as the GPU holds; this many at most.
Wide blocks_of(const Node& node, const Pool& pool, Wide waves) {
  const auto* const kernel = std::get_if<GpuDemand>(&node.demand);
  if (kernel == nullptr) return 0;
  if (!kernel->time || !kernel->has_blocks) return Wide{kernel->B};
  return std::min<Wide>(kernel->B, waves * std::max<Wide>(places(*kernel, std::get<GpuPool>(pool.resource)), 1));
}

Wide blocks_of(const TaskSet& set, const Dag& dag, Wide waves) {
  Wide blocks = 0;
  for (const Node& node : dag.nodes()) blocks += blocks_of(node, set.pools()[node.pool], waves);
  return blocks;
}

// The set with longer waves where it has more blocks than can be played: a kernel alone takes its time as before, and beside others its
// waves end as many at once. Nothing where it has not.
std::optional<TaskSet> with_longer_waves(const TaskSet& set) {
  const auto of_all = [&](Wide waves) {
    Wide blocks = 0;
    for (const Dag& dag : set.dags()) blocks += blocks_of(set, dag, waves);
    return blocks;
  };
  constexpr Wide any = Wide{1} << 62U;
  if (of_all(any) <= most_blocks) return std::nullopt;
  Wide waves = 1024;
  while (waves > 1 && of_all(waves) > most_blocks) waves /= 2;
  std::vector<Dag> dags;
  dags.reserve(set.dags().size());
  for (const Dag& dag : set.dags()) {
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    for (Node& node : nodes) {
      if (auto* const kernel = std::get_if<GpuDemand>(&node.demand))
        kernel->B = static_cast<std::uint64_t>(blocks_of(node, set.pools()[node.pool], waves));
    }
    dags.emplace_back(dag.name(), dag.period(), dag.deadline(), std::move(nodes), std::vector<Edge>(dag.edges().begin(), dag.edges().end()),
                      dag.attributes());
  }
  return TaskSet(set.name(), {set.pools().begin(), set.pools().end()}, std::move(dags));
}

// Everything on completion, first come, first served.
Schedule on_completion(const TaskSet& set) {
  Schedule schedule;
  for (const Dag& dag : set.dags()) schedule.nodes.emplace_back(dag.nodes().size());
  return schedule;
}

// How long kernels ran, those at once on one GPU counted once, and their times added up.
struct Kernels {
  Time busy, sum;
};
using ByGpu = std::map<PoolId, std::vector<std::pair<Time, Time>>>;
Kernels kernels_of(ByGpu&& by_gpu) {
  Kernels all;
  for (auto& [gpu, ran] : by_gpu) {
    std::ranges::sort(ran);
    Time until = ran.front().first;
    for (const auto& [start, end] : ran) {
      if (end > until) all.busy = all.busy + (end - std::max(start, until));
      all.sum = all.sum + (end - start);
      until = std::max(until, end);
    }
  }
  return all;
}

Kernels kernels_of(const Dag& dag, const OneJob& job) {
  ByGpu by_gpu;
  for (NodeId v = 0; v < dag.nodes().size(); ++v) {
    if (std::holds_alternative<GpuDemand>(dag.nodes()[v].demand)) by_gpu[dag.nodes()[v].pool].push_back(job.ran[v]);
  }
  return kernels_of(std::move(by_gpu));
}

// When the kernels of all jobs ran.
class AllKernels : public simulate::Observer {
 public:
  explicit AllKernels(const TaskSet& set) : Observer(simulate::Detail::job), set_(set) {}

  void dag(DagId /*dag*/, std::uint64_t /*job*/, Time /*release*/, Time /*end*/) override {}
  void job(simulate::JobId id, Time /*release*/, Time start, Time end) override {
    const Node& node = set_.dags()[id.dag].nodes()[id.node];
    if (std::holds_alternative<GpuDemand>(node.demand)) ran[node.pool].emplace_back(start, end);
  }
  void block(simulate::JobId /*id*/, std::uint64_t /*block*/, std::uint32_t /*sm*/, Time /*start*/, Time /*end*/) override {}
  void copy(simulate::JobId /*id*/, std::uint32_t /*engine*/, Time /*start*/, Time /*end*/) override {}
  void run(simulate::JobId /*id*/, std::uint32_t /*cpu*/, Time /*start*/, Time /*end*/) override {}

  ByGpu ran;

 private:
  const TaskSet& set_;
};

// Whether each kernel of a stream ended before the next one began.
bool keeps_order(const OneJob& job, const RecordedDag& recorded) {
  for (const auto& stream : recorded.streams) {
    for (std::size_t i = 1; i < stream.size(); ++i) {
      if (job.ran[stream[i - 1]].second > job.ran[stream[i]].first) return false;
    }
  }
  return true;
}

std::string times(Time part, Time of) {
  if (of <= Time::zero()) return "-";
  return fmt::format("{:.2f}", static_cast<double>(part.count()) / static_cast<double>(of.count()));
}

// The longest path, on which nothing waits for a processor, an engine or room on a GPU.
Time longest_path(const Dag& dag) {
  std::vector<Time> end(dag.nodes().size());
  Time longest;
  for (const NodeId v : dag.topological_order()) {
    Time begin;
    for (const NodeId u : dag.predecessors(v)) begin = std::max(begin, end[u]);
    end[v] = begin + longest_piece(dag.nodes()[v]);
    longest = std::max(longest, end[v]);
  }
  return longest;
}

// Why a job takes longer here than in the recording.
std::string causes(const Dag& dag, Time here, Time recorded) {
  const Time path = longest_path(dag);
  std::vector<std::string> all;
  if (path > recorded) {
    all.push_back(fmt::format("{} because each node takes the longest time that any job showed of it, and edges hold that some job had",
                              time_text(path - recorded)));
  }
  const Time before = std::max(path, recorded);
  if (here > before) {
    all.push_back(
        fmt::format("{} because what ran at once waits for one another here (kernels for room on the GPU, threads for "
                    "processors, copies for engines, jobs for other jobs)",
                    time_text(here - before)));
  }
  return fmt::format("{}", fmt::join(all, "; "));
}

// Why kernels that ran at once may keep the GPU busy for longer here.
std::string turns(const RecordedDag& recorded) {
  if (recorded.kernels <= recorded.busy) return {};
  return fmt::format(
      ": kernels ran at once there, {} in all, and those that do not fit on the GPU together, or whose blocks may start together, take "
      "turns here, as how long one lasts without the others is not recorded; bounds count too much then, not too little",
      time_text(recorded.kernels));
}

// What all DAGs did when they were released as they were; of long recordings the first jobs.
struct Together {
  std::vector<Time> longest;      // job of each DAG
  std::vector<std::size_t> jobs;  // of each DAG
  Time busy;                      // how long kernels ran
};
Together at_recorded_releases(const TaskSet& set, const Schedule& schedule, const std::vector<RecordedDag>& recorded) {
  simulate::Options options;
  options.jobs.resize(set.dags().size());
  std::size_t jobs = 0;
  Wide blocks = 0;
  std::vector<Wide> of_job(set.dags().size());
  for (DagId d = 0; d < set.dags().size(); ++d) of_job[d] = blocks_of(set, set.dags()[d], Wide{1} << 62U);
  std::vector<std::pair<Time, DagId>> releases;
  for (DagId d = 0; d < recorded.size(); ++d) {
    for (const Time release : recorded[d].releases) releases.emplace_back(release, d);
  }
  std::ranges::sort(releases);
  for (const auto& [release, d] : releases) {
    const std::size_t nodes = set.dags()[d].nodes().size();
    jobs += nodes;
    blocks += of_job[d];
    if ((jobs > most_node_jobs && jobs > nodes) || (blocks > most_blocks && blocks > of_job[d])) break;
    options.jobs[d].push_back({release, std::vector<simulate::ScenarioNode>(nodes)});
  }
  AllKernels kernels(set);
  const simulate::Observation seen = simulate::simulate(set, schedule, options, &kernels);
  Together together;
  together.busy = kernels_of(std::move(kernels.ran)).busy;
  together.longest.reserve(seen.dags.size());
  together.jobs.reserve(options.jobs.size());
  for (const auto& dag : seen.dags) together.longest.push_back(dag.response.count() > 0 ? dag.response.max() : Time::zero());
  for (const auto& of_dag : options.jobs) together.jobs.push_back(of_dag.size());
  return together;
}

// Of a trace of ROS 2: what its jobs have and a model has not.
std::string why_longer(const convert::Messages& messages) {
  std::string why;
  if (messages.preempted) {
    why = fmt::format("a callback of it was preempted there for up to {}, which is no part of its C{}", time_text(*messages.preempted),
                      messages.any ? "; " : "");
  }
  if (messages.any) {
    why += fmt::format(
        "messages took {} to {} there from publication to callback, their waits for executors included, and callbacks ran in "
        "another order; what the middleware takes is in no bound",
        time_text(messages.least), time_text(messages.most));
  }
  return why.empty() ? "callbacks ran in another order there" : why;
}

// A trace shows jobs beside those of others: all are played at the recorded releases.
void hold_trace(const Dag& dag, const RecordedDag& recorded, Time here, std::size_t jobs, Held& held) {
  if (jobs == 0) return;
  const auto played = recorded.lengths.begin() + static_cast<std::ptrdiff_t>(jobs);
  const Time longest = *std::max_element(recorded.lengths.begin(), played);
  const std::string of = jobs == recorded.lengths.size() ? std::string() : fmt::format(" of the first {}", jobs);
  held.figures.push_back(fmt::format("DAG '{}': a job{} took {} at most, here, released as recorded, {} ({} times)", recorded.dag, of,
                                     time_text(longest), time_text(here), times(here, longest)));
  if (here < longest && recorded.messages) {
    held.warnings.push_back(fmt::format("DAG '{}': a job of the recording took {} longer than here: {}", recorded.dag,
                                        time_text(longest - here), why_longer(*recorded.messages)));
  } else if (here < longest) {
    held.faults.push_back(fmt::format("DAG '{}': its jobs take {} at most here, less than the {} that were recorded", recorded.dag,
                                      time_text(here), time_text(longest)));
  }
  if (Wide{here.count()} * 100 > Wide{longest.count()} * longer_percent) {
    held.warnings.push_back(fmt::format("DAG '{}': a job takes {} times as long as recorded: {}", recorded.dag, times(here, longest),
                                        causes(dag, here, longest)));
  }
}

// The kernels of all these jobs. In the model each takes the longest time that any of its node took.
void hold_busy_time(const TaskSet& set, const std::vector<RecordedDag>& recorded, const Together& together, Held& held) {
  ByGpu by_gpu;
  Wide more = 0;
  for (DagId d = 0; d < recorded.size(); ++d) {
    std::vector<Time> longest(set.dags()[d].nodes().size());
    for (const auto& job : recorded[d].ran) {
      for (const convert::RecordedKernel& k : job) longest[k.node] = std::max(longest[k.node], k.end - k.start);
    }
    for (std::size_t j = 0; j < std::min(together.jobs[d], recorded[d].ran.size()); ++j) {
      for (const convert::RecordedKernel& k : recorded[d].ran[j]) {
        by_gpu[set.dags()[d].nodes()[k.node].pool].emplace_back(k.start, k.end);
        more += (longest[k.node] - (k.end - k.start)).count();
      }
    }
  }
  if (by_gpu.empty()) return;
  const Time seen = kernels_of(std::move(by_gpu)).busy, here = together.busy;
  held.figures.push_back(
      fmt::format("kernels of all DAGs kept GPUs busy for {}, here {} ({} times)", time_text(seen), time_text(here), times(here, seen)));
  if (Wide{here.count()} * 100 < Wide{seen.count()} * (100 - busy_percent)) {
    held.faults.push_back(
        fmt::format("kernels keep GPUs busy for {} here, less than the {} that were recorded", time_text(here), time_text(seen)));
  }
  if (Wide{here.count()} * 100 > (seen.count() + more) * (100 + busy_percent)) {
    held.faults.push_back(fmt::format("kernels keep GPUs busy for {} here, and for {} in the recording", time_text(here), time_text(seen)));
  }
}

}  // namespace

Held held_against_recording(const convert::Converted& converted) {
  Held held;
  if (converted.beside.count > 0) {
    held.faults.push_back(
        fmt::format("{} kernels, copies and memsets that no job launched ran beside jobs for {}: no DAG stands for them, and "
                    "bounds do not count what they hold up",
                    converted.beside.count, time_text(converted.beside.time)));
  }
  if (converted.beside.unlike > 0) {
    held.faults.push_back(
        fmt::format("{} kernels before the first and after the last job took longer than in any job: {}: bounds do not cover "
                    "jobs that do the same",
                    converted.beside.unlike, fmt::join(converted.beside.unlike_names, "; ")));
  }
  held.faults.insert(held.faults.end(), converted.taking_turns.begin(), converted.taking_turns.end());
  const auto* set = std::get_if<TaskSet>(&converted.content);
  if (set == nullptr || converted.recorded.size() != set->dags().size()) return held;
  const std::optional<TaskSet> coarse = with_longer_waves(*set);
  if (coarse) set = &*coarse;
  const Schedule schedule = on_completion(*set);
  std::size_t jobs = 0;
  for (const RecordedDag& dag : converted.recorded) jobs += dag.releases.size();
  const bool traced = std::ranges::any_of(converted.recorded, [](const RecordedDag& dag) { return !dag.lengths.empty(); });
  const Together together = jobs > 1 || traced ? at_recorded_releases(*set, schedule, converted.recorded) : Together{};
  for (DagId d = 0; d < set->dags().size(); ++d) {
    const Dag& dag = set->dags()[d];
    const RecordedDag& recorded = converted.recorded[d];
    if (traced) {
      hold_trace(dag, recorded, together.longest[d], together.jobs[d], held);
      if (d + 1 == set->dags().size()) hold_busy_time(*set, converted.recorded, together, held);
      continue;
    }
    const std::string as_recorded =
        together.longest.empty() ? std::string() : fmt::format(", released as recorded {} at most", time_text(together.longest[d]));
    if (recorded.with_others) {  // one node
      const Time here = longest_path(dag);
      held.figures.push_back(fmt::format(
          "DAG '{}': a job ran for {} at most, here {} ({} times){}; with what preempted it, it lasted {} at most", dag.name(),
          time_text(recorded.length), time_text(here), times(here, recorded.length), as_recorded, time_text(*recorded.with_others)));
      continue;
    }
    OneJob job(dag.nodes().size());
    simulate::Options alone;
    alone.jobs.resize(set->dags().size());
    alone.jobs[d] = {{Time::zero(), std::vector<simulate::ScenarioNode>(dag.nodes().size())}};
    (void)simulate::simulate(*set, schedule, alone, &job);
    const Kernels kernels = kernels_of(dag, job);
    const Time here = kernels.busy;
    held.figures.push_back(fmt::format(
        "DAG '{}': a job took {}, here {} ({} times){}; its kernels kept the GPU busy for {}, here {} ({} times); kernels {} their order "
        "on streams",
        dag.name(), time_text(recorded.length), time_text(job.length), times(job.length, recorded.length), as_recorded,
        time_text(recorded.busy), time_text(here), times(here, recorded.busy), keeps_order(job, recorded) ? "keep" : "DO NOT KEEP"));
    if (job.length < recorded.length) {
      held.faults.push_back(fmt::format("DAG '{}': a job takes {} here, less than the {} that were recorded", dag.name(),
                                        time_text(job.length), time_text(recorded.length)));
    }
    const auto above = [](Time time, Time limit) { return Wide{time.count()} * 100 > Wide{limit.count()} * (100 + busy_percent); };
    if (Wide{kernels.sum.count()} * 100 < Wide{recorded.kernels.count()} * (100 - busy_percent)) {
      held.faults.push_back(fmt::format("DAG '{}': the kernels of a job take {} here, less than the {} that were recorded", dag.name(),
                                        time_text(kernels.sum), time_text(recorded.kernels)));
    }
    if (above(here, recorded.busy_at_most)) {
      held.faults.push_back(fmt::format("DAG '{}': kernels keep the GPU busy for {} of a job here, and for {} in the recording{}",
                                        dag.name(), time_text(here), time_text(recorded.busy), turns(recorded)));
    }
    if (Wide{job.length.count()} * 100 > Wide{recorded.length.count()} * longer_percent) {
      held.warnings.push_back(fmt::format("DAG '{}': a job takes {} times as long as recorded: {}", dag.name(),
                                          times(job.length, recorded.length), causes(dag, job.length, recorded.length)));
    }
  }
  return held;
}

void hold_to_recording(convert::Converted& converted, bool accept, const std::string& name) {
  const Held held = held_against_recording(converted);
  std::vector<io::Diagnostic> faults;
  for (const std::string& fault : held.faults) {
    if (!accept) faults.push_back({name, 0, 0, fault + " (--accept-difference takes the model as it is)"});
    converted.warnings.push_back({name, 0, 0, fault});
  }
  if (!faults.empty()) throw io::InputError(std::move(faults));
  for (const std::string& warning : held.warnings) converted.warnings.push_back({name, 0, 0, warning});
  converted.found.insert(converted.found.end(), held.figures.begin(), held.figures.end());
  converted.found.insert(converted.found.end(), held.warnings.begin(), held.warnings.end());
  if (!accept) return;
  // The head of the file says what was accepted.
  for (const std::string& fault : held.faults) converted.found.push_back("--accept-difference: " + fault);
  if (held.faults.empty()) converted.found.push_back("--accept-difference: there is no difference that needs it");
}

}  // namespace rta::cli
