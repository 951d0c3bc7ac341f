// What a simulation tells as it goes: every job, block, copy and run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

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
  /// `release`: when it entered its pool's queue or its stream; a sequential job: when it was ready.
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

/// Several observers as one; each is told what its own detail asks for.
class Observers : public Observer {
 public:
  /// The observers must outlive this.
  explicit Observers(std::vector<Observer*> observers) : Observer(most(observers)), observers_(std::move(observers)) {}

  void dag(DagId dag, std::uint64_t job, Time release, Time end) override {
    each(Detail::dag, [&](Observer& o) { o.dag(dag, job, release, end); });
  }
  void job(JobId id, Time release, Time start, Time end) override {
    each(Detail::job, [&](Observer& o) { o.job(id, release, start, end); });
  }
  void block(JobId id, std::uint64_t block, std::uint32_t sm, Time start, Time end) override {
    each(Detail::block, [&](Observer& o) { o.block(id, block, sm, start, end); });
  }
  void copy(JobId id, std::uint32_t engine, Time start, Time end) override {
    each(Detail::block, [&](Observer& o) { o.copy(id, engine, start, end); });
  }
  void run(JobId id, std::uint32_t cpu, Time start, Time end) override {
    each(Detail::block, [&](Observer& o) { o.run(id, cpu, start, end); });
  }

 private:
  [[nodiscard]] static Detail most(const std::vector<Observer*>& observers) {
    Detail detail = Detail::dag;
    for (const Observer* o : observers) detail = std::max(detail, o->detail());
    return detail;
  }
  template <class Tell>
  void each(Detail detail, Tell&& tell) const {
    for (Observer* o : observers_) {
      if (o->detail() >= detail) tell(*o);
    }
  }

  std::vector<Observer*> observers_;
};

}  // namespace rta::simulate
