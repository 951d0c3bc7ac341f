// What a simulation tells as it goes: every job, block, copy and run.
#pragma once

#include <cstdint>

#include "rta/model/task_set.hpp"

namespace rta::simulate {

/// How much an observer wants to know; each level includes those before.
enum class Detail : std::uint8_t { dag, job, block };

struct JobId {
  DagId dag = 0;
  NodeId node = 0;
  std::uint64_t job = 0;  // from 0
};

/// Calls come in the order in which things become known: blocks, copies and items at their start (their end is known), runs, jobs and DAGs
/// at their end.
class Observer {
 public:
  explicit Observer(Detail detail) : detail_(detail) {}
  virtual ~Observer() = default;

  [[nodiscard]] Detail detail() const { return detail_; }

  virtual void dag(DagId dag, std::uint64_t job, Time release, Time end) = 0;
  /// `release`: when it entered its pool's queue or its stream.
  virtual void job(JobId id, Time release, Time start, Time end) = 0;
  /// A block on an SM, or an item on a worker.
  virtual void block(JobId id, std::uint64_t block, std::uint32_t sm, Time start, Time end) = 0;
  virtual void copy(JobId id, std::uint32_t engine, Time start, Time end) = 0;
  /// An interval in which a processor of a CPU pool runs a job.
  virtual void run(JobId id, std::uint32_t cpu, Time start, Time end) = 0;

 protected:
  Observer(const Observer&) = default;
  Observer& operator=(const Observer&) = default;

 private:
  Detail detail_;
};

}  // namespace rta::simulate
