#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "rta/convert/convert.hpp"
#include "rta/io/csv.hpp"
#include "rta/model/error.hpp"
#include "rta/model/fixed_priority.hpp"

namespace rta::convert {
namespace {

constexpr Wide most_written_jobs = 1'000'000;

[[noreturn]] void unfit(const std::string& why) { throw UserError("no job set: " + why); }

const Pool& only_pool(const TaskSet& task_set) {
  if (const auto d = first_on_threads(task_set.dags()))
    unfit(fmt::format("DAG '{}' is played by threads that wait (`threads`), which schedule_abstraction does not know",
                      task_set.dags()[*d].name()));
  if (const auto d = first_limited(task_set.dags()))
    unfit(fmt::format("DAG '{}' has a limit of jobs under way (`in_flight`), which schedule_abstraction does not know",
                      task_set.dags()[*d].name()));
  if (const auto d = first_with_history(task_set.dags()))
    unfit(fmt::format("DAG '{}' has nodes that wait for earlier jobs (`after`, `stream`), which schedule_abstraction does not know",
                      task_set.dags()[*d].name()));
  if (const auto executor = first_executor(task_set.pools(), task_set.dags()))
    unfit(fmt::format("pool '{}' is an executor, which schedule_abstraction does not know", task_set.pools()[*executor].name));
  const Pool* only = nullptr;
  for (const Dag& dag : task_set.dags()) {
    for (const Node& node : dag.nodes()) {
      const Pool& pool = task_set.pools()[node.pool];
      if (pool.kind() != PoolKind::cpu)
        unfit(fmt::format("node '{}/{}' runs on '{}', and schedule_abstraction knows processors only", dag.name(), node.name, pool.name));
      if (only != nullptr && only != &pool)
        unfit(fmt::format("nodes run on '{}' and '{}', and schedule_abstraction knows one pool of processors", only->name, pool.name));
      only = &pool;
    }
  }
  require(only != nullptr, "a task set has nodes");
  return *only;
}

Time hyperperiod_of(const TaskSet& task_set) {
  std::int64_t all = 1;
  for (const Dag& dag : task_set.dags()) all = checked_mul(all / std::gcd(all, dag.nominal_period().count()), dag.nominal_period().count());
  Wide jobs = 0;
  for (const Dag& dag : task_set.dags())
    jobs += static_cast<Wide>(all / dag.nominal_period().count()) * static_cast<Wide>(dag.nodes().size());
  if (jobs > most_written_jobs)
    unfit(fmt::format("the hyperperiod of {} ns has {} jobs of nodes, more than {}", all, to_string(jobs), to_string(most_written_jobs)));
  return Time(all);
}

bool is_periodic(const Dag& dag) { return dag.attributes().periodic; }
bool all_periodic(const TaskSet& task_set) { return std::ranges::all_of(task_set.dags(), is_periodic); }

void tell_losses(const TaskSet& task_set, const CpuPool& cpu, Time hyperperiod, JobSet& out) {
  bool mode = false, group = false, cut = false, no_deadline = false, alone = false, late = false, unknown_phase = false;
  for (const Dag& dag : task_set.dags()) {
    no_deadline = no_deadline || !dag.deadline();
    late = late || dag.attributes().jitter > Time::zero();
    unknown_phase = unknown_phase || !dag.attributes().phase;
    for (const Node& node : dag.nodes()) {
      mode = mode || (node.variation && node.variation->mode);
      group = group || !node.group.empty();
      alone = alone || (node.sequential && dag.nominal_period() == hyperperiod);
    }
    for (const Edge& edge : dag.edges()) cut = cut || edge.cut;
  }
  if (cpu.preemptive) out.assumed.emplace_back("schedule_abstraction does not preempt jobs, while the pool does");
  if (no_deadline) out.assumed.emplace_back("a DAG without D has its period as deadline");
  if (late) out.assumed.emplace_back("deadlines of jobs with release jitter are those of the latest release: an earlier one has longer");
  const bool periodic = all_periodic(task_set);
  const auto begins_at_0 = [](const Dag& dag) { return dag.attributes().phase == Time::zero(); };
  if (!periodic && std::ranges::any_of(task_set.dags(), begins_at_0))
    out.assumed.emplace_back("phases of 0 are left out: a job set that begins at 0 tells none");
  if (mode) out.assumed.emplace_back("the likeliest execution times (mode) are left out");
  if (alone) out.assumed.emplace_back("jobs of sequential nodes that are alone in the hyperperiod do not wait for those of the one before");
  if (group) out.assumed.emplace_back("groups of nodes are left out");
  if (cut) out.assumed.emplace_back("cuts of edges are left out");
  if (!task_set.chains().empty()) out.assumed.emplace_back("chains are left out");
  if (!task_set.requirements().empty()) out.assumed.emplace_back("requirements are left out");
  if (periodic) return;
  if (std::ranges::any_of(task_set.dags(), is_periodic))
    out.assumed.emplace_back("that some DAGs are periodic is left out: a job set says it of all or of none");
  out.assumed.emplace_back(unknown_phase ? "releases are periodic, and begin at 0 where a DAG has no phase" : "releases are periodic");
}

// The smaller, the more urgent.
std::int64_t job_priority(Scheduler scheduler, Time release, Time deadline, FixedPriority fixed) {
  if (scheduler == Scheduler::fp) return std::int64_t{highest_priority} - fixed;
  return scheduler == Scheduler::fifo ? release.count() : deadline.count();
}

}  // namespace

JobSet format_job_set(const TaskSet& task_set) {
  const Pool& pool = only_pool(task_set);
  const auto& cpu = std::get<CpuPool>(pool.resource);
  if (cpu.scheduler == Scheduler::g_fl || cpu.scheduler == Scheduler::lp) {
    unfit(fmt::format("pool '{}' is scheduled by {}; job sets have the priorities of G-EDF, of FIFO or of FP", pool.name,
                      to_string(cpu.scheduler)));
  }
  const Time hyperperiod = hyperperiod_of(task_set);
  JobSet out;
  tell_losses(task_set, cpu, hyperperiod, out);
  out.jobs = fmt::format(
      "Task ID, Job ID, Arrival min, Arrival max, Cost min, Cost max, Deadline, Priority, Job type, Name, time unit: ns, hyperperiod: {} "
      "ns, processors: {}, {}{}\n",
      hyperperiod.count(), cpu.processors, io::csv_quoted("pool: " + pool.name), all_periodic(task_set) ? "" : ", releases: sporadic");
  std::uint64_t task = 0;  // a task per node
  const FixedPriorities priorities = fixed_priorities(task_set);
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    const std::uint64_t first = task + 1;
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const Node& node = dag.nodes()[v];
      ++task;
      const Time C = std::get<CpuDemand>(node.demand).C;
      const Time least = node.variation ? node.variation->least : C;
      const Time D = node.deadline.value_or(dag.deadline().value_or(dag.nominal_period()));
      std::uint64_t job = 0;
      const Time phase = dag.attributes().phase.value_or(Time::zero());
      for (Time r = phase; r < phase + hyperperiod; r += dag.nominal_period()) {
        const Time deadline = r + dag.attributes().jitter + D;  // of the latest release: an instant
        fmt::format_to(std::back_inserter(out.jobs), "{}, {}, {}, {}, {}, {}, {}, {}, 0, {}\n", task, ++job, r.count(),
                       (r + dag.attributes().jitter).count(), least.count(), C.count(), deadline.count(),
                       job_priority(cpu.scheduler, r, deadline, priorities.of[d][v]), io::csv_quoted(dag.name() + "/" + node.name));
        const std::uint64_t jobs = static_cast<std::uint64_t>(hyperperiod.count() / dag.nominal_period().count());
        if (node.sequential && job < jobs) fmt::format_to(std::back_inserter(out.precedence), "{}, {}, {}, {}\n", task, job, task, job + 1);
      }
    }
    const auto jobs = static_cast<std::uint64_t>(hyperperiod.count() / dag.nominal_period().count());
    for (std::uint64_t job = 1; job <= jobs; ++job) {
      for (const Edge& edge : dag.edges()) {
        fmt::format_to(std::back_inserter(out.precedence), "{}, {}, {}, {}\n", first + edge.from, job, first + edge.to, job);
      }
    }
  }
  if (!out.precedence.empty()) out.precedence.insert(0, "Predecessor TID, Predecessor JID, Successor TID, Successor JID\n");
  return out;
}

}  // namespace rta::convert
