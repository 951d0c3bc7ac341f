// What `rta record` saw of a CUDA program. Times are on the trace's clock; numbers of contexts, streams, events and correlations mean
// something within one process only.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "rta/model/device_profile.hpp"

namespace rta::trace {

struct ProcessActivity {
  std::uint32_t process = 0;
  std::uint32_t parent = 0;
  std::string program;  // its path
  bool operator==(const ProcessActivity&) const = default;
};
struct DeviceActivity {
  std::uint32_t process = 0;
  std::uint32_t device = 0;  // the process's number of it
  std::string uuid;          // the same in every process; empty: not known
  DeviceLimits limits;       // as far as CUPTI tells them
  bool operator==(const DeviceActivity&) const = default;
};
struct ContextActivity {
  std::uint32_t process = 0;
  std::uint32_t context = 0;
  std::uint32_t device = 0;
  std::uint32_t null_stream = 0;  // the number that its NULL stream has
  bool operator==(const ContextActivity&) const = default;
};

enum class StreamKind : std::uint8_t { unknown, blocking, non_blocking, null };
struct StreamActivity {
  std::uint32_t process = 0;
  std::uint32_t context = 0;
  std::uint32_t stream = 0;
  std::int32_t priority = 0;  // a lower number is a higher priority
  StreamKind kind = StreamKind::unknown;
  bool operator==(const StreamActivity&) const = default;
};

/// Who asked for GPU work, and where it ran.
struct Origin {
  std::uint32_t process = 0;
  std::uint32_t device = 0;
  std::uint32_t context = 0;
  std::uint32_t stream = 0;
  std::uint32_t correlation = 0;            // of the call that issued it
  std::optional<std::uint32_t> graph;       // of a graph launch
  std::optional<std::uint64_t> graph_node;  // the node of that graph
  bool operator==(const Origin&) const = default;
};

enum class LaunchKind : std::uint8_t { regular, cooperative, other };
struct KernelActivity {
  std::string name;  // as the compiler mangled it
  Origin origin;
  Time start, end;
  std::array<std::uint32_t, 3> grid{}, block{};
  std::array<std::uint32_t, 3> cluster{};  // of blocks; zeros: none
  std::uint32_t registers = 0;             // per thread
  std::uint64_t static_shared = 0, dynamic_shared = 0;
  LaunchKind launch = LaunchKind::regular;
  bool operator==(const KernelActivity&) const = default;
};

enum class MemoryKind : std::uint8_t { unknown, pageable, pinned, device, array, managed };
enum class CopyDirection : std::uint8_t { other, h2d, d2h, d2d, h2h, p2p };
struct TransferActivity {
  CopyDirection direction = CopyDirection::other;
  MemoryKind from = MemoryKind::unknown, to = MemoryKind::unknown;
  std::uint64_t bytes = 0;
  bool async = false;  // issued by an `...Async` function
  Origin origin;
  Time start, end;
  bool operator==(const TransferActivity&) const = default;
};
struct MemsetActivity {
  MemoryKind to = MemoryKind::unknown;
  std::uint64_t bytes = 0;
  bool async = false;
  Origin origin;
  Time start, end;
  bool operator==(const MemsetActivity&) const = default;
};

enum class CallInterface : std::uint8_t { runtime, driver };
struct CallActivity {
  CallInterface interface = CallInterface::runtime;
  std::string name;  // e.g. cudaMemcpyAsync, without the suffix of a version
  std::uint32_t process = 0;
  std::uint32_t thread = 0;
  std::uint32_t correlation = 0;
  Time start, end;
  std::uint32_t result = 0;  // cudaError_t or CUresult; 0: success
  bool operator==(const CallActivity&) const = default;
};

enum class SynchronizationKind : std::uint8_t { unknown, event, wait_event, stream, context };
struct SynchronizationActivity {
  SynchronizationKind kind = SynchronizationKind::unknown;
  std::uint32_t process = 0;
  std::uint32_t context = 0;
  std::optional<std::uint32_t> stream;  // that waits, or is waited for
  std::optional<std::uint32_t> event;   // that is waited for
  std::optional<std::uint64_t> record;  // which recording of the event, where CUPTI tells (CUDA 12.8 or later)
  std::uint32_t correlation = 0;
  Time start, end;
  bool operator==(const SynchronizationActivity&) const = default;
};
/// An event was put into a stream; when, the call of the same correlation says.
struct EventActivity {
  std::uint32_t process = 0;
  std::uint32_t context = 0;
  std::uint32_t stream = 0;
  std::uint32_t event = 0;
  std::optional<std::uint64_t> record;  // tells recordings of one event apart
  std::uint32_t correlation = 0;
  bool operator==(const EventActivity&) const = default;
};

/// An NVTX range.
struct RangeActivity {
  std::string name, domain;
  std::uint32_t process = 0;
  std::uint32_t thread = 0;      // that began it
  std::uint32_t end_thread = 0;  // that ended it
  Time start, end;
  bool operator==(const RangeActivity&) const = default;
};
/// An NVTX mark.
struct MarkActivity {
  std::string name, domain;
  std::uint32_t process = 0;
  std::uint32_t thread = 0;
  Time at;
  bool operator==(const MarkActivity&) const = default;
};
/// Time that recording itself, or the driver on its behalf, took from the program.
struct OverheadActivity {
  std::string kind;  // e.g. buffer_flush, instrumentation, lazy_loading
  std::uint32_t process = 0;
  std::optional<std::uint32_t> thread;
  Time start, end;
  bool operator==(const OverheadActivity&) const = default;
};

using Activity =
    std::variant<ProcessActivity, DeviceActivity, ContextActivity, StreamActivity, KernelActivity, TransferActivity, MemsetActivity,
                 CallActivity, SynchronizationActivity, EventActivity, RangeActivity, MarkActivity, OverheadActivity>;

/// The words that stand for them in traces.
[[nodiscard]] std::string_view to_string(StreamKind kind);
[[nodiscard]] std::string_view to_string(LaunchKind kind);
[[nodiscard]] std::string_view to_string(MemoryKind kind);
[[nodiscard]] std::string_view to_string(CopyDirection direction);
[[nodiscard]] std::string_view to_string(CallInterface interface);
[[nodiscard]] std::string_view to_string(SynchronizationKind kind);

/// The line of a trace that stands for the activity, without the line's end.
[[nodiscard]] std::string line_of(const Activity& activity);

}  // namespace rta::trace
