// The lengths of a random set's nodes: a total utilization, split.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "rta/generate/fixed_sum.hpp"
#include "rta/generate/generator.hpp"
#include "rta/generate/total.hpp"

namespace rta::generate {

/// Gives n times a whole multiple of the granularity, with probability proportional to its reciprocal; `take` gets each with its number.
template <class Take>
void draw_log_uniform(Stream& stream, const LogUniform& range, std::size_t n, Take&& take) {
  if (n == 0) return;
  const auto unit = static_cast<std::uint64_t>(range.granularity.count());
  const std::uint64_t low = (static_cast<std::uint64_t>(range.low.count()) + unit - 1) / unit;
  const std::uint64_t high = static_cast<std::uint64_t>(range.high.count()) / unit;
  std::array<std::uint64_t, 64> drawn;
  for (std::size_t first = 0; first < n; first += drawn.size()) {
    const std::size_t part = std::min(drawn.size(), n - first);
    stream.log_uniform(low, high, std::span(drawn).first(part));
    for (std::size_t i = 0; i < part; ++i) take(first + i, Time(static_cast<std::int64_t>(unit * drawn[i])));
  }
}

/// Keeps its tables and working memory.
class LengthDrawer {
 public:
  /// Gives the nodes of one kind, on the GPU or not, their lengths. False where these draws cannot have the total utilization.
  bool draw(Stream stream, const Work& work, bool on_gpu, RandomSet& set);

 private:
  bool split(Stream& stream, const Work& work);
  const RandFixedSum& table(std::size_t n, double sum);

  BoundedFixedSum bounded_;
  std::vector<RandFixedSum> tables_;
  std::vector<Load> loads_;
  std::vector<std::uint32_t> load_nodes_;
  std::vector<double> share_, lower_, upper_;
};

}  // namespace rta::generate
