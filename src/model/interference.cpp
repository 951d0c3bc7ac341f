#include "rta/model/interference.hpp"

#include <algorithm>
#include <functional>

#include "rta/model/error.hpp"
#include "rta/model/task_set.hpp"

namespace rta {
namespace {

/// What stands behind the classes is of other work.
Lengthening of_row(std::vector<Lengthening> row, Combine combine, const Present& present) {
  require(row.size() >= present.classes.size(), "a matrix has a column for each class");
  row.resize(present.classes.size());
  Lengthening most = 0;
  Lengthening sum = 0;
  std::vector<Lengthening> others;
  others.reserve(row.size());
  for (std::size_t c = 0; c < row.size(); ++c) {
    if (!present.classes[c]) {
      others.push_back(row[c]);
      continue;
    }
    most = std::max(most, row[c]);
    sum = checked_add(sum, row[c]);
  }
  // What has no class may be of any, and of another than the next that has none.
  std::ranges::sort(others, std::greater());
  others.resize(std::min(others.size(), present.without));
  for (const Lengthening one : others) {
    most = std::max(most, one);
    sum = checked_add(sum, one);
  }
  return combine == Combine::sum ? sum : most;
}

Wide grown(Wide alone, Lengthening more) { return alone + ceil_div(checked_mul(alone, Wide{more}), whole_time); }

}  // namespace

Lengthening lengthening(const std::vector<std::vector<Lengthening>>& matrix, Combine combine, std::optional<std::uint32_t> victim,
                        const Present& present) {
  if (matrix.empty()) return 0;
  if (victim) return of_row(matrix.at(*victim), combine, present);
  Lengthening most = 0;
  for (const auto& row : matrix) most = std::max(most, of_row(row, combine, present));
  return most;
}

GpuDemand in_company(GpuDemand kernel, Lengthening more) {
  require(more >= 0, "company never shortens a block");
  kernel.alone = false;
  if (more == 0) return kernel;
  const auto H = Wide{kernel.H};
  if (kernel.C.count() == checked_mul(Wide{kernel.L.count()}, H)) {
    kernel.L = to_time(grown(kernel.L.count(), more));
    kernel.C = Workload(checked_mul(Wide{kernel.L.count()}, H));
  } else {
    kernel.C = Workload(grown(kernel.C.count(), more));
    kernel.L = to_time(ceil_div(kernel.C.count(), H));
  }
  if (kernel.time) kernel.time = std::max(to_time(grown(kernel.time->count(), more)), kernel.L);
  return kernel;
}

bool measured_alone(const TaskSet& task_set) {
  return std::ranges::any_of(task_set.dags(), [](const Dag& dag) {
    return std::ranges::any_of(dag.nodes(), [](const Node& node) {
      const auto* const kernel = std::get_if<GpuDemand>(&node.demand);
      return kernel != nullptr && kernel->alone;
    });
  });
}

}  // namespace rta
