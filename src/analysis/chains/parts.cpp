#include <algorithm>

#include "rta/analysis/chain_parts.hpp"

namespace rta::analysis {
namespace {

using Stretch = ChainPart::What;

/// The way from stage i to the next takes `gap`, of which F passes until stage i has written.
void add_way(std::vector<ChainPart>& parts, ChainPart then, std::size_t i, Time F, Time gap) {
  if (gap < F) {
    parts.push_back({Stretch::hands_over, i, gap});
    return;
  }
  parts.push_back({Stretch::writes, i, F});
  then.length = gap - F;
  parts.push_back(then);
}

}  // namespace

std::vector<ChainPart> reaction_parts(const ChainProof& chain) {
  const auto& stages = chain.stages;
  std::vector<ChainPart> parts{{Stretch::missed, 0, stages.front().times.T_max - stages.front().times.E}};
  for (std::size_t i = 0; i + 1 < stages.size(); ++i) {
    Time gap = largest_gap(chain, i);
    if (stages[i].times.outranks_next) gap = std::min(gap, stages[i + 1].times.T_max);
    add_way(parts, {Stretch::reads, i + 1, {}}, i, stages[i].times.F, gap);
  }
  parts.push_back({Stretch::writes, stages.size() - 1, stages.back().times.F});
  return parts;
}

std::vector<ChainPart> age_parts(const ChainProof& chain) {
  const auto& stages = chain.stages;
  std::vector<ChainPart> parts;
  for (std::size_t i = 0; i + 1 < stages.size(); ++i) {
    // Backwards a stage's data stays until its next job has written, which comes T_max later.
    const Time gap = largest_gap(chain, i) + stages[i].times.T_max - stages[i + 1].times.T_max;
    add_way(parts, {Stretch::stays, i, {}}, i, stages[i].times.F, gap);
  }
  parts.push_back({Stretch::writes, stages.size() - 1, stages.back().times.F});
  parts.front().length = parts.front().length - stages.front().times.E;
  parts.push_back({Stretch::stays, stages.size() - 1, stages.back().times.T_max});
  return parts;
}

}  // namespace rta::analysis
