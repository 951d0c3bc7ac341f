// Why a job may have been above its bound, as far as the trace tells.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "rta/compare/comparison.hpp"
#include "rta/model/task_set.hpp"

namespace rta::compare {

/// Collects what is out of the ordinary while a trace is read: executions longer than C or L, late entries into queues.
class Evidence {
 public:
  explicit Evidence(const TaskSet& task_set);

  /// A block, an item or a copy took this long.
  void executed(DagId d, NodeId v, std::uint64_t job, Time length);
  /// A piece of a CPU job; `ended` closes the job.
  void ran(DagId d, NodeId v, std::uint64_t job, Time length);
  void ended(DagId d, NodeId v, std::uint64_t job);
  /// By how much the job entered its queue after its offset (negative: before).
  void entered(DagId d, NodeId v, std::uint64_t job, Time late);
  /// A job is above its bound.
  void keep(DagId d, std::optional<NodeId> v, std::uint64_t job);

  /// Both require that the whole trace has been read; reasons are never none.
  [[nodiscard]] LateCause cause(const Violation& violation, const Comparison& comparison) const;
  [[nodiscard]] std::vector<std::string> reasons(const Violation& violation, const Comparison& comparison) const;

 private:
  using Key = std::tuple<DagId, NodeId, std::uint64_t>;
  [[nodiscard]] std::string label(DagId d, NodeId v) const;
  void add_node_reasons(DagId d, NodeId v, std::uint64_t job, std::vector<std::string>& reasons) const;

  /// Durations that were measured alone may be as long as any company makes them.
  [[nodiscard]] const TaskSet& with_durations() const { return longest_ ? *longest_ : task_set_; }

  const TaskSet& task_set_;
  std::shared_ptr<const TaskSet> longest_;  // where some were measured alone
  std::map<Key, Time> too_long_;            // the longest execution of jobs that exceeded their C or L
  std::map<Key, Time> late_;                // entries more than the noise of a clock after their offset
  std::map<Key, bool> over_;                // node jobs above their bounds
  std::vector<std::vector<std::unordered_map<std::uint64_t, Time>>> running_;
  std::vector<std::vector<bool>> executions_seen_;
};

}  // namespace rta::compare
