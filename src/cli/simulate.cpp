#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigaction
#include <unistd.h>

#include <algorithm>
#include <boost/program_options/value_semantic.hpp>
#include <chrono>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>

#include "choice.hpp"
#include "command.hpp"
#include "output.hpp"
#include "rta/io/experiment_file.hpp"
#include "rta/report/simulation_report.hpp"
#include "rta/report/time_text.hpp"
#include "rta/simulate/search.hpp"
#include "rta/trace/digest.hpp"
#include "rta/trace/timeline.hpp"
#include "rta/trace/writer.hpp"
#include "simulated_system.hpp"
#include "task_set_input.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;
using simulate::Detail;

constexpr Choice<Release> releases[] = {{"offsets", Release::offsets}, {"early", Release::early}, {"completion", Release::completion}};
constexpr Choice<simulate::Placement> placements[] = {{"most-free", simulate::Placement::most_free},
                                                      {"least-free", simulate::Placement::least_free},
                                                      {"first-fit", simulate::Placement::first_fit},
                                                      {"round-robin", simulate::Placement::round_robin},
                                                      {"random", simulate::Placement::random}};
constexpr Choice<simulate::CopyRules> copy_rules[] = {{"yang2020", simulate::CopyRules::yang2020},
                                                      {"amert2017", simulate::CopyRules::amert2017}};
constexpr Choice<simulate::Streams> streams[] = {{"per-job", simulate::Streams::per_job}, {"per-task", simulate::Streams::per_task}};
constexpr Choice<simulate::Ties> ties[] = {{"in-order", simulate::Ties::in_order}, {"random", simulate::Ties::random}};
constexpr Choice<Detail> details[] = {{"dag", Detail::dag}, {"job", Detail::job}, {"block", Detail::block}};

po::options_description options() {
  po::options_description all;
  const auto add = [&](const char* name, const char* value, const char* standard, const char* text) {
    auto* semantic = po::value<std::string>()->value_name(value);
    if (standard != nullptr) semantic->default_value(standard);
    all.add_options()(name, semantic, text);
  };
  add("release", "HOW", "offsets",
      "when nodes are released: offsets (as the analysis chose them), early (as soon as predecessors end; guarded to a period apart on "
      "GPUs, "
      "engines and workers) or completion (when the last predecessor ends; GEL by DAG, or FIFO by ready time)");
  add_analysis_options(all);
  all.add_options()("non-preemptive", po::bool_switch(),
                    "CPU pools run what they have started to its end (only with --release completion)");
  add("duration", "TIME", "10 s", "DAGs are released for so long, e.g. 10s or 500ms; what was released then runs to its end");
  all.add_options()("phase", po::value<std::vector<std::string>>()->composing()->value_name("DAG=TIME"),
                    "first release of that DAG (default 0); may be repeated");
  all.add_options()("random-phases", po::bool_switch(), "first releases are drawn from [0, T)");
  add("jitter", "PERCENT", "0", "each release is late by a share of T drawn from 0 to so many percent: sporadic releases");
  add("execution", "HOW", "worst",
      "execution times: worst, uniform (from 0 to the worst case), or a percentage of the worst case, e.g. 60 or 60-100");
  add("placement", "HOW", "most-free", "SM that gets the next block: most-free, least-free, first-fit, round-robin or random");
  add("streams", "HOW", "per-job", "streams of kernels and copies: per-job or per-task (one per node: no intra-task parallelism)");
  add("copy-rules", "NAME", "yang2020", "yang2020 (C1-C6, with the CE waiting queue) or amert2017 (C1-C4)");
  add("ties", "HOW", "in-order", "what comes first at one instant: in-order (ends before releases, by DAG and node) or random");
  add("seed", "N", "1", "of everything random");
  add("search", "TIME", nullptr,
      "look for the worst response times for so long: random restarts and hill climbing over phases, jitter, execution times, placement "
      "and ties; "
      "each try simulates --duration (then by default 20 periods)");
  add("search-runs", "N", nullptr, "the same, for so many simulations: reproducible");
  add("time-limit", "TIME", nullptr, "end after so much real time with the statistics so far");
  all.add_options()(
      "trace", po::value<std::vector<std::string>>()->composing()->value_name("FILE"),
      "write a trace: .jsonl is the project's format (rta compare reads it), .json Chrome trace events (ui.perfetto.dev); may be repeated");
  add("trace-level", "LEVEL", "block", "dag, job or block: how much a trace holds");
  add("window", "FROM-TO", nullptr, "part of the schedule that the HTML page draws, e.g. 0ms-50ms (default: the first three periods)");
  all.add_options()("verbose,v", po::bool_switch(), "show every node");
  add("format", "NAME", nullptr, "text (default), json, csv or html");
  all.add_options()("output,o", po::value<std::vector<std::string>>()->composing()->value_name("FILE"),
                    "write to FILE instead of standard output; the extension (.txt, .json, .csv, .html) tells the format; may be repeated");
  all.add_options()("quiet,q", po::bool_switch(), "no warnings and no progress");
  return all;
}

Time time_option(const po::variables_map& given, const char* name) {
  const auto& text = given[name].as<std::string>();
  const auto time = io::parse_time(text);
  if (!time) throw UsageError(fmt::format("--{} '{}': a time is expected, e.g. 10s or 500ms", name, text));
  return *time;
}

std::uint64_t number_option(const po::variables_map& given, const char* name, std::uint64_t most) {
  const auto& text = given[name].as<std::string>();
  const bool digits =
      !text.empty() && text.size() <= 19 && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digits || std::stoull(text) > most)
    throw UsageError(fmt::format("--{} '{}': a whole number from 0 to {} is expected", name, text, most));
  return std::stoull(text);
}

simulate::PartsPerMillion percent(const std::string& text, const char* option) {
  const bool digits =
      !text.empty() && text.size() <= 3 && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digits) throw UsageError(fmt::format("--{} '{}': a whole number of percent is expected", option, text));
  return static_cast<simulate::PartsPerMillion>(std::stoul(text) * 10'000);
}

simulate::Execution execution_option(const po::variables_map& given) {
  const auto& text = given["execution"].as<std::string>();
  if (text == "worst") return simulate::worst_case;
  if (text == "uniform") return simulate::uniform;
  const auto dash = text.find('-');
  const auto least = percent(text.substr(0, dash), "execution");
  const auto most = dash == std::string::npos ? least : percent(text.substr(dash + 1), "execution");
  if (least > most || most > simulate::whole)
    throw UsageError(fmt::format("--execution '{}': at most 100 percent, the lesser first", text));
  return {least, most};
}

// Ctrl-C ends a run with what is known so far.
std::stop_source interrupted;
void on_interrupt(int) {
  interrupted.request_stop();
  // A second Ctrl-C ends the program at once.
  signal(SIGINT, SIG_DFL);
}

simulate::Options common_options(const po::variables_map& given) {
  simulate::Options o;
  o.execution = execution_option(given);
  o.placement = chosen("placement", given["placement"].as<std::string>(), placements);
  o.copy_rules = chosen("copy-rules", given["copy-rules"].as<std::string>(), copy_rules);
  o.streams = chosen("streams", given["streams"].as<std::string>(), streams);
  o.ties = chosen("ties", given["ties"].as<std::string>(), ties);
  o.seed = number_option(given, "seed", std::numeric_limits<std::int64_t>::max());
  o.releases.random_phases = given["random-phases"].as<bool>();
  o.releases.jitter = percent(given["jitter"].as<std::string>(), "jitter");
  o.stop = interrupted.get_token();
  const char* limit = given.count("search") != 0 ? "search" : given.count("time-limit") != 0 ? "time-limit" : nullptr;
  if (limit != nullptr) o.deadline = std::chrono::steady_clock::now() + std::chrono::nanoseconds(time_option(given, limit).count());
  return o;
}

std::vector<Time> phases(const po::variables_map& given, const TaskSet& set) {
  std::vector<Time> out(set.dags().size());
  if (given.count("phase") == 0) return out;
  for (const std::string& text : given["phase"].as<std::vector<std::string>>()) {
    const auto equals = text.rfind('=');
    const auto time = equals == std::string::npos ? std::nullopt : io::parse_time(std::string_view(text).substr(equals + 1));
    const auto dag = std::find_if(set.dags().begin(), set.dags().end(), [&](const Dag& d) { return d.name() == text.substr(0, equals); });
    if (!time) throw UsageError(fmt::format("--phase '{}': DAG=TIME is expected, e.g. camera[0]=5ms", text));
    if (dag == set.dags().end()) throw UsageError(fmt::format("--phase '{}': no DAG '{}'", text, text.substr(0, equals)));
    out[static_cast<std::size_t>(dag - set.dags().begin())] = *time;
  }
  return out;
}

// Files that observers write while the simulation runs.
class Traces {
 public:
  Traces(const po::variables_map& given, const trace::Header& header, const trace::Labels& labels) {
    if (given.count("trace") == 0) return;
    const Detail detail = chosen("trace-level", given["trace-level"].as<std::string>(), details);
    for (const std::string& path : given["trace"].as<std::vector<std::string>>()) {
      const std::string extension = std::filesystem::path(path).extension().string();
      if (extension != ".jsonl" && extension != ".json") {
        throw UsageError(fmt::format("--trace '{}': the name must end in .jsonl (trace) or .json (Chrome trace events)", path));
      }
      files_.push_back(std::make_unique<std::ofstream>(path));
      if (!*files_.back()) throw std::system_error(errno, std::generic_category(), path);
      paths_.push_back(path);
      if (extension == ".jsonl") {
        traces_.push_back(std::make_unique<trace::Writer>(*files_.back(), header, labels, detail));
      } else {
        chromes_.push_back(std::make_unique<trace::ChromeWriter>(*files_.back(), labels, detail));
      }
    }
  }
  void add_to(std::vector<simulate::Observer*>& observers) const {
    for (const auto& t : traces_) observers.push_back(t.get());
    for (const auto& c : chromes_) observers.push_back(c.get());
  }
  void finish(bool complete) {
    for (const auto& t : traces_) t->finish(complete);
    for (const auto& c : chromes_) c->finish();
    for (std::size_t i = 0; i < files_.size(); ++i) {
      files_[i]->close();
      if (!*files_[i]) throw std::system_error(EIO, std::generic_category(), paths_[i]);
    }
  }

 private:
  std::vector<std::unique_ptr<std::ofstream>> files_;
  std::vector<std::string> paths_;
  std::vector<std::unique_ptr<trace::Writer>> traces_;
  std::vector<std::unique_ptr<trace::ChromeWriter>> chromes_;
};

struct Window {
  Time from, to;
};
constexpr std::size_t most_bars = 20'000;

Window window_option(const po::variables_map& given, Time standard) {
  if (given.count("window") == 0) return {Time::zero(), standard};
  const auto& text = given["window"].as<std::string>();
  const auto dash = text.find('-');
  const auto from = io::parse_time(text.substr(0, dash));
  const auto to = dash == std::string::npos ? std::nullopt : io::parse_time(text.substr(dash + 1));
  if (!from || !to || *to <= *from) throw UsageError(fmt::format("--window '{}': FROM-TO is expected, e.g. 0ms-50ms", text));
  return {*from, *to};
}

std::string ending_text(simulate::Ending ending) {
  switch (ending) {
    case simulate::Ending::complete: return "all jobs ended";
    case simulate::Ending::stopped: return "interrupted: statistics so far";
    case simulate::Ending::timed_out: return "time limit: statistics so far";
    case simulate::Ending::backlog: return "overload: jobs pile up without end; statistics so far";
  }
  return "";
}

void write_all(const std::vector<Target>& all_targets, const report::SimulationReport& report) {
  for (const Target& target : all_targets) {
    write(target, [&](std::ostream& out) { print_simulation(report, target.format, out); });
  }
}

// ---- task sets ----

report::ResponseRow row(const SimulatedSystem& system, DagId d, std::optional<NodeId> v) {
  const Dag& dag = system.task_set->dags()[d];
  const Proven& proven = v ? system.nodes[d][*v] : system.dags[d];
  report::ResponseRow r;
  r.dag = dag.name();
  if (v) {
    r.node = dag.nodes()[*v].name;
    r.pool = system.task_set->pools()[dag.nodes()[*v].pool].name;
  }
  r.theorem = proven.theorem;
  r.bound = proven.R;
  return r;
}

template <class Fill>
void add_rows(const SimulatedSystem& system, report::SimulationReport& report, Fill&& fill) {
  for (DagId d = 0; d < system.task_set->dags().size(); ++d) {
    report.dags.push_back(row(system, d, std::nullopt));
    fill(report.dags.back(), d, std::optional<NodeId>());
    for (NodeId v = 0; v < system.task_set->dags()[d].nodes().size(); ++v) {
      report.nodes.push_back(row(system, d, v));
      fill(report.nodes.back(), d, std::optional<NodeId>(v));
    }
  }
}

std::string verdict(const report::SimulationReport& report) {
  std::size_t over = 0, compared = 0;
  for (const auto* rows : {&report.dags, &report.nodes}) {
    for (const auto& r : *rows) {
      over += static_cast<std::size_t>(r.over());
      compared += static_cast<std::size_t>(r.count > 0 && r.bound);
    }
  }
  if (over > 0) return fmt::format("ABOVE: {} of {} observed maxima exceed their bound", over, compared);
  if (compared == 0) return "no bound to compare with";
  return fmt::format("every observed response time is within its bound ({} compared)", compared);
}

using Facts = std::vector<std::pair<std::string, std::string>>;

Facts how(const po::variables_map& given, const simulate::Options& o) {
  Facts facts{{"release", given["release"].as<std::string>()},
              {"execution", given["execution"].as<std::string>()},
              {"placement", std::string(to_string(o.placement))},
              {"streams", std::string(to_string(o.streams))},
              {"seed", fmt::format("{}", o.seed)}};
  return facts;
}

bool simulate_once(const po::variables_map& given, const SimulatedSystem& system, simulate::Options o, const trace::Header& header,
                   report::SimulationReport& report, std::optional<trace::Timeline>& timeline, bool draw) {
  const TaskSet& set = *system.task_set;
  o.duration = time_option(given, "duration");
  o.releases.phases = phases(given, set);
  Time longest = Time::zero();
  for (const Dag& dag : set.dags()) longest = std::max(longest, dag.period());
  std::vector<simulate::Observer*> observers;
  Traces traces(given, header, trace::labels(set));
  traces.add_to(observers);
  if (draw) {
    const Window window = window_option(given, longest * 3);
    timeline.emplace(trace::timeline(set, window.from, window.to, most_bars));
    observers.push_back(&*timeline);
  }
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
    r.worst_job = s.worst_job();
    r.mean_ns = s.mean();
    r.p99 = s.p99();
  });
  report.facts = how(given, o);
  report.facts.emplace_back("simulated", report::time_text(seen.simulated));
  report.facts.emplace_back("jobs", fmt::format("{} of DAGs, {} of nodes, {} blocks and items", seen.dag_jobs, seen.jobs, seen.blocks));
  report.facts.emplace_back("end", ending_text(seen.ending));
  if (!given["quiet"].as<bool>() && isatty(STDERR_FILENO) != 0) {
    std::cerr << fmt::format("{:.2f} s, {:.1f} million events a second\n", took.count(),
                             static_cast<double>(seen.blocks + 2 * seen.jobs) / 1e6 / std::max(took.count(), 1e-9));
  }
  if (seen.late_releases > 0) {
    report.warnings.push_back(
        fmt::format("{} nodes were not ready at their offset: their predecessors' bounds do not hold", seen.late_releases));
  }
  return seen.ending != simulate::Ending::backlog && seen.late_releases == 0;
}

bool search(const po::variables_map& given, const SimulatedSystem& system, const simulate::Options& base,
            report::SimulationReport& report) {
  const TaskSet& set = *system.task_set;
  simulate::SearchOptions o;
  o.base = base;
  Time longest = Time::zero();
  for (const Dag& dag : set.dags()) longest = std::max(longest, dag.period());
  o.base.duration = given["duration"].defaulted() ? longest * 20 : time_option(given, "duration");
  o.max_runs = given.count("search-runs") != 0 ? number_option(given, "search-runs", std::numeric_limits<std::int64_t>::max()) : 0;
  if (!given["quiet"].as<bool>() && isatty(STDERR_FILENO) != 0) {
    o.progress = [last = std::chrono::steady_clock::time_point()](const simulate::SearchResult& so_far) mutable {
      const auto now = std::chrono::steady_clock::now();
      if (now - last < std::chrono::milliseconds(200)) return;
      last = now;
      Time worst = Time::zero();
      for (const auto& found : so_far.dags) worst = std::max(worst, found ? found->response : Time::zero());
      std::cerr << fmt::format("\r{} simulations, worst end to end {}   ", so_far.tried, report::time_text(worst)) << std::flush;
    };
  }
  const auto found = simulate::search(set, system.schedule, o);
  if (o.progress) std::cerr << "\r\x1b[K";
  add_rows(system, report, [&](report::ResponseRow& r, DagId d, std::optional<NodeId> v) {
    const auto& worst = v ? found.nodes[d][*v] : found.dags[d];
    if (!worst) return;
    r.count = 1;
    r.max = worst->response;
    r.worst_job = worst->job;
  });
  report.facts = {
      {"release", given["release"].as<std::string>()},
      {"search", fmt::format("{} simulations of {} each, seed {}", found.tried, report::time_text(o.base.duration), base.seed)}};
  if (found.ending == simulate::Ending::stopped) report.facts.emplace_back("end", "interrupted: the worst found so far");
  // The worst of all, so that it can be looked at.
  const auto worst = std::max_element(found.dags.begin(), found.dags.end(), [](const auto& a, const auto& b) {
    return (a ? a->response : Time::zero()) < (b ? b->response : Time::zero());
  });
  if (worst != found.dags.end() && *worst) {
    const simulate::Options& w = found.runs[(*worst)->run];
    std::string text = fmt::format("--placement {} --ties {} --jitter {} --seed {}", to_string(w.placement), to_string(w.ties),
                                   fmt::format("{:.4f}", w.releases.jitter / 10'000.0), w.seed);
    for (DagId d = 0; d < set.dags().size(); ++d) {
      if (w.releases.phases[d] != Time::zero()) text += fmt::format(" --phase {}={}ns", set.dags()[d].name(), w.releases.phases[d].count());
    }
    report.facts.emplace_back("worst run", text);
  }
  return found.late_releases == 0;
}

ExitStatus run_task_set(const po::variables_map& given, const std::string& text, io::ReadResult read,
                        const std::vector<Target>& all_targets) {
  const Release release = chosen("release", given["release"].as<std::string>(), releases);
  if (given["non-preemptive"].as<bool>() && release != Release::completion) throw UsageError("--non-preemptive needs --release completion");
  report::SimulationReport report;
  for (const io::Diagnostic& warning : read.warnings) report.warnings.push_back(warning.text());
  SimulatedSystem system;
  const auto scheduler = text_of(given, "scheduler");
  const auto analysis = analyzed(std::make_shared<const TaskSet>(std::move(read.task_set)),
                                 release == Release::early ? validation::Release::early : validation::Release::offsets, scheduler);
  if (release == Release::completion) {
    system = system_on_completion(analysis.task_set, given["non-preemptive"].as<bool>());
  } else {
    system = system_with_offsets(analysis, release == Release::early);
  }
  report.warnings.insert(report.warnings.end(), system.warnings.begin(), system.warnings.end());
  report.task_set = system.task_set->name();
  report.verbose = given["verbose"].as<bool>();
  trace::Header header;
  header.source = "simulation";
  header.task_set = report.task_set;
  header.task_set_sha256 = trace::sha256(text);
  header.release = given["release"].as<std::string>();
  // The bounds at hand for comparison are of preemptive pools.
  if (given["non-preemptive"].as<bool>()) *header.release += ", non-preemptive";
  if (scheduler) header.details.emplace_back("scheduler", *scheduler);
  const simulate::Options options = common_options(given);
  std::optional<trace::Timeline> timeline;
  const bool draw = std::any_of(all_targets.begin(), all_targets.end(), [](const Target& t) { return t.format == "html"; });
  const bool searches = given.count("search") + given.count("search-runs") > 0;
  const bool fine =
      searches ? search(given, system, options, report) : simulate_once(given, system, options, header, report, timeline, draw);
  report.verdict = verdict(report);
  if (timeline) report.timeline = &*timeline;
  if (!given["quiet"].as<bool>()) {
    for (const std::string& warning : report.warnings) std::cerr << "warning: " << warning << '\n';
  }
  write_all(all_targets, report);
  const auto over = [](const auto& rows) { return std::any_of(rows.begin(), rows.end(), [](const auto& r) { return r.over(); }); };
  return fine && !over(report.dags) && !over(report.nodes) ? ExitStatus::yes : ExitStatus::no;
}

// ---- experiments ----

// Collects when and where operations ran.
class Operations : public simulate::Observer {
 public:
  explicit Operations(const Experiment& experiment) : Observer(Detail::block) {
    for (const Operation& o : experiment.operations()) {
      rows_.push_back({o.name, o.stream, experiment.pools()[o.pool].name, {}, {}, {}, {}});
    }
    places_.resize(rows_.size());
  }
  void dag(DagId, std::uint64_t, Time, Time) override {}
  void job(simulate::JobId id, Time release, Time start, Time end) override {
    rows_[id.node].issued = release;
    rows_[id.node].start = start;
    rows_[id.node].end = end;
  }
  void block(simulate::JobId id, std::uint64_t block, std::uint32_t sm, Time, Time) override {
    std::string& blocks = places_[id.node][sm];
    blocks += (blocks.empty() ? "" : " ") + std::to_string(block);
  }
  void copy(simulate::JobId, std::uint32_t, Time, Time) override {}
  void run(simulate::JobId, std::uint32_t, Time, Time) override {}

  [[nodiscard]] std::vector<report::OperationRow> rows() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      for (const auto& [sm, blocks] : places_[i])
        rows_[i].place += fmt::format("{}SM {}: {}", rows_[i].place.empty() ? "" : ", ", sm, blocks);
    }
    return rows_;
  }

 private:
  std::vector<report::OperationRow> rows_;
  std::vector<std::map<std::uint32_t, std::string>> places_;
};

ExitStatus run_experiment(const po::variables_map& given, const std::string& text, io::ExperimentResult read,
                          const std::vector<Target>& all_targets) {
  const Experiment& experiment = read.experiment;
  for (const char* option : {"search", "search-runs", "phase"}) {
    if (given.count(option) != 0) throw UsageError(fmt::format("--{} does not apply to an experiment", option));
  }
  trace::Header header;
  header.source = "simulation";
  header.task_set = experiment.name();
  header.task_set_sha256 = trace::sha256(text);
  Traces traces(given, header, trace::labels(experiment));
  Operations operations(experiment);
  const Window window = window_option(given, Time(std::int64_t{1} << 59));
  auto timeline = trace::timeline(experiment, window.from, window.to, most_bars);
  std::vector<simulate::Observer*> observers{&operations, &timeline};
  traces.add_to(observers);
  simulate::Observers all(observers);
  const simulate::Options options = common_options(given);
  const auto seen = simulate::simulate(experiment, options, &all);
  traces.finish(seen.ending == simulate::Ending::complete);
  report::SimulationReport report;
  report.task_set = experiment.name();
  report.operations = operations.rows();
  report.verdict = fmt::format("{} operations, {} blocks, the last ends at {}", seen.jobs, seen.blocks, report::time_text(seen.simulated));
  report.facts = {{"placement", std::string(to_string(options.placement))},
                  {"copy rules", std::string(to_string(options.copy_rules))},
                  {"execution", given["execution"].as<std::string>()}};
  for (const io::Diagnostic& warning : read.warnings) report.warnings.push_back(warning.text());
  report.timeline = &timeline;
  if (!given["quiet"].as<bool>()) {
    for (const std::string& warning : report.warnings) std::cerr << "warning: " << warning << '\n';
  }
  write_all(all_targets, report);
  return ExitStatus::yes;
}

ExitStatus run(const po::variables_map& given, const std::vector<std::string>& arguments) {
  std::vector<std::string> outputs;
  if (given.count("output") != 0) outputs = given["output"].as<std::vector<std::string>>();
  const auto all_targets = targets(text_of(given, "format"), outputs, {"text", "json", "csv", "html"});
  const std::string& path = arguments.front();
  const std::string text = io::read_task_set_text(path);
  auto read = io::parse_task_set_or_experiment(text, path == "-" ? "<stdin>" : path);
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigaction(SIGINT, &action, nullptr);
  if (auto* experiment = std::get_if<io::ExperimentResult>(&read)) return run_experiment(given, text, std::move(*experiment), all_targets);
  return run_task_set(given, text, std::move(std::get<io::ReadResult>(read)), all_targets);
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
      "(with --verbose per node, too) beside their bounds. With --search it looks for the worst. A file with the key `experiment` instead "
      "of `dags` "
      "or `tasks` lists kernels and copies that are issued once each on named streams: then it prints when and where each of them ran.\n\n"
      "Times are whole nanoseconds, and the same command prints the same. Ctrl-C ends a run with the statistics so far.\n\n"
      "The exit status is 0 when no observed response time was above its bound, 1 when some was or when jobs pile up without end, 2 for "
      "bad input or "
      "usage.",
      options,
      1,
      run};
  return command;
}

}  // namespace rta::cli
