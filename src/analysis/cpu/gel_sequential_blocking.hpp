// T3b: what T3 sums up for sequential tasks, where nothing is preempted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rta/analysis/cpu/gel_sequential.hpp"
#include "rta/analysis/fine.hpp"

namespace rta::analysis::gel_sequential {

/// The parts of G(s) = min(J + N_(m-c), g_(c-1) + N_(m-c+1)), in ns: g_i = x_i(s) u_i + C_i - S_i of any task, of which g_(c-1) sums the c
/// - 1 largest; C_i of tasks with Y'_i > 0, of which N_n sums the n largest; J is the largest sum of c - 1 tasks' g_i and of C_j - S_j of
/// one more with Y'_j > 0.
struct Late {
  FineTime of_others;  // g_(c-1)
  FineTime with_one;   // J
  FineTime started;    // N_(m-c)
  FineTime one_more;   // N_(m-c+1)

  [[nodiscard]] FineTime least() const { return std::min(with_one + started, of_others + one_more); }
};

/// For one c, 1 <= c <= m. The sum of S, rounded up once for every task, is to be added.
class LateSum {
 public:
  LateSum(std::span<const Task> tasks, std::uint32_t processors, std::size_t c);

  [[nodiscard]] Late operator()(FineTime s) const;
  [[nodiscard]] FineTime S() const { return S_; }

 private:
  std::span<const Task> tasks_;
  Wide m_;
  std::size_t c_;
  FineTime S_;
  std::vector<FineTime> carried_;  // S_i
  std::vector<bool> blocks_;       // Y'_i > 0
  FineTime started_, one_more_;
};

}  // namespace rta::analysis::gel_sequential
