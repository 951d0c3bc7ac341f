#include "rta/static_order/graph.hpp"

#include <algorithm>
#include <array>

namespace rta::static_order {

ResourceKind kind_of_type(std::string_view type) {
  constexpr std::array<std::string_view, 6> engines{"GPU", "DLA", "VPU", "VPI", "PVA", "COPY_ENGINE"};
  if (type == "CPU") return ResourceKind::cpu;
  return std::ranges::find(engines, type) != engines.end() ? ResourceKind::engine : ResourceKind::mutex;
}

std::uint64_t jobs_of(const Graph& graph) {
  std::uint64_t jobs = 0;
  for (const Runnable& runnable : graph.runnables) jobs += graph.hyperepochs[runnable.hyperepoch].epochs[runnable.epoch].frames;
  return jobs;
}

std::string full_name(const Graph& graph, ResourceId resource) {
  const Resource& r = graph.resources[resource];
  std::string name;
  if (r.client) name += graph.clients[*r.client].name + ".";
  if (!r.soc.empty()) name += r.soc + ".";
  return name + r.name;
}

std::string full_name(const Graph& graph, const Runnable& runnable) { return graph.clients[runnable.client].name + "." + runnable.name; }

}  // namespace rta::static_order
