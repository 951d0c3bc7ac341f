#include "analysis/explain/item_lines.hpp"

#include <fmt/format.h>

namespace rta::analysis::workers {

std::vector<std::string> explain(std::span<const Task> tasks, std::uint32_t workers, Time overhead, const Bounds& bounds, std::size_t k) {
  const Terms& terms = bounds.terms;
  const Time L = tasks[k].L + overhead;
  return {
      "T8: R_k = (carry + sum L_i B_i - L_k) / N + L_k",
      fmt::format("N = {}, U = {}, ceil(U) = {}, L_max = {} ns (dispatch overhead {} ns included)", workers,
                  utilization(tasks, overhead).text(), terms.ceil_U, terms.L_max.count(), overhead.count()),
      terms.counted ? fmt::format("carried over: the ceil(U) - 1 longest of the items that can be unfinished: {} ns", terms.carry.count())
                    : fmt::format("carried over: (ceil(U) - 1) L_max = {} ns", terms.carry.count()),
      fmt::format("released: sum L_i B_i (1 + J_i / T_i) = {} ns", terms.released.count()),
      fmt::format("R_k = ({} + {} - {}) / {} + {} = {} ns", terms.carry.count(), terms.released.count(), L.count(), workers, L.count(),
                  bounds.R[k].count()),
  };
}

}  // namespace rta::analysis::workers
