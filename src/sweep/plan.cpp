#include "rta/sweep/plan.hpp"

#include <algorithm>

namespace rta::sweep {
namespace {

constexpr std::uint64_t chunk_size = 64;

}  // namespace

Chunks::Chunks(const Plan& plan, Shard shard)
    : sets_(plan.sets), points_(plan.points.size()), per_point_((plan.sets + chunk_size - 1) / chunk_size), shard_(shard) {}

std::uint64_t Chunks::size() const {
  const std::uint64_t all = points_ * per_point_;
  return all / shard_.count + (shard_.index <= all % shard_.count ? 1 : 0);
}

Chunk Chunks::operator[](std::uint64_t i) const {
  const std::uint64_t at = i * shard_.count + shard_.index - 1;
  const std::uint64_t first = at % per_point_ * chunk_size;
  return {at / per_point_, first, std::min(chunk_size, sets_ - first)};
}

std::uint64_t Chunks::sets_before(std::uint64_t n) const {
  // Only the last chunk of each point may be short.
  const std::uint64_t missing = per_point_ * chunk_size - sets_;
  if (missing == 0) return n * chunk_size;
  std::uint64_t short_ones = 0;
  if (shard_.whole()) {
    short_ones = n / per_point_;
  } else {
    for (std::uint64_t i = 0; i < n; ++i) short_ones += (*this)[i].count < chunk_size ? 1 : 0;
  }
  return n * chunk_size - short_ones * missing;
}

}  // namespace rta::sweep
