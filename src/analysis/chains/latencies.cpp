#include <algorithm>
#include <numeric>

#include "rta/analysis/chains.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis {

Time largest_distance(Time phase, Time T, Time next_phase, Time next_T, Time after) {
  require(T > Time::zero() && next_T > Time::zero(), "periods are above 0");
  // Release a is at phase + a T; the first release of the next stage at phase + a T + after or later comes (next_phase - phase - after - a
  // T) mod next_T after that. Over all a these are the numbers below next_T that differ by whole multiples of the common divisor.
  const std::int64_t divisor = std::gcd(T.count(), next_T.count());
  const Wide shift = static_cast<Wide>(next_phase.count()) - phase.count() - after.count();
  const auto rest = static_cast<std::int64_t>((shift % divisor + divisor) % divisor);
  return after + next_T - Time(divisor - rest);
}

ChainLatencies chain_latencies(std::span<const StageTimes> stages) {
  require(!stages.empty(), "a chain has a stage");
  // From an event to the read, then from release to release, then to the last write.
  Time age = stages.front().T_max + stages.back().F - stages.front().E;
  Time dropped;
  for (std::size_t i = 0; i + 1 < stages.size(); ++i) {
    const Time any_phases = stages[i].F - stages[i + 1].E + stages[i + 1].T_max;
    const Time gap = std::min(any_phases, stages[i].to_next.value_or(any_phases));
    age += gap;
    if (stages[i].outranks_next) dropped += gap - std::min(gap, stages[i + 1].T_max);
  }
  const Time reaction = age - dropped;
  return {reaction, reaction - stages.front().T_max, age - stages.back().T_max, age};
}

}  // namespace rta::analysis
