// T19j: a node of an executor from when its executor became busy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/executors/graph.hpp"
#include "rta/analysis/executors/wait_set.hpp"

namespace rta::analysis::executors {

class Visits {
 public:
  Visits(const Graph& graph, const Ends& F)
      : graph_(graph), F_(F), arrivals_(graph.system->pools.size()), busy_(graph.system->pools.size()) {
    first_.reserve(graph.dags.size());
    for (const DagGraph& dag : graph.dags) first_.emplace_back(dag.size());
  }

  /// Ends have changed since they were looked at; they may only have risen.
  void clear() { arrivals_.assign(arrivals_.size(), std::nullopt); }
  /// A bound on v's end, which is a node of an executor; where it is `enough` or more, some number from `enough` on. None where the
  /// executor may never be idle, or too many instants are to be looked at.
  [[nodiscard]] std::optional<std::int64_t> end(std::size_t k, std::size_t v, std::int64_t enough);
  /// The numbers behind it; requires a bound.
  [[nodiscard]] LocalSum sum(std::size_t k, std::size_t v);
  /// To v, from a node where a visit that leads to it begins.
  [[nodiscard]] std::vector<std::size_t> path(std::size_t k, std::size_t v) const;

 private:
  /// A node of an executor: jobs whose visits begin at least A before they count.
  struct Arrival {
    std::size_t dag = 0, node = 0;
    std::int64_t A = 0, T = 1, C = 0;
  };
  struct Executor {
    std::size_t pool = 0;
    std::vector<Arrival> nodes;
    std::int64_t B = 0;
    bool known = false;  // whether a busy period ends, and its instants are few
  };
  /// v starts at `start` after the executor became busy, when it has executed `work`, and ends C after `until`: in a reservation it may be
  /// held back meanwhile, else that is `start`.
  struct Case {
    std::int64_t x = 0, start = 0, work = 0, until = 0;
  };
  /// A node of which the later v starts, the more jobs come before it, up to `most`.
  struct Rising {
    std::int64_t A = 0, T = 1, C = 0;
    Wide most = 0;
  };
  [[nodiscard]] const Executor& executor(std::size_t pool);
  [[nodiscard]] bool find_busy_period(const Executor& of, std::int64_t& B) const;
  [[nodiscard]] std::int64_t visit_ready(std::size_t k, std::size_t v) const;
  [[nodiscard]] Wide windows_of(std::size_t k, std::size_t v) const;
  [[nodiscard]] bool in_queue_order(std::size_t k, std::size_t v) const;
  [[nodiscard]] Wide count(const Arrival& u, std::size_t k, std::size_t v, std::int64_t x, std::int64_t S, Wide M, bool ordered) const;
  [[nodiscard]] static Wide instants(const Executor& of);
  [[nodiscard]] static std::int64_t last_instant(const Executor& of, std::int64_t until);
  [[nodiscard]] static Wide most_of(const Arrival& u, std::int64_t x, Wide M);
  [[nodiscard]] std::optional<Case> start(const Executor& of, std::size_t k, std::size_t v, std::int64_t x, std::int64_t least, Wide M,
                                          bool ordered);
  [[nodiscard]] std::optional<Case> worst(std::size_t k, std::size_t v, std::int64_t enough);

  const Graph& graph_;
  const Ends& F_;
  std::vector<std::optional<Executor>> arrivals_;  // pool
  // Found last, 0 before: as ends only rise, they are no more than they will be.
  std::vector<std::int64_t> busy_;                // pool -> B, or what it is more than
  std::vector<std::vector<std::int64_t>> first_;  // S(0) of each node
  std::vector<Rising> rising_;                    // of `start`
};

}  // namespace rta::analysis::executors
