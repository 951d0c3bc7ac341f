#include "rta/validation/workload.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "rta/model/error.hpp"
#include "rta/trace/digest.hpp"
#include "rta/validation/release_plan.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::test;

namespace {

std::string content(const validation::Workload& workload, const std::string& path) {
  const auto at = std::ranges::find(workload.files, path, &validation::GeneratedFile::path);
  return at == workload.files.end() ? "" : at->content;
}

analysis::Analysis analyzed(std::shared_ptr<const TaskSet> set, validation::Release release) {
  analysis::Options options;
  validation::set_release(options, release);
  return analysis::analyze(std::move(set), options);
}

// One processor, one DAG: a (1 ms) -> b (2 ms), T = 10 ms, G-EDF.
analysis::Analysis chain(validation::Release release = validation::Release::offsets) {
  return analyzed(task_set({cpu_pool(1)}, {Dag("chain", 10_ms, std::nullopt, {cpu_node("a", 1_ms), cpu_node("b", 2_ms)}, {{0, 1}})}),
                  release);
}

}  // namespace

TEST_CASE("offsets: sources at the DAG's release, successors at their offset, priority points after the DAG's release") {
  const auto analysis = chain();
  const auto plan = validation::release_plan(analysis, validation::Release::offsets);
  const auto& nodes = plan.schedule.nodes[0];
  CHECK(nodes[0].offset == 0_ms);
  CHECK(nodes[1].offset == analysis.dags[0].nodes[0].R);
  CHECK(nodes[1].reference == *analysis.dags[0].nodes[0].R);
  CHECK(nodes[1].priority_point == *nodes[1].offset + 10_ms);  // G-EDF: Y = D = T
  CHECK(plan.dag_bound[0] == analysis.dags[0].R);
  CHECK(plan.warnings.empty());
}

TEST_CASE("early: only sources wait for the clock; kernels are guarded, CPU nodes are not; bounds are those that survive it") {
  const auto set = task_set({cpu_pool(1), gpu_pool(1, 64)},
                            {Dag("d", 10_ms, std::nullopt, {cpu_node("a", 1_ms), gpu_node("k", 1, 32, 1_ms)}, {{0, 1}})});
  const auto analysis = analyzed(set, validation::Release::early);
  const auto plan = validation::release_plan(analysis, validation::Release::early);
  CHECK(plan.schedule.nodes[0][0].offset == 0_ms);
  CHECK_FALSE(plan.schedule.nodes[0][1].offset.has_value());
  CHECK(plan.schedule.nodes[0][1].reference == *analysis.dags[0].nodes[1].offset);
  CHECK(plan.schedule.nodes[0][1].guarded);
  CHECK_FALSE(plan.schedule.nodes[0][0].guarded);
  CHECK(plan.node_bound[0][1] == analysis.dags[0].nodes[1].R);
}

TEST_CASE("completion: one priority point per DAG; nodes count from the DAG's release, with the bounds of T10n or T10j") {
  const auto analysis = chain(validation::Release::completion);
  const auto plan = validation::release_plan(analysis, validation::Release::completion);
  CHECK(plan.schedule.nodes[0][0].offset == 0_ms);
  CHECK_FALSE(plan.schedule.nodes[0][1].offset.has_value());
  CHECK(plan.schedule.nodes[0][1].reference == 0_ms);
  CHECK(plan.schedule.nodes[0][0].priority_point == 10_ms);
  CHECK(plan.schedule.nodes[0][1].priority_point == 10_ms);
  // Alone on its processor, one job at a time: 1 ms + 2 ms.
  CHECK(plan.dag_bound[0] == 3_ms);
  CHECK(plan.node_bound[0][1] == analysis.dags[0].nodes[1].R);
}

TEST_CASE("segments: the first nodes of a segment wait for its offset, the others for their predecessors; points count from the offset") {
  Dag dag("d", 10_ms, std::nullopt, {cpu_node("a", 1_ms), cpu_node("b", 1_ms), cpu_node("c", 1_ms)}, {{0, 1, false}, {1, 2, true}});
  const auto analysis = analyzed(task_set({cpu_pool(1)}, {dag}), validation::Release::segments);
  REQUIRE(analysis.dags[0].nodes[2].offset.has_value());
  const auto plan = validation::release_plan(analysis, validation::Release::segments);
  const auto& nodes = plan.schedule.nodes[0];
  const Time Phi = *analysis.dags[0].nodes[2].offset;
  CHECK(Phi > 0_ms);
  CHECK(nodes[0].offset == 0_ms);
  CHECK_FALSE(nodes[1].offset.has_value());  // same segment as a
  CHECK(nodes[2].offset == Phi);
  CHECK(nodes[2].reference == Phi);
  CHECK(nodes[1].priority_point == 10_ms);
  CHECK(nodes[2].priority_point == Phi + 10_ms);
}

TEST_CASE("an analysis of another release policy is refused") {
  CHECK_THROWS_AS((void)validation::release_plan(chain(), validation::Release::completion), std::invalid_argument);
  CHECK_THROWS_AS((void)validation::release_plan(chain(validation::Release::segments), validation::Release::early), std::invalid_argument);
}

TEST_CASE("names of releases") {
  for (const char* name : {"offsets", "early", "completion", "segments"}) CHECK(to_string(*validation::release_named(name)) == name);
  CHECK_FALSE(validation::release_named("offset").has_value());
}

TEST_CASE("a task set without bound still runs: on completion, with a warning") {
  const auto analysis =
      analysis::analyze(task_set({cpu_pool(1)}, {Dag("d", 10_ms, std::nullopt, {cpu_node("a", 8_ms), cpu_node("b", 8_ms)}, {{0, 1}})}));
  const auto plan = validation::release_plan(analysis, validation::Release::offsets);
  CHECK(plan.schedule.nodes[0][0].offset == 0_ms);
  CHECK_FALSE(plan.schedule.nodes[0][1].offset.has_value());
  CHECK_FALSE(plan.dag_bound[0].has_value());
  CHECK(plan.warnings.size() == 1);
}

TEST_CASE("a workload is self-contained; CPU-only sets need no CUDA file") {
  const auto plan = validation::release_plan(chain(), validation::Release::offsets);
  const std::string text = "the bytes of the file\n";
  const auto workload = validation::generate_workload(*chain().task_set, plan, text);
  CHECK_FALSE(workload.needs_cuda);
  CHECK(content(workload, "task_set.yaml") == text);
  CHECK(content(workload, "workload.cpp").find(trace::sha256(text)) != std::string::npos);
  CHECK(content(workload, "Makefile").find("nvcc") == std::string::npos);
  CHECK(content(workload, "README.md").find("rta compare trace.jsonl task_set.yaml") != std::string::npos);
  CHECK_FALSE(content(workload, "runtime/workload/run.hpp").empty());
  CHECK(std::ranges::none_of(workload.files, [](const auto& file) { return file.path.ends_with(".cuh"); }));
}

TEST_CASE("a non-preemptive pool becomes one thread pool by priority point; traces name where the analysis left the file") {
  analysis::Options options;
  validation::set_release(options, validation::Release::completion);
  options.preemptive = false;
  const auto analysis = analysis::analyze(chain().task_set, options);
  const auto plan = validation::release_plan(analysis, validation::Release::completion);
  CHECK(plan.dag_bound[0].has_value());
  const auto workload = validation::generate_workload(*analysis.task_set, plan, "", {{"preemptive", "false"}});
  CHECK(content(workload, "workload.cpp").find("Order::non_preemptive") != std::string::npos);
  CHECK(content(workload, "workload.cpp").find("{\"preemptive\", \"false\"},") != std::string::npos);
}

TEST_CASE("slots: one more than the jobs of a node that may be under way") {
  // a alone on one processor: R = C = 25 ms with T = 10 ms is unbounded; on three processors U = 2.5 is not.
  const auto analysis = analysis::analyze(task_set({cpu_pool(3)}, {Dag("d", 10_ms, std::nullopt, {cpu_node("a", 25_ms)}, {})}));
  const auto plan = validation::release_plan(analysis, validation::Release::offsets);
  REQUIRE(plan.node_bound[0][0].has_value());
  const auto jobs = (plan.node_bound[0][0]->count() + 9'999'999) / 10'000'000;
  const auto workload = validation::generate_workload(*analysis.task_set, plan, "");
  // ... bound, slots}
  CHECK(content(workload, "workload.cpp")
            .find(", " + std::to_string(plan.node_bound[0][0]->count()) + ", " + std::to_string(jobs + 1) + "},") != std::string::npos);
}

TEST_CASE("names of any kind stay inside their literal") {
  const std::string name = "a\"b\\c\n?\?/\xC3\xA9";
  const auto analysis = analysis::analyze(task_set({cpu_pool(1)}, {Dag(name, 10_ms, std::nullopt, {cpu_node("n", 1_ms)}, {})}));
  const auto workload =
      validation::generate_workload(*analysis.task_set, validation::release_plan(analysis, validation::Release::offsets), "");
  CHECK(content(workload, "workload.cpp").find(R"("a\"b\\c\012\077\077/\303\251")") != std::string::npos);
}

TEST_CASE("GPU sets come with the CUDA runtime; launches that CUDA does not have are refused") {
  const auto make = [](std::uint64_t B, std::uint32_t H) {
    const auto analysis =
        analysis::analyze(task_set({cpu_pool(1), gpu_pool(1, 4096)}, {Dag("d", 1_s, std::nullopt, {gpu_node("k", B, H, 1_us)}, {})}));
    return validation::generate_workload(*analysis.task_set, validation::release_plan(analysis, validation::Release::offsets), "");
  };
  const auto workload = make(4, 1024);
  CHECK(workload.needs_cuda);
  CHECK_FALSE(content(workload, "workload.cu").empty());
  CHECK_FALSE(content(workload, "runtime/common/spin.cuh").empty());
  CHECK_THROWS_AS(make(4, 1025), UserError);
  CHECK_THROWS_AS(make(1ULL << 30U, 32), UserError);
}

TEST_CASE("a GPU node's row says how many of its blocks an SM holds; its program has the spin kernels for its registers") {
  GpuPool gpu;
  gpu.sms = 2;
  gpu.sm = {1536, 1024, 16, 65536, 65536};
  gpu.allocation = {32, 128, 1024, 256};
  const auto make = [&](std::uint32_t H, std::uint64_t shared_memory, std::uint32_t registers) {
    Node kernel = gpu_node("k", 4, H, 1_us);
    std::get<GpuDemand>(kernel.demand).shared_memory = shared_memory;
    std::get<GpuDemand>(kernel.demand).registers_per_thread = registers;
    const auto analysis = analysis::analyze(task_set({cpu_pool(1), {"gpu", gpu}}, {Dag("d", 1_s, std::nullopt, {kernel}, {})}));
    const auto workload =
        validation::generate_workload(*analysis.task_set, validation::release_plan(analysis, validation::Release::offsets), "");
    return content(workload, "workload.cu");
  };
  // ... B, H, shared memory, registers, blocks per SM, high priority
  CHECK(make(64, 0, 0).find(", 4, 64, 0, 0, 16, false") != std::string::npos);         // block slots
  CHECK(make(250, 0, 0).find(", 4, 250, 0, 0, 6, false") != std::string::npos);        // 8 warps each
  CHECK(make(256, 0, 40).find(", 4, 256, 0, 40, 6, false") != std::string::npos);      // 65536 / (40 * 256) = 6.4
  CHECK(make(256, 0, 60).find(", 4, 256, 0, 60, 4, false") != std::string::npos);      // allocated 64 each
  CHECK(make(32, 10000, 0).find(", 4, 32, 10000, 0, 5, false") != std::string::npos);  // 65536 / (10000 + 1024, in units of 128) = 5.9
  CHECK(make(32, 0, 0).find("return {common::spin<0>};") != std::string::npos);
  CHECK(make(32, 0, 40).find("return {common::spin<0>, common::spin<8>, common::spin<16>, common::spin<24>, common::spin<32>};") !=
        std::string::npos);
  CHECK(make(32, 0, 255).find("return {common::spin<0>, common::spin<224>, common::spin<232>, common::spin<240>, common::spin<248>};") !=
        std::string::npos);
}
