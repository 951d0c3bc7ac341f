#include "rta/analysis/chains.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis {

ChainLatencies chain_latencies(std::span<const StageTimes> stages) {
  require(!stages.empty(), "a chain has a stage");
  Time age;
  Time dropped;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    age += stages[i].T_max + stages[i].F - stages[i].E;
    if (i + 1 == stages.size() || !stages[i].outranks_next) continue;
    const Time waiting = stages[i].F - stages[i + 1].E;  // between the releases of two jobs, before T_max of the next stage
    if (waiting > Time::zero()) dropped += waiting;
  }
  const Time reaction = age - dropped;
  return {reaction, reaction - stages.front().T_max, age - stages.back().T_max, age};
}

}  // namespace rta::analysis
