#include "rta/analysis/path/quick_deadlines.hpp"

#include <algorithm>
#include <limits>

#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {
namespace {

constexpr int most_rounds = 64;

// Counts are then below 2^59 and volumes below 2^57: sums of their products over so many DAGs stay in 128 bits, all else in 64.
constexpr std::int64_t largest = std::int64_t{1} << 57;
constexpr std::size_t most_dags = 128;

bool in_range(const WholeDag& dag) {
  return dag.T > 0 && dag.T < largest && dag.limit < largest && dag.length >= 0 && dag.volume >= dag.length && dag.volume < largest &&
         dag.Y < largest && dag.Y > -largest;
}

/// n_d of T10 for DAG k.
std::int64_t jobs_of(std::span<const WholeDag> dags, std::size_t d, std::size_t k, Order order, const std::vector<std::int64_t>& R) {
  const std::int64_t T = dags[d].T;
  if (order == Order::gel) return jobs_in(R[d] + std::min(R[k], dags[k].Y - dags[d].Y), T);
  return d == k ? jobs_in(R[k], T) + R[k] / T : jobs_in(R[d] + R[k], T);
}

/// T10's right-hand side: (1 - 1/m) length + (1/m) sum n_d vol_d, rounded up. A path's last pieces are its whole nodes.
Wide right_hand_side(std::span<const WholeDag> dags, std::size_t k, std::uint32_t m, Order order, const std::vector<std::int64_t>& R) {
  Wide sum = Wide{m - 1} * dags[k].length;
  for (std::size_t d = 0; d < dags.size(); ++d) sum += static_cast<Wide>(jobs_of(dags, d, k, order, R)) * dags[d].volume;
  if (sum <= std::numeric_limits<std::int64_t>::max() - m) return (static_cast<std::int64_t>(sum) + m - 1) / m;
  return ceil_div(sum, Wide{m});
}

}  // namespace

bool ends_within_limits(std::span<const WholeDag> dags, std::uint32_t m, Order order, std::vector<std::int64_t>& R) {
  if (m == 0 || dags.size() > most_dags || !std::ranges::all_of(dags, in_range)) return false;
  R.clear();
  for (const WholeDag& dag : dags) {
    if (dag.length > dag.limit) return false;
    R.push_back(dag.length);
  }
  // From the longest paths up, as `bounds` goes: the least solution, whatever the order of the DAGs.
  for (int round = 0; round < most_rounds; ++round) {
    bool changed = false;
    for (std::size_t k = 0; k < dags.size(); ++k) {
      const Wide next = right_hand_side(dags, k, m, order, R);
      if (next <= R[k]) continue;
      if (next > dags[k].limit) return false;
      R[k] = static_cast<std::int64_t>(next);
      changed = true;
    }
    if (!changed) return true;
  }
  return false;
}

}  // namespace rta::analysis::path
