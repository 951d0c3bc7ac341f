#include "nsys_reader.hpp"

#include <fmt/format.h>

#include <limits>

#include "names.hpp"

namespace rta::convert {
namespace {

const std::string kernel_table = "CUPTI_ACTIVITY_KIND_KERNEL";
const std::string copy_table = "CUPTI_ACTIVITY_KIND_MEMCPY";
const std::string memset_table = "CUPTI_ACTIVITY_KIND_MEMSET";
const std::string call_table = "CUPTI_ACTIVITY_KIND_RUNTIME";
const std::string synchronisation_table = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";
const std::string event_table = "CUPTI_ACTIVITY_KIND_CUDA_EVENT";
const std::string range_table = "NVTX_EVENTS";

// ENUM_CUDA_MEMCPY_OPER, ENUM_CUDA_MEM_KIND, ENUM_CUPTI_SYNC_TYPE, ENUM_CUPTI_STREAM_TYPE and ENUM_NSYS_EVENT_TYPE.
std::optional<Direction> direction_of(std::int64_t copy_kind) {
  switch (copy_kind) {
    case 1:
    case 3:
    case 11: return Direction::h2d;
    case 2:
    case 4:
    case 12: return Direction::d2h;
    default: return std::nullopt;
  }
}
std::string_view copy_name(std::int64_t copy_kind) {
  const auto direction = direction_of(copy_kind);
  if (!direction) return "Memcpy DtoD";
  return *direction == Direction::h2d ? "Memcpy HtoD" : "Memcpy DtoH";
}
constexpr std::int64_t pageable = 0;
constexpr std::int64_t default_stream_flag = 1, non_blocking_flag = 2, null_stream_flag = 3;
constexpr std::int64_t push_pop_range = 59, start_end_range = 60, old_push_pop_range = 70;

// The process of a thread's global id: all but its last 24 bits.
std::int64_t global_process(std::int64_t global_thread) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(global_thread) & ~0xFFFFFFULL);
}
std::int64_t pid_of(std::int64_t global_pid) { return (global_pid >> 24) & 0xFFFFFF; }

class NsysReader {
 public:
  NsysReader(const Database& database, const Progress& progress) : db_(database), progress_(progress) { profile_.file = database.name(); }

  Profile read() {
    if (!db_.has(kernel_table)) {
      db_.fail(
          fmt::format("table {} is missing: the recording has no kernel (nsys profile --trace=cuda records them, nsys export --type sqlite "
                      "writes them)",
                      kernel_table));
    }
    read_devices();
    read_kernels();
    if (db_.has(copy_table)) read_copies();
    if (db_.has(memset_table)) read_memsets();
    if (db_.has(call_table)) read_calls();
    if (db_.has(synchronisation_table)) read_synchronisations();
    if (db_.has(range_table)) read_ranges();
    name_everything();
    read_process_names();
    read_streams();
    return std::move(profile_);
  }

 private:
  void count(const Rows& rows, std::size_t records) {
    if (records >= most_records) rows.fail(fmt::format("there are more than {} rows", most_records));
    if (progress_ && ++rows_ % 4096 == 0) progress_(fmt::format("{} rows read", rows_));
  }

  static void read_times(const Rows& rows, std::int64_t& start, std::int64_t& end) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 2;
    const auto from = rows.integer(0), to = rows.integer(1);
    if (!from || !to || *from < -most || *to > most || *to < *from)
      rows.fail("start and end must be times in ns, the end not before the start");
    start = *from;
    end = *to;
  }

  // A whole number in [least, most].
  template <class T>
  static T within(const Rows& rows, int column, const char* name, std::int64_t least, std::int64_t most) {
    const auto value = rows.integer(column);
    if (!value || *value < least || *value > most) rows.fail(fmt::format("{} must be a whole number within {} .. {}", name, least, most));
    return static_cast<T>(*value);
  }

  std::uint32_t process_of(std::int64_t global_pid) {
    const auto [at, fresh] = processes_.emplace(global_pid, static_cast<std::uint32_t>(profile_.processes.size()));
    if (fresh) profile_.processes.push_back({});
    return at->second;
  }
  std::uint32_t thread_of(std::int64_t global_tid) {
    const auto [at, fresh] = threads_.emplace(global_tid, static_cast<std::uint32_t>(profile_.threads.size()));
    if (fresh) profile_.threads.push_back({process_of(global_process(global_tid)), fmt::format("{}", global_tid & 0xFFFFFF)});
    return at->second;
  }

  void read_devices() {
    if (!db_.has("TARGET_INFO_GPU")) return;
    Rows rows(db_, "TARGET_INFO_GPU",
              {"?id", "?cuDevice", "?name", "?smCount", "?maxWarpsPerSm", "?threadsPerWarp", "?maxBlocksPerSm", "?maxThreadsPerBlock",
               "?maxShmemPerSm", "?maxRegistersPerSm", "?asyncEngines", "?computeMajor", "?computeMinor"});
    while (rows.next() && profile_.devices.size() < 1024) {
      const auto number = [&](int column) -> std::optional<std::uint32_t> {
        const auto value = rows.integer(column);
        return value && *value > 0 && *value <= 1'000'000 ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
      };
      const auto size = [&](int column) -> std::optional<std::uint64_t> {
        const auto value = rows.integer(column);
        return value && *value > 0 && *value <= std::int64_t{1} << 32U ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
      };
      ProfiledDevice device;
      device.number = rows.integer(1).value_or(rows.integer_or(0, 0));
      device.name = one_line(rows.text(2), 80);
      device.sms = number(3);
      device.warp = number(5);
      if (const auto warps = number(4); warps && device.warp && *warps <= 1024 && *device.warp <= 1024)
        device.threads = *warps * *device.warp;
      device.blocks = number(6);
      device.threads_per_block = number(7);
      device.shared_memory = size(8);
      device.registers = size(9);
      device.copy_engines = number(10);
      device.major = number(11);
      if (const auto minor = rows.integer(12); minor && *minor >= 0 && *minor < 100) device.minor = static_cast<std::uint32_t>(*minor);
      profile_.devices.push_back(std::move(device));
    }
  }

  // Names are numbers until the table of texts has been read.
  static Texts::Id unnamed(const Rows& rows, int column) {
    return within<Texts::Id>(rows, column, "the name's number", 0, std::numeric_limits<std::uint32_t>::max());
  }

  void read_kernels() {
    Rows rows(
        db_, kernel_table,
        {"start", "end", "deviceId", "contextId", "streamId", "?correlationId", "?globalPid", "demangledName", "gridX", "gridY", "gridZ",
         "blockX", "blockY", "blockZ", "?registersPerThread", "?staticSharedMemory", "?dynamicSharedMemory", "?graphNodeId"});
    constexpr std::int64_t most_extent = std::numeric_limits<std::int32_t>::max();
    while (rows.next()) {
      count(rows, profile_.operations.size());
      GpuOperation o;
      read_placement(rows, o);
      o.name = unnamed(rows, 7);
      Wide blocks = 1, threads = 1;
      for (int i = 0; i < 3; ++i) {
        blocks *= within<std::int64_t>(rows, 8 + i, "a grid's extent", 1, most_extent);
        threads *= within<std::int64_t>(rows, 11 + i, "a block's extent", 1, 65'536);
      }
      if (blocks > std::numeric_limits<std::int64_t>::max() || threads > 65'536) rows.fail("grid or block are too large");
      o.B = static_cast<std::uint64_t>(blocks);
      o.H = static_cast<std::uint32_t>(threads);
      if (rows.integer(14)) o.registers = within<std::uint32_t>(rows, 14, "registersPerThread", 0, 65'536);
      for (const int column : {15, 16}) {
        if (rows.integer(column)) o.shared_memory += within<std::uint64_t>(rows, column, "shared memory", 0, std::int64_t{1} << 40U);
      }
      o.graph_node = rows.integer_or(17, -1);
      profile_.operations.push_back(o);
    }
    kernels_ = profile_.operations.size();
  }

  // What kernels, copies and memsets have in common.
  void read_placement(const Rows& rows, GpuOperation& o) {
    read_times(rows, o.start, o.end);
    o.device = rows.integer_or(2, 0);
    o.context = rows.integer_or(3, 0);
    o.stream = rows.integer_or(4, 0);
    o.correlation = rows.integer_or(5, -1);
    o.process = process_of(rows.integer_or(6, 0));
  }

  void read_copies() {
    Rows rows(db_, copy_table,
              {"start", "end", "deviceId", "contextId", "streamId", "?correlationId", "?globalPid", "copyKind", "?srcKind", "?dstKind",
               "?graphNodeId"});
    while (rows.next()) {
      count(rows, profile_.operations.size());
      GpuOperation o;
      o.kind = GpuOperation::Kind::copy;
      read_placement(rows, o);
      const std::int64_t kind = rows.integer_or(7, 0);
      o.direction = direction_of(kind);
      o.pageable = rows.integer_or(8, -1) == pageable || rows.integer_or(9, -1) == pageable;
      o.name = profile_.texts.add(copy_name(kind));
      o.graph_node = rows.integer_or(10, -1);
      profile_.operations.push_back(o);
    }
  }

  void read_memsets() {
    Rows rows(db_, memset_table, {"start", "end", "deviceId", "contextId", "streamId", "?correlationId", "?globalPid", "?graphNodeId"});
    while (rows.next()) {
      count(rows, profile_.operations.size());
      GpuOperation o;
      o.kind = GpuOperation::Kind::memset;
      read_placement(rows, o);
      o.name = profile_.texts.add("Memset");
      o.graph_node = rows.integer_or(7, -1);
      profile_.operations.push_back(o);
    }
  }

  void read_calls() {
    Rows rows(db_, call_table, {"start", "end", "globalTid", "?correlationId", "nameId"});
    while (rows.next()) {
      count(rows, profile_.calls.size());
      Call call;
      read_times(rows, call.start, call.end);
      call.thread = thread_of(rows.integer_or(2, 0));
      call.correlation = rows.integer_or(3, -1);
      call.name = unnamed(rows, 4);
      profile_.calls.push_back(call);
    }
  }

  void read_synchronisations() {
    struct Record {
      std::int64_t stream, correlation;
    };
    std::map<std::pair<std::uint32_t, std::int64_t>, Record> records;  // by process and eventSyncId
    if (db_.has(event_table)) {
      Rows rows(db_, event_table, {"streamId", "?correlationId", "?globalPid", "?eventSyncId"});
      while (rows.next()) {
        count(rows, records.size());
        if (const auto id = rows.integer(3)) {
          records.insert_or_assign({process_of(rows.integer_or(2, 0)), *id}, Record{rows.integer_or(0, -1), rows.integer_or(1, -1)});
        }
      }
    }
    Rows rows(db_, synchronisation_table,
              {"start", "end", "contextId", "streamId", "?correlationId", "?globalPid", "syncType", "?eventSyncId"});
    while (rows.next()) {
      count(rows, profile_.synchronisations.size());
      Synchronisation s;
      switch (rows.integer_or(6, 0)) {
        case 1: s.kind = Synchronisation::Kind::event; break;
        case 2: s.kind = Synchronisation::Kind::stream_wait_event; break;
        case 3: s.kind = Synchronisation::Kind::stream; break;
        case 4: s.kind = Synchronisation::Kind::context; break;
        default: continue;
      }
      s.context = rows.integer_or(2, 0);
      s.stream = rows.integer_or(3, -1);
      s.correlation = rows.integer_or(4, -1);
      s.process = process_of(rows.integer_or(5, 0));
      if (const auto id = rows.integer(7)) {
        if (const auto at = records.find({s.process, *id}); at != records.end()) {
          s.recorded_on = at->second.stream;
          s.record_correlation = at->second.correlation;
        }
      }
      profile_.synchronisations.push_back(s);
    }
  }

  void read_ranges() {
    Rows rows(db_, range_table, {"start", "?end", "eventType", "?globalTid", "?text", "?textId"});
    while (rows.next()) {
      const std::int64_t type = rows.integer_or(2, 0);
      if ((type != push_pop_range && type != start_end_range && type != old_push_pop_range) || !rows.integer(1)) continue;
      count(rows, profile_.ranges.size());
      Range range;
      read_times(rows, range.start, range.end);
      range.thread = thread_of(rows.integer_or(3, 0));
      if (const auto id = rows.integer(5); id && rows.text(4).empty()) {
        range_names_.emplace_back(profile_.ranges.size(), *id);
      } else {
        range.name = profile_.texts.add(one_line(rows.text(4), 200));
      }
      profile_.ranges.push_back(range);
    }
  }

  // Numbers of texts become the texts.
  void name_everything() {
    std::unordered_map<std::int64_t, Texts::Id> names;
    for (std::size_t i = 0; i < kernels_; ++i) names.emplace(profile_.operations[i].name, 0);
    for (const Call& call : profile_.calls) names.emplace(call.name, 0);
    for (const auto& [range, id] : range_names_) names.emplace(id, 0);
    const Texts::Id nameless = profile_.texts.add("unnamed");
    for (auto& [id, name] : names) name = nameless;
    if (db_.has("StringIds")) {
      Rows rows(db_, "StringIds", {"id", "value"});
      while (rows.next()) {
        if (const auto at = names.find(rows.integer_or(0, -1)); at != names.end()) at->second = profile_.texts.add(one_line(rows.text(1)));
      }
    }
    for (std::size_t i = 0; i < kernels_; ++i) profile_.operations[i].name = names.at(profile_.operations[i].name);
    for (Call& call : profile_.calls) call.name = names.at(call.name);
    for (const auto& [range, id] : range_names_) profile_.ranges[range].name = names.at(id);
  }

  void read_process_names() {
    if (!db_.has("PROCESSES")) return;
    Rows rows(db_, "PROCESSES", {"?globalPid", "?name"});
    while (rows.next()) {
      if (const auto at = processes_.find(rows.integer_or(0, -1)); at != processes_.end()) {
        const std::string name = one_line(rows.text(1), 200);
        profile_.processes[at->second].name = name.substr(name.find_last_of('/') + 1);
      }
    }
  }

  void read_streams() {
    if (!db_.has("TARGET_INFO_CUDA_STREAM")) return;
    std::unordered_map<std::int64_t, std::uint32_t> by_pid;
    for (const auto& [global, process] : processes_) by_pid.emplace(pid_of(global), process);
    Rows rows(db_, "TARGET_INFO_CUDA_STREAM", {"streamId", "?processId", "?contextId", "?priority", "?flag"});
    while (rows.next()) {
      count(rows, profile_.streams.size());
      const auto process = by_pid.find(rows.integer_or(1, -1));
      if (process == by_pid.end()) continue;
      StreamInfo info;
      // Urgent streams have negative priorities; the column keeps their 32 bits.
      info.priority = of_cuda(static_cast<std::int32_t>(static_cast<std::uint32_t>(rows.integer_or(3, 0))));
      const std::int64_t flag = rows.integer_or(4, 0);
      if (flag == default_stream_flag || flag == non_blocking_flag) info.blocking = flag == default_stream_flag;
      info.null = flag == null_stream_flag;
      profile_.streams.insert_or_assign({process->second, rows.integer_or(2, 0), rows.integer_or(0, 0)}, info);
    }
  }

  const Database& db_;
  const Progress& progress_;
  Profile profile_;
  std::uint64_t rows_ = 0;
  std::size_t kernels_ = 0;
  std::unordered_map<std::int64_t, std::uint32_t> processes_, threads_;
  std::vector<std::pair<std::size_t, std::int64_t>> range_names_;  // ranges whose name is a number
};

}  // namespace

Profile read_nsys(const Database& database, const Progress& progress) { return NsysReader(database, progress).read(); }

}  // namespace rta::convert
