// T11j: nodes of a preemptive queue under fixed priorities as sporadic tasks with jitter.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "system.hpp"

namespace checker {

class Urgent {
 public:
  Urgent(const System& system, std::size_t queue);
  /// (5). Both throw `Refused` where the theorem does not apply.
  [[nodiscard]] Int linear(std::size_t k, std::size_t v);
  /// (6), with z(x) or more for x = 0 and each jump after it, up to the stop.
  [[nodiscard]] Int busy(std::size_t k, std::size_t v, std::span<const Int> z);

 private:
  /// Of equal DAGs.
  struct Use {
    std::size_t kind, item;
    Int copies, C, T, A, F, key;
  };
  /// What is at least as urgent.
  struct Level {
    Int work = 0;  // carry + sum C_u
    Load late;     // sum C_u A_u/T_u
    Load above;    // U_>, with the same periods
  };
  [[nodiscard]] const Level& level(Int key);
  [[nodiscard]] Int ready(const Item& item, const Use& use, bool own, Int x, Int z) const;

  const System& system_;
  const Queue& queue_;
  std::vector<Use> uses_;
  std::map<Int, Level> levels_;
};

}  // namespace checker
