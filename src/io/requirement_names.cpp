#include "requirement_names.hpp"

namespace rta::io {

RequirementNames::RequirementNames(const TaskSet& task_set) {
  for (const Requirement& one : task_set.requirements()) {
    if (const auto* const chain = std::get_if<ChainId>(&one.subject)) {
      of_chains_[*chain].push_back(one.name);
    } else {
      const auto& stage = std::get<ChainStage>(one.subject);
      of_dags_[stage.dag].emplace_back(stage.node, one.name);
    }
  }
}

RequirementNames::Names RequirementNames::of_chain(ChainId chain) const {
  const auto found = of_chains_.find(chain);
  return found == of_chains_.end() ? Names() : found->second;
}

RequirementNames::Names RequirementNames::of(DagId dag, std::optional<NodeId> node) const {
  Names names;
  const auto found = of_dags_.find(dag);
  if (found == of_dags_.end()) return names;
  for (const auto& [of, name] : found->second) {
    if (of == node) names.push_back(name);
  }
  return names;
}

bool RequirementNames::same(DagId a, DagId b) const {
  const auto of_a = of_dags_.find(a), of_b = of_dags_.find(b);
  if (of_a == of_dags_.end() || of_b == of_dags_.end()) return of_a == of_b;
  return of_a->second == of_b->second;
}

}  // namespace rta::io
