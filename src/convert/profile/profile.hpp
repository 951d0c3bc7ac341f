// What a profiler recorded of a CUDA program: the same for every profiler. Times are in ns on one clock.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "rta/convert/reading.hpp"
#include "rta/io/diagnostic.hpp"
#include "rta/model/error.hpp"
#include "rta/model/task_set.hpp"

namespace rta::convert {

/// Texts, each kept once.
class Texts {
 public:
  using Id = std::uint32_t;
  [[nodiscard]] Id add(std::string_view text) {
    const auto at = ids_.find(text);
    if (at != ids_.end()) return at->second;
    bytes_ += text.size();
    if (bytes_ > most_bytes) throw UserError("the names in the file are longer than 256 MiB together");
    const auto id = static_cast<Id>(texts_.size());
    ids_.emplace(texts_.emplace_back(text), id);
    return id;
  }
  [[nodiscard]] std::string_view operator[](Id id) const { return texts_[id]; }

 private:
  static constexpr std::size_t most_bytes = 256U << 20U;

  std::size_t bytes_ = 0;
  std::deque<std::string> texts_;  // grows without moving what `ids_` refers to
  std::unordered_map<std::string_view, Id> ids_;
};

/// CUDA's numbers fall with urgency, from 0 on; some files keep the 32 bits of a negative one without its sign. Empty for a number that no
/// stream can have: cut to what can be, it would say which of two streams is more urgent where nobody knows.
[[nodiscard]] inline std::optional<StreamPriority> of_cuda(std::int64_t number) {
  constexpr std::int64_t bits = std::int64_t{1} << 32U;
  if (number > std::numeric_limits<std::int32_t>::max() && number < bits) number -= bits;
  if (number > 0 || number < -std::int64_t{highest_stream_priority}) return {};
  return static_cast<StreamPriority>(-number);
}
inline constexpr const char* cuda_priorities = "0, the least urgent, down to -255";

/// Limits of a GPU as far as the file says them.
struct ProfiledDevice {
  std::int64_t number = 0;
  std::string name;
  std::optional<std::uint32_t> major, minor;  // compute capability
  std::optional<std::uint32_t> sms, threads, threads_per_block, blocks, warp;
  std::optional<std::uint64_t> shared_memory, registers;
  std::optional<std::uint32_t> copy_engines;
};

/// A kernel, a copy or a memset on a GPU.
struct GpuOperation {
  enum class Kind : std::uint8_t { kernel, copy, memset };
  Kind kind = Kind::kernel;
  std::optional<Direction> direction;  // of a copy between host and device
  bool pageable = false;               // a copy from or to memory that the host may page out
  Texts::Id name = 0;
  std::uint32_t process = 0;
  std::int64_t device = 0;
  std::int64_t context = 0;
  std::int64_t stream = 0;
  std::int64_t correlation = -1;  // of the call that launched it; negative: not known
  std::int64_t graph_node = -1;   // in a CUDA graph; negative: none
  std::int64_t green = 0;         // of a kernel: its green context; 0: none
  std::int64_t start = 0, end = 0;
  bool timed = true;    // false: its times cannot be true, and stand where its launch does
  std::uint64_t B = 0;  // kernels; 0: not recorded
  std::uint32_t H = 0, registers = 0;
  std::uint64_t shared_memory = 0;
  std::optional<StreamPriority> priority;  // kernels; otherwise that of its stream
};

/// A call of the CUDA API on a thread of the CPU.
struct Call {
  Texts::Id name = 0;
  std::uint32_t thread = 0;  // index into Profile::threads
  std::int64_t correlation = -1;
  std::int64_t start = 0, end = 0;
};

/// What a synchronising call waited for, as the driver recorded it.
struct Synchronisation {
  enum class Kind : std::uint8_t { event, stream_wait_event, stream, context };
  Kind kind = Kind::context;
  std::uint32_t process = 0;
  std::int64_t correlation = -1;  // of the call
  std::int64_t context = 0;
  std::int64_t stream = -1;              // that waits (stream_wait_event) or is waited for (stream)
  std::int64_t recorded_on = -1;         // the stream of the event; negative: not known
  std::int64_t record_correlation = -1;  // of the call that recorded the event
};

/// A range that the program marked: an annotation, or NVTX.
struct Range {
  Texts::Id name = 0;
  std::uint32_t thread = 0;
  std::int64_t start = 0, end = 0;
};

/// What ran on a GPU and is no node, because the reader does not know it or no node can stand for it.
struct Unread {
  const Reading* row = nullptr;  // of the reader's table
  Texts::Id name = 0;            // as the file spells it
  std::optional<std::int64_t> device;
  std::uint32_t process = 0;
  std::int64_t correlation = -1;
  std::int64_t start = 0, end = 0;
};

struct Thread {
  std::uint32_t process = 0;
  std::string name;
};
struct Process {
  std::string name;
};

struct StreamInfo {
  std::optional<StreamPriority> priority;
  std::optional<bool> blocking;  // waits for the NULL stream and it for this one
  bool null = false;             // the NULL stream itself

  friend bool operator==(const StreamInfo&, const StreamInfo&) = default;
};

struct Profile {
  std::string file;
  Texts texts;
  std::vector<Process> processes;
  std::vector<Thread> threads;
  std::vector<ProfiledDevice> devices;
  std::vector<GpuOperation> operations;
  std::set<Texts::Id> together;          // kernels of which several blocks start together: clusters, cooperative launches
  std::set<Texts::Id> dependent;         // kernels that began before the one ahead in their stream had ended
  std::set<Texts::Id> perhaps_together;  // kernels that were launched in a way that may ask for that, which the file does not tell
  bool tells_launches = false;           // of each kernel whether its blocks start together
  bool of_nvidia = false;                // whoever recorded it knows no other GPUs
  std::vector<Call> calls;
  std::vector<Synchronisation> synchronisations;
  std::vector<Range> ranges;
  std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> preempted;  // by thread: when others ran in its place, in order
  std::vector<Unread> unread;
  // By process, context and stream.
  std::map<std::tuple<std::uint32_t, std::int64_t, std::int64_t>, StreamInfo> streams;
  std::int64_t resolution = 1;                 // ns: no time is finer
  std::string other_vendor;                    // a GPU that is none of NVIDIA's, by the calls of the program
  std::optional<io::Diagnostic> without_grid;  // where the first kernel is whose blocks and threads are not recorded
  std::optional<io::Diagnostic> backwards;     // the first kernel, copy or memset that ends before it begins
};

/// Bounds the memory that a hostile file can ask for.
inline constexpr std::size_t most_records = 4'000'000;

}  // namespace rta::convert
