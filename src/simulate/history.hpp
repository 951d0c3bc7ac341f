// What jobs of a DAG wait for in earlier ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "plan.hpp"

namespace rta::simulate {

class PastJobs {
 public:
  explicit PastJobs(const std::vector<PlanHistory>& edges) : edges_(edges) {
    for (const PlanHistory& edge : edges) most_jobs_ = std::max<std::uint64_t>(most_jobs_, edge.jobs);
  }

  /// The next job, in its slot, is released: `wait(to)` for each node that has to wait, once per edge.
  template <class Wait>
  void release(std::uint32_t slot, Wait&& wait) {
    const std::uint64_t number = first_ + jobs_.size();
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      if (const auto* const before = job(number, edges_[e].jobs); before != nullptr && before->left[e]) wait(edges_[e].to);
    }
    jobs_.push_back({slot, std::vector<bool>(edges_.size(), true), edges_.size()});
    while (jobs_.front().unended == 0 && most_jobs_ < jobs_.size()) {
      jobs_.pop_front();
      ++first_;
    }
  }

  /// A node of a job has ended: `pass(slot, to)` for each of a later job that waits for it.
  template <class Pass>
  void end(std::uint64_t number, std::uint32_t node, Pass&& pass) {
    if (edges_.empty()) return;
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      if (edges_[e].from != node) continue;
      Past& of = jobs_[number - first_];
      of.left[e] = false;
      --of.unended;
      const std::uint64_t later = number - first_ + edges_[e].jobs;
      if (later < jobs_.size()) pass(jobs_[later].slot, edges_[e].to);
    }
  }

 private:
  struct Past {
    std::uint32_t slot = 0;
    std::vector<bool> left;  // per edge: its `from` has not ended
    std::size_t unended = 0;
  };

  /// The one so many before; null where it is none that anything waits for.
  [[nodiscard]] const Past* job(std::uint64_t number, std::uint64_t before) const {
    return number >= first_ + before ? &jobs_[number - first_ - before] : nullptr;
  }

  const std::vector<PlanHistory>& edges_;
  std::uint64_t most_jobs_ = 0;
  std::uint64_t first_ = 0;  // number of the first of `jobs_`
  std::deque<Past> jobs_;    // from the first that something may wait for
};

}  // namespace rta::simulate
