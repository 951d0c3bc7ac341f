#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rta/model/task_set.hpp"

namespace rta::compare {

/// When the DAGs of chains were released: which of the chains' bounds hold depends on it.
class Releases {
 public:
  /// `task_set` must outlive this.
  explicit Releases(const TaskSet& task_set);

  /// Jobs may come in any order. Of each DAG some millions are looked at, as of chains.
  void add(DagId dag, std::uint64_t job, Time release);
  /// Two jobs that follow one another were further apart than T_max, or T, and the jitter.
  [[nodiscard]] bool too_far(DagId dag) const;
  /// Every DAG with a phase was released by it, counted from one instant, and then by its period; those without do not matter.
  [[nodiscard]] bool by_phases() const;

 private:
  const TaskSet& task_set_;
  std::vector<bool> in_chain_;
  std::vector<std::vector<std::optional<Time>>> releases_;  // DAG -> job -> release
};

}  // namespace rta::compare
