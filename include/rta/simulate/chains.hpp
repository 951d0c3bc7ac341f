// What a schedule shows of chains: the four latencies of T13, of every event and every output of it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "rta/simulate/observer.hpp"

namespace rta::simulate {

/// When a job of a stage read its input, and when it wrote its output.
struct StageJob {
  Time read;
  Time write;
};
/// Jobs in the order of their releases, from the first.
using StageJobs = std::vector<StageJob>;

/// The largest that were seen; none where nothing was.
struct SeenLatencies {
  std::optional<Time> MRT, MRRT, MRDA, MDA;
  bool operator==(const SeenLatencies&) const = default;
};

/// Durr et al. 2019, Günzel et al. 2021: MRT and MRRT of all immediate forward chains (the next job that reads at or after each write),
/// MRDA and MDA of all immediate backward chains (the newest job that had written at each read). An event happens an instant after the read
/// of the job before. Chains that come to the first job of a stage, or do not end within the schedule, do not count.
[[nodiscard]] SeenLatencies chain_latencies_seen(std::span<const StageJobs> stages);

/// Listens to one run; afterwards it tells what the task set's chains showed. Of each DAG it looks at the first `most_jobs` jobs.
class ChainObserver : public Observer {
 public:
  static constexpr std::size_t most_jobs = std::size_t{1} << 22;

  /// `task_set` must outlive this.
  explicit ChainObserver(const TaskSet& task_set);

  void dag(DagId dag, std::uint64_t job, Time release, Time end) override;
  void job(JobId id, Time release, Time start, Time end) override;
  void block(JobId /*id*/, std::uint64_t /*block*/, std::uint32_t /*sm*/, Time /*start*/, Time /*end*/) override {}
  void copy(JobId /*id*/, std::uint32_t /*engine*/, Time /*start*/, Time /*end*/) override {}
  void run(JobId /*id*/, std::uint32_t /*cpu*/, Time /*start*/, Time /*end*/) override {}

  /// One per chain of the task set.
  [[nodiscard]] std::vector<SeenLatencies> latencies() const;

 private:
  struct Seen {
    std::optional<Time> read, write;
  };
  // Steps inside one DAG are one stage.
  struct Stage {
    DagId dag = 0;
    std::optional<NodeId> entry, exit;
    std::optional<Time> published;  // LET: so long after the release
    std::vector<Seen> jobs;
  };
  [[nodiscard]] static Seen* at(Stage& stage, std::uint64_t job);
  [[nodiscard]] static StageJobs complete(const Stage& stage);

  const TaskSet& task_set_;
  std::vector<std::vector<Stage>> chains_;
};

}  // namespace rta::simulate
