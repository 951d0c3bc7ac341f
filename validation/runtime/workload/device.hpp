// What threads that wait see of a GPU, of copy engines or of workers.
#pragma once

#include <cstdint>

#include "table.hpp"

namespace workload {

/// From when to when a job was executed.
struct Span {
  std::int64_t start;
  std::int64_t end;
};

class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;
  /// Before the calling thread's first job.
  virtual void select() = 0;
  /// Starts a job of a body; `thread`: which of the body's threads calls. The instant before that.
  virtual std::int64_t issue_for(const Job& job, unsigned thread) = 0;
  /// Sleeps, or spins where the body does, until it has ended.
  virtual Span await_for(const Job& job, unsigned thread, std::int64_t issued) = 0;
  /// Its blocks, at any time before the thread's next job of the node.
  virtual void record_for(const Job& job, unsigned thread, const Span& span) = 0;
};

}  // namespace workload
