// The runnables of a graph file: what they need, whom they wait for, what they submit, and which of them share a slot.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph_resources.hpp"
#include "named_entries.hpp"
#include "rta/static_order/graph.hpp"

namespace rta::static_order {

class GraphRunnables {
 public:
  GraphRunnables(Graph& graph, const GraphResources& resources, NamedEntries& entries, io::Diagnostics& out)
      : graph_(graph), resources_(resources), entries_(entries), out_(out) {}

  /// `Runnables` of a client in an epoch.
  void define(const io::Value& list, ClientId client, HyperepochId hyperepoch, std::size_t epoch);
  /// `AliasGroups` of an epoch; resolved later.
  void define_aliases(const io::Value& list, HyperepochId hyperepoch, std::size_t epoch);
  /// When all are defined: dependencies, submittees, resources, alias groups; and all that must hold between them.
  void resolve();

  /// The needs that a list of resources states, for runnables of that client and hyperepoch.
  [[nodiscard]] std::vector<ResourceNeed> needs(const io::Fields& fields, std::optional<ClientId> client, HyperepochId hyperepoch);

 private:
  struct Written {
    io::Fields fields;
    io::Mark mark;
  };
  struct WrittenGroup {
    io::Fields fields;
    io::Mark mark;
    std::string_view name;
    HyperepochId hyperepoch;
    std::size_t epoch;
  };
  [[nodiscard]] std::optional<RunnableId> find(const io::Value& word, ClientId client, const io::Fields& fields,
                                               std::string_view key) const;
  void resolve_dependencies(RunnableId id);
  void resolve_submittee(RunnableId id);
  void check_hardware(RunnableId id);
  void check_streams(RunnableId id);
  void read_blocks(RunnableId id);
  void resolve_group(const WrittenGroup& group);
  void report_cycles() const;
  [[nodiscard]] bool in_part(ResourceId id, HyperepochId hyperepoch) const;

  Graph& graph_;
  const GraphResources& resources_;
  NamedEntries& entries_;
  io::Diagnostics& out_;
  std::vector<Written> written_;  // by runnable
  std::vector<WrittenGroup> groups_;
  std::unordered_map<std::string, RunnableId> by_name_;  // full names
  std::vector<std::optional<RunnableId>> submitter_;
};

}  // namespace rta::static_order
