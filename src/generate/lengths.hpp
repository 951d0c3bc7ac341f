// The lengths of a random set's nodes: a total utilization, split.
#pragma once

#include <cstdint>
#include <vector>

#include "rta/generate/fixed_sum.hpp"
#include "rta/generate/generator.hpp"
#include "rta/generate/total.hpp"

namespace rta::generate {

/// A whole multiple of the granularity, with probability proportional to its reciprocal.
[[nodiscard]] Time draw_log_uniform(Stream& stream, const LogUniform& range);

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
