// T19, T19j and T20: DAGs that share pools with executors under the wait-set rule or of several threads.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "system.hpp"

namespace checker {

/// DAGs that share pools, some of them executors.
class Executors {
 public:
  /// Throws `Refused` where T19 is not for them.
  Executors(const TaskSet& set, const Certificate& certificate, const std::vector<std::size_t>& dags);

  /// Throws `Refused` unless the claim of node v of DAG d follows.
  void check(std::size_t d, std::size_t v) const;

 private:
  /// Paths to a node that visit the same queues, and the same groups of executors of several threads.
  using Groups = std::set<std::pair<std::size_t, std::string>>;  // queue, name
  struct Route {
    Int length;          // sum of e less what counts of the node itself, and what blocks, of nodes elsewhere than on wait sets; in the grid
    std::vector<Int> M;  // local queue -> windows
    std::vector<Int> visits, blocked;  // local queue in a reservation -> visits, what had started before, in the grid
  };
  using Routes = std::map<std::pair<std::uint64_t, Groups>, Route>;  // by the local queues and groups visited
  /// A node of an executor whose visits begin at most A after their releases.
  struct Begin {
    std::size_t job = 0, item = 0;
    Int A = 0;
  };

  [[nodiscard]] bool is_wait_set(std::size_t q) const { return system_.queues[q].order == Order::wait_set; }
  [[nodiscard]] bool is_executor(std::size_t q) const { return is_wait_set(q) || system_.queues[q].order == Order::multi_threaded; }
  [[nodiscard]] static bool is_before(const Job& job, std::size_t u, std::size_t v) { return job.is_below(v, u); }
  [[nodiscard]] static Int pending(const Job& job, std::size_t v) { return std::max(Int(0), jobs_in(job.F[v], job.T) - 1); }
  /// Whether u leads to v on v's own queue alone.
  [[nodiscard]] bool leads(const Job& job, std::size_t u, std::size_t v) const;
  [[nodiscard]] bool keeps_order(const Job& job, std::size_t v) const;
  [[nodiscard]] Routes routes(std::size_t k, std::size_t v) const;
  [[nodiscard]] Int blocked(std::size_t k, std::size_t v) const;
  [[nodiscard]] std::optional<Int> lim(std::size_t k, std::size_t v, std::size_t queue, const Item& u) const;
  [[nodiscard]] Int work(std::size_t k, std::size_t v, std::size_t queue, Int M, const Groups& groups) const;
  [[nodiscard]] bool is_last_of_group(const Job& job, std::size_t u, std::size_t v) const;
  [[nodiscard]] bool meets_path(const Job& job, std::size_t u, std::size_t v, std::size_t queue) const;
  [[nodiscard]] Int by_path(std::size_t k, std::size_t v) const;
  [[nodiscard]] Int begin(const Job& job, std::size_t v) const;
  [[nodiscard]] Int windows(const Job& job, std::size_t v) const;
  [[nodiscard]] Int T19j(std::size_t k, std::size_t v) const;

  System system_;
  std::vector<bool> by_blocks_;  // queue -> whether it is a GPU's, whose kernels may overtake one another
  mutable std::map<std::pair<std::size_t, std::size_t>, Routes> known_;
};

}  // namespace checker
