#include "rta/simulate/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <iostream>
#include <memory>

#include "analysis_options.hpp"
#include "chain_rows.hpp"
#include "command.hpp"
#include "on_device.hpp"
#include "output.hpp"
#include "played.hpp"
#include "process/signals.hpp"
#include "progress_line.hpp"
#include "response_rows.hpp"
#include "rta/analysis/assumptions.hpp"
#include "rta/analysis/schedule_of.hpp"
#include "rta/io/digest.hpp"
#include "rta/io/experiment_file.hpp"
#include "rta/io/new_file.hpp"
#include "rta/report/simulation_report.hpp"
#include "rta/report/time_text.hpp"
#include "rta/trace/content.hpp"
#include "rta/trace/timeline.hpp"
#include "simulate_experiment.hpp"
#include "simulate_options.hpp"
#include "simulate_replay.hpp"
#include "simulate_search.hpp"
#include "simulate_witness.hpp"
#include "simulation_results.hpp"
#include "task_set_input.hpp"
#include "time_style.hpp"
#include "trace_size.hpp"
#include "write_report.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;

bool is_page(const Target& target) { return target.format->charts; }

std::string bounds_verdict(std::size_t observed, std::size_t over, std::size_t compared) {
  if (observed == 0) return "nothing was observed: no job ended";
  if (over > 0) return fmt::format("ABOVE: {} of {} observed maxima exceed their bound", over, compared);
  if (compared == 0) return "no bound to compare with";
  return fmt::format("every observed response time is within its bound ({} compared)", compared);
}

/// What went wrong of chains; empty where nothing did.
std::string chains_verdict(const std::vector<compare::ComparedChain>& chains) {
  const auto over = std::ranges::count_if(chains, &compare::ComparedChain::over);
  const auto missed = std::ranges::count_if(chains, &compare::ComparedChain::missed);
  std::string text;
  if (over > 0) text += fmt::format("; ABOVE: {} of {} chains exceed their bounds", over, chains.size());
  if (missed > 0) text += fmt::format("; LIMIT MISSED: {} of {} chains", missed, chains.size());
  return text;
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
  std::string chains = chains_verdict(report.chains);
  if (missed > 0) {
    return fmt::format("DEADLINE MISSED: {} of {} deadlines; {}{}", missed, deadlines, bounds_verdict(observed, over, compared), chains);
  }
  return bounds_verdict(observed, over, compared) + chains;
}

using Facts = std::vector<report::SimulationFact>;

Facts how(const po::variables_map& given, const Played& system, const simulate::Options& o) {
  Facts facts{{"release", std::string(to_string(system.proof.release))}};
  if (given.count("replay") == 0) facts.push_back({"execution", given["execution"].as<std::string>()});
  facts.push_back({"placement", std::string(to_string(o.placement))});
  facts.push_back({"streams", std::string(to_string(o.streams))});
  facts.push_back({"seed", fmt::format("{}", o.seed), {{"seed", o.seed}}});
  return facts;
}

/// Where nodes wait for earlier jobs: how many did.
void add_waits_for_earlier(const TaskSet& set, const simulate::Observation& seen, Facts& facts) {
  if (!first_with_history(set.dags())) return;
  std::string text;
  std::uint64_t jobs = 0;
  for (DagId d = 0; d < set.dags().size(); ++d) {
    const std::uint64_t of_dag = seen.dags[d].after_earlier;
    if (of_dag > 0) text += fmt::format("{}{} times in {}", text.empty() ? "" : "; ", of_dag, set.dags()[d].name());
    jobs += of_dag;
  }
  facts.push_back({"after earlier",
                   text.empty() ? "no node waited for an earlier job" : "waited for an earlier job " + text,
                   {{"after_earlier", jobs}}});
}

/// Where DAGs have so many threads, or a limit of jobs under way: how many jobs waited to begin, and how long at most.
void add_waits(const TaskSet& set, const simulate::Observation& seen, Facts& facts) {
  add_waits_for_earlier(set, seen, facts);
  if (!first_on_threads(set.dags()) && !first_limited(set.dags())) return;
  std::string text;
  std::uint64_t jobs = 0;
  Time longest;
  for (DagId d = 0; d < set.dags().size(); ++d) {
    const simulate::DagObservation& dag = seen.dags[d];
    if (dag.held_back == 0) continue;
    text += fmt::format("{}{} jobs of {}, {} at most", text.empty() ? "" : "; ", dag.held_back, set.dags()[d].name(),
                        report::time_text(dag.longest_wait));
    jobs += dag.held_back;
    longest = std::max(longest, dag.longest_wait);
  }
  facts.push_back({"waited to begin",
                   text.empty() ? "no job" : text,
                   {{"held_back", jobs}, {"longest_wait_ns", static_cast<std::uint64_t>(longest.count())}}});
}

bool simulate_once(const po::variables_map& given, const Played& system, const simulate::Options& o, Traces& traces,
                   report::SimulationReport& report, trace::Timeline* timeline) {
  const TaskSet& set = nodes_simulated(system.proof);
  std::vector<simulate::Observer*> observers;
  traces.add_to(observers);
  if (timeline != nullptr) observers.push_back(timeline);
  simulate::ChainObserver chains(set);
  if (!set.chains().empty()) observers.push_back(&chains);
  simulate::Observers all(observers);
  const auto started = std::chrono::steady_clock::now();
  const auto seen = simulate::simulate(set, system.schedule, o, observers.empty() ? nullptr : &all);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
  traces.finish(seen.ending == simulate::Ending::complete);
  add_rows(system, report, seen);
  report.chains = chain_rows(system, o, chains.latencies(), report.warnings);
  report.facts = how(given, system, o);
  report.facts.push_back(
      {"simulated", report::span_text(seen.simulated), {{"simulated_ns", static_cast<std::uint64_t>(seen.simulated.count())}}});
  report.facts.push_back({"jobs",
                          fmt::format("{} of DAGs, {} of nodes, {} blocks and items", seen.dag_jobs, seen.jobs, seen.blocks),
                          {{"dag_jobs", seen.dag_jobs}, {"node_jobs", seen.jobs}, {"blocks", seen.blocks}}});
  add_waits(set, seen, report.facts);
  report.facts.push_back({"end", ending_text(seen.ending)});
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

// With a stream per task kernels of one node wait for each other: nothing is proven then (Theorem 4.1).
void drop_bounds_of_streams(Played& system) {
  const auto streamed = [](const Pool& p) { return p.kind() == PoolKind::gpu || p.kind() == PoolKind::engines; };
  if (std::ranges::none_of(system.proof.task_set->pools(), streamed)) return;
  drop_bounds(system.proof);
  system.warnings.emplace_back("bounds are proven for a stream per job: none is shown");
}

/// Where a stream per job is asked for by name, and the file says otherwise.
std::optional<std::string> sequential_all_the_same(const po::variables_map& given, const TaskSet& set) {
  if (given["streams"].defaulted() || given["streams"].as<std::string>() != to_string(simulate::Streams::per_job)) return std::nullopt;
  std::size_t count = 0;
  for (const Dag& dag : set.dags()) {
    count += static_cast<std::size_t>(std::ranges::count_if(dag.nodes(), [](const Node& node) {
      return node.sequential && (std::holds_alternative<GpuDemand>(node.demand) || std::holds_alternative<CopyDemand>(node.demand));
    }));
  }
  if (count == 0) return std::nullopt;
  return fmt::format("--streams per-job: {} `sequential` in the file, and each of {} jobs still waits for the one before",
                     count == 1 ? "a node is" : fmt::format("{} nodes are", count), count == 1 ? "its" : "their");
}

bool varies(const TaskSet& set) {
  return std::ranges::any_of(set.dags(), [](const Dag& dag) {
    return std::ranges::any_of(dag.nodes(), [](const Node& node) { return node.variation.has_value(); });
  });
}

simulate::Options options_of(const po::variables_map& given, const Limit& limit, const TaskSet& set) {
  simulate::Options options = common_options(given, limit);
  options.duration = duration_option(given);
  options.releases.phases = phases_option(given, set);
  options.node_execution = node_execution_option(given, set, options.execution);
  if (options.vary && !varies(set)) {
    throw UsageError(
        fmt::format("--execution declared: '{}' says of no node how its times vary, as in C: {{max: 2 ms, min: 1 ms}}", set.name()));
  }
  return options;
}

// How long DAGs are released.
Time spanned(const simulate::Options& options) {
  if (options.jobs.empty()) return options.duration;
  Time last = Time::zero();
  for (const auto& jobs : options.jobs) last = std::max(last, jobs.empty() ? last : jobs.back().release + Time(1));
  return last;
}

// Those from the `from`-th on; how many there are.
std::size_t say_warnings(const po::variables_map& given, const report::SimulationReport& report, std::size_t from) {
  if (!given["quiet"].as<bool>()) {
    for (std::size_t i = from; i < report.warnings.size(); ++i) std::cerr << "warning: " << report.warnings[i] << '\n';
  }
  return report.warnings.size();
}

ExitStatus run_task_set(const po::variables_map& given, const Limit& limit, TaskSetInput input, const std::vector<Target>& all_targets) {
  report::SimulationReport report;
  report.warnings = std::move(input.warnings);
  const std::shared_ptr<const TaskSet> task_set = std::move(input.task_set);
  const TaskSet& set = *task_set;
  const report::ShownTimes shown_times(set);
  const std::string sha256 = io::sha256(input.text);
  std::optional<Replay> replay;
  if (given.count("replay") != 0) replay = read_replay(given["replay"].as<std::string>(), task_set, sha256);
  Played system = replay ? std::move(replay->system) : played(task_set, given_options(given));
  simulate::Options options = replay ? replay->file.run : options_of(given, limit, set);
  if (replay) {
    options.limit = limited(limit, given, "time-limit");
    report.warnings.insert(report.warnings.end(), replay->warnings.begin(), replay->warnings.end());
  }
  options.bodies = analysis::bodies_of_groups(system.proof);
  const bool searches = given.count("search") + given.count("search-runs") > 0;
  std::optional<trace::Timeline> timeline;
  if (std::ranges::any_of(all_targets, is_page)) {
    const Window window = replay ? window_of(given, system, options, {replay->file.dag, {Time::zero(), replay->file.job, 0}})
                                 : window_option(given, {Time::zero(), longest_period(set) * 3});
    timeline.emplace(trace::timeline(set, window.from, window.to, most_bars, options.streams == simulate::Streams::per_task));
  }
  if (options.streams == simulate::Streams::per_task) drop_bounds_of_streams(system);
  if (auto warning = sequential_all_the_same(given, set)) report.warnings.push_back(std::move(*warning));
  report.warnings.insert(report.warnings.end(), system.warnings.begin(), system.warnings.end());
  report.task_set = set.name();
  report.verbose = given["verbose"].as<bool>();
  trace::Header header;
  header.source = "simulation";
  header.task_set = report.task_set;
  header.task_set_sha256 = sha256;
  header.release = to_string(system.proof.release);
  header.details.emplace_back(trace::content_key, trace::content_sha256(set));
  header.details.emplace_back("streams", to_string(options.streams));
  header.details.insert(header.details.end(), system.options.begin(), system.options.end());
  Results results(given, all_targets, header, trace::labels(set));
  const bool witness = given["witness"].as<bool>();
  if (!searches && !witness && given.count("trace") != 0) {
    if (auto warning = warning_of_trace_size(set, spanned(options), trace_level(given))) report.warnings.push_back(std::move(*warning));
  }
  std::optional<io::NewFile> run_file;
  if (given.count("search-out") != 0) run_file.emplace(given["search-out"].as<std::string>());
  // What is known before a simulation is said before it.
  const std::size_t said = say_warnings(given, report, 0);
  bool fine = true;
  std::ostream* const run_out = run_file ? &run_file->stream() : nullptr;
  if (witness) {
    play_witnesses(given, system, options, sha256, results.traces(), report, timeline, run_out);
  } else {
    fine = searches ? search(given, system, options, sha256, results.traces(), report, timeline, run_out)
                    : simulate_once(given, system, options, results.traces(), report, timeline ? &*timeline : nullptr);
  }
  if (run_file) run_file->close();
  if (replay && !shows_the_same(*replay, report)) fine = false;
  report.verdict = verdict(report);
  for (auto& one : assumptions(system.proof, analysis::prove_chains(system.proof, false))) report.assumed.push_back(std::move(one.text));
  if (timeline) report.timeline = &*timeline;
  say_warnings(given, report, said);
  results.write(report);
  if (run_file) run_file->publish();
  const auto wrong = [](const auto& rows) { return std::ranges::any_of(rows, [](const auto& r) { return r.over() || r.missed(); }); };
  return fine && !wrong(report.dags) && !wrong(report.nodes) && !wrong(report.chains) ? ExitStatus::yes : ExitStatus::no;
}

ExitStatus run_simulate(const po::variables_map& given, const std::vector<std::string>& arguments) {
  std::vector<std::string> outputs;
  if (given.count("output") != 0) outputs = given["output"].as<std::vector<std::string>>();
  const auto all_targets = targets<report::SimulationReport>(text_of(given, "format"), outputs);
  require_files(given);
  require_converters(all_targets, drawn_as<report::SimulationReport>());
  require_effect(given, std::ranges::any_of(all_targets, is_page));
  const std::string& path = arguments.front();
  std::string text = io::read_task_set_text(path);
  const report::ShownTimes shown_times(time_style(given, text));
  const process::StopRequest interrupted({SIGINT});  // ends a run with what is known so far
  const Limit limit(interrupted.token());
  if (auto input = input_on_device(given, text, path, Player::simulator)) return run_task_set(given, limit, std::move(*input), all_targets);
  auto read = io::parse_task_set_or_experiment(text, path == "-" ? "<stdin>" : path);
  if (auto* experiment = std::get_if<io::ExperimentResult>(&read)) return simulate_experiment(given, limit, text, *experiment, all_targets);
  auto& result = std::get<io::ReadResult>(read);
  TaskSetInput input{std::move(text), std::make_shared<const TaskSet>(std::move(result.task_set)), {}};
  for (const io::Diagnostic& warning : result.warnings) input.warnings.push_back(warning.text());
  return run_task_set(given, limit, std::move(input), all_targets);
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
      "(with --verbose per node, too) beside their bounds and deadlines, and the latencies of chains. A job that ends after its deadline "
      "is a counterexample: the task "
      "set is not schedulable so. With --search it looks for the worst, and a trace or a page then shows the worst run that it found. A "
      "file with the key `experiment` instead "
      "of `dags` "
      "or `tasks` lists kernels and copies that are issued once each on named streams: then it prints when and where each of them ran.\n\n"
      "Times are whole nanoseconds, and the same command prints the same. Ctrl-C ends a run with the statistics so far, and its "
      "trace says that it is not complete. Files appear whole or not at all.\n\n"
      "The exit status is 0 when no observed response time was above its bound or its deadline, 1 when some was, or a chain above "
      "its bounds or limits, when jobs pile up (more "
      "than 4194304 "
      "jobs of nodes in flight) or when an experiment was cut short, 2 for bad input or usage.",
      simulate_options,
      1,
      run_simulate,
      0,
      {{"rta simulate tasksets/examples/pedestrian.yaml --duration 2s --trace trace.jsonl", "two seconds, and a trace of them"},
       {"rta simulate tasksets/examples/cameras.yaml --search-runs 100", "look for late results"}}};
  return command;
}

}  // namespace rta::cli
