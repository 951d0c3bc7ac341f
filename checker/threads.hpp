// T21h, T41 and T21b: DAGs that are played by threads.
#pragma once

#include <string_view>
#include <vector>

#include "certificate.hpp"
#include "system.hpp"

namespace checker {

/// DAGs that share pools, all of them on threads.
class Threads {
 public:
  /// Throws `Refused` where neither T21h nor, as some spin, T41 is for them.
  Threads(const TaskSet& set, const Certificate& certificate, const std::vector<std::size_t>& dags);

  /// Throws `Refused` unless the claim of node v of DAG d follows.
  void check(std::size_t d, std::size_t v) const;
  /// Whether some do, so that T41 is their rule, not T21h.
  [[nodiscard]] bool spin() const;

 private:
  struct Body {
    Int threads = 1;
    bool spins = false;
    std::size_t processors = 0;  // where it spins
    std::vector<Int> longest;    // queue; where it spins as long as it keeps a processor
  };
  /// What is ahead of a piece of job k on a queue, of all other threads.
  [[nodiscard]] Int ahead(std::size_t k, std::size_t q) const;
  /// How long job k keeps its processor while it spins, in ns.
  [[nodiscard]] Int kept(std::size_t k) const;
  [[nodiscard]] bool is_cpu(std::size_t q) const;
  [[nodiscard]] bool nobody_waits(std::size_t q) const;
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
