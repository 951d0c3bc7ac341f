// Jobs that an interval can hold, for many nodes of one period at once.
#pragma once

#include <vector>

#include "number.hpp"

namespace checker {

/// S(x) = sum over its nodes of vol max(0, ceil((F + x)/T)): the work of jobs released in (-F, x].
class Staircase {
 public:
  explicit Staircase(Int T) : T_(T) {}
  void add(Int F, Int vol);
  /// To be called once, after the last `add`.
  void finish();
  [[nodiscard]] Int operator()(Int x) const;
  [[nodiscard]] Int total() const { return total_; }
  [[nodiscard]] Int T() const { return T_; }

 private:
  struct Step {
    Int F, vol;
    Int rest;   // F mod T
    Int after;  // the vol of this step and of all that follow: those of no smaller rest
  };
  Int T_;
  Int total_ = 0;    // of vol
  Int periods_ = 0;  // of vol floor(F/T)
  Int least_F_ = 0, most_F_ = 0;
  std::vector<Step> steps_;  // by rest
};

}  // namespace checker
