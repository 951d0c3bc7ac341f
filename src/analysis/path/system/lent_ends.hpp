// A node ends before its successors do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// `F`: class -> one value per node, ns. `lent`: class and node that are lent the end of another.
template <class Lent>
void lend_ends(const Ticks& ticks, std::vector<std::vector<std::int64_t>>& F, const Lent& lent) {
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) {
    const Class& c = ticks.classes[k];
    for (auto it = c.order.rbegin(); it != c.order.rend(); ++it) {
      for (const std::uint32_t w : c.predecessors(*it)) {
        if (F[k][w] <= F[k][*it]) continue;
        F[k][w] = F[k][*it];
        lent(k, w);
      }
    }
  }
}

}  // namespace rta::analysis::path
