#include "trace_reader.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <istream>
#include <set>
#include <unordered_map>

#include "byte_stream.hpp"
#include "json_stream.hpp"
#include "names.hpp"
#include "observed_system.hpp"
#include "profile/task_set.hpp"
#include "recording_reader.hpp"
#include "rta/trace/reader.hpp"
#include "trace_events.hpp"

namespace rta::convert {
namespace {

// JSON Lines know the kinds of pools by what ran, and not their names.
class FromRecords {
 public:
  FromRecords(ObservedSystem& system, Notes& notes) : system_(system), notes_(notes) {}

  void operator()(const trace::DagRecord& r) { system_.dag(r.job, r.release, r.end); }
  void operator()(const trace::JobRecord& r) { system_.job(r.job, r.release, r.end); }
  void operator()(const trace::BlockRecord& r) { ran("gpu", PoolKind::gpu, r, r.end - r.start); }
  void operator()(const trace::CopyRecord& r) { ran("copy", PoolKind::engines, r, r.end - r.start); }
  void operator()(const trace::RunRecord& r) { ran("cpu", PoolKind::cpu, r, r.consumed.value_or(r.end - r.start)); }
  void operator()(const trace::CheckRecord& r) { warn_of_check(r, notes_); }
  void operator()(const trace::Activity&) {}  // of recordings, which have a reader of their own

 private:
  template <class Ran>
  void ran(const char* pool, PoolKind kind, const Ran& r, Time length) {
    system_.piece(r.job, {pool, kind, r.start.count(), r.end.count(), length.count()});
  }

  ObservedSystem& system_;
  Notes& notes_;
};

// What no record of rta says.
void tell_unknown_fields(const trace::Reader& reader, Kind kind, Notes& notes) {
  for (const auto& [field, count] : reader.unknown_fields()) {
    const auto& [record, name] = field;
    notes.leave_out(reading(kind, "field of a record", name), fmt::format("{}.{}", record, name), count, {});
  }
  bool processes = false, mps = true;
  for (const auto& [key, value] : reader.header().details) {
    notes.meet(kind, "key of the header", key, 1, 1);
    processes = processes || (key == "tasks" && value == "processes");
    mps = mps && !(key == "mps" && value == "false");
  }
  if (processes && !mps)
    notes.assume(
        "the tasks were processes without MPS, which a GPU serves in time slices: here they hold as those of one, and BOUNDS MAY BE TOO "
        "LOW");
}

void warn_of_losses(const trace::Reader& reader, Notes& notes) {
  if (!reader.complete()) notes.warn({notes.file(), 0, 0, "is incomplete; later jobs may have taken longer"});
  if (reader.lost_records() > 0) notes.warn({notes.file(), 0, 0, fmt::format("{} records were lost", reader.lost_records())});
}

Draft read_lines(Bytes& bytes, const Options& options, Notes& notes) {
  ByteStream buffer(bytes);
  std::istream in(&buffer);
  in.exceptions(std::ios::badbit);
  trace::Reader reader(in, notes.file());
  if (reader.header().source == "recording") {
    Profile profile = read_recording(reader, notes);
    warn_of_losses(reader, notes);
    tell_unknown_fields(reader, Kind::recording, notes);
    return draft_of(std::move(profile), options, notes);
  }
  ObservedSystem system(notes);
  FromRecords take(system, notes);
  while (const auto record = reader.next()) std::visit(take, *record);
  warn_of_losses(reader, notes);
  tell_unknown_fields(reader, Kind::trace, notes);
  notes.found(fmt::format("a {} of {}", one_line(reader.header().source, 40), one_line(reader.header().task_set, 100)));
  notes.assume(
      "all CPU nodes run on one pool, all kernels on one GPU, and blocks are not told from items of workers: a .jsonl trace does not name "
      "pools");
  const auto& release = reader.header().release;
  return system.draft(options, notes, !release || *release == "completion" || *release == "segments");
}

// Chrome trace events: a process per pool, `b` and `e` for jobs, `X` for what ran.
class FromEvents {
 public:
  FromEvents(JsonStream& in, ObservedSystem& system, Notes& notes) : in_(in), system_(system), notes_(notes) {}

  void read() {
    TraceHandlers handlers;
    handlers.records_alone = true;
    handlers.event = [this](const Record& event) { take(event); };
    handlers.key = [this](const std::string& key) { notes_.meet(Kind::trace, "key of the file", key); };
    read_trace_events(in_, handlers);
  }

 private:
  [[noreturn]] void fail(const Record& event, const std::string& message) const {
    refuse(in_.name(), message, event.place().line, event.place().column);
  }
  Time time(const Record& event, const char* key) const {
    const Scalar* const value = event.find(key);
    const auto ns = value == nullptr ? std::nullopt : value->as_time(1000);
    if (!ns) fail(event, fmt::format("'{}' must be a number of us", key));
    return Time(*ns);
  }
  std::uint64_t number(const Record& event, const char* key) const {
    const auto value = event.integer(key);
    if (!value || *value < 0) fail(event, fmt::format("'{}' must be a whole number of at least 0", key));
    return static_cast<std::uint64_t>(*value);
  }

  void take(const Record& event) {
    const std::string_view phase = event.text("ph");
    if (notes_.meet(Kind::trace, "phase of an event", phase, event.place().line, event.place().column) != Fate::read) return;
    event.each_key([&](std::string_view key) {
      if (!fields_.contains(key) && notes_.meet(Kind::trace, "field of an event", key) == Fate::read) fields_.emplace(key);
    });
    if (phase == "M") name(event);
    if (phase == "X") ran(event);
    if (phase == "b" || phase == "e") job(event, phase == "b");
  }

  // `titan (gpu)`.
  void name(const Record& event) {
    if (notes_.meet(Kind::trace, "name of a lane", event.text("name")) != Fate::read) return;
    const std::string_view text = event.text("args.name");
    const std::size_t bracket = text.rfind(" (");
    if (bracket == std::string_view::npos || !text.ends_with(')')) return;
    const std::string_view kind = text.substr(bracket + 2, text.size() - bracket - 3);
    for (const PoolKind known : {PoolKind::cpu, PoolKind::gpu, PoolKind::engines, PoolKind::workers}) {
      if (kind == to_string(known) && pools_.size() < 10'000) pools_[number(event, "pid")] = {std::string(text.substr(0, bracket)), known};
    }
  }

  void ran(const Record& event) {
    const auto pool = pools_.find(number(event, "pid"));
    if (pool == pools_.end()) fail(event, "its process ('pid') is no pool of the trace");
    const Time length = time(event, "dur");
    if (length < Time::zero()) fail(event, "'dur' is negative");
    const trace::Job job{std::string(event.text("cat")), std::string(event.text("name")), number(event, "args.job")};
    const Time start = time(event, "ts");
    system_.piece(job, {pool->second.name, pool->second.kind, start.count(), (start + length).count(), length.count()});
  }

  // The beginning of a job comes before its end, each with its `id`.
  void job(const Record& event, bool begins) {
    const std::string id(event.text("id"));
    const bool of_node = event.text("cat") == "job";
    if (notes_.meet(Kind::trace, "category of a job", event.text("cat")) != Fate::read) return;
    if (begins) {
      constexpr std::size_t most = 4'000'000;
      if (open_.size() == most) fail(event, fmt::format("more than {} jobs have not ended", most));
      open_[(of_node ? "n" : "d") + id] = {time(event, "ts"), number(event, "args.job")};
      return;
    }
    const auto begun = open_.find((of_node ? "n" : "d") + id);
    if (begun == open_.end()) fail(event, "a job ends that has not begun");
    const auto [release, number_of_job] = begun->second;
    open_.erase(begun);
    const std::string name(event.text("name"));
    const Time end = time(event, "ts");
    if (end < release) fail(event, "a job ends before it began");
    if (!of_node) {
      system_.dag({name, "", number_of_job}, release, end);
      return;
    }
    // Names of DAGs have no slash where their nodes have one: the last one parts them.
    const std::size_t slash = name.rfind('/');
    if (slash == std::string::npos) fail(event, "'name' must be DAG/NODE");
    system_.job({name.substr(0, slash), name.substr(slash + 1), number_of_job}, release, end);
  }

  struct NamedPool {
    std::string name;
    PoolKind kind;
  };
  JsonStream& in_;
  ObservedSystem& system_;
  Notes& notes_;
  std::set<std::string, std::less<>> fields_;  // known ones that were there
  std::unordered_map<std::uint64_t, NamedPool> pools_;
  std::unordered_map<std::string, std::pair<Time, std::uint64_t>> open_;
};

Draft read_events(Bytes& bytes, const Options& options, Notes& notes) {
  JsonStream in(bytes);
  ObservedSystem system(notes);
  FromEvents(in, system, notes).read();
  return system.draft(options, notes, true);
}

}  // namespace

RecordedJobs recorded_jobs(trace::Reader& reader, const std::string& name, const Options& options) {
  Notes notes(name);
  RecordedJobs jobs;
  jobs.header = reader.header();
  if (jobs.header.source != "recording") refuse(name, "is no recording of rta record");
  try {
    Profile profile = read_recording(reader, notes);
    jobs.records = job_records(std::move(profile), options, notes);
  } catch (const Overflow& error) {
    refuse(name, fmt::format("a number is too large: {}", error.what()));
  }
  jobs.complete = reader.complete();
  jobs.lost_records = reader.lost_records();
  return jobs;
}

Draft read_trace(Bytes& bytes, const Options& options, Notes& notes) {
  const std::string_view head = bytes.head(4096);
  Draft draft =
      head.find("\"traceEvents\"") == std::string_view::npos ? read_lines(bytes, options, notes) : read_events(bytes, options, notes);
  draft.name = std::filesystem::path(notes.file()).filename().string();
  return draft;
}

}  // namespace rta::convert
