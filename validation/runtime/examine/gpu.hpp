// What runs the operations of a probe: CUDA (cuda_gpu.cuh), or something that only behaves like it, in tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/trace_file.hpp"
#include "table.hpp"

namespace examine {

/// One execution on the host's monotonic clock.
struct Span {
  std::int64_t start = 0;
  std::int64_t end = 0;
};
struct BlockSpan {
  std::int64_t start = 0;
  std::int64_t end = 0;
  unsigned sm = 0;
};

/// What the device says of itself around a run.
struct Surroundings {
  std::int64_t clock_error = 0;  // of the conversion to the host's clock
  std::int64_t drift = 0;        // how far it had come to be off at the end
  double khz_before = 0;         // clock of an SM, measured; 0: not known
  double khz_after = 0;
};

/// The calls come in this order: prepare, then for every run arm, issue (each operation once), settle, and the results.
class Gpu {
 public:
  Gpu() = default;
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;
  virtual ~Gpu() = default;

  /// Makes all that the operations with `own` need. Nothing is allocated after this.
  virtual void prepare(const Probe& probe, const std::vector<bool>& own) = 0;
  /// Forgets the last run. The GPU is idle afterwards.
  virtual void arm() = 0;
  /// Returns as soon as the driver does; where it is a call, before: a thread of its own makes it.
  virtual void issue(unsigned operation) = 0;
  /// Whether all blocks, or the whole copy, have ended, or the call has returned. Makes no call to the driver, which might hold up others.
  virtual bool ended(unsigned operation) = 0;
  /// After all operations have ended: waits until the GPU is idle.
  virtual void settle() = 0;

  virtual BlockSpan block(unsigned operation, std::uint64_t number) = 0;
  /// Of a copy or a call.
  virtual Span copy(unsigned operation) = 0;
  [[nodiscard]] virtual Surroundings surroundings() const = 0;

  /// Fields of the trace's header: device, driver and the like. Values hold no line break.
  [[nodiscard]] virtual common::HeaderFields description() const = 0;
  /// Where the device does not do what the probe says, e.g. `K1: 56 registers per thread instead of 64`; else empty.
  [[nodiscard]] virtual std::string mismatch() const = 0;
};

}  // namespace examine
