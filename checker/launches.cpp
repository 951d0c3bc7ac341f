#include "launches.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "yaml.hpp"

namespace checker {
namespace {

bool of_executor(const Pool& pool) {
  return pool.scheduler == "wait-set" || pool.multi_threaded() || pool.callbacks || pool.in_reservation();
}

void dispatch(Node& kernel, Int latency) {
  if (kernel.time) kernel.time = *kernel.time + latency;
  if (kernel.has_blocks) kernel.C = kernel.C + latency * kernel.H;
  kernel.L = kernel.has_blocks ? ceil_div(kernel.C, kernel.H) : *kernel.time;
}

}  // namespace

void launch_kernels(Dag& dag, const std::vector<Pool>& pools, const yaml_node_t& at) {
  const auto is_cpu = [&](std::size_t v) { return pools[dag.nodes[v].pool].kind == Kind::cpu; };
  const auto launch = [&](std::size_t v) { return pools[dag.nodes[v].pool].launch; };
  const std::size_t written = dag.nodes.size();
  std::vector<std::optional<std::size_t>> launchers(written);
  std::vector<std::size_t> launched_after(written, 0);  // kernels that follow it and are launched
  for (const std::size_t v : dag.order) {
    for (const std::size_t u : dag.nodes[v].before) {
      const auto by = is_cpu(u) ? std::optional(u) : launchers[u];
      if (by && (!launchers[v] || *by < *launchers[v])) launchers[v] = by;
      if (launch(v) > 0) ++launched_after[u];
    }
  }
  for (std::size_t v = 0; v < written; ++v) {
    if (pools[dag.nodes[v].pool].kind != Kind::gpu) continue;
    if (const Int latency = pools[dag.nodes[v].pool].dispatch; latency > 0) dispatch(dag.nodes[v], latency);
    if (launch(v) <= 0) continue;
    if (!launchers[v]) fail(at, "no node on processors launches the kernel");
    const auto& before = dag.nodes[v].before;
    if (before.size() == 1 && is_cpu(before[0]) && launched_after[before[0]] == 1) {
      Node& node = dag.nodes[before[0]];
      node.C = node.L = node.C + launch(v);
      continue;
    }
    const Node& by = dag.nodes[*launchers[v]];
    if (of_executor(pools[by.pool])) fail(at, "a launch is no callback of an executor");
    Node own;
    own.name = dag.nodes[v].name + ".launch";
    own.pool = by.pool;
    own.C = own.L = launch(v);
    own.given_priority = by.given_priority;
    own.group = dag.nodes[v].group;
    own.before = dag.nodes[v].before;
    own.cut_after = std::exchange(dag.nodes[v].cut_after, {});
    const auto same = [&](const Node& node) { return node.name == own.name; };
    if (std::any_of(dag.nodes.begin(), dag.nodes.end(), same)) fail(at, "a launch has the name of a node");
    dag.nodes[v].before = {dag.nodes.size()};
    dag.nodes.push_back(std::move(own));
  }
}

}  // namespace checker
