#include <array>

#include "line_fields.hpp"

namespace rta::trace {
namespace {

/// The kind whose word the member holds, among the first `Size` of its enumeration.
template <std::size_t Size, class Kind>
Kind kind_of(const Json& line, const char* key) {
  const std::string given = text(line, key);
  std::string allowed;
  for (std::size_t i = 0; i < Size; ++i) {
    const auto kind = static_cast<Kind>(i);
    if (given == to_string(kind)) return kind;
    allowed += (i == 0 ? "" : ", ") + std::string(to_string(kind));
  }
  throw Fault{std::string("'") + key + "' must be one of " + allowed};
}
MemoryKind memory(const Json& line, const char* key) { return kind_of<6, MemoryKind>(line, key); }

bool truth(const Json& line, const char* key) {
  const Json& value = member(line, key);
  if (!value.is_boolean()) throw Fault{std::string("'") + key + "' must be true or false"};
  return value.get<bool>();
}

std::uint32_t number(const Json& line, const char* key) { return count<std::uint32_t>(line, key); }

std::array<std::uint32_t, 3> extent(const Json& line, const char* key) {
  const Json& value = member(line, key);
  if (!value.is_array() || value.size() != 3) throw Fault{std::string("'") + key + "' must be three numbers"};
  std::array<std::uint32_t, 3> all{};
  for (std::size_t i = 0; i < 3; ++i) all[i] = checked_count<std::uint32_t>(value[i], key);
  return all;
}

Origin origin(const Json& line) {
  return {number(line, "process"),
          number(line, "device"),
          number(line, "context"),
          number(line, "stream"),
          number(line, "correlation"),
          count_if_any<std::uint32_t>(line, "graph"),
          count_if_any<std::uint64_t>(line, "graph_node")};
}

DeviceActivity device(const Json& line) {
  DeviceActivity a{number(line, "process"), number(line, "device"), text(line, "uuid"), {}};
  DeviceLimits& l = a.limits;
  l.product = text(line, "name");
  l.compute_capability = text(line, "compute_capability");
  l.sms = number(line, "sms");
  l.threads_per_sm = number(line, "threads_per_sm");
  l.threads_per_block = number(line, "threads_per_block");
  l.blocks_per_sm = number(line, "blocks_per_sm");
  l.shared_per_sm = count<std::uint64_t>(line, "shared_per_sm");
  l.shared_per_block = count<std::uint64_t>(line, "shared_per_block");
  l.registers_per_sm = count<std::uint64_t>(line, "registers_per_sm");
  l.copy_engines = number(line, "copy_engines");
  l.clock_khz = count<std::uint64_t>(line, "clock_khz");
  return a;
}

std::int32_t signed_number(const Json& line, const char* key) {
  const Json& value = member(line, key);
  const auto most = std::numeric_limits<std::int32_t>::max();
  const bool fits = value.is_number_unsigned() ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(most)
                                               : value.is_number_integer() && value.get<std::int64_t>() >= -most - std::int64_t{1};
  if (!fits) throw Fault{std::string("'") + key + "' must be a whole number of 32 bits"};
  return value.get<std::int32_t>();
}

StreamActivity stream(const Json& line) {
  return {number(line, "process"), number(line, "context"), number(line, "stream"), signed_number(line, "priority"),
          kind_of<4, StreamKind>(line, "kind")};
}

KernelActivity kernel(const Json& line) {
  KernelActivity a;
  a.name = text(line, "name");
  a.origin = origin(line);
  a.grid = extent(line, "grid");
  a.block = extent(line, "block");
  if (line.contains("cluster")) a.cluster = extent(line, "cluster");
  a.registers = number(line, "registers");
  a.static_shared = count<std::uint64_t>(line, "static_shared");
  a.dynamic_shared = count<std::uint64_t>(line, "dynamic_shared");
  a.launch = kind_of<3, LaunchKind>(line, "launch");
  return with_interval(a, line);
}

TransferActivity transfer(const Json& line) {
  TransferActivity a;
  a.direction = kind_of<6, CopyDirection>(line, "direction");
  a.from = memory(line, "from");
  a.to = memory(line, "to");
  a.bytes = count<std::uint64_t>(line, "bytes");
  a.async = truth(line, "async");
  a.origin = origin(line);
  return with_interval(a, line);
}

MemsetActivity memory_set(const Json& line) {
  return with_interval(MemsetActivity{memory(line, "to"), count<std::uint64_t>(line, "bytes"), truth(line, "async"), origin(line), {}, {}},
                       line);
}

CallActivity call(const Json& line) {
  CallActivity a;
  a.interface = kind_of<2, CallInterface>(line, "api");
  a.name = text(line, "name");
  a.process = number(line, "process");
  a.thread = number(line, "thread");
  a.correlation = number(line, "correlation");
  a.result = number(line, "result");
  return with_interval(a, line);
}

SynchronizationActivity synchronization(const Json& line) {
  SynchronizationActivity a;
  a.kind = kind_of<5, SynchronizationKind>(line, "kind");
  a.process = number(line, "process");
  a.context = number(line, "context");
  a.stream = count_if_any<std::uint32_t>(line, "stream");
  a.event = count_if_any<std::uint32_t>(line, "event");
  a.record = count_if_any<std::uint64_t>(line, "record");
  a.correlation = number(line, "correlation");
  return with_interval(a, line);
}

EventActivity event(const Json& line) {
  return {number(line, "process"),
          number(line, "context"),
          number(line, "stream"),
          number(line, "event"),
          count_if_any<std::uint64_t>(line, "record"),
          number(line, "correlation")};
}

RangeActivity range(const Json& line) {
  RangeActivity a{
      text(line, "name"), text(line, "domain"), number(line, "process"), number(line, "thread"), number(line, "end_thread"), {}, {}};
  return with_interval(a, line);
}

OverheadActivity overhead(const Json& line) {
  return with_interval(OverheadActivity{text(line, "kind"), number(line, "process"), count_if_any<std::uint32_t>(line, "thread"), {}, {}},
                       line);
}

}  // namespace

std::optional<Activity> activity_of(const std::string& kind, const Json& line) {
  if (kind == "kernel") return kernel(line);
  if (kind == "call") return call(line);
  if (kind == "memcpy") return transfer(line);
  if (kind == "memset") return memory_set(line);
  if (kind == "sync") return synchronization(line);
  if (kind == "event") return event(line);
  if (kind == "range") return range(line);
  if (kind == "mark") {
    return MarkActivity{text(line, "name"), text(line, "domain"), number(line, "process"), number(line, "thread"), instant(line, "at_ns")};
  }
  if (kind == "overhead") return overhead(line);
  if (kind == "stream") return stream(line);
  if (kind == "context") {
    return ContextActivity{number(line, "process"), number(line, "context"), number(line, "device"), number(line, "null_stream")};
  }
  if (kind == "device") return device(line);
  if (kind == "process") return ProcessActivity{number(line, "process"), number(line, "parent"), text(line, "program")};
  return std::nullopt;
}

}  // namespace rta::trace
