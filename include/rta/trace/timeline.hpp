// The first part of a schedule in memory, laid out for drawing: rows for processors, engines, workers and SMs, blocks as tall as their
// G-threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rta/simulate/observer.hpp"
#include "rta/trace/labels.hpp"

namespace rta::trace {

/// Something that runs on a unit of a pool. `low` .. `high`: its place on the unit, of `Timeline::height`.
struct Bar {
  PoolId pool = 0;
  std::uint32_t unit = 0;
  simulate::JobId id;
  std::uint64_t block = 0;  // blocks and items only
  bool has_block = false;
  std::uint32_t low = 0;
  std::uint32_t high = 1;
  Time start, end;
};

struct Release {
  simulate::JobId id;
  Time at;
};

/// Keeps what starts in [from, to), up to `most` bars. Blocks take the lowest place on their SM that is free for all of them; where free
/// places are too scattered, the lowest ones, so that bars may overlap.
class Timeline : public simulate::Observer {
 public:
  /// `threads`: G-threads per SM of each pool (1 for other pools); `demand`: G-threads per block of each DAG's nodes (1 for others).
  Timeline(std::vector<std::uint32_t> threads, std::vector<std::vector<std::uint32_t>> demand, const Labels& labels, Time from, Time to,
           std::size_t most);

  void dag(DagId dag, std::uint64_t job, Time release, Time end) override;
  void job(simulate::JobId id, Time release, Time start, Time end) override;
  void block(simulate::JobId id, std::uint64_t block, std::uint32_t sm, Time start, Time end) override;
  void copy(simulate::JobId id, std::uint32_t engine, Time start, Time end) override;
  void run(simulate::JobId id, std::uint32_t cpu, Time start, Time end) override;

  [[nodiscard]] const std::vector<Bar>& bars() const { return bars_; }
  /// Releases of nodes, by the time at which they entered their queue or stream.
  [[nodiscard]] const std::vector<Release>& releases() const { return releases_; }
  /// Bars that started in the window but were not kept.
  [[nodiscard]] std::uint64_t left_out() const { return left_out_; }
  [[nodiscard]] std::uint32_t height(PoolId pool) const { return threads_[pool]; }
  [[nodiscard]] const Labels& labels() const { return labels_; }

 private:
  struct Resident {
    std::uint32_t low, high;
    std::int64_t end;
  };
  bool keep(const Bar& bar);

  std::vector<std::uint32_t> threads_;
  std::vector<std::vector<std::uint32_t>> demand_;
  Labels labels_;
  Time from_, to_;
  std::size_t most_;
  std::vector<Bar> bars_;
  std::vector<Release> releases_;
  std::uint64_t left_out_ = 0;
  std::vector<std::vector<std::vector<Resident>>> resident_;  // pool, SM: by place
};

/// The timeline of a task set or of an experiment.
[[nodiscard]] Timeline timeline(const TaskSet& task_set, Time from, Time to, std::size_t most);
[[nodiscard]] Timeline timeline(const Experiment& experiment, Time from, Time to, std::size_t most);

}  // namespace rta::trace
