#include "recording_reader.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>

#include "names.hpp"

namespace rta::convert {
namespace {

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : name;
}

std::optional<Direction> direction_of(const trace::TransferActivity& a) {
  switch (a.direction) {
    case trace::CopyDirection::h2d: return Direction::h2d;
    case trace::CopyDirection::d2h: return Direction::d2h;
    default: return std::nullopt;
  }
}
std::string_view copy_name(const std::optional<Direction>& direction) {
  if (!direction) return "Memcpy DtoD";
  return *direction == Direction::h2d ? "Memcpy HtoD" : "Memcpy DtoH";
}

class FromActivities {
 public:
  FromActivities(Profile& profile, Notes& notes) : profile_(profile), notes_(notes) {}

  // A process's records follow its own. A second process of one number is another: numbers come back, and each container has its own.
  void operator()(const trace::ProcessActivity& a) {
    if (!announced_.insert(a.process).second) processes_.erase(a.process);
    const std::string name = one_line(a.program, 200);
    profile_.processes[process(a.process)].name = name.substr(name.find_last_of('/') + 1);
  }

  void operator()(const trace::DeviceActivity& a) {
    const bool known = std::ranges::any_of(profile_.devices, [&](const ProfiledDevice& d) { return d.number == a.device; });
    if (known) return;
    ProfiledDevice& d = profile_.devices.emplace_back();
    d.number = a.device;
    d.name = one_line(a.limits.product, 100);
    unsigned major = 0, minor = 0;
    if (std::sscanf(a.limits.compute_capability.c_str(), "%u.%u", &major, &minor) == 2) {
      d.major = major;
      d.minor = minor;
    }
    d.sms = a.limits.sms;
    d.threads = a.limits.threads_per_sm;
    d.threads_per_block = a.limits.threads_per_block;
    d.blocks = a.limits.blocks_per_sm;
    if (a.limits.shared_per_sm > 0) d.shared_memory = a.limits.shared_per_sm;
    d.registers = a.limits.registers_per_sm;
    d.copy_engines = a.limits.copy_engines;
  }

  void operator()(const trace::ContextActivity& a) {
    profile_.streams[{process(a.process), a.context, a.null_stream}].null = true;
    bounded(profile_.streams.size());
  }

  void operator()(const trace::StreamActivity& a) {
    StreamInfo& info = profile_.streams[{process(a.process), a.context, a.stream}];
    bounded(profile_.streams.size());
    info.priority = of_cuda(a.priority);
    if (!info.priority) throw UserError(fmt::format("priority {}: a stream's is {}", a.priority, cuda_priorities));
    if (a.kind == trace::StreamKind::null) info.null = true;
    if (a.kind == trace::StreamKind::blocking || a.kind == trace::StreamKind::non_blocking) {
      info.blocking = a.kind == trace::StreamKind::blocking;
    }
  }

  void operator()(const trace::KernelActivity& a) {
    GpuOperation o = operation(a.origin, a.start, a.end);
    o.name = profile_.texts.add(one_line(demangled(a.name)));
    o.B = product(a.grid);
    const std::uint64_t threads = product(a.block);
    if (o.B == 0 || threads == 0 || threads > 65'536) throw UserError("a kernel's grid or block is empty or too large");
    o.H = static_cast<std::uint32_t>(threads);
    o.registers = a.registers;
    constexpr std::uint64_t most_shared = std::uint64_t{1} << 40U;
    if (a.static_shared > most_shared || a.dynamic_shared > most_shared) throw UserError("a kernel's shared memory is too large");
    o.shared_memory = a.static_shared + a.dynamic_shared;
    if (product(a.cluster) > 1 || a.launch == trace::LaunchKind::cooperative) profile_.together.insert(o.name);
    notes_.meet(Kind::recording, "kind of launch", trace::to_string(a.launch));
    add(o);
  }

  void operator()(const trace::TransferActivity& a) {
    GpuOperation o = operation(a.origin, a.start, a.end);
    const std::string_view way = trace::to_string(a.direction);
    if (const Reading& row = reading(Kind::recording, "direction of a copy", way); row.fate == Fate::refused) {
      bounded(profile_.unread.size());
      profile_.unread.push_back({&row, profile_.texts.add(way), o.device, o.process, o.correlation, o.start, o.end});
      return;
    }
    o.kind = GpuOperation::Kind::copy;
    o.direction = direction_of(a);
    o.pageable = a.from == trace::MemoryKind::pageable || a.to == trace::MemoryKind::pageable;
    o.name = profile_.texts.add(copy_name(o.direction));
    add(o);
  }

  void operator()(const trace::MemsetActivity& a) {
    GpuOperation o = operation(a.origin, a.start, a.end);
    o.kind = GpuOperation::Kind::memset;
    o.name = profile_.texts.add("Memset");
    add(o);
  }

  void operator()(const trace::CallActivity& a) {
    bounded(profile_.calls.size());
    if (a.interface == trace::CallInterface::runtime) runtime_calls_.emplace(process(a.process), a.correlation);
    of_driver_.push_back(a.interface == trace::CallInterface::driver);
    Call call;
    call.name = profile_.texts.add(one_line(a.name, 200));
    call.thread = thread(a.process, a.thread);
    call.correlation = a.correlation;
    call.start = a.start.count();
    call.end = a.end.count();
    profile_.calls.push_back(call);
  }

  void operator()(const trace::SynchronizationActivity& a) {
    bounded(waits_.size());
    if (notes_.meet(Kind::recording, "kind of synchronisation", trace::to_string(a.kind)) == Fate::read)
      waits_.emplace_back(process(a.process), a);
  }

  void operator()(const trace::EventActivity& a) {
    bounded(records_.size());
    records_[{process(a.process), a.event}].push_back(a);
  }

  void operator()(const trace::RangeActivity& a) {
    bounded(profile_.ranges.size());
    Range range;
    range.name = profile_.texts.add(one_line(a.name, 200));
    range.thread = thread(a.process, a.thread);
    range.start = a.start.count();
    range.end = a.end.count();
    profile_.ranges.push_back(range);
  }
  void operator()(const trace::MarkActivity&) {}
  void operator()(const trace::OverheadActivity& a) {
    notes_.leave_out(reading(Kind::recording, "record", "overhead"), one_line(a.kind, 60), 1, a.end - a.start);
  }

  /// What needs all records: waits for events, and calls that the program itself made.
  void finish() {
    leave_out_inner_calls();
    for (auto& [event, all] : records_) std::ranges::sort(all, {}, &trace::EventActivity::correlation);
    for (const auto& [process, a] : waits_) profile_.synchronisations.push_back(synchronisation(process, a));
  }

 private:
  static void bounded(std::size_t count) {
    if (count >= most_records) throw UserError(fmt::format("the recording has more than {} records of one kind", most_records));
  }
  static std::uint64_t product(const std::array<std::uint32_t, 3>& extents) {
    Wide all = 1;
    for (const std::uint32_t extent : extents) all *= extent;
    if (all > std::numeric_limits<std::int64_t>::max()) throw UserError("a kernel's grid is too large");
    return static_cast<std::uint64_t>(all);
  }

  std::uint32_t process(std::uint32_t pid) {
    const auto [at, added] = processes_.emplace(pid, static_cast<std::uint32_t>(profile_.processes.size()));
    if (added) {
      bounded(profile_.processes.size());
      profile_.processes.push_back({fmt::format("process-{}", pid)});
    }
    return at->second;
  }
  std::uint32_t thread(std::uint32_t pid, std::uint32_t tid) {
    const auto [at, added] = threads_.emplace(std::pair(process(pid), tid), static_cast<std::uint32_t>(profile_.threads.size()));
    if (added) {
      bounded(profile_.threads.size());
      profile_.threads.push_back({process(pid), std::to_string(tid)});
    }
    return at->second;
  }

  GpuOperation operation(const trace::Origin& origin, Time start, Time end) {
    GpuOperation o;
    o.process = process(origin.process);
    o.device = origin.device;
    o.context = origin.context;
    o.stream = origin.stream;
    o.correlation = origin.correlation;
    if (origin.graph_node) o.graph_node = static_cast<std::int64_t>(*origin.graph_node & std::uint64_t{0x7FFFFFFFFFFFFFFF});
    o.start = start.count();
    o.end = end.count();
    return o;
  }
  void add(const GpuOperation& o) {
    bounded(profile_.operations.size());
    profile_.operations.push_back(o);
  }

  /// A call of the runtime makes calls of the driver with its correlation; the program's own is the outer one.
  void leave_out_inner_calls() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < profile_.calls.size(); ++i) {
      const Call call = profile_.calls[i];
      const auto key = std::pair(profile_.threads[call.thread].process, static_cast<std::uint32_t>(call.correlation));
      if (!of_driver_[i] || !runtime_calls_.contains(key)) profile_.calls[kept++] = call;
    }
    profile_.calls.resize(kept);
  }

  /// The recording that was waited for: the one that CUPTI names, if it came before the wait, else the last one that did.
  const trace::EventActivity* recording_of(std::uint32_t process, const trace::SynchronizationActivity& a) {
    if (!a.event) return nullptr;
    const auto all = records_.find({process, *a.event});
    if (all == records_.end()) return nullptr;
    const auto after = std::ranges::lower_bound(all->second, a.correlation, {}, &trace::EventActivity::correlation);
    if (after == all->second.begin()) return nullptr;
    for (auto at = after; a.record && at != all->second.begin();) {
      if ((--at)->record == a.record) return &*at;
    }
    return &*std::prev(after);
  }

  Synchronisation synchronisation(std::uint32_t process, const trace::SynchronizationActivity& a) {
    Synchronisation s;
    switch (a.kind) {
      case trace::SynchronizationKind::event: s.kind = Synchronisation::Kind::event; break;
      case trace::SynchronizationKind::wait_event: s.kind = Synchronisation::Kind::stream_wait_event; break;
      case trace::SynchronizationKind::stream: s.kind = Synchronisation::Kind::stream; break;
      default: s.kind = Synchronisation::Kind::context; break;
    }
    s.process = process;
    s.correlation = a.correlation;
    s.context = a.context;
    if (a.stream) s.stream = *a.stream;
    if (const trace::EventActivity* record = recording_of(process, a)) {
      s.recorded_on = record->stream;
      s.record_correlation = record->correlation;
    }
    return s;
  }

  Profile& profile_;
  Notes& notes_;
  std::set<std::uint32_t> announced_;                 // process numbers
  std::map<std::uint32_t, std::uint32_t> processes_;  // by process number; from here on places in Profile::processes
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> threads_;                      // by process and thread
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<trace::EventActivity>> records_;  // by process and event
  std::vector<std::pair<std::uint32_t, trace::SynchronizationActivity>> waits_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> runtime_calls_;  // by process and correlation
  std::vector<bool> of_driver_;                                      // as Profile::calls
};

}  // namespace

void warn_of_check(const trace::CheckRecord& check, Notes& notes) {
  if (check.outcome == "ok") return;
  notes.warn({notes.file(), 0, 0, fmt::format("the run says of itself: {}: {}", one_line(check.name, 60), one_line(check.text, 400))});
}

Profile read_recording(trace::Reader& reader, Notes& notes) {
  Profile profile;
  profile.file = notes.file();
  profile.of_nvidia = profile.tells_launches = true;
  FromActivities take(profile, notes);
  while (const auto record = reader.next()) {
    if (const auto* activity = std::get_if<trace::Activity>(&*record)) std::visit(take, *activity);
    if (const auto* check = std::get_if<trace::CheckRecord>(&*record)) warn_of_check(*check, notes);
  }
  take.finish();
  return profile;
}

}  // namespace rta::convert
