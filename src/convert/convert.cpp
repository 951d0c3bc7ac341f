#include "rta/convert/convert.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "../io/file.hpp"
#include "../io/file_kind.hpp"
#include "amalthea_reader.hpp"
#include "bytes.hpp"
#include "dag_scheduling_reader.hpp"
#include "dot_reader.hpp"
#include "hand_over.hpp"
#include "job_set.hpp"
#include "json_stream.hpp"
#include "kineto_reader.hpp"
#include "names.hpp"
#include "notes.hpp"
#include "nsys_reader.hpp"
#include "nsys_stats_reader.hpp"
#include "openvx_reader.hpp"
#include "profile/task_set.hpp"
#include "ros2/ctf_folder.hpp"
#include "ros2/isolated_threads.hpp"
#include "ros2_reader.hpp"
#include "rta/io/examiner_file.hpp"
#include "rta/io/experiment_file.hpp"
#include "rta/static_order/graph_file.hpp"
#include "sched_reader.hpp"
#include "sqlite.hpp"
#include "stg_reader.hpp"
#include "stm_reader.hpp"
#include "tgff_reader.hpp"
#include "trace_events.hpp"
#include "trace_reader.hpp"
#include "trtexec_reader.hpp"

namespace rta::convert {
namespace {

// The head of a file is enough to tell what it is.
constexpr std::size_t head_size = 1U << 20U;
// Databases from a pipe are read into memory.
constexpr std::size_t largest_in_memory = 512U << 20U;

// UTF-16 and UTF-32, with or without a mark at the beginning: text of which each second byte at least is 0.
void refuse_wide_characters(std::string_view head, const std::string& name) {
  const auto zero = [&](std::size_t at) { return head[at] == '\0'; };
  const auto letter = [&](std::size_t at) { return (head[at] >= ' ' && head[at] <= '~') || head[at] == '\n' || head[at] == '\t'; };
  const bool marked = head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF") || head.starts_with(std::string_view("\0\0\xFE\xFF", 4));
  const bool wide = head.size() > 3 && ((letter(0) && zero(1) && zero(3) && (letter(2) || zero(2))) ||
                                        (zero(0) && zero(2) && letter(3) && (letter(1) || zero(1))));
  if (!marked && !wide) return;
  refuse(name, "the text is in UTF-16 or UTF-32; `iconv -f UTF-16 -t UTF-8 FILE` writes it in UTF-8, which is read", 1, 1);
}

[[noreturn]] void refuse_unknown(Bytes& bytes) {
  const std::string_view head = bytes.head(head_size);
  if (head.find_first_not_of(" \t\r\n") == std::string_view::npos) refuse(bytes.name(), "the file is empty", 1, 1);
  if (const auto kind = io::file_kind(head, bytes.name())) refuse(bytes.name(), mixup(*kind, "nothing that rta convert reads"), 1, 1);
  std::string known;
  for (const KindName& kind : kinds) known += fmt::format("\n  {} ({})", kind.text, kind.name);
  refuse(bytes.name(), fmt::format("not a kind of file that is known:{}\n--from insists on one", known));
}

// Traces and bags are folders with a file that says what they are.
[[noreturn]] void refuse_folder(const std::filesystem::path& path) {
  for (const char* const name : {"metadata", "metadata.yaml"}) {
    std::error_code missing;
    if (!std::filesystem::is_regular_file(path / name, missing)) continue;
    Bytes bytes(path / name, {});
    if (const auto kind = io::file_kind(bytes.head(head_size), bytes.name()))
      refuse(path.string(), mixup(*kind, "nothing that rta convert reads"));
  }
  refuse(path.string(), "cannot be read: it is a folder");
}

class Converter {
 public:
  Converter(Bytes& bytes, const std::filesystem::path* path, const Options& options, Progress progress)
      : bytes_(bytes), path_(path), options_(options), progress_(std::move(progress)), notes_(bytes.name()) {}

  Converted convert() {
    const std::string_view head = bytes_.head(head_size);
    refuse_wide_characters(head, bytes_.name());
    const auto kind = options_.from ? options_.from : recognise(head);
    if (!options_.from && kind == Kind::nsys) {  // a bag in SQLite is no profile
      const auto named = io::file_kind(head, bytes_.name());
      if (named && named->is == io::FileIs::unreadable) refuse_unknown(bytes_);
    }
    if (!kind) {
      check_json(head);
      refuse_unknown(bytes_);
    }
    out_.kind = *kind;
    try {
      read(*kind);
    } catch (const Overflow& error) {
      refuse(notes_.file(), fmt::format("a number is too large: {}", error.what()));
    }
    out_.without_effect = without_effect();
    out_.found = notes_.take_found();
    out_.assumed = notes_.take_assumed();
    for (io::Diagnostic& warning : notes_.take_warnings()) out_.warnings.push_back(std::move(warning));
    return std::move(out_);
  }

 private:
  // JSON that is broken before it shows what it is.
  void check_json(std::string_view head) const {
    const std::size_t begin = head.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos || !bytes_.ends_with_head() || (head[begin] != '{' && head[begin] != '[')) return;
    const std::size_t line = head.find('\n', begin);
    if (line != std::string_view::npos && head[line - 1] == '}' && head.substr(line + 1).starts_with('{')) return;  // an object per line
    Bytes again(head, bytes_.name());
    JsonStream in(again);
    read_trace_events(in, {});
  }

  // Options that were given and that no reader needed.
  [[nodiscard]] std::vector<std::string> without_effect() const {
    struct Given {
      bool given;
      const char* option;
      const char* why;
    };
    const Options& o = options_;
    const std::array all{
        Given{o.device.has_value(), "device", "nothing runs on a GPU"},
        Given{o.copy_engines.has_value(), "copy-engines", "nothing is copied between host and device"},
        Given{o.copy_rate.has_value(), "copy-rate", "nothing is copied"},
        Given{o.access_size.has_value(), "access-size", "no access of a label lacks a data rate and has a latency"},
        Given{o.scheduler.has_value(), "scheduler", "there is no pool of processors"},
        Given{o.period.has_value(), "period", "the file shows every period"},
        Given{o.deadline.has_value(), "deadline", "every DAG has a deadline of its own"},
        Given{o.time_unit.has_value(), "time-unit", "every time has its unit"},
        Given{o.distribution.has_value(), "distribution", "no static executor is in the trace, or the trace says which it is"},
        Given{o.dispatch_latency.has_value(), "dispatch-latency", "there is no kernel"},
        Given{o.threads_per_block.has_value(), "threads-per-block", "there is no kernel"},
        Given{o.blocking_streams, "blocking-streams", "the file says of every stream whether it blocks, or the NULL stream is not used"},
        Given{o.cpu_only, "cpu-only", "nothing runs elsewhere than on processors"},
    };
    std::vector<std::string> out;
    for (const Given& one : all) {
      if (one.given && !notes_.used(one.option)) out.push_back(fmt::format("--{}: has no effect here: {}", one.option, one.why));
    }
    for (const auto& [pool, count] : options_.processors) {
      if (notes_.used("processors " + pool)) continue;
      out.push_back(fmt::format("--processors {}{}: no pool that needs a number is {} (there are: {})", pool.empty() ? "" : pool + "=",
                                count, pool.empty() ? "left for it" : "called so",
                                notes_.asked().empty() ? "none" : fmt::format("{}", fmt::join(notes_.asked(), ", "))));
    }
    for (const std::string& thread : options_.threads) {
      if (!notes_.used("thread " + thread))
        out.push_back(fmt::format("--thread {}: no thread is called so, or another --thread takes it", thread));
    }
    for (const std::string& marker : options_.job_markers) {
      if (!notes_.used("job-marker " + marker))
        out.push_back(fmt::format("--job-marker {}: no range is called so, or another marker takes it", marker));
    }
    return out;
  }

  [[nodiscard]] std::string text() { return bytes_.rest(io::largest_file()); }

  void take(Draft draft) {
    out_.recorded = std::move(draft.recorded);
    out_.taking_turns = std::move(draft.taking_turns);
    out_.beside = draft.beside;
    out_.content = hand_over(std::move(draft), options_, notes_);
  }

  void read(Kind kind) {
    switch (kind) {
      case Kind::kineto: take(profile_draft(read_kineto(bytes_, notes_))); break;
      case Kind::nsys: take(profile_draft(read_database())); break;
      case Kind::nsys_stats: take(profile_draft(read_nsys_stats(bytes_, notes_))); break;
      case Kind::trtexec: take(read_trtexec(bytes_, options_, notes_)); break;
      case Kind::sched: take(read_sched(bytes_, options_, notes_)); break;
      case Kind::ros2: take(read_ros2(bytes_, options_, notes_)); break;
      case Kind::amalthea: take(read_amalthea(text(), options_, notes_)); break;
      case Kind::sag: read_job_set(); break;
      case Kind::dag_scheduling: take(read_dag_scheduling(text(), options_, notes_)); break;
      case Kind::stg: take(read_stg(text(), options_, notes_)); break;
      case Kind::tgff: take(read_tgff(text(), options_, notes_)); break;
      case Kind::dot: read_digraph(); break;
      case Kind::openvx: take(read_openvx(text(), options_, notes_)); break;
      case Kind::stm: read_graph(); break;
      case Kind::examiner: read_examiner(); break;
      case Kind::trace:
      case Kind::recording: take(read_trace(bytes_, options_, notes_)); break;
      case Kind::task_set: read_task_set(); break;
    }
  }

  Draft profile_draft(Profile profile) { return draft_of(std::move(profile), options_, notes_); }

  Profile read_database() {
    if (path_ != nullptr && *path_ != "-") return read_nsys(Database(*path_), notes_, progress_);
    const std::string content = bytes_.rest(largest_in_memory);
    return read_nsys(Database(content, bytes_.name()), notes_);
  }

  void read_job_set() {
    std::optional<PrecedenceText> precedence;
    if (options_.precedence) {
      Bytes other(*options_.precedence, {});
      const std::string_view head = other.head(head_size);
      refuse_wide_characters(head, other.name());
      const auto kind = io::file_kind(head, other.name());
      if (kind && kind->is != io::FileIs::job_set && kind->is != io::FileIs::table)
        refuse(other.name(), mixup(*kind, "no constraints between jobs"), 1, 1);
      precedence = PrecedenceText{other.name(), other.rest(io::largest_file())};
    }
    take(draft_of(read_job_rows(text(), precedence, notes_), options_, notes_));
  }

  void read_digraph() {
    auto content = read_dot(text(), options_, notes_);
    if (auto* draft = std::get_if<Draft>(&content)) {
      take(std::move(*draft));
    } else {
      out_.content = std::move(std::get<TaskSet>(content));
    }
  }

  void read_graph() {
    auto result = static_order::parse_graph(text(), bytes_.name());
    for (io::Diagnostic& warning : result.warnings) notes_.warn(std::move(warning));
    take(draft_of(result.graph, options_, notes_));
    out_.graph = std::move(result.graph);
  }

  void read_examiner() {
    io::ExaminerOptions examiner;
    for (const char* option : {"device", "slice", "switch"}) notes_.uses(option);
    if (options_.device) {
      examiner.device = *options_.device;
    } else {
      notes_.assume(fmt::format("the GPU is '{}' (--device)", examiner.device));
    }
    if (options_.copy_rate) examiner.copy_rate = *options_.copy_rate;
    examiner.slice = options_.slice;
    examiner.switching = options_.switching;
    auto result = io::parse_examiner(text(), bytes_.name(), examiner);
    for (const Operation& o : result.experiment.operations()) {
      if (!std::holds_alternative<CopyDemand>(o.demand)) continue;
      notes_.uses("copy-rate");
      if (!options_.copy_rate) notes_.assume(fmt::format("copies move {} MiB a second (--copy-rate)", examiner.copy_rate >> 20U));
    }
    out_.content = std::move(result.experiment);
    out_.warnings = std::move(result.warnings);
  }

  void read_task_set() {
    auto result = io::parse_task_set_or_experiment(text(), bytes_.name());
    if (auto* set = std::get_if<io::ReadResult>(&result)) {
      out_.warnings = std::move(set->warnings);
      out_.content =
          options_.thread_config ? with_isolated_threads(set->task_set, *options_.thread_config, notes_) : std::move(set->task_set);
    } else {
      if (options_.thread_config) refuse(notes_.file(), "--thread-config: an experiment has no callbacks");
      out_.content = std::move(std::get<io::ExperimentResult>(result).experiment);
      out_.warnings = std::move(std::get<io::ExperimentResult>(result).warnings);
    }
  }

  Bytes& bytes_;
  const std::filesystem::path* path_;
  const Options& options_;
  Progress progress_;
  Notes notes_;
  Converted out_{Kind::task_set, TaskSet("", {}, {}), {}, {}, {}};
};

// Folders of LTTng are printed by babeltrace2.
Converted convert_ctf(const std::filesystem::path& path, Options options, const Progress& progress) {
  if (options.from && *options.from != Kind::ros2) {
    refuse(path.string(), fmt::format("a folder in CTF is a trace of ROS 2, and not {}", name_of(*options.from).text));
  }
  options.from = Kind::ros2;
  std::optional<Converted> out;
  const std::vector<std::string> says =
      print_ctf(path, progress, [&](Bytes& bytes) { out = Converter(bytes, nullptr, options, progress).convert(); });
  constexpr std::size_t most = 5;
  for (std::size_t i = 0; i < std::min(says.size(), most); ++i) out->warnings.push_back({path.string(), 0, 0, "babeltrace2: " + says[i]});
  if (says.size() > most) {
    out->warnings.push_back({path.string(), 0, 0, fmt::format("babeltrace2 says {} things more", says.size() - most)});
  }
  return std::move(*out);
}

}  // namespace

Converted convert(const std::filesystem::path& path, const Options& options, const Progress& progress) {
  if (std::error_code missing; std::filesystem::is_directory(path, missing)) {
    if (has_ctf(path)) return convert_ctf(path, options, progress);
    refuse_folder(path);
  }
  Bytes bytes(path, progress);
  return Converter(bytes, &path, options, progress).convert();
}

Converted convert_text(std::string_view content, const std::string& name, const Options& options) {
  Bytes bytes(content, name);
  return Converter(bytes, nullptr, options, {}).convert();
}

std::vector<std::string> comment_of(const Converted& converted, const std::string& name) {
  std::vector<std::string> lines{fmt::format("From {}, {}.", one_line(name, 200), name_of(converted.kind).text)};
  const auto add = [&](const char* title, const std::vector<std::string>& sentences) {
    if (!sentences.empty()) lines.emplace_back(title);
    for (const std::string& sentence : sentences) lines.push_back("- " + one_line(sentence, 1000));
  };
  add("Found:", converted.found);
  add("Assumed:", converted.assumed);
  return lines;
}

}  // namespace rta::convert
