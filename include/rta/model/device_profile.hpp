// A GPU as it was measured: limits, which scheduling rules it follows, latencies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rta/model/device.hpp"
#include "rta/model/interference.hpp"
#include "rta/model/scheduling_rule.hpp"

namespace rta {

/// What a device and its driver say of themselves.
struct DeviceLimits {
  std::string product;             // e.g. NVIDIA H200
  std::string compute_capability;  // e.g. 9.0
  std::string driver, cuda;        // versions; empty: not known
  std::uint32_t sms = 1;
  std::uint32_t threads_per_sm = 2048;
  std::uint32_t threads_per_block = 1024;
  std::uint32_t blocks_per_sm = 32;
  std::uint64_t shared_per_sm = 0;              // bytes, as the rest
  std::uint64_t shared_per_block = 0;           // the most that a block may ask for
  std::uint64_t reserved_shared_per_block = 0;  // added to every block by the system
  std::uint64_t registers_per_sm = 65536;
  std::uint64_t registers_per_block = 0;  // 0: as its compute capability has, if that is known
  std::uint32_t copy_engines = 1;
  std::uint32_t priority_levels = 1;  // stream priorities 0 ... priority_levels - 1
  std::uint64_t clock_khz = 0;        // 0: not known
  bool operator==(const DeviceLimits&) const = default;
};

/// The limits of a built-in device, as far as the table knows them.
[[nodiscard]] DeviceLimits limits_of(const Device& device);
/// The GPU pool of a device with these limits. Allocation units are those of its compute capability (device.cpp names the source).
[[nodiscard]] GpuPool gpu_pool(const DeviceLimits& limits);
/// One FIFO, or one per direction.
[[nodiscard]] EnginePool engine_pool(const DeviceLimits& limits);

enum class RuleState : std::uint8_t {
  untested,  // could not be tested; the reason says why
  confirmed,
  refuted
};
[[nodiscard]] std::string_view to_string(RuleState state);

struct RuleVerdict {
  Rule rule = Rule::G1;
  RuleState state = RuleState::untested;
  std::string variant;              // of a rule that has several, the one that holds
  std::string reason;               // what was seen
  std::string evidence;             // refuted: the smallest trace that shows it, beside the profile
  std::uint64_t runs = 0;           // that counted
  std::uint64_t contradicting = 0;  // of these
  bool operator==(const RuleVerdict&) const = default;
};

/// How long something took, over `samples` observations.
struct Latency {
  std::string name;
  Time median, p99, max;
  std::uint64_t samples = 0;
  bool operator==(const Latency&) const = default;
};
/// The latency that analyses add to L: from the end of a block to the start of the one that takes its place.
inline constexpr std::string_view dispatch_latency = "dispatch";

/// What was measured about an effect.
enum class Answer : std::uint8_t { no, yes, unclear };
[[nodiscard]] std::string_view to_string(Answer answer);

/// What a call does while a kernel runs (the questions of Yang 2020, Table 3.8).
struct MeasuredCall {
  std::string name;                        // e.g. `cudaMemcpyAsync D-H pageable`
  Answer blocks_others = Answer::unclear;  // holds up other threads that call the driver
  Answer synchronises = Answer::unclear;   // keeps kernels of other streams from starting
  Answer caller_waits = Answer::unclear;   // for the GPU
  std::uint64_t samples = 0;
  bool operator==(const MeasuredCall&) const = default;
};

struct DeviceProfile {
  std::string device;  // name in the built-in table; empty: not in it
  std::string date;    // UTC, YYYY-MM-DD
  DeviceLimits limits;
  std::vector<Latency> latencies;
  std::vector<RuleVerdict> rules;            // at most one per rule
  std::vector<MeasuredCall> calls;           // at most one per name
  std::optional<Interference> interference;  // what blocks of one class do to those of another

  /// Null when the rule was not examined.
  [[nodiscard]] const RuleVerdict* find(Rule rule) const;
  [[nodiscard]] const Latency* find_latency(std::string_view name) const;
  [[nodiscard]] const MeasuredCall* find_call(std::string_view name) const;
  bool operator==(const DeviceProfile&) const = default;
};

}  // namespace rta
