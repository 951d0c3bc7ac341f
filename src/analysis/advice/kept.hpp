// What a proof meets, and whether it is still met where something is changed; how far a change may go.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "rta/analysis/analyze.hpp"

namespace rta::analysis {

/// Strictly between two numbers that are not neighbours: about their geometric mean where they are far apart.
[[nodiscard]] Wide between(Wide low, Wide high);

/// Moves a value that holds and one that does not towards one another by halving, of ratios, then of differences, until they differ by at
/// most the `finest` part of the one that holds, or by 1.
template <class Holds, class Stopped>
void narrow(Wide& holding, Wide& failing, Wide finest, const Holds& holds, const Stopped& stopped) {
  const auto distance = [&] { return holding > failing ? holding - failing : failing - holding; };
  while (distance() > std::max<Wide>(1, holding / finest) && !stopped()) {
    const Wide value = between(std::min(holding, failing), std::max(holding, failing));
    (holds(value) ? holding : failing) = value;
  }
}

/// What is met: DAGs that have bounds within all deadlines, chains within their limits.
class Kept {
 public:
  explicit Kept(const Proof& proof);
  [[nodiscard]] bool dag(DagId d) const { return dags_[d]; }
  [[nodiscard]] bool has_chains() const { return !chains_.empty(); }
  /// Whether all of it is met there, too.
  [[nodiscard]] bool stays_in(const Analysis& changed) const;

 private:
  Kept(const Proof& proof, const std::vector<ChainProof>& chains);

  std::vector<bool> dags_;
  std::vector<bool> chains_;
};

}  // namespace rta::analysis
