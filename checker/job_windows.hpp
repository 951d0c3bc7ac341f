// T35 (docs/theory/periodic.md): when the jobs of periodic DAGs have ended, by the jobs that can keep each of them waiting.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "certificate.hpp"

namespace checker {

/// All nodes of a set. The ends of all of their jobs are used together: "First violation".
class JobWindows {
 public:
  /// Throws `Refused` where the theorem says nothing of the set.
  JobWindows(const TaskSet& set, const Certificate& certificate);

  /// Throws `Refused` unless the ends that are stated for this node follow from those of all.
  void check_ends(std::size_t d, std::size_t v);
  /// Throws `Refused` unless the node's bound is no less than these ends.
  void check_bound(std::size_t d, std::size_t v) const;

 private:
  struct Work {
    std::size_t dag = 0, node = 0;
    const std::vector<Int>* ends = nullptr;  // of its jobs, after their nominal releases
    std::pair<std::size_t, bool> queue;      // pool, the other direction of copies
    Int T, J, phase, from;                   // from: the earliest start after a nominal release
    Int C, pieces, key;
    Int longest = 0;  // the largest of `ends`
  };
  /// rho, x and n of one job, instants from time 0.
  struct Job {
    const Work* work = nullptr;
    Int number, release, ready;
  };

  [[nodiscard]] Int end(std::size_t d, std::size_t v, Int n) const;
  [[nodiscard]] Int ready(const Work& work, Int n, Int release) const;
  [[nodiscard]] bool known(const Work& work, Int end) const;
  [[nodiscard]] Int least_end(const Job& job, const std::vector<bool>& related, Int most);
  [[nodiscard]] std::vector<std::pair<Int, Int>> interference(const Job& job, const std::vector<bool>& related, Int x);
  [[nodiscard]] static Int longest_wait(std::vector<std::pair<Int, Int>> lengths, Int servers, bool up);
  [[nodiscard]] std::vector<bool> related(std::size_t d, std::size_t v) const;

  const TaskSet& set_;
  const Certificate& certificate_;
  std::vector<std::vector<Work>> work_;  // DAG, node
  std::vector<std::vector<const Work*>> on_;
  std::size_t terms_;
};

}  // namespace checker
