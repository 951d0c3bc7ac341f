#include "file_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace rta::io {
namespace {

constexpr std::size_t looked_at = 1U << 16U;
constexpr std::string_view converts = "rta convert makes a task set of it";

std::string_view without_leading_space(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

bool has_key(const Value& mapping, std::string_view key) {
  for (const Value* at = mapping.first(); at != mapping.next(); at = at->next()->next()) {
    if (at->kind == Value::Kind::scalar && at->text == key) return true;
  }
  return false;
}

bool names(std::string_view text, std::string_view key) { return text.find(key) != std::string_view::npos; }

bool begins_with(std::string_view text, std::string_view lower_case) {
  return text.size() >= lower_case.size() && std::ranges::equal(text.substr(0, lower_case.size()), lower_case, [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) == b;
         });
}

// Formats that are no text, and what makes them readable.
struct Binary {
  std::string_view magic, extension;  // one of them, or both
  std::string_view what, advice;
};
constexpr std::string_view nsys_export = "`nsys export --type sqlite -o FILE.sqlite FILE` writes what rta convert reads";
constexpr std::string_view bag_advice =
    "rta reads no messages: record the nodes with ros2_tracing or `rta record`, or write their times as a task set";
constexpr std::string_view ctf_advice = "rta convert FOLDER reads the whole folder of a trace of ROS 2, by babeltrace2";
constexpr std::string_view ncu_advice = "it times kernels alone, one by one: profile with `nsys profile`, whose export rta convert reads";
constexpr std::string_view stats_advice =
    "it sums times up and says nothing of jobs; `nsys export --type sqlite` writes the profile, and `nsys stats --report cuda_gpu_trace "
    "--format csv` its kernels one by one, which rta convert reads";
constexpr std::array<Binary, 18> binaries{{
    {"", ".nsys-rep", "a report of Nsight Systems", nsys_export},
    {"", ".qdrep", "a report of Nsight Systems", nsys_export},
    {"", ".qdstrm", "a report of Nsight Systems", nsys_export},
    {"", ".ncu-rep", "a report of Nsight Compute", ncu_advice},
    {"", ".nvvp", "a profile of nvprof", "profile with `nsys profile`, whose export rta convert reads"},
    {"", ".pftrace", "a trace of Perfetto",
     "`traceconv json FILE FILE.json` writes Chrome trace events, of which rta convert reads PyTorch's"},
    {"", ".perfetto-trace", "a trace of Perfetto",
     "`traceconv json FILE FILE.json` writes Chrome trace events, of which rta convert reads PyTorch's"},
    {"#ROSBAG V", "", "a rosbag", bag_advice},
    {"\x89MCAP0\r\n", "", "a bag in MCAP", bag_advice},
    {"SQLite format 3", ".db3", "a rosbag", bag_advice},
    {"\xC1\x1F\xFC\xC1", "", "a trace in CTF", ctf_advice},
    {"\x57\x1D\xD1\x75", "", "the metadata of a trace in CTF", ctf_advice},
    {"\x75\xD1\x1D\x57", "", "the metadata of a trace in CTF", ctf_advice},
    {"/* CTF 1.", "", "the metadata of a trace in CTF", ctf_advice},
    {"PERFILE2", "", "a recording of perf",
     "`perf script -i FILE > FILE.txt` prints it; of the scheduler's events rta convert makes a task set"},
    {"\x17\x08\x44tracing", "", "a recording of trace-cmd",
     "`trace-cmd report FILE > FILE.txt` prints it; of the scheduler's events rta convert makes a task set"},
    {"\x7F"
     "ELF",
     "", "a program", "`rta record -- PROGRAM` records it"},
    {"PK\x03\x04", "", "a ZIP archive", "unpack it"},
}};

std::optional<FileKind> binary_kind(std::string_view text, std::string_view name) {
  for (const Binary& binary : binaries) {
    if (text.starts_with(binary.magic) && name.ends_with(binary.extension))
      return FileKind{FileIs::unreadable, std::string(binary.what), std::string(binary.advice)};
  }
  if (text.starts_with("SQLite format 3")) return FileKind{FileIs::foreign, "a profile in SQLite", std::string(converts)};
  if (text.starts_with("\x1F\x8B"))
    return FileKind{FileIs::foreign, "packed with gzip", "rta convert reads packed profiles; unpack others"};
  return std::nullopt;
}

// `digraph g {`, `strict graph {`.
bool is_dot(std::string_view text) {
  if (begins_with(text, "strict")) text = without_leading_space(text.substr(6));
  for (const std::string_view word : {"digraph", "graph"}) {
    if (!begins_with(text, word)) continue;
    const std::string_view after = text.substr(word.size());
    if (after.empty() || after.front() == '{' || std::isspace(static_cast<unsigned char>(after.front())) != 0) return names(text, "{");
  }
  return false;
}

bool names_all(std::string_view line, std::initializer_list<std::string_view> words) {
  return std::ranges::all_of(words, [&](std::string_view word) { return names(line, word); });
}

// Lines that babeltrace2 prints: `[03:42:59.334385495] (+?.?????????) host ros2:rcl_init: { cpu_id = 1 }, …`.
bool is_ros2_trace(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.starts_with('[') && (names_all(line, {"] ", " ros2:", ": {"}) || names_all(line, {"] ", " ros2_caret:", ": {"}))) return true;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return false;
}

// What a line shows, wherever it stands: tools print what they do before their tables.
std::optional<FileKind> kind_of_line(std::string_view line) {
  if (line.starts_with('#')) return std::nullopt;
  if (names_all(line, {"sched_switch:", " ==> "})) return FileKind{FileIs::foreign, "a trace of Linux's scheduler", std::string(converts)};
  if (line.starts_with("@TASK_GRAPH")) return FileKind{FileIs::foreign, "a file of TGFF", std::string(converts)};
  if (names_all(line, {"sch delay", "run time"}) || names_all(line, {"Runtime ms", "Switches"}))
    return FileKind{FileIs::unreadable, "a table of perf sched",
                    "it sums times up and says nothing of jobs; `perf sched script` prints the events, which rta convert reads"};
  if (names_all(line, {"GrdX", "BlkX", ","})) return FileKind{FileIs::foreign, "a trace that nsys stats printed", std::string(converts)};
  if (names_all(line, {"Time (%)", "Total Time"}) || names_all(line, {"Total (", "Count", "Avg (", "Operation"}) ||
      names_all(line, {"API Start (", "API Dur ("}))
    return FileKind{FileIs::unreadable, "a table of `nsys stats`", std::string(stats_advice)};
  if (names_all(line, {"Process ID", "Host Name", "Kernel Name", ","}) || line.starts_with("==PROF== "))
    return FileKind{FileIs::unreadable, "a table of Nsight Compute", std::string(ncu_advice)};
  if (line.starts_with("==") && names(line, "== NVPROF is profiling"))
    return FileKind{FileIs::unreadable, "a table of nvprof", "profile with `nsys profile`, whose export rta convert reads"};
  return std::nullopt;
}

std::optional<FileKind> kind_of_any_line(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (auto kind = kind_of_line(line)) return kind;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return std::nullopt;
}

std::optional<FileKind> table_kind(std::string_view line) {
  if (std::ranges::count(line, ',') < 2 || line.starts_with('#')) return std::nullopt;
  if (names_all(line, {"Task ID", "Job ID"}) || names(line, "Predecessor TID"))
    return FileKind{FileIs::job_set, "a job set", std::string(converts)};
  if (line.find_first_of(":{[#&*!|>'") != std::string_view::npos) return std::nullopt;
  return FileKind{FileIs::table, "a table in CSV", "rta convert reads job sets of schedule_abstraction, whose columns begin with Task ID"};
}

// `"command": "analyze"` of the evidence that results begin with.
std::string command_of(std::string_view text) {
  constexpr std::string_view key = "\"command\":";
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos || !names(text.substr(0, at), "\"evidence\"")) return {};
  const std::size_t begin = text.find('"', at + key.size());
  const std::size_t end = begin == std::string_view::npos ? begin : text.find('"', begin + 1);
  return end == std::string_view::npos ? std::string() : std::string(text.substr(begin + 1, end - begin - 1));
}

std::optional<FileKind> json_kind(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  if (names(line, "\"kind\": \"trace\"") || names(line, "\"kind\":\"trace\"")) {
    if (names(line, "\"recording\"")) return FileKind{FileIs::recording, "a recording", std::string(converts)};
    return FileKind{FileIs::trace, "a trace", "rta compare TRACE TASKSET reads it"};
  }
  if (names(text, "\"platform\"") && (names(text, "\"dags\"") || names(text, "\"tasks\"")))
    return FileKind{FileIs::task_set, "a task set", "rta analyze proves its bounds"};
  if (const std::string command = command_of(text); !command.empty()) {
    if (command == "analyze" || command == "simulate")
      return FileKind{FileIs::result, fmt::format("a result of rta {}", command), "rta diff BEFORE.json AFTER.json compares two of them"};
    return FileKind{FileIs::other_result, fmt::format("a result of rta '{}'", command), "no command reads it again"};
  }
  if (names(text, "\"traceEvents\""))
    return FileKind{FileIs::foreign, "a file of Chrome trace events", "rta convert reads those of PyTorch and of rta"};
  if (names(text, "\"benchmarks\""))
    return FileKind{FileIs::foreign, "a configuration of the cuda_scheduling_examiner", "rta convert makes an experiment of it"};
  if (text.starts_with('[') && (names(text, "\"averageMs\"") || names(text, "\"computeMs\"")))
    return FileKind{FileIs::foreign, "an export of trtexec", std::string(converts)};
  if (names(text, "\"graphs\"") && names(text, "\"target\"") && names(text, "\"kernel\""))
    return FileKind{FileIs::foreign, "a list of OpenVX nodes", std::string(converts)};
  if (names(line, "\"Type\":") || names(line, "\"NvtxEvent\"") || names(line, "\"CudaEvent\"") || names(line, "\"GlobalProcess\""))
    return FileKind{FileIs::unreadable, "an export of Nsight Systems as JSON lines", std::string(nsys_export)};
  if (names(text, "\"verdict\"") && (names(text, "\"pools\"") || names(text, "\"simulation\"")))
    return FileKind{FileIs::result, "a result", "rta diff BEFORE.json AFTER.json compares two of them"};
  if (names(text, "\"$schema\"")) return FileKind{FileIs::other_result, "a report of rta lint, or a JSON Schema", "no command reads it"};
  if (text.starts_with('[')) return FileKind{FileIs::unreadable, "a list in JSON", "no command reads it"};
  return std::nullopt;
}

struct Keyed {
  std::string_view key;
  FileIs is;
  std::string_view what, advice;
};
// By keys at the top of YAML; the first that is there decides.
constexpr std::array<Keyed, 13> keyed{{
    {"Hyperepochs", FileIs::graph, "a graph of the System Task Manager", "rta compile makes a schedule of it"},
    {"schedule", FileIs::schedule, "a schedule",
     "rta compile GRAPH --check SCHEDULE judges it, and rta draw, rta run and rta workload read it"},
    {"rosbag2_bagfile_information", FileIs::unreadable, "the description of a rosbag", bag_advice},
    {"callback_groups", FileIs::thread_config, "a thread configuration of callback_isolated_executor",
     "it has no execution times: rta convert TASKSET --thread-config FILE completes a task set by it"},
    {"jobset", FileIs::foreign, "a job set", converts},
    {"experiment", FileIs::experiment, "an experiment", "rta simulate plays it"},
    {"sweep", FileIs::sweep, "a sweep", "rta sweep evaluates it"},
    {"random", FileIs::recipe, "a recipe of random task sets", "rta generate draws task sets from it"},
    {"rules", FileIs::device_profile, "a device profile", "rta analyze FILE --profile takes it"},
    {"latencies", FileIs::device_profile, "a device profile", "rta analyze FILE --profile takes it"},
    {"dags", FileIs::task_set, "a task set", "rta analyze proves its bounds"},
    {"tasks", FileIs::task_set, "a task set", "rta analyze proves its bounds"},
    {"platform", FileIs::task_set, "a task set", "rta analyze proves its bounds"},
}};

std::optional<FileKind> yaml_kind(const std::set<std::string_view>& keys, std::string_view text) {
  if (keys.contains("tasks") && !keys.contains("platform") && names(text, "vertices"))
    return FileKind{FileIs::foreign, "a file of DAG-scheduling", std::string(converts)};
  if (keys.contains("Version") && names(text, "Hyperepochs"))
    return FileKind{keyed.front().is, std::string(keyed.front().what), std::string(keyed.front().advice)};
  for (const Keyed& kind : keyed) {
    if (keys.contains(kind.key)) return FileKind{kind.is, std::string(kind.what), std::string(kind.advice)};
  }
  return std::nullopt;
}

// Words before a colon at the beginnings of lines.
std::set<std::string_view> top_keys(std::string_view text) {
  std::set<std::string_view> keys;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    std::size_t end = 0;
    while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) != 0 || line[end] == '_')) ++end;
    if (end > 0 && end < line.size() && line[end] == ':') keys.insert(line.substr(0, end));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return keys;
}

// Of STG: how many tasks there are, alone on its line, and a row for task 0.
bool is_task_graph(std::string_view text) {
  const auto is_numbers = [](std::string_view line) {
    return !line.empty() && line.find_first_not_of("0123456789 \t\r") == std::string_view::npos;
  };
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos || !is_numbers(text.substr(0, end)) ||
      text.substr(0, end).find_first_of(" \t") != std::string_view::npos)
    return false;
  const std::string_view row = without_leading_space(text.substr(end + 1));
  return row.starts_with('0') && is_numbers(row.substr(0, row.find('\n')));
}

bool is_source(std::string_view text, std::string_view name) {
  for (const std::string_view extension : {".cu", ".cuh", ".cpp", ".cc", ".cxx", ".c", ".h", ".hpp"}) {
    if (name.ends_with(extension)) return true;
  }
  return text.starts_with("#include <") || text.starts_with("#include \"");
}

}  // namespace

std::string mixup(const FileKind& kind, std::string_view wanted) {
  return fmt::format("this is {}, {}: {}", kind.what, wanted, kind.advice);
}

std::optional<FileKind> file_kind(std::string_view head, std::string_view name) {
  head = head.substr(0, looked_at);
  if (auto kind = binary_kind(head, name)) return kind;
  if (head.find('\0') != std::string_view::npos) return std::nullopt;
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  const std::string_view text = without_leading_space(head);
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  if (text.starts_with("rta-certificate"))
    return FileKind{FileIs::certificate, "a certificate", "rta-check TASKSET CERTIFICATE verifies it"};
  if (is_dot(text)) return FileKind{FileIs::foreign, "a graph in DOT", std::string(converts)};
  if (text.starts_with('<')) {
    if (names(text, "app4mc.eclipse.org/amalthea")) return FileKind{FileIs::foreign, "a model of Amalthea", std::string(converts)};
    if (begins_with(text, "<!doctype html") || begins_with(text, "<html"))
      return FileKind{FileIs::unreadable, "a page", "a browser shows it"};
    return FileKind{FileIs::unreadable, "XML", "of XML rta convert reads models of Amalthea"};
  }
  if (is_ros2_trace(text)) return FileKind{FileIs::foreign, "a trace of ROS 2", std::string(converts)};
  if (text.starts_with('{') || text.starts_with('[')) return json_kind(text);
  if (is_source(text, name)) return FileKind{FileIs::source, "source code", "rta lint reads it"};
  if (auto kind = kind_of_any_line(text)) return kind;
  if (auto kind = table_kind(line)) return kind;
  if (is_task_graph(text)) return FileKind{FileIs::foreign, "a Standard Task Graph", std::string(converts)};
  return yaml_kind(top_keys(head), head);
}

std::optional<std::string> foreign_format(std::string_view text) {
  const auto kind = file_kind(text);
  if (!kind) return std::nullopt;
  switch (kind->is) {
    case FileIs::task_set:
    case FileIs::experiment:
    case FileIs::sweep:
    case FileIs::recipe:
    case FileIs::device_profile: return std::nullopt;  // told by its keys
    default: return mixup(*kind, "no task set");
  }
}

std::optional<std::string> other_kind(const Value& root) {
  if (root.kind != Value::Kind::mapping || has_key(root, "dags") || has_key(root, "tasks")) return std::nullopt;
  for (const Keyed& kind : keyed) {
    if (kind.is != FileIs::task_set && has_key(root, kind.key))
      return mixup({kind.is, std::string(kind.what), std::string(kind.advice)}, "no task set");
  }
  return std::nullopt;
}

}  // namespace rta::io
