// What makes stages a chain.
#include <algorithm>

#include "rta/model/task_set.hpp"

namespace rta {

std::string_view to_string(Communication communication) {
  switch (communication) {
    case Communication::registers: return "register";
    case Communication::let: return "LET";
  }
  return "";
}

std::string stage_name(const ChainStage& stage, std::span<const Dag> dags) {
  const Dag& dag = dags[stage.dag];
  return stage.node ? dag.name() + "/" + dag.nodes()[*stage.node].name : dag.name();
}

std::optional<ChainFault> chain_fault(const Chain& chain, std::span<const Dag> dags) {
  if (chain.stages.empty()) return ChainFault{0, "a chain has at least one stage"};
  for (std::size_t i = 0; i < chain.stages.size(); ++i) {
    const ChainStage& stage = chain.stages[i];
    const auto here = chain.stages.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::find(chain.stages.begin(), here, stage) != here) {
      return ChainFault{i, "the chain comes to stage '" + stage_name(stage, dags) + "' twice"};
    }
    if (i == 0 || chain.stages[i - 1].dag != stage.dag) continue;
    const ChainStage& before = chain.stages[i - 1];
    if (before.node && stage.node && dags[stage.dag].precedes(*before.node, *stage.node)) continue;
    return ChainFault{
        i, "no path leads from stage '" + stage_name(before, dags) + "' to stage '" + stage_name(stage, dags) + "' inside their DAG"};
  }
  return std::nullopt;
}

}  // namespace rta
