// T16 to T18 (docs/theory/hard.md): DAGs of one node each on a preemptive CPU pool.
#pragma once

#include <cstddef>
#include <vector>

#include "certificate.hpp"
#include "linear.hpp"

namespace checker {

/// All tasks of one pool. Bounds F of all of them are used together: "First violation".
class Hard {
 public:
  /// Throws `Refused` where the theorems say nothing of the pool.
  Hard(const TaskSet& set, const Certificate& certificate, std::size_t pool);

  [[nodiscard]] static bool has_rule(std::string_view rule) { return rule == "T16" || rule == "T17" || rule == "T18"; }
  /// Throws `Refused` unless the claim of this node of the pool satisfies the condition of its rule.
  void check(const Claim& claim);

 private:
  struct Task {
    const Claim* claim = nullptr;
    Int C, T, F, Y, priority;
  };
  /// Of a task that goes before another one, in a window.
  struct Work {
    Int fresh = 0;    // of jobs that are released in it
    Int carried = 0;  // where one may be left over from before
  };

  void T16_release(std::size_t k) const;
  void T16_busy_by_priority(std::size_t k) const;
  void T16_busy(std::size_t k);
  void T17() const;
  void T18(std::size_t k, Fraction sigma);

  void need_points() const;
  void spend(std::size_t terms);
  /// sum min(w, B) with the work of at most `carriers` tasks carried in.
  [[nodiscard]] static Int interference(const std::vector<Work>& work, std::size_t carriers, Int B);
  [[nodiscard]] std::size_t carriers() const;
  void need_excluded(const std::vector<Work>& work, std::size_t carriers, Int B) const;

  [[nodiscard]] Int ahead(std::size_t i, std::size_t k) const;
  [[nodiscard]] Int horizon(std::size_t k, Int wait) const;
  [[nodiscard]] Linear released(std::size_t i, Int y) const;
  [[nodiscard]] Linear done(std::size_t i, Int L) const;
  [[nodiscard]] Linear released_with_carry(std::size_t i, Int y) const;
  [[nodiscard]] Int load_horizon(Fraction sigma, Int rate) const;
  [[nodiscard]] Linear f(std::size_t i, Int t, Fraction sigma) const;

  std::vector<Task> tasks_;
  Int m_ = 1;
  bool by_priority_ = false;
  std::size_t terms_;
};

}  // namespace checker
