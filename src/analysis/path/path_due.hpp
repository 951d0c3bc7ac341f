// Which classes a round over all of them has to look at again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// A class reads ends of DAGs that share a pool with it; on preemptive pools under fixed priorities of those alone that have a node as
/// urgent as its least urgent one. What is prepared once a round knows the ends of the round before.
class Due {
 public:
  explicit Due(const Ticks& ticks);
  void begin_round() { ++round_; }
  /// Whether what the class reads may have changed since it was looked at in the round before.
  [[nodiscard]] bool is_due(std::size_t k) const;
  /// In the next round all are.
  void all();
  /// To be called when its ends have changed.
  void changed(std::size_t k);

 private:
  struct User {
    std::uint32_t priority = 0;  // of its most urgent node on the pool
    std::size_t k = 0;
  };
  [[nodiscard]] bool is_due(std::size_t k, std::size_t local) const;

  const Ticks& ticks_;
  std::size_t round_ = 0;
  std::vector<std::size_t> changed_;       // class -> the last round in which its ends changed
  std::vector<std::size_t> pool_changed_;  // the same of a pool's users
  std::vector<std::vector<User>> users_;   // of preemptive pools under fixed priorities, the most urgent first
};

}  // namespace rta::analysis::path
