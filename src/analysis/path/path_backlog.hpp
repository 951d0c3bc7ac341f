// T10c: what the jobs that precede one on a preemptive GEL pool by DAG may have left when it is released.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/path/path_ticks.hpp"
#include "rta/model/quantity.hpp"

namespace rta::analysis::path {

/// One pool loaded to at most its capacity, of a system of which Class::rest is known.
class BacklogPool {
 public:
  BacklogPool(const Ticks& ticks, std::size_t pool);

  /// Prepares what follows for bounds F per class and node, ns.
  void set(const std::vector<std::vector<std::int64_t>>& F);

  /// The most that one DAG of a class may have left, ticks: of jobs from before the pool was busy, and of those since then above what the
  /// pool has worked off.
  struct Left {
    Wide before = 0;
    Wide since = 0;
    [[nodiscard]] Wide sum() const { return before + since; }
  };
  /// W for a job of class k, ticks.
  struct Work {
    std::vector<Left> of_class;  // in the order of `Ticks::users` of the pool; of all copies together
    Wide carry = 0;              // left before, of the DAGs that are wholly on the pool together
    Wide total = 0;
  };
  [[nodiscard]] Work work(std::size_t k) const;
  /// Its total alone.
  [[nodiscard]] Wide total(std::size_t k) const { return sums(k).least(); }
  /// By how much at most sums of volumes of class k's nodes on the pool were rounded up: what is taken off must not be.
  [[nodiscard]] Tick rounding(std::size_t k) const;

 private:
  /// Jobs of one DAG whose latest was released less than `age` before the pool was busy, and no less than the age before, have `left`.
  struct Aged {
    std::int64_t age = 0;  // ns
    Wide left = 0;         // ticks
  };
  struct User {
    std::size_t c = 0;
    bool whole = false;  // all of its nodes are on the pool
    Tick total;
    std::vector<Aged> aged;  // youngest first, ages up to T
  };
  /// A node and all that waits for it.
  struct Chain {
    std::size_t c = 0;
    std::uint32_t a = 0;
    Tick work;
  };
  /// With the DAGs that are wholly on the pool taken each by itself, or together; ticks.
  struct Sums {
    Wide alone = 0;
    Wide together = 0;
    [[nodiscard]] Wide least() const { return together < alone ? together : alone; }
  };
  [[nodiscard]] Sums sums(std::size_t k) const;
  [[nodiscard]] Wide since(const User& user, Wide length) const;
  [[nodiscard]] Left of_itself(const User& user, Wide delta) const;
  [[nodiscard]] Left of_whole(const User& user, Wide delta) const;
  [[nodiscard]] Left of_copies(const User& user, Left left) const;

  const Ticks& ticks_;
  std::size_t pool_;
  Wide ceil_U_ = 0;
  std::vector<User> users_;
  std::vector<Chain> chains_;  // of the DAGs wholly on the pool, longest first
  Wide carry_ = 0;             // the ceil(U) - 1 longest of them, ticks
};

}  // namespace rta::analysis::path
