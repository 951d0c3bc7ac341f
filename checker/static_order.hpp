// T15, T15w, T15g (docs/theory/static.md): jobs of a hyperperiod in fixed orders on their resources.
#pragma once

#include <cstddef>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "certificate.hpp"

namespace checker {

/// One job of a static order.
struct OrderedJob {
  const Statement* by = nullptr;
  std::size_t dag = 0, node = 0, frame = 0;
  Int release = 0;
  Int length = 0;                   // C; of a block where its kernel shares the GPU
  Int end = 0;                      // claimed, from the hyperperiod's start
  Int weight = 0;                   // of a block of a kernel that shares; 0: it runs alone, or is none
  std::vector<std::size_t> before;  // jobs, all of which stand before it
  const char* fault = nullptr;      // why it is no job of the order
};

/// A GPU, or persistent threads, without an order of its own.
struct SharedGpu {
  const Statement* by = nullptr;
  Int capacity = 0;  // g times what a block that finds no room leaves in use of every SM
  bool streams = false;
  Int least = 0;  // T15w: no block of a kernel that shares weighs less
  [[nodiscard]] Int room() const { return capacity + least - 1; }
};

class StaticOrder {
 public:
  /// Throws `BadInput` where a statement of the order is none.
  StaticOrder(const TaskSet& set, const Certificate& certificate);

  [[nodiscard]] static bool has_rule(std::string_view rule) { return rule == "T15" || rule == "T15w" || rule == "T15g"; }
  /// All throw `Refused` where the statement does not hold.
  void check_order() const;
  void check_shared(const Statement& statement) const;
  void check_job(const Statement& statement);
  void check_bound(std::size_t d, std::size_t v) const;

 private:
  using Name = std::tuple<std::size_t, std::size_t, std::size_t>;  // DAG, node, frame
  struct Passing;                                                  // what jobs leave to those that follow

  void read_shared(const Statement& statement);
  void read_job(const Statement& statement, Passing& passing);
  void wait_for_predecessors(OrderedJob& job, std::size_t instance, Passing& passing) const;
  void take_units(OrderedJob& job, std::size_t word, Passing& passing) const;
  [[nodiscard]] Name name_at(const Statement& statement, std::size_t word) const;
  void wait_for(OrderedJob& job, const Name& name) const;
  [[nodiscard]] Int length_of(const OrderedJob& job) const;
  [[nodiscard]] bool runs_on(const OrderedJob& job, std::size_t instance) const;
  [[nodiscard]] const SharedGpu* shared_by(const OrderedJob& job) const;
  [[nodiscard]] Int T15(const OrderedJob& job) const;
  [[nodiscard]] bool by_streams() const;

  const TaskSet& set_;
  const Certificate& certificate_;
  Int period_ = 0;
  std::map<std::size_t, SharedGpu> shared_;  // pool
  std::vector<OrderedJob> jobs_;
  std::map<Name, std::size_t> job_of_;
  std::map<const Statement*, std::size_t> job_by_;
  std::vector<Int> ends_;  // T15g's, of each job; empty: not yet
};

/// T15g: the latest end of every job, where no claimed end is passed before. `shared`: by pool. Throws `Refused`.
[[nodiscard]] std::vector<Int> T15g(const std::vector<OrderedJob>& jobs, const std::map<std::size_t, SharedGpu>& shared,
                                    const TaskSet& set);

/// The GPU that persistent threads are: an SM for each, which holds one item at once. Others are as they are.
[[nodiscard]] Pool as_gpu(const Pool& pool);

}  // namespace checker
