#include "simulate_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/value_semantic.hpp>
#include <chrono>
#include <filesystem>
#include <limits>
#include <set>
#include <string_view>
#include <system_error>

#include "analysis_options.hpp"
#include "choice.hpp"
#include "evidence.hpp"
#include "number.hpp"
#include "on_device.hpp"
#include "rta/io/new_file.hpp"
#include "rta/io/time_text.hpp"
#include "task_set_input.hpp"
#include "time_style.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;
using simulate::Detail;

constexpr Choice<simulate::Placement> placements[] = {{"most-free", simulate::Placement::most_free},
                                                      {"least-free", simulate::Placement::least_free},
                                                      {"first-fit", simulate::Placement::first_fit},
                                                      {"round-robin", simulate::Placement::round_robin},
                                                      {"random", simulate::Placement::random}};
constexpr Choice<simulate::CopyRules> copy_rules[] = {{"yang2020", simulate::CopyRules::yang2020},
                                                      {"amert2017", simulate::CopyRules::amert2017}};
constexpr Choice<simulate::Streams> streams[] = {{"per-job", simulate::Streams::per_job}, {"per-task", simulate::Streams::per_task}};
constexpr Choice<simulate::SliceOrder> slice_orders[] = {{"round-robin", simulate::SliceOrder::round_robin},
                                                         {"worst", simulate::SliceOrder::worst}};
constexpr Choice<simulate::BlockTimes> block_times[] = {{"even", simulate::BlockTimes::even},
                                                        {"long-first", simulate::BlockTimes::long_first}};
constexpr Choice<simulate::Ties> ties[] = {{"in-order", simulate::Ties::in_order}, {"random", simulate::Ties::random}};
constexpr Choice<Detail> details[] = {{"dag", Detail::dag}, {"job", Detail::job}, {"block", Detail::block}};

constexpr std::string_view declared = "declared";
constexpr simulate::PartsPerMillion most_jitter = 10 * simulate::whole;
constexpr std::int64_t year = std::int64_t{365} * 86'400 * 1'000'000'000;  // ns

constexpr std::string_view searches[] = {"search", "search-runs"};

bool is_given(const po::variables_map& given, std::string_view option) {
  const auto& value = given[std::string(option)];
  return !value.empty() && !value.defaulted();
}

std::optional<simulate::PartsPerMillion> percent(std::string_view text, simulate::PartsPerMillion most) {
  const auto value = percentage(text);
  return value && *value <= most ? value : std::nullopt;
}

simulate::PartsPerMillion jitter_option(const po::variables_map& given) {
  const auto& text = given["jitter"].as<std::string>();
  const auto jitter = percent(text, most_jitter);
  if (!jitter) {
    throw UsageError(
        fmt::format("--jitter '{}': a percentage from 0 to {} is expected, with at most four places", text, most_jitter / 10'000));
  }
  return *jitter;
}

/// `60` or `60-100`, in percent of the worst case.
std::optional<simulate::Execution> share_of_worst_case(std::string_view text) {
  const auto dash = text.find('-');
  const auto least = percent(text.substr(0, dash), simulate::whole);
  const auto most = dash == std::string_view::npos ? least : percent(text.substr(dash + 1), simulate::whole);
  if (!least || !most || *least > *most) return std::nullopt;
  return simulate::Execution{*least, *most};
}

simulate::Execution execution_option(const po::variables_map& given) {
  const auto& text = given["execution"].as<std::string>();
  if (text == "worst" || text == declared) return simulate::worst_case;
  if (text == "uniform") return simulate::uniform;
  const auto share = share_of_worst_case(text);
  if (!share) {
    throw UsageError(
        fmt::format("--execution '{}': worst, uniform, declared, a percentage from 0 to 100, or two with the lesser first is expected, "
                    "e.g. 60 or 60-100",
                    text));
  }
  return *share;
}

[[noreturn]] void refuse_together(std::string_view a, std::string_view b, std::string_view why) {
  throw UsageError(fmt::format("--{} and --{} do not go together{}{}", a, b, why.empty() ? "" : ": ", why));
}

// `said`: the option as it was given.
Time checked_time(const std::string& said, std::string_view text) {
  const auto time = io::parse_time(text);
  if (time && *time <= simulate::longest_time) return *time;
  throw UsageError(
      fmt::format("{}: a time is expected, e.g. 10s or 500ms: a number and its unit (ns, us, ms, s, m or h), whole ns, at most "
                  "{} years",
                  said, simulate::longest_time.count() / year));
}

Time time_option(const po::variables_map& given, const char* name) {
  const auto& text = given[name].as<std::string>();
  return checked_time(fmt::format("--{} '{}'", name, text), text);
}

}  // namespace

po::options_description simulate_options() {
  po::options_description all;
  const auto add = [&](const char* name, const char* value, const char* standard, const char* text) {
    auto* semantic = po::value<std::string>()->value_name(value);
    if (standard != nullptr) semantic->default_value(standard);
    all.add_options()(name, semantic, text);
  };
  add_analysis_options(all);
  add_profile_option(all, Player::simulator);
  add("duration", "TIME", "10 s", "DAGs are released for so long, e.g. 10s or 500ms; what was released then runs to its end");
  all.add_options()("phase", po::value<std::vector<std::string>>()->composing()->value_name("DAG=TIME"),
                    "first release of that DAG (default: its own phase, or 0); may be repeated");
  all.add_options()("random-phases", po::bool_switch(), "first releases are drawn from [0, T), but for periodic DAGs");
  add("jitter", "PERCENT", "0",
      "each release is late by a share of T drawn from 0 to so many percent (at most 1000): sporadic releases, of "
      "DAGs that are not periodic");
  add("execution", "HOW", "worst",
      "execution times: worst, uniform (from 0 to the worst case), a percentage of the worst case, e.g. 60 or 60-100, or declared (where "
      "the task set says how they vary, as in C: {max: 2 ms, min: 1 ms}; else worst)");
  all.add_options()(
      "node-execution", po::value<std::vector<std::string>>()->composing()->value_name("DAG/NODE=PERCENT"),
      "execution times of that node, e.g. camera/detect=60 or camera/detect=60-100, in place of --execution; may be repeated");
  add("placement", "HOW", "most-free", "SM that gets the next block: most-free, least-free, first-fit, round-robin or random");
  add("streams", "HOW", "per-job", "streams of kernels and copies: per-job or per-task (one per node: no intra-task parallelism)");
  add("copy-rules", "NAME", "yang2020", "yang2020 (C1-C6, with the CE waiting queue) or amert2017 (C1-C4)");
  add("slices", "HOW", "round-robin",
      "how a GPU serves processes that share it by time slices (sharing): round-robin, or worst (each waits for the longest gap before "
      "every "
      "slice)");
  add("block-times", "HOW", "even",
      "how the blocks of a kernel share its time (time: 4 ms), where they run in several waves: even, or long-first (the first blocks as "
      "long as any may be)");
  add("ties", "HOW", "in-order", "what comes first at one instant: in-order (ends before releases, by DAG and node) or random");
  add("seed", "N", "1", "of everything random");
  add("search", "TIME", nullptr,
      "look for the worst response times for so long, on all cores: short runs in which release, execution times and order of every job "
      "are "
      "chosen, and long ones of --duration (then by default 20 periods) by phases, jitter, execution times, placement and ties");
  add("search-runs", "N", nullptr, "the same, for so many simulations: reproducible, on any number of cores");
  all.add_options()(
      "witness", po::bool_switch(),
      "play, for each DAG of a periodic task set, the order of starts that leads to its bound by T36, and see whether the bound is "
      "attained");
  add("search-out", "FILE", nullptr, "write the worst run that the search, or --witness, found, for --replay");
  add("replay", "FILE", nullptr, "simulate the run of that file, with its release and options, and see whether it shows the same again");
  add("time-limit", "TIME", nullptr, "end after so much real time with the statistics so far");
  all.add_options()("trace", po::value<std::vector<std::string>>()->composing()->value_name("FILE"),
                    "write a trace (after a search, of the worst run): .jsonl is the project's format (rta compare reads it), .json Chrome "
                    "trace events (ui.perfetto.dev); may be repeated");
  add("trace-level", "LEVEL", "block", "dag, job or block: how much a trace holds");
  add("window", "FROM-TO", nullptr,
      "part of the schedule that a page or figure draws, e.g. 0ms-50ms (default: the first three periods; after a search, the worst job)");
  all.add_options()("verbose,v", po::bool_switch(), "show every node");
  add("format", "NAME", nullptr, "text (default), json, csv, html, svg, pdf or png");
  all.add_options()("output,o", po::value<std::vector<std::string>>()->composing()->value_name("FILE"),
                    "write to FILE instead of standard output; the extension (.txt, .json, .csv, .html; .svg, .pdf and .png: the timeline "
                    "alone) tells the "
                    "format; may be repeated");
  add_digits_option(all);
  add_evidence_option(all);
  all.add_options()("quiet,q", po::bool_switch(), "no warnings and no progress");
  return all;
}

void require_files(const po::variables_map& given) {
  namespace fs = std::filesystem;
  std::vector<std::string> paths = texts_of(given, "trace");
  for (const std::string& path : paths) {
    const fs::path extension = fs::path(path).extension();
    if (extension == ".jsonl" || extension == ".json") continue;
    throw UsageError(fmt::format("--trace '{}': the name must end in .jsonl (trace) or .json (Chrome trace events)", path));
  }
  if (given.count("search-out") != 0) paths.push_back(given["search-out"].as<std::string>());
  for (std::string& path : texts_of(given, "output")) {
    if (path != "-") paths.push_back(std::move(path));
  }
  std::set<fs::path> files;
  for (const std::string& path : paths) {
    std::error_code unknown;
    const fs::path file = fs::weakly_canonical(fs::absolute(io::written_path(path), unknown), unknown);
    // A device takes whatever comes.
    if (io::is_replaced(path) && !files.insert(file).second) throw UsageError(fmt::format("'{}' would be written twice", path));
  }
}

namespace {

void require_effect_beside_replay(const po::variables_map& given) {
  for (const std::string_view fixed : {"search", "search-runs", "witness", "duration", "phase", "random-phases", "jitter", "execution",
                                       "node-execution", "placement", "streams", "copy-rules", "slices", "block-times", "ties", "seed"}) {
    if (is_given(given, fixed)) refuse_together(fixed, "replay", "the file fixes the run");
  }
  if (const auto* option = first_given_option(given)) refuse_together(option->name, "replay", "the file fixes the analysis");
}

}  // namespace

void require_effect(const po::variables_map& given, bool page) {
  for (const std::string_view search : searches) {
    if (!is_given(given, search)) continue;
    for (const std::string_view varied :
         {"phase", "random-phases", "jitter", "execution", "node-execution", "placement", "slices", "block-times", "ties"}) {
      if (is_given(given, varied))
        refuse_together(varied, search, "a search varies releases, execution times, placement, slices, times of blocks and ties itself");
    }
  }
  const bool does_search = std::ranges::any_of(searches, [&](std::string_view search) { return is_given(given, search); });
  const bool witness = given["witness"].as<bool>();
  if (witness) {
    for (const std::string_view fixed : {"search", "search-runs", "replay", "duration", "phase", "random-phases", "jitter", "execution",
                                         "node-execution", "streams", "ties"}) {
      if (is_given(given, fixed)) refuse_together(fixed, "witness", "T36 says what is played");
    }
  }
  if (is_given(given, "search-out") && !does_search && !witness)
    throw UsageError("--search-out needs --search, --search-runs or --witness");
  if (is_given(given, "replay")) require_effect_beside_replay(given);
  if (is_given(given, "phase") && is_given(given, "random-phases")) refuse_together("phase", "random-phases", "");
  if (is_given(given, "node-execution") && given["execution"].as<std::string>() == declared) {
    refuse_together("node-execution", "execution declared", "");
  }
  if (is_given(given, "trace-level") && !is_given(given, "trace")) throw UsageError("--trace-level needs --trace");
  if (is_given(given, "window") && !page)
    throw UsageError("--window needs a page or figure that draws it: -o FILE.html, .svg, .pdf or .png");
}

void require_effect_on_experiment(const po::variables_map& given) {
  for (const char* option : {"search", "search-runs", "witness", "search-out", "replay", "phase", "node-execution", "random-phases",
                             "jitter", "duration", "streams", "slices", "block-times"}) {
    if (is_given(given, option)) throw UsageError(fmt::format("--{} does not apply to an experiment", option));
  }
  if (const auto* option = first_given_option(given)) throw UsageError(fmt::format("--{} does not apply to an experiment", option->name));
  if (given["execution"].as<std::string>() == declared) {
    throw UsageError("--execution declared does not apply to an experiment: its times are fixed");
  }
}

Time duration_option(const po::variables_map& given) { return time_option(given, "duration"); }

Limit limited(const Limit& limit, const po::variables_map& given, const char* name) {
  return given.count(name) == 0 ? limit : limit.within(std::chrono::nanoseconds(time_option(given, name).count()));
}

simulate::Options common_options(const po::variables_map& given, const Limit& limit) {
  simulate::Options o;
  o.execution = execution_option(given);
  o.vary = given["execution"].as<std::string>() == declared;
  o.placement = chosen("placement", given["placement"].as<std::string>(), placements);
  o.copy_rules = chosen("copy-rules", given["copy-rules"].as<std::string>(), copy_rules);
  o.slices = chosen("slices", given["slices"].as<std::string>(), slice_orders);
  o.block_times = chosen("block-times", given["block-times"].as<std::string>(), block_times);
  o.streams = chosen("streams", given["streams"].as<std::string>(), streams);
  o.ties = chosen("ties", given["ties"].as<std::string>(), ties);
  o.seed = whole_number(given, "seed", 0, most_number);
  o.releases.random_phases = given["random-phases"].as<bool>();
  o.releases.jitter = jitter_option(given);
  o.limit = limited(limit, given, "time-limit");
  return o;
}

std::vector<Time> phases_option(const po::variables_map& given, const TaskSet& set) {
  std::vector<std::optional<Time>> phases(set.dags().size());
  for (const std::string& text : texts_of(given, "phase")) {
    const auto equals = text.rfind('=');
    const std::string name = text.substr(0, equals);
    if (equals == std::string::npos) throw UsageError(fmt::format("--phase '{}': DAG=TIME is expected, e.g. camera[0]=5ms", text));
    const auto dag = std::ranges::find(set.dags(), name, &Dag::name);
    if (dag == set.dags().end()) throw UsageError(fmt::format("--phase '{}': no DAG '{}'", text, name));
    auto& phase = phases[static_cast<std::size_t>(dag - set.dags().begin())];
    if (phase) throw UsageError(fmt::format("--phase '{}': '{}' already has a phase", text, name));
    if (dag->attributes().periodic) throw UsageError(fmt::format("--phase '{}': '{}' is periodic; its phase is the file's", text, name));
    phase = checked_time(fmt::format("--phase '{}'", text), std::string_view(text).substr(equals + 1));
  }
  std::vector<Time> out;
  out.reserve(phases.size());
  for (DagId d = 0; d < phases.size(); ++d) {
    out.push_back(phases[d].value_or(set.dags()[d].attributes().phase.value_or(Time::zero())));
  }
  return out;
}

PerNode<simulate::Execution> node_execution_option(const po::variables_map& given, const TaskSet& set, simulate::Execution others) {
  PerNode<simulate::Execution> all;
  const auto texts = texts_of(given, "node-execution");
  if (texts.empty()) return all;
  for (const Dag& dag : set.dags()) all.emplace_back(dag.nodes().size(), others);
  for (const std::string& text : texts) {
    const auto equals = text.rfind('=');
    const std::string said = fmt::format("--node-execution '{}'", text);
    const auto share = equals == std::string::npos ? std::nullopt : share_of_worst_case(std::string_view(text).substr(equals + 1));
    if (!share) throw UsageError(said + ": DAG/NODE=PERCENT is expected, e.g. camera/detect=60 or camera/detect=60-100");
    bool found = false;
    for (DagId d = 0; d < set.dags().size(); ++d) {
      const Dag& dag = set.dags()[d];
      for (NodeId v = 0; v < dag.nodes().size(); ++v) {
        if (dag.name() + "/" + dag.nodes()[v].name != text.substr(0, equals)) continue;
        all[d][v] = *share;
        found = true;
      }
    }
    if (!found) throw UsageError(fmt::format("{}: no node '{}'", said, text.substr(0, equals)));
  }
  return all;
}

Window window_option(const po::variables_map& given, Window standard) {
  if (given.count("window") == 0) return standard;
  const auto& text = given["window"].as<std::string>();
  const auto dash = text.find('-');
  const auto from = io::parse_time(text.substr(0, dash));
  const auto to = dash == std::string::npos ? std::nullopt : io::parse_time(text.substr(dash + 1));
  if (!from || !to || *to <= *from) throw UsageError(fmt::format("--window '{}': FROM-TO is expected, e.g. 0ms-50ms", text));
  return {*from, *to};
}

simulate::Detail trace_level(const po::variables_map& given) {
  return chosen("trace-level", given["trace-level"].as<std::string>(), details);
}

Traces::Traces(const po::variables_map& given, const trace::Header& header, const trace::Labels& labels) {
  const Detail detail = trace_level(given);
  for (const std::string& path : texts_of(given, "trace")) {
    files_.push_back(std::make_unique<io::NewFile>(path));
    std::ostream& out = files_.back()->stream();
    if (std::filesystem::path(path).extension() == ".jsonl") {
      traces_.push_back(std::make_unique<trace::Writer>(out, header, labels, detail));
    } else {
      chromes_.push_back(std::make_unique<trace::ChromeWriter>(out, labels, detail));
    }
  }
}
void Traces::add_to(std::vector<simulate::Observer*>& observers) const {
  for (const auto& t : traces_) observers.push_back(t.get());
  for (const auto& c : chromes_) observers.push_back(c.get());
}
void Traces::finish(bool complete) {
  for (const auto& t : traces_) t->finish(complete);
  for (const auto& c : chromes_) c->finish();
  for (const auto& file : files_) file->close();
}
void Traces::publish() {
  for (const auto& file : files_) file->publish();
}

}  // namespace rta::cli
