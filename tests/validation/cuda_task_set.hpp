// A task set with every kind of pool, and its workload put through nvcc.
#pragma once

#include "built_workload.hpp"
#include "process/tool.hpp"
#include "rta/analysis/analyze.hpp"
#include "support/build.hpp"

namespace rta::test {

inline analysis::Proof every_kind_of_pool() {
  analysis::Options options;
  options.release = Release::early;
  Node upload;
  upload.name = "upload";
  upload.pool = 2;
  upload.demand = CopyDemand{300_us, Direction::h2d};
  Node items;
  items.name = "items";
  items.pool = 3;
  items.demand = WorkerDemand{8, 100_us};
  Node kernel = gpu_node("kernel", 16, 256, 200_us);
  std::get<GpuDemand>(kernel.demand).shared_memory = 65536;
  std::get<GpuDemand>(kernel.demand).registers_per_thread = 64;
  Node urgent = gpu_node("urgent", 4, 128, 100_us);
  std::get<GpuDemand>(urgent.demand).priority = high_priority;
  return analysis::analyze(task_set({cpu_pool(2), gpu_pool(4, 2048), {"copy", EnginePool{1}}, {"worker", WorkerPool{4, 2_us}}},
                                    {Dag("d", 20_ms, std::nullopt, {cpu_node("a", 1_ms), upload, kernel, urgent, items},
                                         {{0, 1}, {1, 2}, {1, 3}, {2, 4}, {3, 4}})}),
                           options)
      .proof;
}

/// What nvcc says; empty: it compiled without a word.
inline std::string compile_cuda(const std::string& nvcc, const std::vector<std::string>& targets) {
  const TemporaryFolder folder;
  validation::write_workload(validation::generate_workload(every_kind_of_pool(), "text"), folder.path);
  std::vector<std::string> words{nvcc,
                                 "-std=c++17",
                                 "-O1",
                                 "-Xcompiler",
                                 "-Wall,-Wextra,-pthread",
                                 "-I" + (folder.path / "runtime").string(),
                                 "-c",
                                 (folder.path / "workload.cu").string(),
                                 "-o",
                                 (folder.path / "workload.o").string()};
  words.insert(words.end(), targets.begin(), targets.end());
  const auto built = process::run_tool(words);
  if (built.status == 0 && !std::filesystem::exists(folder.path / "workload.o")) return "no object file";
  return built.status == 0 ? built.text : built.text + "\nexit status " + std::to_string(built.status);
}

}  // namespace rta::test
