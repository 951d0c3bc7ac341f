// Why a chain is as slow as it is: parts that sum to a latency of T13.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rta/analysis/chains.hpp"

namespace rta::analysis {

/// A stretch of a chain's maximum reaction time or data age, and the stage that it is due to.
struct ChainPart {
  enum class What : std::uint8_t {
    missed,      // before the first stage reads: its job has just read, and the next one comes T_max later
    writes,      // from the release of the stage's job to its write, or to its publishing under LET
    reads,       // from the write of the stage before to the release of this one's job that reads it
    stays,       // what the stage has written is the newest until its next job has written
    hands_over,  // `writes`, and what follows it, where phases or priorities make them less than `writes` alone
  };
  What what = What::missed;
  std::size_t stage = 0;
  Time length;
};

/// From the event to the output that depends on it: they sum to MRT. Requires a bound.
[[nodiscard]] std::vector<ChainPart> reaction_parts(const ChainProof& chain);
/// From the read to the end of the next output: they sum to MDA. Requires a bound.
[[nodiscard]] std::vector<ChainPart> age_parts(const ChainProof& chain);

}  // namespace rta::analysis
