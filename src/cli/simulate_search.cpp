#include "simulate_search.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "chain_rows.hpp"
#include "number.hpp"
#include "progress_line.hpp"
#include "response_rows.hpp"
#include "rta/analysis/schedule_of.hpp"
#include "rta/report/time_text.hpp"
#include "rta/simulate/search.hpp"
#include "simulate_replay.hpp"
#include "simulation_results.hpp"
#include "worst_run.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;

// Plays the worst run again, for its trace, its page and its chains.
void play_worst(const po::variables_map& given, const Played& system, const simulate::Options& run, const WorstRun& worst, Traces& traces,
                report::SimulationReport& report, std::optional<trace::Timeline>& timeline) {
  const TaskSet& set = nodes_simulated(system.proof);
  std::vector<simulate::Observer*> observers;
  traces.add_to(observers);
  if (timeline) {
    const Window window = window_of(given, system, run, worst);
    timeline.emplace(trace::timeline(set, window.from, window.to, most_bars, run.streams == simulate::Streams::per_task));
    observers.push_back(&*timeline);
  }
  simulate::ChainObserver chains(set);
  if (!set.chains().empty()) observers.push_back(&chains);
  simulate::Observers all(observers);
  if (!observers.empty()) (void)simulate::simulate(set, system.schedule, run, &all);
  traces.finish(true);
  report.chains = chain_rows(system, run, chains.latencies(), report.warnings);
}

}  // namespace

Time longest_period(const TaskSet& set) {
  Time longest = Time::zero();
  for (const Dag& dag : set.dags()) longest = std::max(longest, dag.nominal_period());
  return longest;
}

void show_worst(const po::variables_map& given, const Played& system, const simulate::SearchResult& found, const std::string& sha256,
                Traces& traces, report::SimulationReport& report, std::optional<trace::Timeline>& timeline, std::ostream* run_file) {
  const TaskSet& set = nodes_played(system.proof);
  if (const auto worst = worst_run(set, found)) {
    report.facts.push_back({"worst run", options_in_words(set, found.runs[worst->found.run])});
    if (run_file != nullptr) *run_file << run_text(system, found.runs[worst->found.run], *worst, sha256);
    play_worst(given, system, found.runs[worst->found.run], *worst, traces, report, timeline);
  } else {
    if (run_file != nullptr) throw UsageError("--search-out: nothing was found, for no job ended");
    traces.finish(false);
  }
}

bool search(const po::variables_map& given, const Played& system, const simulate::Options& base, const std::string& sha256, Traces& traces,
            report::SimulationReport& report, std::optional<trace::Timeline>& timeline, std::ostream* run_file) {
  const TaskSet& set = nodes_simulated(system.proof);
  simulate::SearchOptions o;
  o.base = base;
  o.base.duration = given["duration"].defaulted() ? longest_period(set) * 20 : duration_option(given);
  o.max_runs = given.count("search-runs") != 0 ? whole_number(given, "search-runs", 1, most_number) : 0;
  o.base.limit = limited(base.limit, given, "search");
  std::optional<ProgressLine> line(std::in_place, shows_progress(given));
  o.progress = [&line](const simulate::SearchResult& so_far) {
    line->update([&] {
      Time worst = Time::zero();
      for (const auto& found : so_far.dags) worst = std::max(worst, found ? found->response : Time::zero());
      return fmt::format("{} simulations, worst end to end {}", so_far.tried, report::time_text(worst));
    });
  };
  const auto found = simulate::search(set, system.schedule, o);
  line.reset();
  const bool time_limited = base.limit.cause() == Limit::Cause::time;
  add_rows(system, report, [&](report::ResponseRow& r, DagId d, std::optional<NodeId> v) {
    const auto fill = [&r](const auto& worst) {
      if (!worst) return;
      r.count = 1;
      r.max = worst->response;
      r.worst_job = worst->job;
    };
    if (v) {
      fill(found.nodes[d][*v]);
    } else {
      fill(found.dags[d]);
    }
  });
  report.facts = {
      {"release", std::string(to_string(system.proof.release))},
      {"search",
       fmt::format("{} simulations, long ones of {}, seed {}", found.tried, report::span_text(o.base.duration), o.base.seed),
       {{"simulations", found.tried}, {"duration_ns", static_cast<std::uint64_t>(o.base.duration.count())}, {"seed", o.base.seed}}}};
  if (found.ending == simulate::Ending::stopped) report.facts.push_back({"end", "interrupted: the worst found so far"});
  if (found.ending == simulate::Ending::timed_out && time_limited) report.facts.push_back({"end", "time limit: the worst found so far"});
  show_worst(given, system, found, sha256, traces, report, timeline, run_file);
  return found.late_releases == 0;
}

}  // namespace rta::cli
