#include "worst_run.hpp"

#include <fmt/format.h>

#include <tuple>

#include "rta/simulate/observer.hpp"

namespace rta::cli {
namespace {

using simulate::Execution;

// Exact: millionths have four places as a percentage.
std::string percent(simulate::PartsPerMillion ppm) { return fmt::format("{}.{:04}", ppm / 10'000, ppm % 10'000); }

std::string text_of(const Execution& execution) {
  if (execution.least == execution.most) return percent(execution.least);
  return percent(execution.least) + "-" + percent(execution.most);
}

class JobObserver : public simulate::Observer {
 public:
  explicit JobObserver(const WorstRun& worst) : Observer(simulate::Detail::dag), worst_(worst) {}

  void dag(DagId d, std::uint64_t job, Time release, Time end) override {
    if (d == worst_.dag && job == worst_.found.job) seen = Seen{release, end};
  }
  void job(simulate::JobId, Time, Time, Time) override {}
  void block(simulate::JobId, std::uint64_t, std::uint32_t, Time, Time) override {}
  void copy(simulate::JobId, std::uint32_t, Time, Time) override {}
  void run(simulate::JobId, std::uint32_t, Time, Time) override {}

  std::optional<Seen> seen;

 private:
  const WorstRun& worst_;
};

}  // namespace

std::optional<WorstRun> worst_run(const TaskSet& task_set, const simulate::SearchResult& result) {
  const auto badness = [&](const WorstRun& run) {
    const auto D = task_set.dags()[run.dag].deadline();
    const bool late = D && run.found.response > *D;
    return std::tuple(late, late ? run.found.response - *D : run.found.response);
  };
  std::optional<WorstRun> worst;
  for (DagId d = 0; d < result.dags.size(); ++d) {
    if (!result.dags[d]) continue;
    const WorstRun run{d, *result.dags[d]};
    if (!worst || badness(run) > badness(*worst)) worst = run;
  }
  return worst;
}

std::string options_in_words(const TaskSet& task_set, const simulate::Options& run) {
  std::string rules = run.slices == simulate::SliceOrder::worst ? " --slices worst" : "";
  if (run.block_times == simulate::BlockTimes::long_first) rules += " --block-times long-first";
  if (!run.jobs.empty()) {
    std::size_t jobs = 0;
    for (const auto& of_dag : run.jobs) jobs += of_dag.size();
    return fmt::format("{} fixed jobs, --placement {}{}; --search-out FILE keeps them for --replay", jobs, to_string(run.placement), rules);
  }
  std::string text = fmt::format("--duration {}ns --placement {} --ties {} --jitter {} --seed {}", run.duration.count(),
                                 to_string(run.placement), to_string(run.ties), percent(run.releases.jitter), run.seed) +
                     rules;
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const Dag& dag = task_set.dags()[d];
    if (run.releases.phases[d] != Time::zero() && !dag.attributes().periodic)
      text += fmt::format(" --phase {}={}ns", dag.name(), run.releases.phases[d].count());
    for (NodeId v = 0; v < run.node_execution[d].size(); ++v) {
      const Execution& execution = run.node_execution[d][v];
      if (execution == simulate::worst_case) continue;
      text += fmt::format(" --node-execution {}/{}={}", dag.name(), dag.nodes()[v].name, text_of(execution));
    }
  }
  return text;
}

std::optional<Seen> seen_job(const TaskSet& task_set, const Schedule& schedule, const simulate::Options& run, const WorstRun& worst) {
  JobObserver observer(worst);
  (void)simulate::simulate(task_set, schedule, run, &observer);
  return observer.seen;
}

}  // namespace rta::cli
