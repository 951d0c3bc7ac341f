#include "rta/static_order/steps.hpp"

#include <limits>
#include <numeric>

#include "rta/model/error.hpp"

namespace rta::static_order {
namespace {

/// Repetition i takes step (i K + k) mod S of frame k of K: the same step again after S / gcd(K, S) repetitions.
std::optional<Turn> turn_of(const ScheduledHyperepoch& hyperepoch, const ScheduledRunnable& runnable, std::size_t step) {
  const std::uint64_t S = runnable.steps.size();
  const std::uint64_t K = hyperepoch.epochs[runnable.epoch].frames;
  const std::uint64_t cycle = S / std::gcd(K, S);
  for (std::uint64_t i = 0; i < cycle; ++i) {
    if ((i * (K % S) + runnable.frame) % S == step) return Turn{cycle, i};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Turn> both(const Turn& a, const Turn& b) {
  const std::uint64_t g = std::gcd(a.cycle, b.cycle);
  if (a.phase % g != b.phase % g) return std::nullopt;
  const std::uint64_t cycle = a.cycle / g * b.cycle;  // both are below 2^32
  if (cycle > std::numeric_limits<std::uint32_t>::max())
    throw UserError("the alias groups of a hyperepoch come together again only after more than 2^32 frames");
  for (std::uint64_t n = a.phase; n < cycle; n += a.cycle) {
    if (n % b.cycle == b.phase) return Turn{cycle, n};
  }
  return std::nullopt;
}

std::vector<Step> steps_of(const ScheduledHyperepoch& hyperepoch, const ScheduledRunnable& runnable) {
  if (runnable.role == Role::frame_sync) return {};
  if (runnable.steps.empty()) return {{0, runnable.client, runnable.name, {}}};
  std::vector<Step> steps;
  for (std::size_t s = 0; s < runnable.steps.size(); ++s) {
    const std::string& label = runnable.steps[s];
    const auto turn = turn_of(hyperepoch, runnable, s);
    if (label.empty() || !turn) continue;
    const std::size_t dot = label.find('.');  // names of clients have none
    if (dot == std::string::npos) throw UserError("'" + label + "': a step of a slot must be CLIENT.NAME or none");
    steps.push_back({s, label.substr(0, dot), label.substr(dot + 1), *turn});
  }
  return steps;
}

std::vector<Turn> empty_turns(const ScheduledHyperepoch& hyperepoch, const ScheduledRunnable& runnable) {
  if (runnable.role == Role::frame_sync) return {Turn{}};
  std::vector<Turn> turns;
  for (std::size_t s = 0; s < runnable.steps.size(); ++s) {
    if (!runnable.steps[s].empty()) continue;
    if (const auto turn = turn_of(hyperepoch, runnable, s)) turns.push_back(*turn);
  }
  return turns;
}

std::string trace_name(const ScheduledHyperepoch& hyperepoch, std::size_t epoch) {
  return hyperepoch.name + "." + hyperepoch.epochs[epoch].name;
}

}  // namespace rta::static_order
