#include "simulate_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/value_semantic.hpp>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <limits>
#include <system_error>

#include "choice.hpp"
#include "rta/io/task_set_file.hpp"
#include "task_set_input.hpp"

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
constexpr Choice<simulate::Ties> ties[] = {{"in-order", simulate::Ties::in_order}, {"random", simulate::Ties::random}};
constexpr Choice<Detail> details[] = {{"dag", Detail::dag}, {"job", Detail::job}, {"block", Detail::block}};

constexpr std::string_view declared = "declared";

simulate::PartsPerMillion percent(const std::string& text, const char* option) {
  const bool digits =
      !text.empty() && text.size() <= 3 && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digits) throw UsageError(fmt::format("--{} '{}': a whole number of percent is expected", option, text));
  return static_cast<simulate::PartsPerMillion>(std::stoul(text) * 10'000);
}

simulate::Execution execution_option(const po::variables_map& given) {
  const auto& text = given["execution"].as<std::string>();
  if (text == "worst" || text == declared) return simulate::worst_case;
  if (text == "uniform") return simulate::uniform;
  const auto dash = text.find('-');
  const auto least = percent(text.substr(0, dash), "execution");
  const auto most = dash == std::string::npos ? least : percent(text.substr(dash + 1), "execution");
  if (least > most || most > simulate::whole)
    throw UsageError(fmt::format("--execution '{}': at most 100 percent, the lesser first", text));
  return {least, most};
}

}  // namespace

po::options_description simulate_options() {
  po::options_description all;
  const auto add = [&](const char* name, const char* value, const char* standard, const char* text) {
    auto* semantic = po::value<std::string>()->value_name(value);
    if (standard != nullptr) semantic->default_value(standard);
    all.add_options()(name, semantic, text);
  };
  add("release", "HOW", "offsets",
      "when nodes are released: offsets (as the analysis chose them), early (as soon as predecessors end; guarded to a period apart on "
      "GPUs, "
      "engines and workers), completion (when the last predecessor ends) or segments (on completion inside segments that are released at "
      "offsets)");
  add_analysis_options(all);
  add("duration", "TIME", "10 s", "DAGs are released for so long, e.g. 10s or 500ms; what was released then runs to its end");
  all.add_options()("phase", po::value<std::vector<std::string>>()->composing()->value_name("DAG=TIME"),
                    "first release of that DAG (default 0); may be repeated");
  all.add_options()("random-phases", po::bool_switch(), "first releases are drawn from [0, T)");
  add("jitter", "PERCENT", "0", "each release is late by a share of T drawn from 0 to so many percent: sporadic releases");
  add("execution", "HOW", "worst",
      "execution times: worst, uniform (from 0 to the worst case), a percentage of the worst case, e.g. 60 or 60-100, or declared (where "
      "the task set says how they vary, as in C: {max: 2 ms, min: 1 ms}; else worst)");
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

simulate::Options common_options(const po::variables_map& given, std::stop_token stop) {
  simulate::Options o;
  o.execution = execution_option(given);
  o.vary = given["execution"].as<std::string>() == declared;
  o.placement = chosen("placement", given["placement"].as<std::string>(), placements);
  o.copy_rules = chosen("copy-rules", given["copy-rules"].as<std::string>(), copy_rules);
  o.streams = chosen("streams", given["streams"].as<std::string>(), streams);
  o.ties = chosen("ties", given["ties"].as<std::string>(), ties);
  o.seed = number_option(given, "seed", std::numeric_limits<std::int64_t>::max());
  o.releases.random_phases = given["random-phases"].as<bool>();
  o.releases.jitter = percent(given["jitter"].as<std::string>(), "jitter");
  o.stop = std::move(stop);
  const char* limit = given.count("search") != 0 ? "search" : given.count("time-limit") != 0 ? "time-limit" : nullptr;
  if (limit != nullptr) o.deadline = std::chrono::steady_clock::now() + std::chrono::nanoseconds(time_option(given, limit).count());
  return o;
}

std::vector<Time> phases_option(const po::variables_map& given, const TaskSet& set) {
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

Window window_option(const po::variables_map& given, Time standard) {
  if (given.count("window") == 0) return {Time::zero(), standard};
  const auto& text = given["window"].as<std::string>();
  const auto dash = text.find('-');
  const auto from = io::parse_time(text.substr(0, dash));
  const auto to = dash == std::string::npos ? std::nullopt : io::parse_time(text.substr(dash + 1));
  if (!from || !to || *to <= *from) throw UsageError(fmt::format("--window '{}': FROM-TO is expected, e.g. 0ms-50ms", text));
  return {*from, *to};
}

Traces::Traces(const po::variables_map& given, const trace::Header& header, const trace::Labels& labels) {
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
void Traces::add_to(std::vector<simulate::Observer*>& observers) const {
  for (const auto& t : traces_) observers.push_back(t.get());
  for (const auto& c : chromes_) observers.push_back(c.get());
}
void Traces::finish(bool complete) {
  for (const auto& t : traces_) t->finish(complete);
  for (const auto& c : chromes_) c->finish();
  for (std::size_t i = 0; i < files_.size(); ++i) {
    files_[i]->close();
    if (!*files_[i]) throw std::system_error(EIO, std::generic_category(), paths_[i]);
  }
}

}  // namespace rta::cli
