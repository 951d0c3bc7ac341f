#include "kineto_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>
#include <set>

#include "json_stream.hpp"
#include "names.hpp"
#include "trace_events.hpp"

namespace rta::convert {
namespace {

constexpr std::int64_t us = 1000;

class KinetoReader {
 public:
  KinetoReader(JsonStream& in, Notes& notes) : in_(in), notes_(notes) { profile_.file = in.name(); }

  Profile read() {
    TraceHandlers handlers;
    handlers.records_alone = true;
    handlers.event = [this](const Record& event) { read_event(event); };
    handlers.other = [this](const std::string& list, const Record& record) {
      if (list == "deviceProperties") read_device(record);
    };
    handlers.key = [this](const std::string& key) { (void)notes_.meet(Kind::kineto, "key of the file", key); };
    read_trace_events(in_, handlers);
    if (in_.mended() > 0) {
      notes_.warn({in_.name(), 0, 0,
                   fmt::format("{} backslashes and control characters in texts, which JSON does not allow, were mended", in_.mended())});
    }
    finish();
    return std::move(profile_);
  }

 private:
  [[noreturn]] void fail(const Record& event, const std::string& message) const {
    refuse(in_.name(), message, event.place().line, event.place().column);
  }

  void read_device(const Record& record) {
    ProfiledDevice device;
    const auto number = [&](const char* key) -> std::optional<std::uint32_t> {
      const auto value = record.integer(key);
      if (!value || *value <= 0 || *value > 1'000'000) return std::nullopt;
      return static_cast<std::uint32_t>(*value);
    };
    const auto size = [&](const char* key) -> std::optional<std::uint64_t> {
      const auto value = record.integer(key);
      if (!value || *value <= 0 || *value > std::int64_t{1} << 32U) return std::nullopt;
      return static_cast<std::uint64_t>(*value);
    };
    device.number = record.integer("id").value_or(static_cast<std::int64_t>(profile_.devices.size()));
    device.name = one_line(record.text("name"), 80);
    device.major = number("computeMajor");
    if (const auto minor = record.integer("computeMinor"); minor && *minor >= 0 && *minor < 100)
      device.minor = static_cast<std::uint32_t>(*minor);
    device.sms = number("numSms");
    device.threads = number("maxThreadsPerMultiprocessor");
    device.threads_per_block = number("maxThreadsPerBlock");
    device.warp = number("warpSize");
    device.registers = size("regsPerMultiprocessor");
    device.shared_memory = size("sharedMemPerMultiprocessor");
    if (!device.shared_memory) device.shared_memory = size("maxSharedMemoryPerMultiProcessor");
    if (profile_.devices.size() < 1024) profile_.devices.push_back(std::move(device));
  }

  void read_event(const Record& event) {
    const std::string_view phase = event.text("ph");
    if (phase == "M" && event.text("name") == "process_name") {
      // Of the program, whose process id is no number of a GPU.
      const std::string_view name = event.text("args.name");
      if (program_.empty() && event.integer("pid").value_or(0) > most_gpus) program_ = one_line(name, 80);
      return;
    }
    const std::string_view category = event.text("cat");
    const bool on_gpu = event.find("args.device") != nullptr || event.find("args.stream") != nullptr;
    const Reading& row = row_of(category, on_gpu);
    if (phase != "X") {
      const bool of_gpu = row.fate == Fate::read || row.fate == Fate::refused;
      if (of_gpu && reading(Kind::kineto, "phase of an event", phase).fate == Fate::told)
        (void)notes_.meet(Kind::kineto, "phase of an event of a GPU", phase, event.place().line, event.place().column);
      (void)notes_.meet(Kind::kineto, "phase of an event", phase);
      return;
    }
    if (category == "kernel" || category == "Kernel") {
      read_operation(event, GpuOperation::Kind::kernel);
    } else if (category == "gpu_memcpy" || category == "Memcpy") {
      read_operation(event, GpuOperation::Kind::copy);
    } else if (category == "gpu_memset" || category == "Memset") {
      read_operation(event, GpuOperation::Kind::memset);
    } else if (category == "cuda_runtime" || category == "cuda_driver" || category == "Runtime" || category == "Driver") {
      read_call(event);
    } else if (category == "cuda_sync") {
      read_synchronisation(event);
    } else if (category == "user_annotation") {
      read_range(event);
    } else if (row.fate == Fate::refused) {
      GpuOperation o;
      read_placement(event, o);
      leave_out(row, category, o, event);
    } else if (row.fate == Fate::told) {
      const Scalar* const length = event.find("dur");
      const auto time = length == nullptr ? std::nullopt : length->as_time(us);
      notes_.leave_out(row, category.empty() ? "none" : category, 1, Time(std::max<std::int64_t>(time.value_or(0), 0)));
    }
  }

  // A category that is not known is that of something on a GPU where it has a device or a stream.
  static const Reading& row_of(std::string_view category, bool on_gpu) {
    const Reading& row = reading(Kind::kineto, "category", category);
    return row.names == "*" && on_gpu ? reading(Kind::kineto, "category with a device or stream", category) : row;
  }

  void leave_out(const Reading& row, std::string_view name, const GpuOperation& o, const Record& event) {
    Unread one{&row, profile_.texts.add(one_line(name, 80)), o.device, 0, o.correlation, o.start, o.end};
    if (one.end >= one.start) keep(profile_.unread, one, event);
  }

  static constexpr const char* times_expected = "an event needs `ts` and `dur`, numbers of us that fit in 64 bits of ns";

  // Time and duration; whole us where the file knows no finer ones.
  void read_times(const Record& event, std::int64_t& start, std::int64_t& end) {
    const Scalar* const ts = event.find("ts");
    const Scalar* const dur = event.find("dur");
    const auto from = ts != nullptr ? ts->as_time(us) : std::nullopt;
    const auto length = dur != nullptr ? dur->as_time(us, true) : std::nullopt;
    if (!from || !length) fail(event, times_expected);
    finer_ = finer_ || ts->kind == Scalar::Kind::number || dur->kind == Scalar::Kind::number;
    start = *from;
    end = *from + *length;
  }

  template <class T>
  void keep(std::vector<T>& list, const T& value, const Record& event) {
    if (list.size() == most_records)
      fail(event, fmt::format("the file holds more than {} kernels, copies, calls or ranges of one kind", most_records));
    list.push_back(value);
  }

  // The product of three extents.
  std::uint64_t volume(const Record& event, const char* key, std::uint64_t most) const {
    Wide product = 1;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto extent = event.integer(key, i);
      if (!extent) return 0;
      if (*extent <= 0 || *extent > std::numeric_limits<std::int32_t>::max())
        fail(event, fmt::format("{}: three whole numbers above 0 are expected", key));
      product *= *extent;
    }
    if (product > static_cast<Wide>(most)) fail(event, fmt::format("{}: {} is too large", key, to_string(product)));
    return static_cast<std::uint64_t>(product);
  }

  void read_placement(const Record& event, GpuOperation& o) {
    read_times(event, o.start, o.end);
    o.device = event.integer("args.device").value_or(0);
    o.context = event.integer("args.context").value_or(0);
    o.stream = event.integer("args.stream").value_or(event.integer("tid").value_or(0));
    o.correlation = event.integer("args.correlation").value_or(-1);
    o.graph_node = event.integer("args.graph node id").value_or(-1);
  }

  // Fields that nobody reads are told once.
  void meet_fields(const Record& event) {
    event.each_key([&](std::string_view key) {
      if (fields_.contains(key)) return;
      fields_.emplace(key);
      (void)notes_.meet(Kind::kineto, "field of an event of a GPU", key.starts_with("args.") ? key.substr(5) : key);
    });
  }

  void read_operation(const Record& event, GpuOperation::Kind kind) {
    meet_fields(event);
    GpuOperation o;
    o.kind = kind;
    read_placement(event, o);
    refuse_other_row(event, o);
    if (o.end < o.start && !profile_.backwards)
      profile_.backwards = io::Diagnostic{in_.name(), event.place().line, event.place().column, times_expected};
    const std::string_view name = event.text("name");
    o.name = profile_.texts.add(one_line(name));
    if (kind == GpuOperation::Kind::kernel) read_kernel(event, o);
    if (kind == GpuOperation::Kind::copy) {
      const std::string way = way_of(name);
      if (const Reading& row = reading(Kind::kineto, "copy", way); row.fate == Fate::refused) {
        leave_out(row, name, o, event);
        return;
      }
      if (way == "HtoD" || way == "HtoA") o.direction = Direction::h2d;
      if (way == "DtoH" || way == "AtoH") o.direction = Direction::d2h;
      o.pageable = name.find("Pageable") != std::string_view::npos;
    }
    keep(profile_.operations, o, event);
  }

  // `HtoD` of `Memcpy HtoD (Pageable -> Device)`.
  static std::string way_of(std::string_view name) {
    for (std::size_t at = name.find("to", 1); at != std::string_view::npos; at = name.find("to", at + 1)) {
      constexpr std::string_view ends = "HDAP";
      if (at + 2 < name.size() && ends.find(name[at - 1]) != std::string_view::npos && ends.find(name[at + 2]) != std::string_view::npos)
        return std::string(name.substr(at - 1, 4));
    }
    return {};
  }

  void read_kernel(const Record& event, GpuOperation& o) {
    o.B = volume(event, "args.grid", static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
    o.H = static_cast<std::uint32_t>(volume(event, "args.block", 65'536));
    if ((o.B == 0 || o.H == 0) && !profile_.without_grid)
      profile_.without_grid = io::Diagnostic{in_.name(), event.place().line, event.place().column, {}};
    const auto registers = event.integer("args.registers per thread").value_or(0);
    const auto shared = event.integer("args.shared memory").value_or(0);
    if (registers < 0 || registers > 65'536 || shared < 0 || shared > std::int64_t{1} << 40U)
      fail(event, "registers or shared memory are out of range");
    ++kernels_;
    without_stream_ += event.find("args.stream") == nullptr ? 1 : 0;
    without_resources_ += event.find("args.registers per thread") == nullptr || event.find("args.shared memory") == nullptr ? 1 : 0;
    // A cluster of one says nothing of a cooperative launch, of which these files tell by its call alone.
    if (event.find("args.cluster") != nullptr && volume(event, "args.cluster", 1U << 20U) > 1) profile_.together.insert(o.name);
    o.registers = static_cast<std::uint32_t>(registers);
    o.shared_memory = static_cast<std::uint64_t>(shared);
    if (event.find("args.priority") == nullptr) return;
    const auto priority = event.integer("args.priority");
    o.priority = priority ? of_cuda(*priority) : std::nullopt;
    if (!o.priority) fail(event, fmt::format("args.priority: a stream's is {}", cuda_priorities));
  }

  // `pid` and `tid` are numbers or texts.
  static std::string id_text(const Scalar* value) {
    if (value == nullptr) return {};
    return value->kind == Scalar::Kind::integer ? fmt::format("{}", value->integer) : value->text.substr(0, 80);
  }
  std::uint32_t thread_of(const Record& event) {
    const std::string pid = id_text(event.find("pid")), tid = id_text(event.find("tid"));
    const auto [at, fresh] = threads_.emplace(pid + "/" + tid, static_cast<std::uint32_t>(profile_.threads.size()));
    if (fresh) {
      if (profile_.threads.size() == most_threads) fail(event, fmt::format("the file holds more than {} threads", most_threads));
      profile_.threads.push_back({0, tid});
    }
    return at->second;
  }

  // Each process numbers its calls from 1 on, and kernels say only that number: whose they are is not known.
  void refuse_other_process(const Record& event) {
    const std::string pid = id_text(event.find("pid"));
    if (caller_.empty()) caller_ = pid;
    if (!pid.empty() && pid != caller_) {
      fail(event, fmt::format("calls are of the processes {} and {}, and which of them launched a kernel is not in the file: convert the "
                              "profile of each alone",
                              one_line(caller_, 80), one_line(pid, 80)));
    }
  }
  // Kineto writes the number of the GPU.
  void refuse_other_row(const Record& event, const GpuOperation& o) {
    const std::string pid = id_text(event.find("pid"));
    if (pid.empty() || event.find("args.device") == nullptr) return;
    if (const auto [at, fresh] = row_of_gpu_.emplace(o.device, pid); at->second != pid) {
      fail(event,
           fmt::format("what ran on GPU {} has the pids {} and {}: profiles of several processes are in the file; convert each alone",
                       o.device, one_line(at->second, 80), one_line(pid, 80)));
    }
  }

  void read_call(const Record& event) {
    Call call;
    read_times(event, call.start, call.end);
    const std::string_view name = event.text("name");
    for (const std::string_view other : {"hip", "musa", "ze", "ur"}) {
      const bool calls =
          name.starts_with(other) && name.size() > other.size() && std::isupper(static_cast<unsigned char>(name[other.size()])) != 0;
      if (calls && other_calls_.empty()) other_calls_ = other;
    }
    call.name = profile_.texts.add(one_line(name, 120));
    call.thread = thread_of(event);
    refuse_other_process(event);
    call.correlation = event.integer("args.correlation").value_or(-1);
    keep(profile_.calls, call, event);
  }

  void read_synchronisation(const Record& event) {
    meet_fields(event);
    Synchronisation s;
    const std::string_view kind = event.text("args.cuda_sync_kind");
    if (kind == "Event Sync") {
      s.kind = Synchronisation::Kind::event;
    } else if (kind == "Stream Wait Event") {
      s.kind = Synchronisation::Kind::stream_wait_event;
    } else if (kind == "Stream Sync") {
      s.kind = Synchronisation::Kind::stream;
    } else if (kind == "Context Sync") {
      s.kind = Synchronisation::Kind::context;
    } else {
      (void)notes_.meet(Kind::kineto, "synchronisation", kind);
      return;
    }
    s.correlation = event.integer("args.correlation").value_or(-1);
    s.context = event.integer("args.context").value_or(0);
    s.stream = event.integer("args.stream").value_or(-1);
    s.recorded_on = event.integer("args.wait_on_stream").value_or(-1);
    s.record_correlation = event.integer("args.wait_on_cuda_event_record_corr_id").value_or(-1);
    keep(profile_.synchronisations, s, event);
  }

  void read_range(const Record& event) {
    Range range;
    read_times(event, range.start, range.end);
    range.name = profile_.texts.add(one_line(event.text("name"), 200));
    range.thread = thread_of(event);
    keep(profile_.ranges, range, event);
  }

  // A file is of one program, though ranges and calls may know it by different process ids (of a container and of its host).
  void finish() {
    if (!other_calls_.empty()) profile_.other_vendor = fmt::format("a GPU of {}* calls", other_calls_);
    profile_.processes.push_back({program_});
    profile_.resolution = finer_ ? 1 : us;
    if (without_stream_ > 0)
      notes_.assume(
          fmt::format("{} of {} kernels say no `stream`: each is taken to be in that of its row (`tid`)", without_stream_, kernels_));
    if (without_resources_ > 0) {
      notes_.assume(
          fmt::format("{} of {} kernels say no `registers per thread` or no `shared memory`: counted as 0, they take no room of an SM",
                      without_resources_, kernels_));
    }
  }

  static constexpr std::size_t most_threads = 100'000;
  static constexpr std::int64_t most_gpus = 1024;

  JsonStream& in_;
  Notes& notes_;
  Profile profile_;
  bool finer_ = false;
  std::size_t kernels_ = 0, without_stream_ = 0, without_resources_ = 0;
  std::string other_calls_;  // how calls of another vendor's interface begin
  std::set<std::string, std::less<>> fields_;
  std::unordered_map<std::string, std::uint32_t> threads_;
  std::string program_, caller_;                    // caller_: the process id of calls
  std::map<std::int64_t, std::string> row_of_gpu_;  // the process id of what ran there
};

}  // namespace

Profile read_kineto(Bytes& bytes, Notes& notes) {
  JsonStream in(bytes);
  return KinetoReader(in, notes).read();
}

}  // namespace rta::convert
