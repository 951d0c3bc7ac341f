#include "nsys_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>

#include "names.hpp"

namespace rta::convert {
namespace {

const std::string kernel_table = "CUPTI_ACTIVITY_KIND_KERNEL";
const std::string copy_table = "CUPTI_ACTIVITY_KIND_MEMCPY";
const std::string memset_table = "CUPTI_ACTIVITY_KIND_MEMSET";
const std::string graph_table = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";
const std::string call_table = "CUPTI_ACTIVITY_KIND_RUNTIME";
const std::string synchronisation_table = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";
const std::string event_table = "CUPTI_ACTIVITY_KIND_CUDA_EVENT";
const std::string range_table = "NVTX_EVENTS";
const std::string diagnostic_table = "DIAGNOSTIC_EVENT";
const std::string switch_table = "SCHED_EVENTS", state_table = "ENUM_SAMPLING_THREAD_STATE";

// Parts of the table of what is read.
constexpr std::string_view with_times_on_gpu = "table with times on a GPU", with_times = "table with times",
                           copy_kind_part = "kind of copy", synchronisation_part = "kind of synchronisation";

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
constexpr std::int64_t pageable = 0, regular_launch = 1;
constexpr std::int64_t default_stream_flag = 1, non_blocking_flag = 2, null_stream_flag = 3;
constexpr std::int64_t push_pop_range = 59, start_end_range = 60, old_push_pop_range = 70;

// The process of a thread's global id: all but its last 24 bits.
std::int64_t global_process(std::int64_t global_thread) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(global_thread) & ~0xFFFFFFULL);
}
std::int64_t pid_of(std::int64_t global_pid) { return (global_pid >> 24) & 0xFFFFFF; }

class NsysReader {
 public:
  NsysReader(const Database& database, Notes& notes, const Progress& progress) : db_(database), notes_(notes), progress_(progress) {
    profile_.file = database.name();
  }

  Profile read() {
    if (!db_.has(kernel_table)) {
      if (db_.has(graph_table))
        db_.fail(fmt::format("table {}: {}", graph_table, reading(Kind::nsys, with_times_on_gpu, graph_table).means));
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
    if (db_.has(switch_table)) read_switches();
    name_everything();
    read_process_names();
    read_streams();
    for (const std::string& table : db_.tables()) look_at(table);
    for (const std::string* table :
         {&kernel_table, &copy_table, &memset_table, &call_table, &synchronisation_table, &event_table, &range_table})
      meet_columns(*table);
    if (db_.has(diagnostic_table)) read_diagnostics();
    return std::move(profile_);
  }

 private:
  void count(const Rows& rows, std::size_t records) {
    if (records >= most_records) rows.fail(fmt::format("there are more than {} rows", most_records));
    if (progress_ && ++rows_ % 4096 == 0) progress_(fmt::format("{} rows read", rows_));
  }

  static constexpr const char* times_expected = "start and end must be times in ns, the end not before the start";

  static bool take_times(const Rows& rows, std::int64_t& start, std::int64_t& end) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 2;
    const auto from = rows.integer(0), to = rows.integer(1);
    if (!from || !to || *from < -most || *from > most || *to < -most || *to > most) return false;
    start = *from;
    end = *to;
    return true;
  }
  static void read_times(const Rows& rows, std::int64_t& start, std::int64_t& end) {
    if (!take_times(rows, start, end)) rows.fail(times_expected);
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
    Rows rows(db_, kernel_table,
              {"start",
               "end",
               "deviceId",
               "contextId",
               "streamId",
               "?correlationId",
               "?globalPid",
               "demangledName",
               "gridX",
               "gridY",
               "gridZ",
               "blockX",
               "blockY",
               "blockZ",
               "?registersPerThread",
               "?staticSharedMemory",
               "?dynamicSharedMemory",
               "?graphNodeId",
               "?launchType",
               "?clusterX",
               "?clusterY",
               "?clusterZ",
               "?greenContextId"});
    profile_.tells_launches = has_column(kernel_table, "clusterX") && has_column(kernel_table, "launchType");
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
      const std::int64_t launch = rows.integer_or(18, regular_launch);
      if ((launch < 0 || launch > regular_launch) && notes_.meet(Kind::nsys, "kind of launch", fmt::format("{}", launch)) == Fate::read)
        profile_.together.insert(o.name);
      for (const int column : {19, 20, 21}) {
        if (rows.integer_or(column, 1) > 1) profile_.together.insert(o.name);
      }
      o.green = std::max<std::int64_t>(rows.integer_or(22, 0), 0);
      profile_.operations.push_back(o);
    }
    kernels_ = profile_.operations.size();
  }

  // What kernels, copies and memsets have in common.
  void read_placement(const Rows& rows, GpuOperation& o) {
    read_times(rows, o.start, o.end);
    if (o.end < o.start && !profile_.backwards) profile_.backwards = rows.fault(times_expected);
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
      if (const Reading& row = reading(Kind::nsys, copy_kind_part, fmt::format("{}", kind)); row.fate == Fate::refused) {
        profile_.unread.push_back({&row, profile_.texts.add(fmt::format("{}", kind)), o.device, o.process, o.correlation, o.start, o.end});
        continue;
      }
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
      std::int64_t correlation, stream;
      auto operator<=>(const Record&) const = default;
    };
    using ById = std::map<std::pair<std::uint32_t, std::int64_t>, std::vector<Record>>;  // by process and number
    ById by_record, by_event;                                                            // eventSyncId tells the records of one event apart
    if (db_.has(event_table)) {
      Rows rows(db_, event_table, {"streamId", "?correlationId", "?globalPid", "?eventSyncId", "?eventId"});
      std::size_t records = 0;
      while (rows.next()) {
        count(rows, records++);
        const Record record{rows.integer_or(1, -1), rows.integer_or(0, -1)};
        const std::uint32_t process = process_of(rows.integer_or(2, 0));
        if (const auto id = rows.integer(3)) by_record[{process, *id}].push_back(record);
        if (const auto id = rows.integer(4)) by_event[{process, *id}].push_back(record);
      }
    }
    for (ById* const all : {&by_record, &by_event}) {
      for (auto& [id, records] : *all) std::ranges::sort(records);
    }
    // Calls of a process are numbered as they are made: the last record before the wait; null where there is none.
    const auto last_before = [](const ById& all, std::uint32_t process, std::int64_t id, std::int64_t wait) -> const Record* {
      const auto at = all.find({process, id});
      if (at == all.end()) return nullptr;
      const auto after = std::ranges::lower_bound(at->second, wait, {}, &Record::correlation);
      return after == at->second.begin() ? nullptr : &*std::prev(after);
    };
    Rows rows(db_, synchronisation_table,
              {"start", "end", "contextId", "streamId", "?correlationId", "?globalPid", "syncType", "?eventSyncId", "?eventId"});
    while (rows.next()) {
      count(rows, profile_.synchronisations.size());
      Synchronisation s;
      switch (rows.integer_or(6, 0)) {
        case 1: s.kind = Synchronisation::Kind::event; break;
        case 2: s.kind = Synchronisation::Kind::stream_wait_event; break;
        case 3: s.kind = Synchronisation::Kind::stream; break;
        case 4: s.kind = Synchronisation::Kind::context; break;
        default: notes_.meet(Kind::nsys, synchronisation_part, fmt::format("{}", rows.integer_or(6, 0))); continue;
      }
      s.context = rows.integer_or(2, 0);
      s.stream = rows.integer_or(3, -1);
      s.correlation = rows.integer_or(4, -1);
      s.process = process_of(rows.integer_or(5, 0));
      const Record* record = nullptr;
      if (const auto id = rows.integer(7)) record = last_before(by_record, s.process, *id, s.correlation);
      if (const auto id = rows.integer(8); id && record == nullptr) record = last_before(by_event, s.process, *id, s.correlation);
      if (record != nullptr) {
        s.recorded_on = record->stream;
        s.record_correlation = record->correlation;
      }
      profile_.synchronisations.push_back(s);
    }
  }

  void read_ranges() {
    Rows rows(db_, range_table, {"start", "?end", "eventType", "?globalTid", "?text", "?textId"});
    while (rows.next()) {
      const std::int64_t type = rows.integer_or(2, 0);
      if (type != push_pop_range && type != start_end_range && type != old_push_pop_range) continue;
      if (!rows.integer(1)) {
        ++endless_ranges_;
        continue;
      }
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
    if (endless_ranges_ > 0)
      notes_.assume(fmt::format("{} NVTX ranges that do not end within the recording are left out", endless_ranges_));
  }

  // When a thread left its processor or came to one.
  struct Switch {
    std::int64_t time = 0;
    bool in = false, ready = false;  // ready: it left though it could have gone on
  };

  // States in which threads leave their processor.
  void read_states(std::set<std::int64_t>& ready, std::set<std::int64_t>& waiting) const {
    if (!db_.has(state_table)) return;
    Rows rows(db_, state_table, {"id", "?name"});
    for (int row = 0; row < 1000 && rows.next(); ++row) {
      const std::string_view name = rows.text(1);
      if (name == "Running" || name == "Runnable") ready.insert(rows.integer_or(0, -1));
      if (name.find("nterruptible") != std::string_view::npos) waiting.insert(rows.integer_or(0, -1));
    }
  }

  // What others took of a thread's time counts only where the recording tells it from waits: where both were seen.
  void read_switches() {
    std::set<std::int64_t> ready, waiting;
    read_states(ready, waiting);
    std::vector<std::vector<Switch>> all(profile_.threads.size());
    bool preempts = false, waits = false;
    std::size_t met = 0;
    Rows rows(db_, switch_table, {"start", "?isSchedIn", "?globalTid", "?threadState"});
    while (rows.next()) {
      count(rows, met++);
      const auto time = rows.integer(0), in = rows.integer(1);
      const std::int64_t state = rows.integer_or(3, -1);
      if (!time || !in) continue;
      const bool left = *in == 0;
      preempts = preempts || (left && ready.contains(state));
      waits = waits || (left && waiting.contains(state));
      if (const auto thread = threads_.find(rows.integer_or(2, 0)); thread != threads_.end())
        all[thread->second].push_back({*time, !left, left && ready.contains(state)});
    }
    if (met > 0) {
      const bool tells = preempts && waits;
      const Reading& row = reading(Kind::nsys, "switch of threads", tells ? "preempted and waiting" : "of one kind");
      if (row.fate == Fate::told) notes_.leave_out(row, switch_table, met, {});
      if (!tells) return;
    }
    profile_.preempted.resize(all.size());
    std::vector<std::vector<std::int64_t>> called(all.size());  // a thread that calls runs
    for (const Call& call : profile_.calls) {
      called[call.thread].push_back(call.start);
      called[call.thread].push_back(call.end);
    }
    for (std::size_t t = 0; t < all.size(); ++t) {
      std::ranges::stable_sort(all[t], {}, &Switch::time);
      std::ranges::sort(called[t]);
      for (std::size_t i = 1; i < all[t].size(); ++i) {
        const Switch &out = all[t][i - 1], &in = all[t][i];
        if (!out.ready || !in.in || out.time == in.time) continue;
        const auto call = std::ranges::upper_bound(called[t], out.time);
        if (call == called[t].end() || *call >= in.time) profile_.preempted[t].emplace_back(out.time, in.time);
      }
    }
  }

  [[nodiscard]] bool has_column(const std::string& table, std::string_view column) const {
    const std::vector<std::string> columns = db_.columns(table);
    return std::ranges::find(columns, column) != columns.end();
  }

  void meet_columns(const std::string& table) {
    if (!db_.has(table)) return;
    for (const std::string& column : db_.columns(table)) {
      const Reading& row = reading(Kind::nsys, "column", column);
      if (row.fate == Fate::told) notes_.leave_out(row, fmt::format("{}.{}", table, column), 1, {});
    }
  }

  static std::string in_small_letters(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
  }
  static bool is_instant(const std::string& column) {
    const std::string name = in_small_letters(column);
    return name.find("time") != std::string::npos || name.starts_with("start") || name.starts_with("end") || name.starts_with("dur");
  }

  // A table that nobody has read: with times, it must not be passed over.
  void look_at(const std::string& table) {
    const std::vector<std::string> columns = db_.columns(table);
    const auto has = [&](std::string_view column) { return std::ranges::find(columns, column) != columns.end(); };
    if (!has("start") || !has("end")) {
      const Reading* row = &reading(Kind::nsys, "table without times", table);
      if (row->fate == Fate::aside && std::ranges::any_of(columns, is_instant)) row = &reading(Kind::nsys, "table with instants", table);
      std::size_t rows = 0;
      if (row->fate != Fate::told) return;
      for (Rows each(db_, table, {"?"}); each.next(); ++rows) count(each, rows);
      if (rows > 0) notes_.leave_out(*row, table, rows, {});
      return;
    }
    std::string device;
    for (const std::string& column : columns) {
      const std::string name = in_small_letters(column);
      const bool gpu = name.find("device") != std::string::npos || name.find("gpu") != std::string::npos || name == "streamid";
      if (gpu && (device.empty() || column == "deviceId" || column == "gpuId" || column == "gpu")) device = column;
    }
    const Reading& row = reading(Kind::nsys, device.empty() ? with_times : with_times_on_gpu, table);
    if (row.fate == Fate::read) return;
    const bool has_device = device == "deviceId" || device == "gpuId" || device == "gpu";
    Rows rows(db_, table, {"start", "end", has_device ? "?" + device : "?", "?correlationId", "?globalPid", "?globalTid"});
    std::size_t met = 0;
    Wide time = 0;
    const Texts::Id name = profile_.texts.add(one_line(table, 80));
    while (rows.next()) {
      count(rows, met++);
      Unread one{&row, name, rows.integer(2), 0, rows.integer_or(3, -1), 0, 0};
      if (!take_times(rows, one.start, one.end) || one.end < one.start) continue;
      time += one.end - one.start;
      if (row.fate != Fate::refused) continue;
      const auto process = rows.integer(4);
      one.process = process_of(process ? *process : global_process(rows.integer_or(5, 0)));
      profile_.unread.push_back(one);
    }
    if (met > 0 && row.fate == Fate::told) notes_.leave_out(row, profile_.texts[name], met, to_time(time));
  }

  void read_diagnostics() {
    constexpr std::int64_t warning = 2, error = 3;
    constexpr int most = 10;
    Rows rows(db_, diagnostic_table, {"?severity", "?text"});
    for (int told = 0; told < most && rows.next();) {
      const std::int64_t severity = rows.integer_or(0, 0);
      if (severity != warning && severity != error) continue;
      notes_.warn({db_.name(), 0, 0, fmt::format("the profiler said: {}", one_line(rows.text(1), 300))});
      ++told;
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
    std::set<Texts::Id> together;
    for (const Texts::Id id : profile_.together) together.insert(names.at(id));
    profile_.together = std::move(together);
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
    std::unordered_multimap<std::int64_t, std::uint32_t> by_pid;  // a number comes back, after the process ended or on another machine
    for (const auto& [global, process] : processes_) by_pid.emplace(pid_of(global), process);
    Rows rows(db_, "TARGET_INFO_CUDA_STREAM", {"streamId", "?processId", "?contextId", "?priority", "?flag"});
    while (rows.next()) {
      count(rows, profile_.streams.size());
      const auto [first, last] = by_pid.equal_range(rows.integer_or(1, -1));
      if (first == last) continue;
      StreamInfo info;
      if (const auto priority = rows.integer(3)) {
        info.priority = of_cuda(*priority);
        if (!info.priority) rows.fail(fmt::format("priority {}: a stream's is {}", *priority, cuda_priorities));
      }
      const std::int64_t flag = rows.integer_or(4, 0);
      if (flag == default_stream_flag || flag == non_blocking_flag) info.blocking = flag == default_stream_flag;
      info.null = flag == null_stream_flag;
      const bool one = std::next(first) == last;
      for (auto process = first; process != last; ++process) {
        const auto [at, fresh] = profile_.streams.try_emplace({process->second, rows.integer_or(2, 0), rows.integer_or(0, 0)}, info);
        if (fresh) continue;
        if (one) at->second = info;
        if (!one && at->second != info) at->second = {};  // of which process which row is, the file does not say
      }
    }
  }

  const Database& db_;
  Notes& notes_;
  const Progress& progress_;
  Profile profile_;
  std::size_t endless_ranges_ = 0;
  std::uint64_t rows_ = 0;
  std::size_t kernels_ = 0;
  std::unordered_map<std::int64_t, std::uint32_t> processes_, threads_;
  std::vector<std::pair<std::size_t, std::int64_t>> range_names_;  // ranges whose name is a number
};

}  // namespace

Profile read_nsys(const Database& database, Notes& notes, const Progress& progress) { return NsysReader(database, notes, progress).read(); }

}  // namespace rta::convert
