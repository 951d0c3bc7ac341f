// What a file says is what the task set holds.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "messages.hpp"
#include "rta/io/canonical_json.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/model/kernel_time.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::test;

namespace {

TaskSet read(std::string_view text) {
  io::ReadResult result = io::parse_task_set(text, "dir/f.yaml");
  CHECK(result.warnings.empty());
  return std::move(result.task_set);
}

const auto& gpu_demand(const TaskSet& set) { return std::get<GpuDemand>(set.dags()[0].nodes()[0].demand); }

Time cpu_time(const std::string& C) {
  const TaskSet set =
      read("platform: {cpu: {processors: 1}}\ntime_unit: us\ntasks: [{name: t, on: cpu, T: 1 s, sequential: true, C: " + C + "}]");
  return std::get<CpuDemand>(set.dags()[0].nodes()[0].demand).C;
}

TaskSet one_kernel(const std::string& gpu, const std::string& kernel) {
  return io::parse_task_set("platform: {gpu: {" + gpu + "}}\ntasks: [{name: k, on: gpu, T: 1 s, " + kernel + "}]", "f.yaml").task_set;
}

}  // namespace

TEST_CASE("Names behind characters of several bytes") {
  const TaskSet set = read(R"(# größer als µs, →
platform: {prüfstand: {processors: 1}}
tasks: [{name: größe, on: prüfstand, T: 5 ms, C: 1 ms}, {name: "\u00e4b", on: 'prüfstand', T: 50 ms, C: 15 µs}]
)");
  CHECK(set.pools()[0].name == "prüfstand");
  CHECK(set.dags()[0].name() == "größe");
  CHECK(set.dags()[1].name() == "äb");
  CHECK(set.dags()[1].period() == Time(50'000'000));
  CHECK(std::get<CpuDemand>(set.dags()[1].nodes()[0].demand).C == Time(15'000));
}

TEST_CASE("Every key of the format") {
  const TaskSet set = read(R"(
platform:
  socket0: {processors: 8, scheduler: G-FL}
  socket1: {processors: 4}
  titan:   {device: titan-v}
  orin:    {sms: 16, threads: 1536, threads_per_block: 768, blocks: 16, shared_memory: 164 KiB, registers: 65536, warp: 32,
            shared_memory_unit: 128 B, shared_memory_reserved: 1 KiB, register_unit: 256}
  copy:    {engines: 2}
  worker:  {workers: 160, dispatch_overhead: 4 us}
dags:
  - name: camera
    copies: 2
    T: 33 ms
    D: 100 ms
    nodes:
      capture:  {on: socket0, C: 1.2 ms}
      upload:   {on: copy, C: 300 us, direction: h2d}
      gradient: {on: titan, B: 120, H: 256, L: 210 us}
      classify: {on: orin, B: 64, H: 128, C: 12.8 ms, per: block, shared_memory: 8 KiB, registers: 40, priority: high}
      items:    {on: worker, B: 24, L: 150 us}
      detect:   {on: socket1, C: 4 ms, D: 20 ms, group: tail, sequential: true}
    edges:
      - capture -> upload -> gradient -> classify
      - {from: classify, to: items, cut: true}
      - {path: items->detect, cut: false}
tasks:
  - {name: tau1, on: titan, C: 3072 us, per: block, T: 5 us, D: 7 us, B: 2, H: 1024}
  - {name: logger, copies: 2, on: socket1, C: 1 ms, T: 10 ms}
)");
  CHECK(set.name() == "f.yaml");

  REQUIRE(set.pools().size() == 6);
  CHECK(set.pools()[0] == Pool{"socket0", CpuPool{8, Scheduler::g_fl}});
  CHECK(set.pools()[1] == Pool{"socket1", CpuPool{4, Scheduler::g_edf}});
  CHECK(std::get<GpuPool>(set.pools()[2].resource).device == "titan-v");
  CHECK(std::get<GpuPool>(set.pools()[2].resource).sms == 80);
  GpuPool orin;
  orin.sms = 16;
  orin.sm = {1536, 768, 16, 164 * 1024, 65536};
  orin.allocation = {32, 128, 1024, 256};
  CHECK(set.pools()[3] == Pool{"orin", orin});
  CHECK(set.pools()[4] == Pool{"copy", EnginePool{2}});
  CHECK(set.pools()[5] == Pool{"worker", WorkerPool{160, 4_us}});

  std::vector<Node> nodes{cpu_node("capture", 1200_us, 0),          cpu_node("upload", 0_ns, 4), gpu_node("gradient", 120, 256, 210_us, 2),
                          gpu_node("classify", 64, 128, 100_us, 3), cpu_node("items", 0_ns, 5),  cpu_node("detect", 4_ms, 1)};
  nodes[1].demand = CopyDemand{300_us, Direction::h2d};
  auto& classify = std::get<GpuDemand>(nodes[3].demand);
  classify.shared_memory = 8192;
  classify.registers_per_thread = 40;
  classify.priority = high_priority;
  nodes[4].demand = WorkerDemand{24, 150_us};
  nodes[5].deadline = 20_ms;
  nodes[5].group = "tail";
  nodes[5].sequential = true;
  const std::vector<Edge> edges{{0, 1, false}, {1, 2, false}, {2, 3, false}, {3, 4, true}, {4, 5, false}};
  REQUIRE(set.dags().size() == 5);
  CHECK(set.dags()[0] == Dag("camera[0]", 33_ms, 100_ms, nodes, edges));
  CHECK(set.dags()[1] == Dag("camera[1]", 33_ms, 100_ms, nodes, edges));

  // The deadline of a short-form task is its DAG's and its node's; L = 3072 us / 1024 = 3 us.
  Node tau1 = gpu_node("tau1", 2, 1024, 3_us, 2);
  tau1.deadline = 7_us;
  CHECK(set.dags()[2] == Dag("tau1", 5_us, 7_us, {tau1}, {}));
  CHECK(set.dags()[3] == Dag("logger[0]", 10_ms, std::nullopt, {cpu_node("logger", 1_ms, 1)}, {}));
  CHECK(set.dags()[4] == Dag("logger[1]", 10_ms, std::nullopt, {cpu_node("logger", 1_ms, 1)}, {}));
}

TEST_CASE("Stream priorities are numbers, of which low and high name the least two, and are written as they are read") {
  const std::string head = "platform: {gpu: {sms: 2, threads: 64}}\ntasks:\n";
  for (const auto& [text, priority, written] :
       {std::tuple{"low", 0U, "L: 1 us}"}, std::tuple{"0", 0U, "L: 1 us}"}, std::tuple{"high", 1U, "priority: high}"},
        std::tuple{"1", 1U, "priority: high}"}, std::tuple{"2", 2U, "priority: 2}"}, std::tuple{"255", 255U, "priority: 255}"}}) {
    const std::string kernel = "  - {name: a, on: gpu, T: 1 ms, B: 1, H: 32, L: 1 us, priority: " + std::string(text) + "}\n";
    CAPTURE(kernel);
    const auto set = io::parse_task_set(head + kernel, "f.yaml").task_set;
    CHECK(std::get<GpuDemand>(set.dags()[0].nodes()[0].demand).priority == priority);
    CHECK(io::format_task_set(set).find(written) != std::string::npos);
    const std::string canonical = io::canonical_json(set);
    CHECK(canonical.find(priority > 1    ? "\"priority\": " + std::to_string(priority)
                         : priority == 1 ? "\"priority\": \"high\""
                                         : "\"priority\": \"low\"") != std::string::npos);
  }
}

TEST_CASE("Decimals are exact, in every unit") {
  CHECK(cpu_time("0.1 ms") == 100_us);
  CHECK(cpu_time("0.000000001 s") == 1_ns);
  CHECK(cpu_time("2.50s") == 2500_ms);
  CHECK(cpu_time("007 ns") == 7_ns);
  CHECK(cpu_time("0.3 ms") == 300_us);  // 0.3 x 10^6 in floating point is 299999.99…
  CHECK(cpu_time("9223372036.854775807 s") == Time(9'223'372'036'854'775'807));
  CHECK(cpu_time("1.0000000000000000000000000000000000000000000000 us") == 1_us);
  CHECK(cpu_time("0 s") == 0_ns);
  CHECK(cpu_time("12") == 12_us);  // time_unit
  CHECK(cpu_time("\"3 ms\"") == 3_ms);
}

TEST_CASE("Times that vary below the worst case") {
  const TaskSet set = io::parse_task_set(R"(
platform: {cpu: {processors: 1}, gpu: {sms: 1, threads: 1024, warp: 1}, copy: {engines: 1}, worker: {workers: 2}}
time_unit: us
dags:
  - name: d
    T: 1 s
    nodes:
      plain: {on: cpu, C: 2}
      cpu:   {on: cpu, C: {max: 2 ms, min: 1 ms}}
      copy:  {on: copy, C: {min: 0, max: 30, mode: 7}}
      item:  {on: worker, B: 2, L: {max: 30, min: 30, mode: 30}}
      block: {on: gpu, B: 2, H: 100, L: {max: 30, min: 10}}
      work:  {on: gpu, B: 2, H: 300, C: {max: 1000 ns, min: 400 ns, mode: 900 ns}}
)",
                                         "f.yaml")
                          .task_set;
  const auto nodes = set.dags()[0].nodes();
  CHECK(!nodes[0].variation);
  CHECK(nodes[1].variation == Variation{1_ms, std::nullopt});
  CHECK(longest_piece(nodes[1]) == 2_ms);
  CHECK(nodes[2].variation == Variation{0_ns, 7_us});
  CHECK(nodes[3].variation == Variation{30_us, 30_us});
  CHECK(nodes[4].variation == Variation{10_us, std::nullopt});
  // A workload is spread over H threads: L = ceil(1000/300) = 4 ns, shortest 400/300 = 1 ns, likeliest 900/300 = 3 ns.
  CHECK(longest_piece(nodes[5]) == 4_ns);
  CHECK(nodes[5].variation == Variation{1_ns, 3_ns});
}

TEST_CASE("Sizes: bytes, KiB, MiB") {
  CHECK(gpu_demand(one_kernel("sms: 1, threads: 64", "B: 1, H: 32, L: 1 us, shared_memory: 100 B")).shared_memory == 100);
  CHECK(gpu_demand(one_kernel("sms: 1, threads: 64", "B: 1, H: 32, L: 1 us, shared_memory: 1.5 KiB")).shared_memory == 1536);
  CHECK(gpu_demand(one_kernel("sms: 1, threads: 64", "B: 1, H: 32, L: 1 us, shared_memory: 2 MiB")).shared_memory == 2'097'152);
}

TEST_CASE("L is C/H rounded up, C is L x H") {
  // 1000 / 96 = 10.4…
  const TaskSet from_C = one_kernel("sms: 1, threads: 2048", "B: 1, H: 96, C: 1000 ns");
  CHECK(gpu_demand(from_C).L == 11_ns);
  CHECK(gpu_demand(from_C).C == Workload(1000));
  const TaskSet from_L = one_kernel("sms: 1, threads: 2048", "B: 1, H: 96, L: 11 ns");
  CHECK(gpu_demand(from_L).C == Workload(1056));
}

TEST_CASE("H is rounded up to whole warps, with a warning; the added threads run as long as the others") {
  const std::string text = "platform: {gpu: {device: titan-v}}\ntasks: [{name: k, on: gpu, T: 1 s, B: 1, H: 100, C: 1000 ns, per: block}]";
  const io::ReadResult result = io::parse_task_set(text, "f.yaml");
  // L = 1000/100 = 10, not 1000/128 rounded up = 8; C = 10 x 128.
  CHECK(gpu_demand(result.task_set).H == 128);
  CHECK(gpu_demand(result.task_set).L == 10_ns);
  CHECK(gpu_demand(result.task_set).C == Workload(1280));
  REQUIRE(result.warnings.size() == 1);
  CHECK(result.warnings[0].text() == "f.yaml:2:45: task 'k': H: 100 is rounded up to 128, whole warps of 32 G-threads");

  const TaskSet as_written = one_kernel("device: titan-v, warp: 1", "B: 1, H: 100, C: 1000 ns");
  CHECK(gpu_demand(as_written).H == 100);
  CHECK(gpu_demand(as_written).C == Workload(1000));
}

TEST_CASE("A device's description may be changed key by key") {
  const TaskSet set = one_kernel("device: titan-v, sms: 40, shared_memory: unlimited, blocks: 16", "B: 1, H: 32, L: 1 us");
  const auto& gpu = std::get<GpuPool>(set.pools()[0].resource);
  CHECK(gpu.sms == 40);
  CHECK(gpu.sm.blocks == 16);
  CHECK_FALSE(gpu.sm.shared_memory.has_value());
  CHECK(gpu.sm.threads == 2048);
  CHECK(gpu.device == "titan-v");
}

TEST_CASE("Sets as in the literature: threads only, blocks as large as an SM") {
  const auto gpu = std::get<GpuPool>(one_kernel("sms: 1, threads: 4", "B: 1, H: 4, L: 1 us").pools()[0].resource);
  CHECK(gpu.sm.blocks == 32);
  CHECK(gpu.sm.threads_per_block == 4);
  CHECK_FALSE(gpu.sm.shared_memory.has_value());
  CHECK_FALSE(gpu.sm.registers.has_value());
  CHECK(gpu.allocation == Allocation{});
  CHECK(gpu_demand(one_kernel("sms: 1, threads: 2048, threads_per_block: 2048", "B: 1, H: 2048, L: 1 us")).H == 2048);
}

TEST_CASE("cpu and gpu stand for the only pool of that kind; a pool of that very name comes first") {
  CHECK(read("platform: {a: {device: tx2}, b: {processors: 1}}\ntasks: [{name: t, on: cpu, C: 1 ms, T: 1 s}]").dags()[0].nodes()[0].pool ==
        1);
  CHECK(read("platform: {a: {processors: 1}, cpu: {processors: 1}}\ntasks: [{name: t, on: cpu, C: 1 ms, T: 1 s}]")
            .dags()[0]
            .nodes()[0]
            .pool == 1);
}

TEST_CASE("DAGs stand in the order of the file") {
  const TaskSet set = read(
      "platform: {cpu: {processors: 1}}\n"
      "tasks: [{name: t, on: cpu, C: 1 ms, T: 1 s}]\n"
      "dags: [{name: d, T: 1 s, nodes: {a: {on: cpu, C: 1 ms}}, edges: []}]\n");
  REQUIRE(set.dags().size() == 2);
  CHECK(set.dags()[0].name() == "t");
  CHECK(set.dags()[1].name() == "d");
}

TEST_CASE("Numbers as large as the types hold") {
  const TaskSet set = one_kernel("sms: 1, threads: 32", "B: 9223372036854775807, H: 32, L: 9223372036854775807 ns");
  CHECK(gpu_demand(set).B == 9'223'372'036'854'775'807U);
  CHECK(gpu_demand(set).C == Workload(static_cast<Wide>(9'223'372'036'854'775'807) * 32));
  const TaskSet by_C = one_kernel("sms: 1, threads: 32", "B: 1, H: 32, C: 295147905179352825824 ns");  // (2^63 - 1) x 32
  CHECK(gpu_demand(by_C).L == Time(9'223'372'036'854'775'807));
}

TEST_CASE("Windows line ends, a byte order mark, a document start and a tab before a unit are read") {
  const TaskSet set = read(
      "\xEF\xBB\xBF%YAML 1.2\r\n---\r\nplatform: {cpu: {processors: 1}}\r\ntasks:\r\n- {name: t, on: cpu, C: 1\tms, T: 1 s}\r\n...\r\n");
  CHECK(std::get<CpuDemand>(set.dags()[0].nodes()[0].demand).C == 1_ms);
}

TEST_CASE("Names may be words that YAML takes for something else, when quoted, and Unicode") {
  const TaskSet set = read(
      "platform: {\"null\": {processors: 1}}\ntasks: [{name: größe, on: \"null\", C: 1 ms, T: 1 s}, {name: 12, on: cpu, C: 0 s, T: 1 s}]");
  CHECK(set.pools()[0].name == "null");
  CHECK(set.dags()[0].name() == "größe");
  CHECK(set.dags()[1].name() == "12");
}

TEST_CASE("Microseconds with the micro sign and the Greek letter") {
  CHECK(cpu_time("2 \u00b5s") == 2_us);
  CHECK(cpu_time("2.5 \u03bcs") == 2500_ns);
}

TEST_CASE("A rate as a period, rounded down to whole ns") {
  const auto T = [](const std::string& rate) {
    return read("platform: {cpu: {processors: 1}}\ntasks: [{name: t, on: cpu, C: 1 ns, T: " + rate + "}]").dags()[0].period();
  };
  CHECK(T("100 Hz") == 10_ms);
  CHECK(T("30 Hz") == 33'333'333_ns);     // 10^9 / 30 = 33333333.3
  CHECK(T("29.97 Hz") == 33'366'700_ns);  // 10^15 / 29970000 = 33366700.03
  CHECK(T("2 kHz") == 500_us);
}

TEST_CASE("Lists of nodes in edges: every node before to every node after") {
  const TaskSet set = read(R"(
platform: {cpu: {processors: 1}}
dags:
  - name: d
    T: 1 s
    nodes: {a: {on: cpu, C: 1 ms}, b: {on: cpu, C: 1 ms}, c: {on: cpu, C: 1 ms}, e: {on: cpu, C: 1 ms}}
    edges:
      - a -> [b, c] -> e
)");
  CHECK(std::ranges::equal(set.dags()[0].edges(), std::vector<Edge>{{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
}

TEST_CASE("The duration of a whole kernel: no block lasts longer") {
  // 2 SMs x 2048 G-threads hold 16 blocks of 256: 64 blocks run in 4 waves.
  const auto read = [](const std::string& kernel) {
    return io::parse_task_set("platform: {gpu: {sms: 2, threads: 2048}}\ntasks: [{name: k, on: gpu, T: 1 s, " + kernel + "}]", "f.yaml");
  };
  const auto result = read("B: 64, H: 256, time: 2 ms");
  const GpuDemand& kernel = gpu_demand(result.task_set);
  CHECK(kernel.L == 2_ms);
  CHECK(kernel.C == Workload(Wide{512'000'000}));
  CHECK(kernel.time == 2_ms);
  CHECK(result.warnings.empty());
  CHECK_FALSE(result.bare_C);
  const auto& gpu = std::get<GpuPool>(result.task_set.pools()[0].resource);
  CHECK(places(kernel, gpu) == 16);
  CHECK(duration_alone(kernel, gpu) == 2_ms);
  CHECK(duration_alone(gpu_demand(read("B: 64, H: 256, L: 1 ms").task_set), gpu) == 4_ms);
  CHECK(duration_alone(gpu_demand(read("B: 64, H: 256, L: 1 ms, time: 5 ms").task_set), gpu) == 4_ms);
  CHECK(duration_alone(gpu_demand(read("B: 64, H: 256, L: 1 ms, time: 3 ms").task_set), gpu) == 3_ms);
}

TEST_CASE("A kernel of which only the duration is known has the whole GPU for so long") {
  const auto result = io::parse_task_set(
      "platform: {gpu: {sms: 3, threads: 1536, warp: 32}}\ntasks: [{name: k, on: gpu, T: 1 s, time: {max: 2 ms, min: 1 ms}, priority: 3}]",
      "f.yaml");
  const GpuDemand& kernel = gpu_demand(result.task_set);
  const auto& gpu = std::get<GpuPool>(result.task_set.pools()[0].resource);
  CHECK(kernel == kernel_by_time(2_ms, gpu, StreamPriority{3}));
  CHECK_FALSE(kernel.has_blocks);
  CHECK(kernel.B == 3);
  CHECK(kernel.H == 1536);
  CHECK(duration_alone(kernel, gpu) == 2_ms);
  CHECK(result.task_set.dags()[0].nodes()[0].variation == Variation{1_ms, std::nullopt});
}

TEST_CASE("Durations of kernels are written and read back") {
  for (const char* kernel : {"time: 2 ms", "time: {max: 2 ms, min: 1 ms, mode: 1 ms}, priority: high", "B: 64, H: 256, time: 2 ms",
                             "B: 64, H: 256, time: {max: 2 ms, min: 1 us}", "B: 64, H: 256, L: {max: 1 ms, min: 1 us}, time: 2 ms",
                             "B: 64, H: 256, L: 2 ms, time: 2 ms", "B: 64, H: 256, C: 1000 ns, per: block, time: 4 ns, registers: 32"}) {
    CAPTURE(kernel);
    const TaskSet set =
        io::parse_task_set("platform: {gpu: {sms: 2, threads: 2048}}\ntasks: [{name: k, on: gpu, T: 1 s, " + std::string(kernel) + "}]",
                           "f.yaml")
            .task_set;
    CHECK(io::parse_task_set(io::format_task_set(set), "g.yaml").task_set == set);
    CHECK(io::parse_task_set(io::canonical_json(set), "h.yaml").task_set == set);
  }
}

TEST_CASE("C of a kernel without `per: block` is warned of with both readings") {
  const std::string text = "platform: {gpu: {sms: 2, threads: 2048}}\ntasks: [{name: k, on: gpu, T: 10 ms, B: 512, H: 256, C: 2 ms}]";
  const auto as_block = io::parse_task_set(text, "f.yaml");
  CHECK(as_block.bare_C);
  CHECK(gpu_demand(as_block.task_set).L == 7813_ns);  // 2 ms / 256 = 7812.5 ns
  REQUIRE(as_block.warnings.size() == 1);
  CHECK(as_block.warnings[0].message.find("L = C/H = 7813 ns; write `per: block` if that is meant, and `time: 2 ms`") != std::string::npos);
  CHECK(gpu_demand(io::parse_task_set(text, "f.yaml", io::BareC::kernel).task_set).L == 2_ms);
  const auto said = io::parse_task_set(
      "platform: {gpu: {sms: 2, threads: 2048}}\ntasks: [{name: k, on: gpu, T: 10 ms, B: 512, H: 256, C: 2 ms, per: block}]", "f.yaml");
  CHECK(said.warnings.empty());
  CHECK(said.task_set == as_block.task_set);
}

TEST_CASE("A node whose C is longer than T may overlap itself: a hint at `sequential`") {
  const auto warnings = [](const std::string& more) {
    return io::parse_task_set("platform: {cpu: {processors: 2}}\ntasks: [{name: t, on: cpu, T: 10 ms, C: 15 ms" + more + "}]", "f.yaml")
        .warnings;
  };
  REQUIRE(warnings("").size() == 1);
  CHECK(warnings("")[0].message.find("C of 't' is longer than T, and its successive jobs may run at the same time; `sequential: true`") !=
        std::string::npos);
  CHECK(warnings(", sequential: true").empty());
}

TEST_CASE("A register file's parts are those of the device or as given") {
  const auto parts = [](const std::string& gpu) {
    const auto read = io::parse_task_set(
        "platform: {gpu: {" + gpu + "}}\ntasks: [{name: k, on: gpu, T: 1 s, B: 1, L: 1 us, H: 224, registers: 96}]", "f.yaml");
    CHECK(read.warnings.empty());
    return std::get<GpuPool>(read.task_set.pools()[0].resource).allocation.register_parts;
  };
  CHECK(parts("device: h200") == 4);
  CHECK(parts("device: h200, register_parts: 2") == 2);
  CHECK(parts("sms: 1, threads: 2048, registers: 65536") == 1);
  CHECK(parts("sms: 1, threads: 2048, registers: 65536, register_parts: 4") == 4);
}
