// T38, T40: DAGs with a limit of jobs under way, and with edges from earlier jobs.
#pragma once

#include <cstddef>
#include <vector>

#include "certificate.hpp"
#include "system.hpp"

namespace checker {

/// T38 (a), T40: that by the claims of these DAGs, among which are all that may delay one another, no job of a DAG with a claim ever waits
/// to be admitted or for an earlier job, nor is delayed by one that does. Throws `Refused`.
void need_no_waiting(const TaskSet& set, const Certificate& certificate, const std::vector<std::size_t>& dags);

/// T38 (b), of DAGs that share pools with each other alone.
class Admission {
 public:
  /// Throws `Refused` where T38 is not for them.
  Admission(const TaskSet& set, const Certificate& certificate, const std::vector<std::size_t>& dags);

  /// Throws `Refused` unless the claim of node v of DAG d follows.
  void check(std::size_t d, std::size_t v) const;

 private:
  /// Of items none of which is before another, at most.
  struct Front {
    Int work = 0, items = 0;
  };
  template <class Counts>
  [[nodiscard]] Front front(const Job& job, std::size_t queue, const std::vector<std::size_t>& chains, const Counts& counts) const;
  void set_chains(std::size_t k);
  [[nodiscard]] Front ahead(std::size_t k, std::size_t v) const;

  Certificate read_;  // with stand-ins for claims that there are not
  System system_;
  std::vector<Int> jobs_;                                      // N, as the system's jobs
  std::vector<std::vector<std::vector<std::size_t>>> chains_;  // job, queue -> item -> its chain
  std::vector<std::vector<Front>> fronts_;                     // job, queue
  std::vector<std::optional<Int>> places_;                     // queue: so many items have room; none: not known
};

}  // namespace checker
