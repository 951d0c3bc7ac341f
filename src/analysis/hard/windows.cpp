#include "analysis/hard/windows.hpp"

#include <algorithm>
#include <functional>

namespace rta::analysis::hard {

std::int64_t work_without_carry(const Task& task, std::int64_t L) {
  const std::int64_t C = task.C.count();
  const std::int64_t T = task.T.count();
  return checked_add(checked_mul(L / T, C), std::min(C, L % T));
}

std::int64_t released_work(const Task& task, std::int64_t y) { return y < 0 ? 0 : checked_mul(y / task.T.count() + 1, task.C.count()); }

std::int64_t work_with_carry(const Task& task, std::int64_t F, std::int64_t L) {
  return work_without_carry(task, checked_add(L, F - task.C.count()));
}

std::int64_t released_work_with_carry(const Task& task, std::int64_t F, std::int64_t y) {
  const std::int64_t z = checked_add(y, F);
  return z <= 0 ? 0 : work_without_carry(task, z);
}

Wide interference(std::span<const Work> work, std::size_t carriers, std::int64_t B, std::vector<std::int64_t>& scratch) {
  Wide sum = 0;
  scratch.clear();
  for (const Work& task : work) {
    const std::int64_t fresh = std::min(task.fresh, B);
    sum += fresh;
    const std::int64_t more = std::min(task.carried, B) - fresh;
    if (more > 0) scratch.push_back(more);
  }
  if (scratch.size() > carriers) {
    std::ranges::nth_element(scratch, scratch.begin() + static_cast<std::ptrdiff_t>(carriers), std::greater<>());
    scratch.resize(carriers);
  }
  for (const std::int64_t more : scratch) sum += more;
  return sum;
}

bool excludes(std::span<const Work> work, std::size_t carriers, std::uint32_t processors, std::int64_t B,
              std::vector<std::int64_t>& scratch) {
  const Wide m = processors;
  return interference(work, carriers, B, scratch) <= m * B && interference(work, carriers, B + 1, scratch) < m * (Wide{B} + 1);
}

}  // namespace rta::analysis::hard
