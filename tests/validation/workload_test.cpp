#include "rta/validation/workload.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "rta/analysis/analyze.hpp"
#include "rta/io/digest.hpp"
#include "rta/model/error.hpp"
#include "rta/model/kernel_time.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::test;

namespace {

std::string content(const validation::Workload& workload, const std::string& path) {
  const auto at = std::ranges::find(workload.files, path, &validation::GeneratedFile::path);
  return at == workload.files.end() ? "" : at->content;
}

analysis::Proof proven(std::shared_ptr<const TaskSet> set, Release release = Release::offsets) {
  analysis::Options options;
  options.release = release;
  return analysis::analyze(std::move(set), options).proof;
}

// One processor, one DAG: a (1 ms) -> b (2 ms), T = 10 ms, G-EDF.
analysis::Proof chain() {
  return proven(task_set({cpu_pool(1)}, {Dag("chain", 10_ms, std::nullopt, {cpu_node("a", 1_ms), cpu_node("b", 2_ms)}, {{0, 1}})}));
}

}  // namespace

TEST_CASE("a workload is self-contained; CPU-only sets need no CUDA file") {
  const std::string text = "the bytes of the file\n";
  const auto workload = validation::generate_workload(chain(), text);
  CHECK_FALSE(workload.needs_cuda);
  CHECK(content(workload, "task_set.yaml") == text);
  CHECK(content(workload, "workload.cpp").find(io::sha256(text)) != std::string::npos);
  CHECK(content(workload, "Makefile").find("nvcc") == std::string::npos);
  CHECK(content(workload, "README.md").find("rta compare trace.jsonl task_set.yaml") != std::string::npos);
  CHECK_FALSE(content(workload, "runtime/workload/run.hpp").empty());
  CHECK(std::ranges::none_of(workload.files, [](const auto& file) { return file.path.ends_with(".cuh"); }));
}

TEST_CASE("a non-preemptive pool becomes one thread pool by priority point; traces name where the analysis left the file") {
  analysis::Options options;
  options.release = Release::completion;
  options.preemptive = false;
  const auto proof = analysis::analyze(chain().task_set, options).proof;
  CHECK(proof.dags[0].bound);
  const auto workload = validation::generate_workload(proof, "", {{"non-preemptive", "true"}});
  CHECK(content(workload, "workload.cpp").find("Order::non_preemptive") != std::string::npos);
  CHECK(content(workload, "workload.cpp").find("{\"non-preemptive\", \"true\"},") != std::string::npos);
}

TEST_CASE("slots: one more than the jobs of a node that may be under way") {
  // a alone on one processor: R = C = 25 ms with T = 10 ms is unbounded; on three processors U = 2.5 is not.
  const auto proof = proven(task_set({cpu_pool(3)}, {Dag("d", 10_ms, std::nullopt, {cpu_node("a", 25_ms)}, {})}));
  REQUIRE(proof.dags[0].nodes[0].bound);
  const std::int64_t R = proof.dags[0].nodes[0].bound->R.count();
  const auto jobs = (R + 9'999'999) / 10'000'000;
  const auto workload = validation::generate_workload(proof, "");
  CHECK(content(workload, "workload.cpp").find(fmt::format("/*bound*/ {}, /*slots*/ {}}},", R, jobs + 1)) != std::string::npos);
}

TEST_CASE("a task set without bound becomes a program with a warning, on completion; at offsets that nobody knows, none") {
  const auto set = task_set({cpu_pool(1)}, {Dag("d", 10_ms, std::nullopt, {cpu_node("a", 8_ms), cpu_node("b", 8_ms)}, {{0, 1}})});
  const auto workload = validation::generate_workload(proven(set, Release::completion), "");
  CHECK(content(workload, "workload.cpp").find("/*bound*/ -1, /*slots*/ 16},") != std::string::npos);
  CHECK(workload.warnings ==
        std::vector<std::string>{"DAG 'd' has no bound for this release; 16 jobs of each of its nodes may be under way at once"});
  CHECK_THROWS_AS((void)validation::generate_workload(proven(set), ""), UserError);
}

TEST_CASE("names of any kind stay inside their literal") {
  const std::string name = "a\"b\\c\n?\?/\xC3\xA9";
  const auto workload =
      validation::generate_workload(proven(task_set({cpu_pool(1)}, {Dag(name, 10_ms, std::nullopt, {cpu_node("n", 1_ms)}, {})})), "");
  CHECK(content(workload, "workload.cpp").find(R"("a\"b\\c\012\077\077/\303\251")") != std::string::npos);
}

TEST_CASE("GPU sets come with the CUDA runtime; launches that CUDA does not have are refused") {
  const auto make = [](std::uint64_t B, std::uint32_t H) {
    const auto set = task_set({cpu_pool(1), gpu_pool(1, 4096)}, {Dag("d", 1_s, std::nullopt, {gpu_node("k", B, H, 1_us)}, {})});
    return validation::generate_workload(proven(set), "");
  };
  const auto workload = make(4, 1024);
  CHECK(workload.needs_cuda);
  CHECK_FALSE(content(workload, "workload.cu").empty());
  CHECK_FALSE(content(workload, "runtime/common/spin.cuh").empty());
  CHECK_THROWS_AS(make(4, 1025), UserError);
  CHECK_THROWS_AS(make(1ULL << 30U, 32), UserError);
}

namespace {

Dag on_threads(std::string name, std::uint32_t threads, std::vector<Node> nodes, std::vector<Edge> edges, Time T = 10_ms) {
  DagAttributes attributes;
  attributes.threads = threads;
  return Dag(std::move(name), T, std::nullopt, std::move(nodes), std::move(edges), attributes);
}

}  // namespace

TEST_CASE("threads play their DAG's nodes along the path: the program has the order, and no edges to follow") {
  // c -> a -> b.
  const auto set = task_set({cpu_pool(1, Scheduler::fifo)},
                            {on_threads("d", 2, {cpu_node("a", 1_ms), cpu_node("b", 1_ms), cpu_node("c", 1_ms)}, {{2, 0}, {0, 1}})});
  const std::string text = content(validation::generate_workload(proven(set, Release::completion), ""), "workload.cpp");
  CHECK(text.find("const unsigned body_0_0[] = {2, 0, 1};\nconst Body bodies_0[] = {\n    {body_0_0, 3, 2, false, false},\n};\n") !=
        std::string::npos);
  CHECK(text.find("nodes_0, 3, nullptr, 0, 0, bodies_0, 1},") != std::string::npos);
  CHECK(text.find("/*timed*/ true") == text.find("/*timed*/", text.find("{\"c\"")));  // c alone is released
  CHECK(text.find("/*slots*/ 2, /*body*/ 0},") != std::string::npos);
}

TEST_CASE("a limit of jobs under way is in the program's table") {
  DagAttributes attributes;
  attributes.in_flight = 3;
  const auto set = task_set({cpu_pool(1, Scheduler::fifo)}, {Dag("d", 10_ms, std::nullopt, {cpu_node("a", 1_ms)}, {}, attributes)});
  const std::string text = content(validation::generate_workload(proven(set, Release::completion), ""), "workload.cpp");
  CHECK(text.find("nodes_0, 1, nullptr, 0, 0, nullptr, 0, 3},") != std::string::npos);
}

TEST_CASE("groups: a thread for each, which is released at the group's offset; edges join what is released") {
  // a, k, b are a group, and so are c and d; a kernel without group stands between them. b ends before what the group's thread does last.
  const auto grouped = [](Node node, const char* group) {
    node.group = group;
    return node;
  };
  const auto set = task_set(
      {cpu_pool(2), gpu_pool(1, 2048)},
      {Dag("dag", 100_ms, std::nullopt,
           {grouped(cpu_node("c", 1_ms), "second"), grouped(cpu_node("a", 1_ms), "first"), grouped(gpu_node("k", 1, 32, 1_ms), "first"),
            gpu_node("alone", 1, 32, 1_ms), grouped(cpu_node("b", 1_ms), "first"), grouped(cpu_node("d", 1_ms), "second")},
           {{1, 2}, {2, 4}, {1, 4}, {4, 3}, {3, 0}, {0, 5}, {4, 5}})});
  const auto make = [&](analysis::Granularity granularity) {
    analysis::Options options;
    options.granularity = granularity;
    const auto proof = analysis::analyze(set, options).proof;
    REQUIRE(proof.dags[0].bound);
    return content(validation::generate_workload(proof, ""), "workload.cu");
  };
  const auto row = [](const std::string& text, const std::string& node) {
    const std::size_t at = text.find("{\"" + node + "\", ");
    REQUIRE(at != std::string::npos);
    return text.substr(at, text.find('\n', at) - at);
  };
  const std::string coarse = make(analysis::Granularity::coarse);
  CHECK(coarse.find("const Edge edges_0[] = {{1, 0}, {1, 3}, {3, 0}};\n") != std::string::npos);
  CHECK(coarse.find("const unsigned body_0_0[] = {0, 5};\nconst unsigned body_0_1[] = {1, 2, 4};\n"
                    "const Body bodies_0[] = {\n    {body_0_0, 2, 1, true, false},\n    {body_0_1, 3, 1, true, false},\n};\n") !=
        std::string::npos);
  for (const char* released : {"a", "c"}) {
    CHECK(row(coarse, released).find("/*sequential*/ true, /*timed*/ true") != std::string::npos);
    CHECK(row(coarse, released).find("/*slots*/ 1, /*body*/ ") != std::string::npos);
  }
  for (const char* inner : {"k", "b", "d"}) CHECK(row(coarse, inner).find("/*sequential*/ false, /*timed*/ false") != std::string::npos);
  CHECK(row(coarse, "alone").find("/*timed*/ true") != std::string::npos);
  CHECK(row(coarse, "alone").find("/*body*/") == std::string::npos);
  CHECK(row(coarse, "c").find("/*offset*/ 0,") == std::string::npos);
  const std::string monolithic = make(analysis::Granularity::monolithic);
  CHECK(monolithic.find("const Edge") == std::string::npos);
  CHECK(monolithic.find("const unsigned body_0_0[] = {1, 2, 4, 3, 0, 5};\n") != std::string::npos);
  analysis::Options options;
  options.granularity = analysis::Granularity::coarse;
  options.preemptive = false;
  CHECK_THROWS_AS((void)validation::generate_workload(analysis::analyze(set, options).proof, ""), UserError);
}

TEST_CASE("threads that wait for processors in another order than that of arrival, or beside DAGs that do not, are refused") {
  const auto make = [](Scheduler scheduler, std::vector<Dag> dags) {
    (void)validation::generate_workload(proven(task_set({cpu_pool(2, scheduler)}, std::move(dags)), Release::completion), "");
  };
  const Dag two = on_threads("two", 2, {cpu_node("a", 1_ms)}, {}), one = on_threads("one", 1, {cpu_node("a", 1_ms)}, {});
  make(Scheduler::g_edf, {two});
  make(Scheduler::fifo, {two, one});
  CHECK_THROWS_WITH_AS(
      make(Scheduler::g_edf, {two, one}),
      "pool 'cpu': 3 threads (`threads`) for 2 processors under G-EDF; generated programs let threads wait for a processor "
      "in order of arrival alone (scheduler: FIFO)",
      UserError);
  CHECK_THROWS_WITH_AS(
      make(Scheduler::fifo, {one, Dag("plain", 10_ms, std::nullopt, {cpu_node("a", 1_ms)}, {})}),
      "pool 'cpu': DAG 'one' is played by threads (`threads`) that stand in a queue for its processors, DAG 'plain' is not; "
      "generated programs need pools of processors of their own for DAGs on threads",
      UserError);
}

TEST_CASE("a partition is not run as if it were the whole GPU") {
  Pool part = gpu_pool(2, 2048, "gpu/a");
  std::get<GpuPool>(part.resource).partition = Partition{.gpu = "gpu", .name = "a", .kind = PartitionKind::mig, .of = 4, .rest = false};
  const auto set = task_set({cpu_pool(1), part}, {Dag("d", 1_s, std::nullopt, {gpu_node("k", 1, 32, 1_us)}, {})});
  CHECK_THROWS_WITH_AS((void)validation::generate_workload(proven(set), ""),
                       "pool 'gpu/a' is a partition of GPU 'gpu' of kind mig; generated programs make green contexts alone (kind: green)",
                       UserError);
}

TEST_CASE("blocks of a kernel by its duration are so long that their waves take it together") {
  // An SM of 1536 holds 6 blocks of 256, two SMs 12: 30 blocks are 3 waves, of 3333 ns in 10 us; of 1 us, the longest of a block, if that
  // is said.
  GpuPool gpu;
  gpu.sms = 2;
  gpu.sm.threads = 1536;
  const auto row = [&](const GpuDemand& demand) {
    Node kernel = gpu_node("k", 30, 256, 10_us);
    kernel.demand = demand;
    const auto set = task_set({cpu_pool(1), {"gpu", gpu}}, {Dag("d", 1_s, std::nullopt, {kernel}, {})});
    const std::string text = content(validation::generate_workload(proven(set), ""), "workload.cu");
    const std::size_t begin = text.find("{\"k\", ");
    REQUIRE(begin != std::string::npos);
    return text.substr(begin, text.find(", /*stream_priority*/", begin) - begin);
  };
  auto k = std::get<GpuDemand>(gpu_node("k", 30, 256, 10_us).demand);
  k.time = 10_us;
  const char* const rest = "/*blocks*/ 30, /*threads*/ 256, /*shared_memory*/ 0, /*registers*/ 0, /*blocks_per_sm*/ 6";
  CHECK(row(k) == fmt::format("{{\"k\", /*pool*/ 1, /*length*/ 3333, /*longest*/ 3333, {}", rest));
  auto less = std::get<GpuDemand>(gpu_node("k", 30, 256, 1_us).demand);
  less.time = 10_us;
  CHECK(row(less) == fmt::format("{{\"k\", /*pool*/ 1, /*length*/ 1000, /*longest*/ 1000, {}", rest));
  // Two blocks of 768 fill the threads of an SM, where nobody knows its blocks; one of 1536 is more than CUDA has.
  CHECK(row(kernel_by_time(10_us, gpu)) ==
        "{\"k\", /*pool*/ 1, /*length*/ 10000, /*longest*/ 10000, /*blocks*/ 4, /*threads*/ 768, /*shared_memory*/ 0, /*registers*/ 0, "
        "/*blocks_per_sm*/ 2");
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
    const auto set = task_set({cpu_pool(1), {"gpu", gpu}}, {Dag("d", 1_s, std::nullopt, {kernel}, {})});
    return content(validation::generate_workload(proven(set), ""), "workload.cu");
  };
  const auto row = [](std::uint32_t H, std::uint64_t shared_memory, std::uint32_t registers, std::uint64_t per_sm) {
    return fmt::format("/*blocks*/ 4, /*threads*/ {}, /*shared_memory*/ {}, /*registers*/ {}, /*blocks_per_sm*/ {}, /*stream_priority*/ 0",
                       H, shared_memory, registers, per_sm);
  };
  CHECK(make(64, 0, 0).find(row(64, 0, 0, 16)) != std::string::npos);         // block slots
  CHECK(make(250, 0, 0).find(row(250, 0, 0, 6)) != std::string::npos);        // 8 warps each
  CHECK(make(256, 0, 40).find(row(256, 0, 40, 6)) != std::string::npos);      // 65536 / (40 * 256) = 6.4
  CHECK(make(256, 0, 60).find(row(256, 0, 60, 4)) != std::string::npos);      // allocated 64 each
  CHECK(make(32, 10000, 0).find(row(32, 10000, 0, 5)) != std::string::npos);  // 65536 / (10000 + 1024, in units of 128) = 5.9
  CHECK(make(32, 0, 0).find("return {common::spin<0>};") != std::string::npos);
  CHECK(make(32, 0, 40).find(
            "return {common::spin<0>, common::spin<8>, common::spin<16>, common::spin<24>, common::spin<26>, common::spin<32>};") !=
        std::string::npos);
  CHECK(make(32, 0, 255).find("return {common::spin<0>, common::spin<224>, common::spin<232>, common::spin<240>};") != std::string::npos);
}
