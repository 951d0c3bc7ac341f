// What bounds rest on that neither the file nor the certificate's statements show.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rta/analysis/chains.hpp"
#include "rta/analysis/proof.hpp"

namespace rta::analysis {

struct Assumption {
  PoolId pool = 0;
  std::vector<std::string> by;  // theorems that need it, each once
  std::string text;             // one sentence
};

/// Of all bounds that are in use, by pool: what a processor does between two nodes, what the partitions of a GPU
/// have for themselves, where a GPU's registers may be, and when messages within an executor are there.
[[nodiscard]] std::vector<Assumption> assumptions(const Proof& proof, std::span<const ChainProof> chains);

}  // namespace rta::analysis
