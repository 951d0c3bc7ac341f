// T21h and T21b: DAGs that are played by threads.
#pragma once

#include <string_view>
#include <vector>

#include "certificate.hpp"
#include "system.hpp"

namespace checker {

/// DAGs that share pools, all of them on threads.
class Threads {
 public:
  /// Throws `Refused` where T21h is not for them.
  Threads(const TaskSet& set, const Certificate& certificate, const std::vector<std::size_t>& dags);

  /// Throws `Refused` unless the claim of node v of DAG d follows.
  void check(std::size_t d, std::size_t v) const;

 private:
  struct Body {
    Int threads = 1;
    std::vector<Int> longest;  // queue
  };
  /// Whether item i of a job goes on where the one before it was.
  [[nodiscard]] bool goes_on(const Job& job, std::size_t i) const;

  const TaskSet& set_;
  System system_;
  std::vector<Body> bodies_;  // as the system's jobs
  std::vector<Int> on_;       // queue -> threads that have nodes there
};

/// T21b: that by the claims of these DAGs, which share pools, no job waits for a thread, so that rules on completion hold for them. Throws
/// `Refused` where `rule` is not for what threads do on their pools.
void need_enough_threads(const TaskSet& set, const Certificate& certificate, const std::vector<std::size_t>& dags, std::string_view rule);

}  // namespace checker
