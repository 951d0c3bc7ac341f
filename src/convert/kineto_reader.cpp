#include "kineto_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

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
    handlers.event = [this](const Record& event) { read_event(event); };
    handlers.other = [this](const std::string& list, const Record& record) {
      if (list == "deviceProperties") read_device(record);
    };
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
    if (phase != "X") return;
    const std::string_view category = event.text("cat");
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
    }
  }

  // Time and duration; whole us where the file knows no finer ones.
  void read_times(const Record& event, std::int64_t& start, std::int64_t& end) {
    const Scalar* const ts = event.find("ts");
    const Scalar* const dur = event.find("dur");
    const auto from = ts != nullptr ? ts->as_time(us) : std::nullopt;
    const auto length = dur != nullptr ? dur->as_time(us) : std::nullopt;
    if (!from || !length || *length < 0) fail(event, "an event needs `ts` and `dur`, numbers of us that fit in 64 bits of ns");
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

  void read_operation(const Record& event, GpuOperation::Kind kind) {
    GpuOperation o;
    o.kind = kind;
    read_times(event, o.start, o.end);
    const std::string_view name = event.text("name");
    o.name = profile_.texts.add(one_line(name));
    o.device = event.integer("args.device").value_or(0);
    o.context = event.integer("args.context").value_or(0);
    o.stream = event.integer("args.stream").value_or(event.integer("tid").value_or(0));
    o.correlation = event.integer("args.correlation").value_or(-1);
    o.graph_node = event.integer("args.graph node id").value_or(-1);
    if (kind == GpuOperation::Kind::kernel) read_kernel(event, o);
    if (kind == GpuOperation::Kind::copy) {
      if (name.find("HtoD") != std::string_view::npos) o.direction = Direction::h2d;
      if (name.find("DtoH") != std::string_view::npos) o.direction = Direction::d2h;
      o.pageable = name.find("Pageable") != std::string_view::npos;
    }
    keep(profile_.operations, o, event);
  }

  void read_kernel(const Record& event, GpuOperation& o) const {
    o.B = volume(event, "args.grid", static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
    o.H = static_cast<std::uint32_t>(volume(event, "args.block", 65'536));
    if (o.B == 0 || o.H == 0) {
      fail(event, fmt::format(
                      "kernel '{}' has no grid and block: how many blocks of how many threads it has is not recorded (profiles of AMD GPUs "
                      "lack it), and without it no GPU node can be made",
                      one_line(event.text("name"), 60)));
    }
    const auto registers = event.integer("args.registers per thread").value_or(0);
    const auto shared = event.integer("args.shared memory").value_or(0);
    if (registers < 0 || registers > 65'536 || shared < 0 || shared > std::int64_t{1} << 40U)
      fail(event, "registers or shared memory are out of range");
    o.registers = static_cast<std::uint32_t>(registers);
    o.shared_memory = static_cast<std::uint64_t>(shared);
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

  void read_call(const Record& event) {
    Call call;
    read_times(event, call.start, call.end);
    call.name = profile_.texts.add(one_line(event.text("name"), 120));
    call.thread = thread_of(event);
    call.correlation = event.integer("args.correlation").value_or(-1);
    keep(profile_.calls, call, event);
  }

  void read_synchronisation(const Record& event) {
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

  // A file is of one program, though its parts may know it by different process ids (of a container and of its host).
  void finish() {
    profile_.processes.push_back({program_});
    profile_.resolution = finer_ ? 1 : us;
  }

  static constexpr std::size_t most_threads = 100'000;
  static constexpr std::int64_t most_gpus = 1024;

  JsonStream& in_;
  Notes& notes_;
  Profile profile_;
  bool finer_ = false;
  std::unordered_map<std::string, std::uint32_t> threads_;
  std::string program_;
};

}  // namespace

Profile read_kineto(Bytes& bytes, Notes& notes) {
  JsonStream in(bytes);
  return KinetoReader(in, notes).read();
}

}  // namespace rta::convert
