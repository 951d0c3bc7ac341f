#include "convert_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/program_options/value_semantic.hpp>
#include <cmath>
#include <initializer_list>
#include <map>

#include "choice.hpp"
#include "number.hpp"
#include "rta/io/profile_file.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/io/time_text.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;
using convert::Kind;

enum class Form : std::uint8_t { text, list, flag };

// One option: what it is called and means, and which kinds of files it says something of.
struct ConvertOption {
  const char* name;
  const char* value;
  Form form;
  const char* text;
  std::initializer_list<Kind> kinds;
};

const std::initializer_list<Kind> profiles{Kind::kineto, Kind::nsys, Kind::recording};
const std::initializer_list<Kind> of_kernels{Kind::kineto, Kind::nsys, Kind::nsys_stats, Kind::recording};

const std::array<ConvertOption, 32>& table() {
  using enum Kind;
  static const std::array<ConvertOption, 32> options{{
      {"device",
       "NAME",
       Form::text,
       "the GPU, one of the built-in devices, where the file does not describe it (default for configurations of the examiner: tx2)",
       {kineto, nsys, nsys_stats, trtexec, recording, amalthea, openvx, examiner, trace}},
      {"processors",
       "[POOL=]N",
       Form::list,
       "processors of the CPU, or of that pool; may be repeated",
       {kineto, nsys, nsys_stats, trtexec, sched, ros2, recording, sag, dag_scheduling, stg, tgff, dot, openvx, trace}},
      {"scheduler",
       "NAME",
       Form::text,
       "of the CPU pools: G-EDF, G-FL, FIFO, LP or FP",
       {kineto, nsys, nsys_stats, trtexec, sched, recording, amalthea, sag, dag_scheduling, stg, tgff, dot, openvx, stm, trace}},
      {"period",
       "TIME",
       Form::text,
       "T of every DAG of which the file shows none; of recordings and traces of which each DAG shows one, in place of what was seen",
       {kineto, nsys, nsys_stats, trtexec, sched, ros2, recording, amalthea, sag, stg, tgff, dot, openvx, trace}},
      {"deadline",
       "TIME",
       Form::text,
       "D of every DAG that has none",
       {kineto, nsys, nsys_stats, trtexec, sched, ros2, recording, amalthea, stg, tgff, dot, openvx, stm, trace}},
      {"time-unit", "UNIT", Form::text, "what plain numbers count: ns, us, ms or s", {sag, dag_scheduling, stg, tgff, dot}},
      {"precedence", "FILE", Form::text, "precedence constraints of a job set (CSV)", {sag}},
      {"architecture",
       "FILE",
       Form::text,
       "CARET's architecture.yaml beside a trace of ROS 2: the paths that it names become chains",
       {ros2}},
      {"leave-out-topic",
       "NAME",
       Form::list,
       "messages on topics of this name, or pattern such as '/tf*', are no edges: what takes them is a DAG of its own; may be repeated",
       {ros2}},
      {"executor",
       "NAME=KIND[:THREADS]",
       Form::list,
       "what the executor of that pool is where the trace does not say it: single-threaded, static, events or multi-threaded, this with "
       "its "
       "number of threads; may be repeated",
       {ros2}},
      {"distribution",
       "NAME",
       Form::text,
       "of ROS 2, where the trace does not say its version of rcl: humble, iron, jazzy or rolling; a static executor picks callbacks in "
       "another order from jazzy on (default: in any order, which covers all)",
       {ros2}},
      {"thread-config",
       "FILE",
       Form::text,
       "how callback_isolated_executor schedules the threads of callback groups (YAML): processors, priorities and reservations of the "
       "task set's executors; with --to callback-isolated which callback groups there are",
       {task_set}},
      {"cost",
       "NAME",
       Form::text,
       "the attribute of a digraph's nodes that is their execution time; of task graphs of TGFF [TABLE:]COLUMN, such as 'PE 0:exec_time'",
       {tgff, dot}},
      {"allocate",
       "TASK=UNIT[,UNIT]",
       Form::list,
       "where a task runs that the mapping model leaves out; '*': every such task; may be repeated",
       {amalthea}},
      {"copy-engines", "N", Form::text, "1 for both directions, or 2 for one each", {kineto, nsys, nsys_stats, trtexec, recording, trace}},
      {"copy-rate", "MIB", Form::text, "MiB that a copy moves per second, where the file gives sizes only (default: 12800)", {examiner}},
      {"access-size",
       "BYTES",
       Form::text,
       "bytes that a core moves with one access to memory: adds the accesses of labels to execution times",
       {amalthea}},
      {"slice",
       "TIME",
       Form::text,
       "of a GPU that processes (or contexts) share: how long it serves one at a time, at most",
       {kineto, nsys, nsys_stats, recording, amalthea, examiner}},
      {"switch",
       "TIME",
       Form::text,
       "of a GPU that processes share: how long it takes to pass from one to the next",
       {kineto, nsys, nsys_stats, recording, amalthea, examiner}},
      {"green-context",
       "NUMBER=SMS",
       Form::list,
       "how many SMs a green context of the profile has: kernels then run in partitions of the GPU; may be repeated",
       {nsys, nsys_stats}},
      {"threads-per-block", "N", Form::text, "H of all kernels", {trace}},
      {"job-marker", "NAME", Form::list,
       "ranges of this name (also NAME#1, or a pattern such as 'frame*') are the jobs of a DAG; may be repeated (default: ProfilerStep, "
       "and without those what repeats)",
       profiles},
      {"thread",
       "NAME",
       Form::list,
       "only threads of this name, pattern such as 'worker*', or number; may be repeated (default: all)",
       {sched}},
      {"gpu", "NUMBER", Form::text, "only what ran on that GPU", of_kernels},
      {"percentile", "P", Form::text, "execution times that P % of those seen do not exceed, e.g. 99.9, in place of the longest",
       of_kernels},
      {"alone", "PROFILE", Form::text,
       "kernels have the longest time that was seen with no other kernel on the GPU (`time: {alone: 1 ms}`), and the GPU the "
       "`interference` "
       "of that device profile (rta examine --interference), which says what company adds; those that were never alone are named",
       profiles},
      {"waits", "HOW", Form::text, "of threads that wait for the GPU: active (default: they keep their processor) or passive", profiles},
      {"fuse", "TIME", Form::text, "equal kernels in a row, each of at most TIME, become one", of_kernels},
      {"dispatch-latency", "TIME", Form::text, "add this to the time of every kernel", of_kernels},
      {"strict", nullptr, Form::flag, "refuse jobs of unequal structure", of_kernels},
      {"blocking-streams", nullptr, Form::flag, "streams wait for the NULL stream, and it for them, where the file does not say",
       of_kernels},
      {"cpu-only", nullptr, Form::flag, "leave out what runs on GPUs and copy engines", {kineto, nsys, recording, amalthea, trace}},
  }};
  return options;
}

std::optional<std::string> text_given(const po::variables_map& given, const char* name) {
  return given.count(name) == 0 ? std::nullopt : std::optional(given[name].as<std::string>());
}

bool flag_given(const po::variables_map& given, const char* name) { return given.count(name) != 0 && given[name].as<bool>(); }

std::optional<Time> time_given(const po::variables_map& given, const char* name, Time least) {
  const auto text = text_given(given, name);
  if (!text) return std::nullopt;
  const auto time = io::parse_time(*text);
  if (time && *time >= least) return time;
  throw UsageError(fmt::format("--{} '{}': must be a time {} 0, e.g. 33ms", name, *text, least > Time() ? "above" : "of at least"));
}

std::optional<std::uint64_t> number_given(const po::variables_map& given, const char* name, std::uint64_t least, std::uint64_t most) {
  return given.count(name) == 0 ? std::nullopt : std::optional(whole_number(given, name, least, most));
}

std::vector<std::pair<std::string, std::uint32_t>> processors_given(const po::variables_map& given) {
  std::vector<std::pair<std::string, std::uint32_t>> out;
  if (given.count("processors") == 0) return out;
  for (const std::string& text : given["processors"].as<std::vector<std::string>>()) {
    const std::size_t equals = text.rfind('=');
    const std::string number = equals == std::string::npos ? text : text.substr(equals + 1);
    const bool digits = !number.empty() && number.size() <= 7 && std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
    const unsigned long count = digits ? std::stoul(number) : 0;
    if (count == 0 || count > 1'000'000)
      throw UsageError(fmt::format("--processors '{}': must be N or POOL=N, N within 1 .. 1000000", text));
    std::string pool = equals == std::string::npos ? std::string() : text.substr(0, equals);
    if (std::ranges::any_of(out, [&](const auto& other) { return other.first == pool; }))
      throw UsageError(fmt::format("--processors '{}': given twice for {}", text, pool.empty() ? "all pools" : "that pool"));
    out.emplace_back(std::move(pool), static_cast<std::uint32_t>(count));
  }
  return out;
}

std::vector<std::pair<std::string, std::vector<std::string>>> allocations_given(const po::variables_map& given) {
  std::vector<std::pair<std::string, std::vector<std::string>>> out;
  if (given.count("allocate") == 0) return out;
  for (const std::string& text : given["allocate"].as<std::vector<std::string>>()) {
    const std::size_t equals = std::min(text.find('='), text.size());
    std::vector<std::string> units;
    for (std::size_t at = equals + 1; at <= text.size();) {
      const std::size_t end = std::min(text.find(',', at), text.size());
      units.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    if (equals == 0 || units.empty() || std::ranges::any_of(units, &std::string::empty))
      throw UsageError(fmt::format("--allocate '{}': must be TASK=UNIT, or TASK=UNIT,UNIT", text));
    out.emplace_back(text.substr(0, equals), std::move(units));
  }
  return out;
}

std::map<std::int64_t, std::uint32_t> green_contexts_given(const po::variables_map& given) {
  std::map<std::int64_t, std::uint32_t> out;
  if (given.count("green-context") == 0) return out;
  const auto number = [](std::string_view text) {
    const bool digits = !text.empty() && text.size() <= 9 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
    return digits ? std::stoul(std::string(text)) : 0UL;
  };
  for (const std::string& text : given["green-context"].as<std::vector<std::string>>()) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const unsigned long context = number(std::string_view(text).substr(0, equals));
    const unsigned long sms = equals == text.size() ? 0 : number(std::string_view(text).substr(equals + 1));
    if (context == 0 || sms == 0 || sms > 1'000'000)
      throw UsageError(fmt::format("--green-context '{}': must be NUMBER=SMS, SMS within 1 .. 1000000", text));
    if (!out.emplace(static_cast<std::int64_t>(context), static_cast<std::uint32_t>(sms)).second)
      throw UsageError(fmt::format("--green-context '{}': given twice for {}", text, context));
  }
  return out;
}

std::vector<convert::ChosenExecutor> executors_given(const po::variables_map& given) {
  using enum convert::ExecutorKind;
  constexpr Choice<convert::ExecutorKind> kinds[] = {
      {"single-threaded", single_threaded}, {"static", static_single_threaded}, {"events", events}, {"multi-threaded", multi_threaded}};
  std::vector<convert::ChosenExecutor> out;
  if (given.count("executor") == 0) return out;
  for (const std::string& text : given["executor"].as<std::vector<std::string>>()) {
    const std::size_t equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError(fmt::format("--executor '{}': must be NAME=KIND, or NAME=multi-threaded:THREADS", text));
    const std::size_t colon = std::min(text.find(':', equals), text.size());
    convert::ChosenExecutor executor;
    executor.name = text.substr(0, equals);
    executor.kind = chosen("executor", text.substr(equals + 1, colon - equals - 1), kinds);
    if (colon < text.size()) {
      const std::string number = text.substr(colon + 1);
      const bool digits = !number.empty() && number.size() <= 7 && std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
      const unsigned long count = digits ? std::stoul(number) : 0;
      if (count == 0 || count > 1'000'000) throw UsageError(fmt::format("--executor '{}': THREADS must be within 1 .. 1000000", text));
      if (executor.kind != multi_threaded && count != 1) throw UsageError(fmt::format("--executor '{}': that kind has one thread", text));
      executor.threads = static_cast<std::uint32_t>(count);
    }
    if (std::ranges::find(out, executor.name, &convert::ChosenExecutor::name) != out.end())
      throw UsageError(fmt::format("--executor '{}': given twice for {}", text, executor.name));
    out.push_back(std::move(executor));
  }
  return out;
}

// Millionths.
std::optional<std::uint32_t> percentile_given(const po::variables_map& given) {
  if (given.count("percentile") == 0) return std::nullopt;
  const double percent = decimal_number(given, "percentile");
  if (percent <= 0 || percent > 100)
    throw UsageError(fmt::format("--percentile '{}': must be above 0 and at most 100", given["percentile"].as<std::string>()));
  return std::max<std::uint32_t>(static_cast<std::uint32_t>(std::lround(percent * 10'000)), 1);
}

}  // namespace

void add_convert_options(po::options_description& all, std::span<const char* const> names) {
  for (const ConvertOption& option : table()) {
    const auto is_it = [&](const char* name) { return std::string_view(name) == option.name; };
    if (!names.empty() && std::ranges::none_of(names, is_it)) continue;
    switch (option.form) {
      case Form::text: all.add_options()(option.name, po::value<std::string>()->value_name(option.value), option.text); break;
      case Form::list:
        all.add_options()(option.name, po::value<std::vector<std::string>>()->composing()->value_name(option.value), option.text);
        break;
      case Form::flag: all.add_options()(option.name, po::bool_switch(), option.text); break;
    }
  }
}

convert::Options chosen_convert_options(const po::variables_map& given) {
  convert::Options options;
  if (const auto from = text_given(given, "from")) {
    const auto* const at = std::ranges::find(convert::kinds, *from, &convert::KindName::name);
    std::string allowed;
    for (const convert::KindName& kind : convert::kinds) allowed += (allowed.empty() ? "" : ", ") + std::string(kind.name);
    if (at == convert::kinds.end()) throw UsageError(fmt::format("--from '{}': no such kind (allowed: {})", *from, allowed));
    options.from = at->kind;
  }
  constexpr Choice<Scheduler> schedulers[] = {
      {"G-EDF", Scheduler::g_edf}, {"G-FL", Scheduler::g_fl}, {"FIFO", Scheduler::fifo}, {"LP", Scheduler::lp}, {"FP", Scheduler::fp}};
  constexpr Choice<Time> units[] = {{"ns", Time(1)}, {"us", Time(1'000)}, {"ms", Time(1'000'000)}, {"s", Time(1'000'000'000)}};
  constexpr Choice<convert::Waits> waits[] = {{"active", convert::Waits::active}, {"passive", convert::Waits::passive}};
  options.device = text_given(given, "device");
  options.processors = processors_given(given);
  if (const auto scheduler = text_given(given, "scheduler")) options.scheduler = chosen("scheduler", *scheduler, schedulers);
  options.period = time_given(given, "period", Time(1));
  options.deadline = time_given(given, "deadline", Time(1));
  if (const auto unit = text_given(given, "time-unit")) options.time_unit = chosen("time-unit", *unit, units);
  options.precedence = text_given(given, "precedence");
  options.architecture = text_given(given, "architecture");
  if (given.count("leave-out-topic") != 0) options.left_out_topics = given["leave-out-topic"].as<std::vector<std::string>>();
  options.executors = executors_given(given);
  constexpr Choice<convert::Distribution> distributions[] = {{"humble", convert::Distribution::humble},
                                                             {"iron", convert::Distribution::iron},
                                                             {"jazzy", convert::Distribution::jazzy},
                                                             {"rolling", convert::Distribution::rolling}};
  if (const auto name = text_given(given, "distribution")) options.distribution = chosen("distribution", *name, distributions);
  options.thread_config = text_given(given, "thread-config");
  options.cost_attribute = text_given(given, "cost").value_or("");
  options.allocate = allocations_given(given);
  if (const auto n = number_given(given, "copy-engines", 1, 2)) options.copy_engines = static_cast<std::uint32_t>(*n);
  if (const auto rate = number_given(given, "copy-rate", 1, 1'000'000'000)) options.copy_rate = *rate << 20U;
  options.access_size = number_given(given, "access-size", 1, 1'000'000'000);
  if (const auto n = number_given(given, "threads-per-block", 1, 65'536)) options.threads_per_block = static_cast<std::uint32_t>(*n);
  if (given.count("job-marker") != 0) options.job_markers = given["job-marker"].as<std::vector<std::string>>();
  if (given.count("thread") != 0) options.threads = given["thread"].as<std::vector<std::string>>();
  if (const auto n = number_given(given, "gpu", 0, 999)) options.gpu = static_cast<std::uint32_t>(*n);
  options.percentile = percentile_given(given);
  if (const auto profile = text_given(given, "alone")) {
    if (options.percentile) throw UsageError("--alone takes the longest times; it does not go with --percentile");
    options.alone = io::read_profile(*profile).interference;
    if (!options.alone)
      throw UsageError(fmt::format("--alone '{}': the profile has no `interference` (rta examine --interference measures it)", *profile));
  }
  if (const auto how = text_given(given, "waits")) options.waits = chosen("waits", *how, waits);
  options.fuse = time_given(given, "fuse", Time(1));
  options.dispatch_latency = time_given(given, "dispatch-latency", Time());
  options.slice = time_given(given, "slice", Time(1));
  options.switching = time_given(given, "switch", Time());
  options.green_contexts = green_contexts_given(given);
  options.strict = flag_given(given, "strict");
  options.blocking_streams = flag_given(given, "blocking-streams");
  options.cpu_only = flag_given(given, "cpu-only");
  return options;
}

void refuse_options_without_effect(const po::variables_map& given, const convert::Converted& converted) {
  const Kind kind = converted.kind;
  for (const ConvertOption& option : table()) {
    const bool is_given = option.form == Form::flag ? given[option.name].as<bool>() : given.count(option.name) != 0;
    if (!is_given || std::ranges::find(option.kinds, kind) != option.kinds.end()) continue;
    std::string names;
    for (const Kind of : option.kinds) names += (names.empty() ? "" : ", ") + std::string(name_of(of).name);
    throw UsageError(fmt::format("--{}: says nothing of {} (it goes with {})", option.name, name_of(kind).text, names));
  }
  if (!converted.without_effect.empty()) throw UsageError(fmt::format("{}", fmt::join(converted.without_effect, "\n")));
  if (given["accept-difference"].as<bool>() && converted.recorded.empty() && converted.beside.count == 0 && converted.beside.unlike == 0 &&
      converted.taking_turns.empty()) {
    throw UsageError(fmt::format("--accept-difference: {} is held against no recording", name_of(kind).text));
  }
}

}  // namespace rta::cli
