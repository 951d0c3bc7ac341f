#include "rta/model/static_schedule.hpp"

#include <algorithm>
#include <numeric>

namespace rta {

std::vector<std::vector<std::size_t>> predecessors(const StaticHyperepoch& hyperepoch) {
  std::vector<std::vector<std::size_t>> result(hyperepoch.jobs.size());
  std::vector<std::optional<std::size_t>> last_on(hyperepoch.resources.size());
  std::vector<std::optional<std::size_t>> last_in(hyperepoch.resources.size());  // submittees of a stream
  for (std::size_t j = 0; j < hyperepoch.jobs.size(); ++j) {
    const StaticJob& job = hyperepoch.jobs[j];
    auto& before = result[j];
    before = job.after;
    for (const std::size_t r : job.resources) {
      if (hyperepoch.resources[r].kind == StaticResourceKind::shared) continue;
      if (last_on[r]) before.push_back(*last_on[r]);
      last_on[r] = j;
    }
    if (job.stream) {
      if (last_in[*job.stream]) before.push_back(*last_in[*job.stream]);
      last_in[*job.stream] = j;
    }
    std::ranges::sort(before);
    before.erase(std::ranges::unique(before).begin(), before.end());
  }
  return result;
}

std::string step_name(const StaticSchedule& schedule, const StaticStep& step) { return schedule.clients[step.client] + "." + step.name; }

std::string epoch_name(const StaticHyperepoch& hyperepoch, std::size_t epoch) {
  return hyperepoch.name + "." + hyperepoch.epochs[epoch].name;
}

std::optional<StaticTurn> turn(const StaticHyperepoch& hyperepoch, const StaticJob& job, std::size_t step) {
  // Frames n with n K + k = step modulo S: they repeat every S / gcd(K, S).
  const std::uint64_t S = job.steps.size();
  const std::uint64_t K = hyperepoch.epochs[job.epoch].frames;
  const std::uint64_t cycle = S / std::gcd(K, S);
  for (std::uint64_t n = 0; n < cycle; ++n) {
    if ((n * K + job.frame) % S == step) return StaticTurn{cycle, n};
  }
  return std::nullopt;
}

}  // namespace rta
