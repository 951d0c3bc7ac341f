#include "rta/generate/random.hpp"

#include <Random123/philox.h>

#include <bit>

namespace rta::generate {

// Two blocks at a time: their rounds overlap in the processor.
void Stream::refill() {
  const r123::Philox4x64 philox;
  const auto first = philox({{blocks_, stage_, index_, 0}}, {{seed_, point_}});
  const auto second = philox({{blocks_ + 1, stage_, index_, 0}}, {{seed_, point_}});
  blocks_ += 2;
  for (std::size_t i = 0; i < 4; ++i) {
    block_[i] = first[i];
    block_[4 + i] = second[i];
  }
  used_ = 0;
}

// An octave [low 2^j, low 2^(j+1)) has probability ln 2 whatever j; within one, x is accepted with probability low 2^j / x.
std::uint64_t Stream::log_uniform(std::uint64_t low, std::uint64_t high) {
  const std::uint64_t octaves = static_cast<std::uint64_t>(std::bit_width(high / low));
  while (true) {
    const std::uint64_t start = low << (octaves == 1 ? 0 : below(octaves));
    const std::uint64_t x = start + below(start);
    if (x <= high && below(x) < start) return x;
  }
}

}  // namespace rta::generate
