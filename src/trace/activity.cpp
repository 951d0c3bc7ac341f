#include "rta/trace/activity.hpp"

#include <array>

#include "json_text.hpp"
#include "rta/model/error.hpp"

namespace rta::trace {
namespace {

constexpr std::array<std::string_view, 4> stream_kinds{"unknown", "blocking", "non_blocking", "null"};
constexpr std::array<std::string_view, 3> launch_kinds{"regular", "cooperative", "other"};
constexpr std::array<std::string_view, 6> memory_kinds{"unknown", "pageable", "pinned", "device", "array", "managed"};
constexpr std::array<std::string_view, 6> directions{"other", "h2d", "d2h", "d2d", "h2h", "p2p"};
constexpr std::array<std::string_view, 2> interfaces{"runtime", "driver"};
constexpr std::array<std::string_view, 5> synchronization_kinds{"unknown", "event", "wait_event", "stream", "context"};

template <std::size_t Size, class Kind>
std::string_view word(const std::array<std::string_view, Size>& words, Kind kind) {
  const auto index = static_cast<std::size_t>(kind);
  require(index < Size, "every kind has its word");
  return words[index];
}

/// A JSON object, member by member.
class Line {
 public:
  explicit Line(std::string_view kind) : text_("{\"t\": \"" + std::string(kind) + "\"") {}

  Line& add(std::string_view key, const std::string& value) { return raw(key, json_text(value)); }
  Line& add(std::string_view key, std::string_view word) { return raw(key, "\"" + std::string(word) + "\""); }
  Line& add(std::string_view key, std::uint64_t number) { return raw(key, std::to_string(number)); }
  Line& add(std::string_view key, std::uint32_t number) { return raw(key, std::to_string(number)); }
  Line& add(std::string_view key, std::int32_t number) { return raw(key, std::to_string(number)); }
  Line& add(std::string_view key, bool value) { return raw(key, value ? "true" : "false"); }
  Line& add(std::string_view key, Time time) { return raw(key, std::to_string(time.count())); }
  Line& add(std::string_view key, const std::array<std::uint32_t, 3>& v) {
    return raw(key, "[" + std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]) + "]");
  }
  template <class T>
  Line& add(std::string_view key, const std::optional<T>& value) {
    return value ? add(key, *value) : *this;
  }
  Line& add(const Origin& origin) {
    add("process", origin.process).add("device", origin.device).add("context", origin.context).add("stream", origin.stream);
    return add("correlation", origin.correlation).add("graph", origin.graph).add("graph_node", origin.graph_node);
  }
  Line& interval(Time start, Time end) { return add("start_ns", start).add("end_ns", end); }
  [[nodiscard]] std::string text() const { return text_ + "}"; }

 private:
  Line& raw(std::string_view key, const std::string& json) {
    text_ += ", \"" + std::string(key) + "\": " + json;
    return *this;
  }
  std::string text_;
};

struct LineWriter {
  std::string operator()(const ProcessActivity& a) const {
    return Line("process").add("process", a.process).add("parent", a.parent).add("program", a.program).text();
  }
  std::string operator()(const DeviceActivity& a) const {
    const DeviceLimits& l = a.limits;
    Line line("device");
    line.add("process", a.process).add("device", a.device).add("name", l.product).add("uuid", a.uuid);
    line.add("compute_capability", l.compute_capability).add("sms", l.sms).add("threads_per_sm", l.threads_per_sm);
    line.add("threads_per_block", l.threads_per_block).add("blocks_per_sm", l.blocks_per_sm).add("shared_per_sm", l.shared_per_sm);
    line.add("shared_per_block", l.shared_per_block).add("registers_per_sm", l.registers_per_sm).add("copy_engines", l.copy_engines);
    return line.add("clock_khz", l.clock_khz).text();
  }
  std::string operator()(const ContextActivity& a) const {
    Line line("context");
    return line.add("process", a.process).add("context", a.context).add("device", a.device).add("null_stream", a.null_stream).text();
  }
  std::string operator()(const StreamActivity& a) const {
    Line line("stream");
    line.add("process", a.process).add("context", a.context).add("stream", a.stream).add("priority", a.priority);
    return line.add("kind", to_string(a.kind)).text();
  }
  std::string operator()(const KernelActivity& a) const {
    Line line("kernel");
    line.add("name", a.name).add(a.origin).interval(a.start, a.end).add("grid", a.grid).add("block", a.block);
    if (a.cluster != std::array<std::uint32_t, 3>{}) line.add("cluster", a.cluster);
    line.add("registers", a.registers).add("static_shared", a.static_shared).add("dynamic_shared", a.dynamic_shared);
    return line.add("launch", to_string(a.launch)).text();
  }
  std::string operator()(const TransferActivity& a) const {
    Line line("memcpy");
    line.add("direction", to_string(a.direction)).add("from", to_string(a.from)).add("to", to_string(a.to)).add("bytes", a.bytes);
    return line.add("async", a.async).add(a.origin).interval(a.start, a.end).text();
  }
  std::string operator()(const MemsetActivity& a) const {
    Line line("memset");
    return line.add("to", to_string(a.to)).add("bytes", a.bytes).add("async", a.async).add(a.origin).interval(a.start, a.end).text();
  }
  std::string operator()(const CallActivity& a) const {
    Line line("call");
    line.add("api", to_string(a.interface)).add("name", a.name).add("process", a.process).add("thread", a.thread);
    return line.add("correlation", a.correlation).interval(a.start, a.end).add("result", a.result).text();
  }
  std::string operator()(const SynchronizationActivity& a) const {
    Line line("sync");
    line.add("kind", to_string(a.kind)).add("process", a.process).add("context", a.context).add("stream", a.stream);
    line.add("event", a.event).add("record", a.record).add("correlation", a.correlation);
    return line.interval(a.start, a.end).text();
  }
  std::string operator()(const EventActivity& a) const {
    Line line("event");
    line.add("process", a.process).add("context", a.context).add("stream", a.stream).add("event", a.event);
    return line.add("record", a.record).add("correlation", a.correlation).text();
  }
  std::string operator()(const RangeActivity& a) const {
    Line line("range");
    line.add("name", a.name).add("domain", a.domain).add("process", a.process).add("thread", a.thread);
    return line.add("end_thread", a.end_thread).interval(a.start, a.end).text();
  }
  std::string operator()(const MarkActivity& a) const {
    Line line("mark");
    line.add("name", a.name).add("domain", a.domain).add("process", a.process).add("thread", a.thread);
    return line.add("at_ns", a.at).text();
  }
  std::string operator()(const OverheadActivity& a) const {
    return Line("overhead").add("kind", a.kind).add("process", a.process).add("thread", a.thread).interval(a.start, a.end).text();
  }
};

}  // namespace

std::string_view to_string(StreamKind kind) { return word(stream_kinds, kind); }
std::string_view to_string(LaunchKind kind) { return word(launch_kinds, kind); }
std::string_view to_string(MemoryKind kind) { return word(memory_kinds, kind); }
std::string_view to_string(CopyDirection direction) { return word(directions, direction); }
std::string_view to_string(CallInterface interface) { return word(interfaces, interface); }
std::string_view to_string(SynchronizationKind kind) { return word(synchronization_kinds, kind); }

std::string line_of(const Activity& activity) { return std::visit(LineWriter{}, activity); }

}  // namespace rta::trace
