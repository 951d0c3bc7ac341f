// A workload with every kind of pool, built for a fake CUDA and really run. What is checked holds on any machine, however loaded.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "built_workload.hpp"
#include "fake_gpu.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::test;

TEST_CASE("kernels, copies and items of a workload all end, in their order, with a record of each") {
  analysis::Options options;
  validation::set_release(options, validation::Release::completion);
  Node upload = gpu_node("upload", 1, 1, 2_ms, 2);
  upload.demand = CopyDemand{2_ms, Direction::h2d};
  Node items = gpu_node("items", 1, 1, 1_ms, 3);
  items.demand = WorkerDemand{3, 1_ms};
  const auto analysis =
      analysis::analyze(task_set({cpu_pool(1), gpu_pool(4, 2048), {"copy", EnginePool{1}}, {"worker", WorkerPool{2, 100_us}}},
                                 {Dag("d", 500_ms, std::nullopt, {cpu_node("grab", 1_ms), upload, gpu_node("kernel", 4, 128, 3_ms), items},
                                      {{0, 1}, {1, 2}, {2, 3}})}),
                        options);
  const TemporaryFolder folder;
  const auto plan = validation::release_plan(analysis, validation::Release::completion);
  validation::write_workload(validation::generate_workload(*analysis.task_set, plan, "text"), folder.path);
  compile_for_fake_gpu({"-I" + (folder.path / "runtime").string(), "-x", "c++", (folder.path / "workload.cu").string(), "-o",
                        (folder.path / "workload").string()});
  const auto trace =
      run_workload(folder.path, {"--duration", "2s", "--warmup", "500ms", "--trace-level", "block", "--scheduling", "other"});
  CHECK(trace.complete);
  CHECK(trace.lost == 0);
  CHECK(trace.header.device == "a \"fake\" GPU");
  CHECK(trace.dags.size() == 4);
  CHECK(trace.copies.size() == 4);
  std::map<std::pair<std::string, std::uint64_t>, int> blocks;
  for (const auto& block : trace.blocks) ++blocks[{block.job.node, block.job.job}];
  std::map<std::pair<std::string, std::uint64_t>, trace::JobRecord> jobs;
  for (const auto& job : trace.jobs) jobs.emplace(std::pair(job.job.node, job.job.job), job);
  for (std::uint64_t j = 1; j <= 4; ++j) {
    CAPTURE(j);
    CHECK(blocks[{"kernel", j}] == 4);
    CHECK(blocks[{"items", j}] == 3);
    CHECK(jobs.at({"upload", j}).start >= jobs.at({"grab", j}).end);
    CHECK(jobs.at({"kernel", j}).start >= jobs.at({"upload", j}).end);
    CHECK(jobs.at({"items", j}).start >= jobs.at({"kernel", j}).end);
    CHECK(jobs.at({"kernel", j}).end - jobs.at({"kernel", j}).start >= 2900_us);  // L less a step of the timer
  }
  const auto device = std::ranges::find(trace.checks, "device of gpu", &trace::CheckRecord::name);
  REQUIRE(device != trace.checks.end());
  CHECK(device->outcome == "ok");
}
