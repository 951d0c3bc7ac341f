// T10c: what the jobs that precede one on a preemptive GEL pool by DAG may have left when it is released.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/path/system/ticks.hpp"
#include "rta/model/quantity.hpp"

namespace rta::analysis::path {

/// One pool loaded to at most its capacity, of a system of which Class::rest is known.
class BacklogPool {
 public:
  /// Whether it can be less than T10n: where no DAG is wholly on the pool it counts every job that T10n does.
  [[nodiscard]] static bool applies(const Ticks& ticks, std::size_t pool);
  BacklogPool(const Ticks& ticks, std::size_t pool);

  /// Prepares what follows for bounds F per class and node, ns.
  void set(const std::vector<std::vector<std::int64_t>>& F);

  /// What one DAG of a class does, ticks: the jobs from before the pool was busy what they have left, those since then all.
  struct Left {
    Wide before = 0;
    Wide since = 0;
    [[nodiscard]] Wide sum() const { return before + since; }
  };
  /// W for a job of class k, ticks: all of these, less what the pool has worked off.
  struct Work {
    std::vector<Left> of_class;  // in the order of `Ticks::users` of the pool; of all copies together
    Wide carry = 0;              // left before, of the DAGs that are wholly on the pool together
    std::int64_t busy = 0;       // ns, from when the pool was busy until the job's release
    bool longer = false;         // or any longer: counted in fractions of jobs
    Wide processors = 0;         // of the pool that were busy
    Wide worked_off = 0;
    Wide total = 0;
  };
  [[nodiscard]] Work work(std::size_t k) const;
  /// Its total alone.
  [[nodiscard]] Wide total(std::size_t k) const { return busiest(k).total; }
  /// No more than that, and sooner known.
  [[nodiscard]] Wide at_least(std::size_t k) const;
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
    std::int64_t last = 0;   // largest F of its nodes on the pool, ns
    std::vector<Aged> aged;  // unless `whole`: youngest first, ages up to T
  };
  /// A node and all that waits for it.
  struct Chain {
    std::size_t c = 0;
    std::uint32_t a = 0;
    Tick work;
  };
  /// Work that counts of a job released until F before the pool was busy: a DAG that is wholly on the pool, F = 0, or a node of another
  /// one.
  struct Part {
    std::size_t user = 0;
    std::uint32_t node = 0;
    std::int64_t F = 0;  // ns
    Tick work;           // of all copies
    Wide slope = 0;      // work/T, rounded down
    bool frequent = false;
  };
  class Rises;
  struct Busy {
    std::int64_t length = 0;  // ns
    bool longer = false;
    Wide total = 0;  // ticks
  };
  [[nodiscard]] Busy busiest(std::size_t k) const;
  [[nodiscard]] std::int64_t lead(std::size_t k, const User& user) const;
  [[nodiscard]] Wide worked_off(std::int64_t length) const;
  [[nodiscard]] Wide in_fractions(std::size_t k, std::int64_t length) const;
  [[nodiscard]] Left in_fractions(const User& user, std::int64_t length) const;
  [[nodiscard]] Wide since(const User& user, Wide length) const;
  void set_aged(User& user, const std::vector<std::vector<std::int64_t>>& F);
  void set_carry(const std::vector<std::vector<std::int64_t>>& F);
  void set_longest();
  void set_slopes(std::int64_t longest_T);

  const Ticks& ticks_;
  std::size_t pool_;
  Wide ceil_U_ = 0;
  Wide capacity_ = 1;
  std::vector<User> users_;
  std::vector<Part> parts_;
  std::vector<std::int64_t> last_;  // class -> User::last
  std::int64_t longest_ = 0;        // busy times from here on are not looked at, ns
  bool repeats_ = false;            // nor need be: the same comes again, and is no more
  Wide slope_ = 0;                  // of all parts, rounded up; 0: not known
  Wide frequent_slope_ = 0;         // of the frequent ones
  bool falls_ = false;              // what the pool has left, by its slope
  std::vector<Chain> chains_;       // of the DAGs wholly on the pool, longest first
  Wide carry_ = 0;                  // the ceil(U) - 1 longest of them, ticks
};

}  // namespace rta::analysis::path
