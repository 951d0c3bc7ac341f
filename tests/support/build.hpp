// Short ways to write small task sets in tests.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rta/model/task_set.hpp"

namespace rta::test {

using namespace rta::literals;

inline Node cpu_node(std::string name, Time C, PoolId pool = 0) {
  Node node;
  node.name = std::move(name);
  node.pool = pool;
  node.demand = CpuDemand{C};
  return node;
}

inline Node gpu_node(std::string name, std::uint64_t B, std::uint32_t H, Time L, PoolId pool = 1) {
  Node node;
  node.name = std::move(name);
  node.pool = pool;
  node.demand = GpuDemand{B, H, Workload(static_cast<Wide>(L.count()) * H), L, 0, 0, low_priority};
  return node;
}

inline Pool cpu_pool(std::uint32_t m, Scheduler scheduler = Scheduler::g_edf, std::string name = "cpu") {
  return {std::move(name), CpuPool{m, scheduler}};
}

inline Pool gpu_pool(std::uint32_t g, std::uint32_t m, std::string name = "gpu") {
  GpuPool gpu;
  gpu.sms = g;
  gpu.sm.threads = m;
  gpu.sm.threads_per_block = m;
  return {std::move(name), gpu};
}

inline std::shared_ptr<const TaskSet> task_set(std::vector<Pool> pools, std::vector<Dag> dags) {
  return std::make_shared<const TaskSet>("test", std::move(pools), std::move(dags));
}

}  // namespace rta::test
