// A HOG-like set after chapter 6 of Yang's dissertation: cameras of 184 nodes (132 on the CPU pool, 52 kernels), 13 scale levels.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "analysis/search/lp_points.hpp"
#include "rta/analysis/cpu/priority_point.hpp"
#include "rta/model/task_set.hpp"

namespace rta::test {

inline constexpr PoolId hog_cpu = 0;
inline constexpr PoolId hog_gpu = 1;

inline Dag hog_camera(const std::string& name) {
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  const auto add = [&](const std::string& node, auto demand, PoolId pool, std::optional<NodeId> after) {
    Node v;
    v.name = node;
    v.pool = pool;
    v.demand = demand;
    nodes.push_back(v);
    if (after) edges.push_back({*after, nodes.size() - 1});
    return nodes.size() - 1;
  };
  const auto on_cpu = [&](const std::string& node, double ns, std::optional<NodeId> after) {
    return add(node, CpuDemand{Time(static_cast<std::int64_t>(std::ceil(ns - 1e-3)))}, hog_cpu, after);
  };
  struct Kernel {
    const char* name;
    double blocks;
    std::uint32_t H;
    std::int64_t L;
  };
  constexpr Kernel kernels[] = {
      {"grad", 400, 256, 120'000}, {"hist", 160, 64, 250'000}, {"norm", 160, 256, 80'000}, {"classify", 120, 64, 300'000}};
  const NodeId source = on_cpu("src", 1.5e6, std::nullopt);
  std::vector<NodeId> last;
  for (int level = 0; level < 13; ++level) {
    const double share = std::pow(0.86, level);
    const std::string number = std::to_string(level);
    NodeId v = on_cpu("resize" + number, 2e5 + 1e6 * share, source);
    for (const Kernel& kernel : kernels) {
      const std::string kernel_name = kernel.name + number;
      v = on_cpu(kernel_name + "_launch", 120e3, v);
      const auto B = static_cast<std::uint64_t>(1 + kernel.blocks * share);
      v = add(kernel_name, GpuDemand{B, kernel.H, Workload(Wide{kernel.L} * kernel.H), Time(kernel.L)}, hog_gpu, v);
      v = on_cpu(kernel_name + "_await", 80e3, v);
    }
    last.push_back(on_cpu("collect" + number, 2e5 + 9e5 * share, v));
  }
  const NodeId sink = on_cpu("detect", 1.2e6, std::nullopt);
  for (NodeId v : last) edges.push_back({v, sink});
  using namespace literals;
  return {name, 33_ms, 100_ms, std::move(nodes), std::move(edges)};
}

inline TaskSet hog_like(std::size_t cameras = 6, std::uint32_t processors = 16, std::uint32_t sms = 80) {
  std::vector<Dag> dags;
  for (std::size_t d = 0; d < cameras; ++d) dags.push_back(hog_camera("camera[" + std::to_string(d) + "]"));
  GpuPool gpu;
  gpu.sms = sms;
  return {"hog-like", {{"cpu", CpuPool{processors, Scheduler::lp}}, {"gpu", gpu}}, std::move(dags)};
}

/// T5's bounds of the kernels (Theorem 4.3 of Yang 2020: threads only), nothing for the CPU nodes.
inline PerNode<std::optional<Time>> hog_kernel_bounds(const TaskSet& set) {
  const auto& gpu = std::get<GpuPool>(set.pools()[hog_gpu].resource);
  Wide H_max = 0, h = gpu.sm.threads, L_max = 0, work = 0;
  const auto each = [&](auto action) {
    for (const Dag& dag : set.dags()) {
      for (const Node& node : dag.nodes()) {
        if (const auto* kernel = std::get_if<GpuDemand>(&node.demand)) action(*kernel);
      }
    }
  };
  each([&](const GpuDemand& kernel) {
    H_max = std::max<Wide>(H_max, kernel.H);
    h = std::gcd(static_cast<std::int64_t>(h), static_cast<std::int64_t>(kernel.H));
    L_max = std::max<Wide>(L_max, kernel.L.count());
    work += kernel.C.count() * static_cast<Wide>(kernel.B);
  });
  const Wide g = gpu.sms;
  const Wide m = gpu.sm.threads;
  PerNode<std::optional<Time>> bounds;
  for (const Dag& dag : set.dags()) {
    auto& row = bounds.emplace_back();
    for (const Node& node : dag.nodes()) {
      const auto* kernel = std::get_if<GpuDemand>(&node.demand);
      if (kernel == nullptr) {
        row.emplace_back();
      } else {
        row.emplace_back(to_time(ceil_div(L_max * (g * m - H_max) + work - kernel->C.count(), g * (m - H_max + h)) + kernel->L.count()));
      }
    }
  }
  return bounds;
}

}  // namespace rta::test
