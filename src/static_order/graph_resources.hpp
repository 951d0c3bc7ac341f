// The resources of a graph file: their definitions, and what a name among them means.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "../io/fields.hpp"
#include "named_entries.hpp"
#include "rta/static_order/graph.hpp"

namespace rta::static_order {

class GraphResources {
 public:
  GraphResources(Graph& graph, io::Diagnostics& out) : graph_(graph), out_(out) {}

  /// `Resources: {CPU: [CPU0], CUDA_STREAM: [{STREAM0: iGPU}]}` of the graph, of an SOC of it, or of a client.
  void define(const io::Value& types, std::string_view soc, std::optional<ClientId> client);

  /// The resources that a word means to a client (nobody: to the graph): an instance, or, with `types`, all instances of a type. Reports
  /// words that mean nothing or several things.
  [[nodiscard]] std::vector<ResourceId> resolve(const io::Value& word, std::optional<ClientId> client, bool types,
                                                io::Subject subject) const;
  [[nodiscard]] bool is_type(std::string_view word) const { return types_.contains(word); }

 private:
  void define_instance(const io::Value& instance, std::string_view type, std::string_view soc, std::optional<ClientId> client);
  void add(std::string_view name, io::Mark mark, Resource resource);
  [[nodiscard]] bool visible(ResourceId id, std::optional<ClientId> client) const;
  void report_unknown(const io::Value& word, std::optional<ClientId> client, io::Subject subject) const;

  Graph& graph_;
  io::Diagnostics& out_;
  std::unordered_map<std::string_view, bool> types_;
  std::unordered_map<std::string, io::Mark> marks_;  // by full name
};

}  // namespace rta::static_order
