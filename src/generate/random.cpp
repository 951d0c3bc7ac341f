#include "rta/generate/random.hpp"

#include <Random123/philox.h>

#include <bit>

namespace rta::generate {

// Two blocks at a time: their rounds overlap in the processor.
void Stream::refill() {
  for (std::size_t i = 0; i < kept; ++i) block_[i] = block_[fresh + i];
  used_ -= fresh;
  const std::size_t unseen = used_ < kept ? 0 : (used_ - kept) / fresh;
  used_ -= unseen * fresh;
  blocks_ += 2 * unseen;
  const r123::Philox4x64 philox;
  const auto first = philox({{blocks_, stage_, index_, 0}}, {{seed_, point_}});
  const auto second = philox({{blocks_ + 1, stage_, index_, 0}}, {{seed_, point_}});
  blocks_ += 2;
  for (std::size_t i = 0; i < 4; ++i) {
    block_[kept + i] = first[i];
    block_[kept + 4 + i] = second[i];
  }
}

namespace {

std::uint64_t octaves_in(std::uint64_t low, std::uint64_t high) { return static_cast<std::uint64_t>(std::bit_width(high / low)); }

}  // namespace

// An octave [low 2^j, low 2^(j+1)) has probability ln 2 whatever j; within one, x is accepted with probability low 2^j / x.
std::uint64_t Stream::log_uniform_of(std::uint64_t low, std::uint64_t high, std::uint64_t octaves) {
  while (true) {
    const std::uint64_t start = low << (octaves == 1 ? 0 : below(octaves));
    const std::uint64_t x = start + below(start);
    if (x <= high && below(x) < start) return x;
  }
}

std::uint64_t Stream::log_uniform(std::uint64_t low, std::uint64_t high) { return log_uniform_of(low, high, octaves_in(low, high)); }

// The same steps with nothing to guess about acceptance; the rare number that `below` may refuse is left to it.
void Stream::log_uniform(std::uint64_t low, std::uint64_t high, std::span<std::uint64_t> drawn) {
  const std::uint64_t octaves = octaves_in(low, high);
  for (std::size_t i = 0; i < drawn.size();) {
    if (octaves == 1) {
      drawn[i++] = log_uniform_of(low, high, octaves);
      continue;
    }
    if (used_ + 3 > block_.size()) refill();
    const UnsignedWide octave = static_cast<UnsignedWide>(block_[used_]) * octaves;
    const std::uint64_t start = low << static_cast<std::uint64_t>(octave >> 64);
    const UnsignedWide place = static_cast<UnsignedWide>(block_[used_ + 1]) * start;
    const std::uint64_t x = start + static_cast<std::uint64_t>(place >> 64);
    const UnsignedWide height = static_cast<UnsignedWide>(block_[used_ + 2]) * x;
    const auto is_low = [](UnsignedWide product, std::uint64_t bound) { return static_cast<std::uint64_t>(product) < bound; };
    if (is_low(octave, octaves) || is_low(place, start) || is_low(height, x)) {
      drawn[i++] = log_uniform_of(low, high, octaves);
      continue;
    }
    used_ += 2;
    if (x > high) continue;
    ++used_;
    drawn[i] = x;
    i += static_cast<std::size_t>(static_cast<std::uint64_t>(height >> 64) < start);
  }
}

}  // namespace rta::generate
