#include "stage_index.hpp"

#include "fields.hpp"

namespace rta::io {

StageIndex::StageIndex(std::span<const Dag> dags) : dags_(dags) {
  for (DagId d = 0; d < dags.size(); ++d) dag_named_.emplace(dags[d].name(), d);
}

const StageIndex::Nodes& StageIndex::nodes_of(DagId d) {
  const auto [at, fresh] = nodes_.try_emplace(d);
  if (fresh) {
    for (NodeId v = 0; v < dags_[d].nodes().size(); ++v) at->second.emplace(dags_[d].nodes()[v].name, v);
  }
  return at->second;
}

std::optional<ChainStage> StageIndex::find(std::string_view name) {
  if (const auto dag = dag_named_.find(name); dag != dag_named_.end()) return ChainStage{dag->second, std::nullopt};
  for (std::size_t slash = name.find('/'); slash != std::string_view::npos; slash = name.find('/', slash + 1)) {
    const auto dag = dag_named_.find(name.substr(0, slash));
    if (dag == dag_named_.end()) continue;
    const Nodes& nodes = nodes_of(dag->second);
    if (const auto node = nodes.find(name.substr(slash + 1)); node != nodes.end()) return ChainStage{dag->second, node->second};
  }
  return std::nullopt;
}

std::string StageIndex::close_to(std::string_view name) const {
  constexpr std::size_t enough = 300;
  std::vector<std::string> names;
  for (const Dag& dag : dags_) {
    if (names.size() < enough) names.push_back(dag.name());
  }
  for (const Dag& dag : dags_) {
    for (const Node& node : dag.nodes()) {
      if (names.size() < enough) names.push_back(dag.name() + "/" + node.name);
    }
  }
  return suggestion(name, std::vector<std::string_view>(names.begin(), names.end()));
}

}  // namespace rta::io
