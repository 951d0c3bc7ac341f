#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <iostream>
#include <map>
#include <memory>

#include "analysis_options.hpp"
#include "command.hpp"
#include "number.hpp"
#include "output.hpp"
#include "played.hpp"
#include "process/signals.hpp"
#include "progress_line.hpp"
#include "rta/io/experiment_file.hpp"
#include "rta/io/new_file.hpp"
#include "rta/model/deadline.hpp"
#include "rta/model/error.hpp"
#include "rta/report/simulation_report.hpp"
#include "rta/report/time_text.hpp"
#include "rta/simulate/search.hpp"
#include "rta/trace/digest.hpp"
#include "rta/trace/timeline.hpp"
#include "simulate_options.hpp"
#include "task_set_input.hpp"
#include "worst_run.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;
using simulate::Detail;

constexpr std::size_t most_bars = 20'000;  // in a page

std::string ending_text(simulate::Ending ending) {
  switch (ending) {
    case simulate::Ending::complete: return "all jobs ended";
    case simulate::Ending::stopped: return "interrupted: statistics so far";
    case simulate::Ending::timed_out: return "time limit: statistics so far";
    case simulate::Ending::backlog: return "overload: jobs pile up without end; statistics so far";
  }
  return "";
}

// All that is written. Files are opened before anything is simulated and get their names when all of them are whole: a simulation that
// fails leaves older ones as they were.
class Results {
 public:
  Results(const po::variables_map& given, const std::vector<Target>& all_targets, const trace::Header& header, const trace::Labels& labels)
      : targets_(all_targets), traces_(given, header, labels) {
    for (const Target& target : targets_) files_.push_back(target.path ? std::make_unique<io::NewFile>(*target.path) : nullptr);
  }

  Traces& traces() { return traces_; }

  void write(const report::SimulationReport& report) {
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      if (files_[i] == nullptr) continue;
      targets_[i].format->simulation(report, files_[i]->stream());
      files_[i]->close();
    }
    traces_.publish();
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      if (files_[i] != nullptr) {
        files_[i]->publish();
      } else {
        cli::write(targets_[i], [&](std::ostream& out) { targets_[i].format->simulation(report, out); });
      }
    }
  }

 private:
  const std::vector<Target>& targets_;
  std::vector<std::unique_ptr<io::NewFile>> files_;
  Traces traces_;
};

bool is_page(const Target& target) { return target.format->charts; }

// ---- task sets ----

report::ResponseRow row(const Played& system, DagId d, std::optional<NodeId> v) {
  const TaskSet& set = *system.proof.task_set;
  const Dag& dag = set.dags()[d];
  const auto& bound = v ? system.proof.dags[d].nodes[*v].bound : system.proof.dags[d].bound;
  report::ResponseRow r;
  r.deadline = v ? own_deadline(dag, *v) : dag.deadline();
  r.dag = dag.name();
  if (v) {
    r.node = dag.nodes()[*v].name;
    r.pool = set.pools()[dag.nodes()[*v].pool].name;
  }
  if (!bound) return r;
  r.theorem = to_string(bound->basis.theorem);
  r.bound = bound->R;
  return r;
}

template <class Fill>
void add_rows(const Played& system, report::SimulationReport& report, Fill&& fill) {
  for (DagId d = 0; d < system.proof.dags.size(); ++d) {
    report.dags.push_back(row(system, d, std::nullopt));
    fill(report.dags.back(), d, std::optional<NodeId>());
    for (NodeId v = 0; v < system.proof.dags[d].nodes.size(); ++v) {
      report.nodes.push_back(row(system, d, v));
      fill(report.nodes.back(), d, std::optional<NodeId>(v));
    }
  }
}

std::string bounds_verdict(std::size_t observed, std::size_t over, std::size_t compared) {
  if (observed == 0) return "nothing was observed: no job ended";
  if (over > 0) return fmt::format("ABOVE: {} of {} observed maxima exceed their bound", over, compared);
  if (compared == 0) return "no bound to compare with";
  return fmt::format("every observed response time is within its bound ({} compared)", compared);
}

std::string verdict(const report::SimulationReport& report) {
  std::size_t over = 0, compared = 0, observed = 0, deadlines = 0, missed = 0;
  for (const auto* rows : {&report.dags, &report.nodes}) {
    for (const auto& r : *rows) {
      over += static_cast<std::size_t>(r.over());
      compared += static_cast<std::size_t>(r.count > 0 && r.bound);
      observed += static_cast<std::size_t>(r.count > 0);
      deadlines += static_cast<std::size_t>(r.count > 0 && r.deadline);
      missed += static_cast<std::size_t>(r.missed());
    }
  }
  if (missed > 0) {
    return fmt::format("DEADLINE MISSED: {} of {} deadlines; {}", missed, deadlines, bounds_verdict(observed, over, compared));
  }
  return bounds_verdict(observed, over, compared);
}

using Facts = std::vector<std::pair<std::string, std::string>>;

Facts how(const po::variables_map& given, const Played& system, const simulate::Options& o) {
  Facts facts{{"release", std::string(to_string(system.proof.release))},
              {"execution", given["execution"].as<std::string>()},
              {"placement", std::string(to_string(o.placement))},
              {"streams", std::string(to_string(o.streams))},
              {"seed", fmt::format("{}", o.seed)}};
  return facts;
}

Time longest_period(const TaskSet& set) {
  Time longest = Time::zero();
  for (const Dag& dag : set.dags()) longest = std::max(longest, dag.period());
  return longest;
}

bool simulate_once(const po::variables_map& given, const Played& system, const simulate::Options& o, Traces& traces,
                   report::SimulationReport& report, trace::Timeline* timeline) {
  const TaskSet& set = *system.proof.task_set;
  std::vector<simulate::Observer*> observers;
  traces.add_to(observers);
  if (timeline != nullptr) observers.push_back(timeline);
  simulate::Observers all(observers);
  const auto started = std::chrono::steady_clock::now();
  const auto seen = simulate::simulate(set, system.schedule, o, observers.empty() ? nullptr : &all);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
  traces.finish(seen.ending == simulate::Ending::complete);
  add_rows(system, report, [&](report::ResponseRow& r, DagId d, std::optional<NodeId> v) {
    const simulate::Statistics& s = v ? seen.dags[d].nodes[*v] : seen.dags[d].response;
    r.count = s.count();
    if (r.count == 0) return;
    r.max = s.max();
    if (r.deadline) r.misses = v ? seen.dags[d].node_misses[*v] : seen.dags[d].misses;
    r.worst_job = s.worst_job();
    r.mean_ns = s.mean();
    r.p99 = s.p99();
  });
  report.facts = how(given, system, o);
  report.facts.emplace_back("simulated", report::time_text(seen.simulated));
  report.facts.emplace_back("jobs", fmt::format("{} of DAGs, {} of nodes, {} blocks and items", seen.dag_jobs, seen.jobs, seen.blocks));
  report.facts.emplace_back("end", ending_text(seen.ending));
  if (shows_progress(given)) {
    std::cerr << fmt::format("{:.2f} s, {:.1f} million events a second\n", took.count(),
                             static_cast<double>(seen.blocks + 2 * seen.jobs) / 1e6 / std::max(took.count(), 1e-9));
  }
  if (seen.late_releases > 0) {
    report.warnings.push_back(
        fmt::format("{} nodes were not ready at their offset: their predecessors' bounds do not hold", seen.late_releases));
  }
  return seen.ending != simulate::Ending::backlog && seen.late_releases == 0;
}

// Plays the worst run again, for its trace and its page.
void play_worst(const po::variables_map& given, const Played& system, const simulate::Options& run, const WorstRun& worst, Traces& traces,
                std::optional<trace::Timeline>& timeline) {
  const TaskSet& set = *system.proof.task_set;
  std::vector<simulate::Observer*> observers;
  traces.add_to(observers);
  if (timeline) {
    const auto job = seen_job(set, system.schedule, run, worst);
    require(job.has_value(), "the same options show the same job");
    // From one period before its release, for what it had to wait for.
    const Time before = std::min(job->release, longest_period(set));
    const Window window = window_option(given, {job->release - before, job->end});
    timeline.emplace(trace::timeline(set, window.from, window.to, most_bars));
    observers.push_back(&*timeline);
  }
  simulate::Observers all(observers);
  if (!observers.empty()) (void)simulate::simulate(set, system.schedule, run, &all);
  traces.finish(true);
}

bool search(const po::variables_map& given, const Played& system, const simulate::Options& base, Traces& traces,
            report::SimulationReport& report, std::optional<trace::Timeline>& timeline) {
  const TaskSet& set = *system.proof.task_set;
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
    const auto& worst = v ? found.nodes[d][*v] : found.dags[d];
    if (!worst) return;
    r.count = 1;
    r.max = worst->response;
    r.worst_job = worst->job;
  });
  report.facts = {
      {"release", std::string(to_string(system.proof.release))},
      {"search", fmt::format("{} simulations of {} each, seed {}", found.tried, report::time_text(o.base.duration), o.base.seed)}};
  if (found.ending == simulate::Ending::stopped) report.facts.emplace_back("end", "interrupted: the worst found so far");
  if (found.ending == simulate::Ending::timed_out && time_limited) report.facts.emplace_back("end", "time limit: the worst found so far");
  if (const auto worst = worst_run(set, found)) {
    report.facts.emplace_back("worst run", options_in_words(set, found.runs[worst->found.run]));
    play_worst(given, system, found.runs[worst->found.run], *worst, traces, timeline);
  } else {
    traces.finish(false);
  }
  return found.late_releases == 0;
}

// With a stream per task kernels of one node wait for each other: nothing is proven then (Theorem 4.1).
void drop_bounds(Played& system) {
  const auto streamed = [](const Pool& p) { return p.kind() == PoolKind::gpu || p.kind() == PoolKind::engines; };
  if (std::ranges::none_of(system.proof.task_set->pools(), streamed)) return;
  for (analysis::DagProof& dag : system.proof.dags) {
    dag.bound.reset();
    for (analysis::NodeProof& node : dag.nodes) node.bound.reset();
  }
  system.warnings.emplace_back("bounds are proven for a stream per job: none is shown");
}

bool varies(const TaskSet& set) {
  return std::ranges::any_of(set.dags(), [](const Dag& dag) {
    return std::ranges::any_of(dag.nodes(), [](const Node& node) { return node.variation.has_value(); });
  });
}

ExitStatus run_task_set(const po::variables_map& given, const Limit& limit, const std::string& text, io::ReadResult read,
                        const std::vector<Target>& all_targets) {
  report::SimulationReport report;
  for (const io::Diagnostic& warning : read.warnings) report.warnings.push_back(warning.text());
  Played system = played(std::make_shared<const TaskSet>(std::move(read.task_set)), given_options(given));
  const TaskSet& set = *system.proof.task_set;
  simulate::Options options = common_options(given, limit);
  options.duration = duration_option(given);
  options.releases.phases = phases_option(given, set);
  options.node_execution = node_execution_option(given, set, options.execution);
  if (options.vary && !varies(set)) {
    throw UsageError(
        fmt::format("--execution declared: '{}' says of no node how its times vary, as in C: {{max: 2 ms, min: 1 ms}}", set.name()));
  }
  const bool searches = given.count("search") + given.count("search-runs") > 0;
  std::optional<trace::Timeline> timeline;
  if (std::ranges::any_of(all_targets, is_page)) {
    const Window window = window_option(given, {Time::zero(), longest_period(set) * 3});
    timeline.emplace(trace::timeline(set, window.from, window.to, most_bars));
  }
  if (options.streams == simulate::Streams::per_task) drop_bounds(system);
  report.warnings.insert(report.warnings.end(), system.warnings.begin(), system.warnings.end());
  report.task_set = set.name();
  report.verbose = given["verbose"].as<bool>();
  trace::Header header;
  header.source = "simulation";
  header.task_set = report.task_set;
  header.task_set_sha256 = trace::sha256(text);
  header.release = to_string(system.proof.release);
  header.details.insert(header.details.end(), system.options.begin(), system.options.end());
  Results results(given, all_targets, header, trace::labels(set));
  const bool fine = searches ? search(given, system, options, results.traces(), report, timeline)
                             : simulate_once(given, system, options, results.traces(), report, timeline ? &*timeline : nullptr);
  report.verdict = verdict(report);
  if (timeline) report.timeline = &*timeline;
  if (!given["quiet"].as<bool>()) {
    for (const std::string& warning : report.warnings) std::cerr << "warning: " << warning << '\n';
  }
  results.write(report);
  const auto wrong = [](const auto& rows) { return std::ranges::any_of(rows, [](const auto& r) { return r.over() || r.missed(); }); };
  return fine && !wrong(report.dags) && !wrong(report.nodes) ? ExitStatus::yes : ExitStatus::no;
}

// ---- experiments ----

// Collects when and where operations ran.
class Operations : public simulate::Observer {
 public:
  explicit Operations(const Experiment& experiment) : Observer(Detail::block), experiment_(experiment) {
    for (const Operation& o : experiment.operations()) {
      rows_.push_back({o.name, o.stream, experiment.pools()[o.pool].name, {}, {}, {}, {}});
    }
    places_.resize(rows_.size());
  }
  void dag(DagId, std::uint64_t, Time, Time) override {}
  void job(simulate::JobId id, Time, Time, Time end) override { rows_[id.node].end = end; }
  void block(simulate::JobId id, std::uint64_t block, std::uint32_t sm, Time start, Time) override {
    started(id, start);
    std::string& blocks = places_[id.node][sm];
    blocks += (blocks.empty() ? "" : " ") + std::to_string(block);
  }
  void copy(simulate::JobId id, std::uint32_t, Time start, Time) override { started(id, start); }
  void run(simulate::JobId, std::uint32_t, Time, Time) override {}

  [[nodiscard]] std::vector<report::OperationRow> rows() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      rows_[i].issued = issued(experiment_.operations()[i]);
      for (const auto& [sm, blocks] : places_[i])
        rows_[i].place += fmt::format("{}SM {}: {}", rows_[i].place.empty() ? "" : ", ", sm, blocks);
    }
    return rows_;
  }

 private:
  // Blocks and copies are told as they start, in the order of time.
  void started(simulate::JobId id, Time at) {
    if (!rows_[id.node].start) rows_[id.node].start = at;
  }
  // Known once all that it waits for has ended.
  [[nodiscard]] std::optional<Time> issued(const Operation& operation) const {
    Time at = operation.at;
    for (const std::size_t before : operation.after) {
      if (!rows_[before].end) return std::nullopt;
      at = std::max(at, *rows_[before].end + operation.delay);
    }
    return at;
  }

  const Experiment& experiment_;
  std::vector<report::OperationRow> rows_;
  std::vector<std::map<std::uint32_t, std::string>> places_;
};

std::string verdict(const Experiment& experiment, const simulate::Observation& seen) {
  if (seen.ending == simulate::Ending::complete) {
    return fmt::format("{} operations, {} blocks, the last ends at {}", seen.jobs, seen.blocks, report::time_text(seen.simulated));
  }
  return fmt::format("{}: {} of {} operations ended, {} blocks started, simulated until {}",
                     seen.ending == simulate::Ending::stopped ? "interrupted" : "time limit", seen.jobs, experiment.operations().size(),
                     seen.blocks, report::time_text(seen.simulated));
}

ExitStatus run_experiment(const po::variables_map& given, const Limit& limit, const std::string& text, const io::ExperimentResult& read,
                          const std::vector<Target>& all_targets) {
  const Experiment& experiment = read.experiment;
  require_effect_on_experiment(given);
  const simulate::Options options = common_options(given, limit);
  trace::Header header;
  header.source = "simulation";
  header.task_set = experiment.name();
  header.task_set_sha256 = trace::sha256(text);
  const Window window = window_option(given, {Time::zero(), simulate::longest_time});
  Results results(given, all_targets, header, trace::labels(experiment));
  Operations operations(experiment);
  auto timeline = trace::timeline(experiment, window.from, window.to, most_bars);
  std::vector<simulate::Observer*> observers{&operations, &timeline};
  results.traces().add_to(observers);
  simulate::Observers all(observers);
  const auto seen = simulate::simulate(experiment, options, &all);
  results.traces().finish(seen.ending == simulate::Ending::complete);
  report::SimulationReport report;
  report.task_set = experiment.name();
  report.operations = operations.rows();
  report.verdict = verdict(experiment, seen);
  report.facts = {{"placement", std::string(to_string(options.placement))},
                  {"copy rules", std::string(to_string(options.copy_rules))},
                  {"execution", given["execution"].as<std::string>()}};
  for (const io::Diagnostic& warning : read.warnings) report.warnings.push_back(warning.text());
  report.timeline = &timeline;
  if (!given["quiet"].as<bool>()) {
    for (const std::string& warning : report.warnings) std::cerr << "warning: " << warning << '\n';
  }
  results.write(report);
  return seen.ending == simulate::Ending::complete ? ExitStatus::yes : ExitStatus::no;
}

ExitStatus run(const po::variables_map& given, const std::vector<std::string>& arguments) {
  std::vector<std::string> outputs;
  if (given.count("output") != 0) outputs = given["output"].as<std::vector<std::string>>();
  const auto all_targets = targets(text_of(given, "format"), outputs, &report::Format::simulation);
  require_files(given);
  require_effect(given, std::ranges::any_of(all_targets, is_page));
  const std::string& path = arguments.front();
  const std::string text = io::read_task_set_text(path);
  auto read = io::parse_task_set_or_experiment(text, path == "-" ? "<stdin>" : path);
  const process::StopRequest interrupted({SIGINT});  // ends a run with what is known so far
  const Limit limit(interrupted.token());
  if (auto* experiment = std::get_if<io::ExperimentResult>(&read)) return run_experiment(given, limit, text, *experiment, all_targets);
  return run_task_set(given, limit, text, std::move(std::get<io::ReadResult>(read)), all_targets);
}

}  // namespace

const Command& simulate_command() {
  static const Command command{
      "simulate",
      "FILE",
      "Simulate a task set or an experiment, block by block",
      "Simulates what can happen on the platform of the task set in FILE (- is standard input): the GPU's published scheduling rules block "
      "by block "
      "(stream queues, EE queues, copy engines), GEL on CPU pools, FIFO workers. Prints the largest, mean and 99th-percentile response "
      "times per DAG "
      "(with --verbose per node, too) beside their bounds and deadlines. A job that ends after its deadline is a counterexample: the task "
      "set is not schedulable so. With --search it looks for the worst, and a trace or a page then shows the worst run that it found. A "
      "file with the key `experiment` instead "
      "of `dags` "
      "or `tasks` lists kernels and copies that are issued once each on named streams: then it prints when and where each of them ran.\n\n"
      "Times are whole nanoseconds, and the same command prints the same. Ctrl-C ends a run with the statistics so far, and its "
      "trace says that it is not complete. Files appear whole or not at all.\n\n"
      "The exit status is 0 when no observed response time was above its bound or its deadline, 1 when some was, when jobs pile up (more "
      "than 4194304 "
      "jobs of nodes in flight) or when an experiment was cut short, 2 for bad input or usage.",
      simulate_options,
      1,
      run};
  return command;
}

}  // namespace rta::cli
