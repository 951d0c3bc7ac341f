#include "rta/convert/convert.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "../io/file.hpp"
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
#include "profile/task_set.hpp"
#include "rta/io/examiner_file.hpp"
#include "rta/io/experiment_file.hpp"
#include "rta/static_order/graph_file.hpp"
#include "sqlite.hpp"
#include "stm_reader.hpp"
#include "trace_events.hpp"
#include "trace_reader.hpp"

namespace rta::convert {
namespace {

// The head of a file is enough to tell what it is.
constexpr std::size_t head_size = 1U << 20U;
// Databases from a pipe are read into memory.
constexpr std::size_t largest_in_memory = 512U << 20U;

[[noreturn]] void refuse_unknown(Bytes& bytes) {
  const std::string extension = std::filesystem::path(bytes.name()).extension().string();
  if (extension == ".nsys-rep" || extension == ".qdrep" || extension == ".qdstrm") {
    refuse(bytes.name(),
           "a report of Nsight Systems is in a format of its own: write it out with `nsys export --type sqlite FILE`, and convert that");
  }
  const std::string_view head = bytes.head(head_size);
  if (head.find_first_not_of(" \t\r\n") == std::string_view::npos) refuse(bytes.name(), "the file is empty", 1, 1);
  std::string known;
  for (const KindName& kind : kinds) known += fmt::format("\n  {} ({})", kind.text, kind.name);
  refuse(bytes.name(), fmt::format("not a kind of file that is known:{}\n--from insists on one", known));
}

class Converter {
 public:
  Converter(Bytes& bytes, const std::filesystem::path* path, const Options& options, Progress progress)
      : bytes_(bytes), path_(path), options_(options), progress_(std::move(progress)), notes_(bytes.name()) {}

  Converted convert() {
    const std::string_view head = bytes_.head(head_size);
    const auto kind = options_.from ? options_.from : recognise(head);
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
    Bytes again(head, bytes_.name());
    JsonStream in(again);
    read_trace_events(in, {});
  }

  [[nodiscard]] std::string text() { return bytes_.rest(io::largest_file()); }

  void take(Draft draft) { out_.content = hand_over(std::move(draft), options_, notes_); }

  void read(Kind kind) {
    switch (kind) {
      case Kind::kineto: take(profile_draft(read_kineto(bytes_, notes_))); break;
      case Kind::nsys: take(profile_draft(read_database())); break;
      case Kind::amalthea: take(read_amalthea(text(), options_, notes_)); break;
      case Kind::sag: read_job_set(); break;
      case Kind::dag_scheduling: take(read_dag_scheduling(text(), options_, notes_)); break;
      case Kind::dot: read_digraph(); break;
      case Kind::stm: read_graph(); break;
      case Kind::examiner: read_examiner(); break;
      case Kind::trace:
      case Kind::recording: take(read_trace(bytes_, options_, notes_)); break;
      case Kind::task_set: read_task_set(); break;
    }
  }

  Draft profile_draft(Profile profile) { return draft_of(std::move(profile), options_, notes_); }

  Profile read_database() {
    if (path_ != nullptr && *path_ != "-") return read_nsys(Database(*path_), progress_);
    const std::string content = bytes_.rest(largest_in_memory);
    return read_nsys(Database(content, bytes_.name()));
  }

  void read_job_set() {
    std::optional<PrecedenceText> precedence;
    if (options_.precedence) {
      Bytes other(*options_.precedence, {});
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
    if (options_.device) {
      examiner.device = *options_.device;
    } else {
      notes_.assume(fmt::format("the GPU is '{}' (--device)", examiner.device));
    }
    if (options_.copy_rate) examiner.copy_rate = *options_.copy_rate;
    auto result = io::parse_examiner(text(), bytes_.name(), examiner);
    if (!options_.copy_rate) {
      for (const Operation& o : result.experiment.operations()) {
        if (std::holds_alternative<CopyDemand>(o.demand))
          notes_.assume(fmt::format("copies move {} MiB a second (--copy-rate)", examiner.copy_rate >> 20U));
      }
    }
    out_.content = std::move(result.experiment);
    out_.warnings = std::move(result.warnings);
  }

  void read_task_set() {
    auto result = io::parse_task_set_or_experiment(text(), bytes_.name());
    if (auto* set = std::get_if<io::ReadResult>(&result)) {
      out_.content = std::move(set->task_set);
      out_.warnings = std::move(set->warnings);
    } else {
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

}  // namespace

Converted convert(const std::filesystem::path& path, const Options& options, const Progress& progress) {
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
