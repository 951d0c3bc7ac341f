#include "analysis/advice/kept.hpp"

#include <functional>

#include "rta/analysis/deadlines.hpp"

namespace rta::analysis {

Wide between(Wide low, Wide high) {
  if (high <= 2 * low) return low + (high - low) / 2;
  const auto mean = static_cast<Wide>(std::sqrt(static_cast<double>(std::max<Wide>(low, 1)) * static_cast<double>(high)));
  return std::clamp(mean, low + 1, high - 1);
}

Kept::Kept(const Proof& proof, const std::vector<ChainProof>& chains) {
  for (DagId d = 0; d < proof.dags.size(); ++d) dags_.push_back(proof.dags[d].bound && meets_deadlines(proof, d));
  const auto& of_set = set_with_chains(proof).chains();
  for (std::size_t c = 0; c < of_set.size(); ++c) chains_.push_back(chains[c].meets(of_set[c]));
}

Kept::Kept(const Proof& proof) : Kept(proof, prove_chains(proof)) {}

bool Kept::stays_in(const Analysis& changed) const {
  const Kept now(changed.proof, changed.chains);
  const auto lost = [](bool before, bool after) { return before && !after; };
  return std::ranges::mismatch(dags_, now.dags_, std::not_fn(lost)).in1 == dags_.end() &&
         std::ranges::mismatch(chains_, now.chains_, std::not_fn(lost)).in1 == chains_.end();
}

}  // namespace rta::analysis
