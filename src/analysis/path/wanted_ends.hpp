// Which nodes T10w and T12w are asked of where others leave a deadline open.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// By when nodes are wanted to end.
class WantedEnds {
 public:
  WantedEnds() = default;  // none
  /// `wanted`: per DAG and node; of equal DAGs the least.
  WantedEnds(const Ticks& ticks, const std::vector<std::vector<Time>>& wanted);
  /// Of node v of class k whose end is F, ns, and no more than `bound` by all others: not of an end that is too late already. Once asked of
  /// a node it stays asked: what it then said holds also where others say a little less than before, and so no more than is wanted.
  [[nodiscard]] bool asks(std::size_t k, std::size_t v, std::int64_t bound, std::int64_t F);
  /// Of node v of class k, ns; negative where none is wanted.
  [[nodiscard]] std::int64_t end(std::size_t k, std::size_t v) const { return least_.empty() ? -1 : least_[k][v]; }

 private:
  std::vector<std::vector<std::int64_t>> least_;  // class, node: ns
  std::vector<std::vector<bool>> asked_;
};

}  // namespace rta::analysis::path
