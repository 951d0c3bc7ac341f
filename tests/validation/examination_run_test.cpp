// Generated examinations, built for a fake CUDA and really run: tables, order of issue, processes, traces, measures, options. What is
// checked holds on any machine, however loaded.
#include <doctest/doctest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "examination_programs.hpp"
#include "process/tool.hpp"

using namespace rta;
using namespace rta::test;
using validation::ProbeProgram;
using validation::ProcessLayout;

namespace {

std::map<std::string, trace::JobRecord> by_node(const ReadTrace& trace) {
  std::map<std::string, trace::JobRecord> jobs;
  for (const auto& job : trace.jobs) jobs.emplace(job.job.node, job);
  return jobs;
}

const trace::CheckRecord& check_named(const ReadTrace& trace, std::string_view name) {
  const auto at = std::ranges::find(trace.checks, name, &trace::CheckRecord::name);
  REQUIRE(at != trace.checks.end());
  return *at;
}

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace

TEST_CASE("every run of a probe is a trace that readers take: one DAG, its operations, blocks and copies") {
  const TemporaryFolder folder;
  const auto probe = every_kind_of_operation();
  build_on_fake_gpu(std::vector{probe}, folder.path);
  const auto output = folder.path / "deep" / "traces";
  const auto ran =
      process::run_tool({(folder.path / "examine").string(), "--probe", probe.name, "--repeat", "3", "--output", output.string()});
  INFO(ran.text);
  REQUIRE(ran.status == 0);
  CHECK(names_in(output) == std::vector<std::string>{"every-kind_1.0-000.jsonl", "every-kind_1.0-001.jsonl", "every-kind_1.0-002.jsonl"});
  const auto operations = probe.experiment.operations();
  for (const auto& name : names_in(output)) {
    const ReadTrace trace = read_trace(output / name);
    CHECK(trace.complete);
    CHECK(trace.header.source == "measurement");
    CHECK(trace.header.task_set == probe.experiment.name());
    CHECK(trace.header.device == "a \"fake\" GPU");
    REQUIRE(trace.header.clock_error.has_value());
    const Time error = *trace.header.clock_error + 1_us;
    REQUIRE(trace.dags.size() == 1);
    CHECK(trace.dags[0].job == trace::Job{probe.experiment.name(), "", 0});
    CHECK(trace.dags[0].release == 0_ns);
    const auto jobs = by_node(trace);
    REQUIRE(jobs.size() == operations.size());
    for (const Operation& operation : operations) {
      CAPTURE(operation.name);
      const auto& job = jobs.at(operation.name);
      CHECK(job.job.dag == probe.experiment.name());
      // Issued at its instant or after those that it waits for, never before; runs for L or C.
      CHECK(job.release >= operation.at);
      CHECK(job.start + error >= job.release);
      CHECK(job.end <= trace.dags[0].end);
      for (const std::size_t before : operation.after) CHECK(job.release + error >= jobs.at(operations[before].name).end + operation.delay);
      const auto* kernel = std::get_if<GpuDemand>(&operation.demand);
      if (kernel != nullptr) CHECK(job.end - job.start + 50_us >= kernel->L);  // less one step of the timer
      const auto blocks = std::ranges::count(trace.blocks, operation.name, [](const auto& block) { return block.job.node; });
      const auto copies = std::ranges::count(trace.copies, operation.name, [](const auto& copy) { return copy.job.node; });
      CHECK(blocks == (kernel != nullptr ? static_cast<std::ptrdiff_t>(kernel->B) : 0));
      CHECK(copies == (kernel != nullptr ? 0 : 1));
    }
    for (const auto& block : trace.blocks) {
      CHECK(block.sm == block.block % 4);
      CHECK(block.start >= jobs.at(block.job.node).start);
      CHECK(block.end <= jobs.at(block.job.node).end);
    }
    for (const auto& copy : trace.copies) CHECK(copy.engine == (copy.job.node == "out" ? 1 : 0));
    for (const char* check : {"SM clock", "clock of the GPU", "other processes on the GPU", "throttling"})
      CHECK_FALSE(check_named(trace, check).text.empty());
    CHECK_FALSE(check_named(trace, "issue times").text.empty());
  }
}

TEST_CASE("calls are made by threads of their own, at their instants, and leave a run each in the trace") {
  const TemporaryFolder folder;
  std::vector<Operation> operations{kernel_operation("K", "S", 0_ms, 20_ms)};
  for (const GpuCall& call : gpu_calls()) {
    if (call.copies) continue;
    Operation made;
    made.name = call.name;
    made.pool = 2;
    made.demand = CallDemand{&call};
    made.stream = call.awaits == Awaited::stream ? "S" : "";
    made.at = 1_ms;
    operations.push_back(made);
  }
  operations.push_back(after(kernel_operation("last", "S2", 0_ms, 1_ms), {1}));
  const auto threads = static_cast<std::uint32_t>(operations.size() - 2);
  const Experiment all(
      "calls", {gpu_pool(4, 2048), {"copy", EnginePool{2}}, {std::string(calling_threads), CpuPool{.processors = threads}}}, operations);
  build_on_fake_gpu(std::vector{ProbeProgram{"calls", all}}, folder.path);
  const auto ran = process::run_tool({(folder.path / "examine").string(), "--probe", "calls", "--repeat", "2", "-o", folder.path.string()});
  INFO(ran.text);
  REQUIRE(ran.status == 0);
  for (const char* name : {"calls-000.jsonl", "calls-001.jsonl"}) {
    const ReadTrace trace = read_trace(folder.path / name);
    CHECK(trace.complete);
    const auto jobs = by_node(trace);
    REQUIRE(jobs.size() == operations.size());
    CHECK(trace.runs.size() == threads);
    for (const GpuCall& call : gpu_calls()) {
      if (call.copies) continue;
      CAPTURE(call.name);
      const auto& job = jobs.at(std::string(call.name));
      CHECK(job.release >= 1_ms);
      CHECK(job.end > job.start);
      // The fake device's calls wait for what they name.
      if (call.awaits == Awaited::device && call.holds == HeldStreams::none) CHECK(job.end + 2_ms >= jobs.at("K").end);
    }
    CHECK(jobs.at("last").release + *trace.header.clock_error + 1_us >= jobs.at(operations[1].name).end);
  }
}

TEST_CASE("operations of one instant are issued in their order, by streams and whatever their rows") {
  const TemporaryFolder folder;
  std::vector<Operation> operations;
  operations.reserve(40);
  for (int o = 0; o < 40; ++o)
    operations.push_back(kernel_operation("K" + std::to_string(o), "S" + std::to_string(o % 7), o < 20 ? 1_ms : 0_ms, 100_us, 1));
  build_on_fake_gpu(std::vector{ProbeProgram{"order", experiment("order", operations)}}, folder.path);
  REQUIRE(process::run_tool({(folder.path / "examine").string(), "--probe", "order", "-o", folder.path.string()}).status == 0);
  auto jobs = read_trace(folder.path / "order-000.jsonl").jobs;
  std::ranges::sort(jobs, {}, &trace::JobRecord::release);
  for (std::size_t j = 0; j < jobs.size(); ++j) CHECK(jobs[j].job.node == "K" + std::to_string((j + 20) % 40));
}

TEST_CASE("a process per stream: operations of one wait for those of another, all on one clock") {
  const TemporaryFolder folder;
  const std::vector<ProbeProgram> probes{
      {"two",
       experiment("two", {kernel_operation("first", "A", 0_ms, 2_ms), kernel_operation("second", "B", 1_ms, 2_ms),
                          after(kernel_operation("third", "B", 0_ms, 1_ms), {0, 1}, 1_ms),
                          after(kernel_operation("fourth", "A", 0_ms, 1_ms), {2})}),
       ProcessLayout::processes}};
  build_on_fake_gpu(probes, folder.path);
  const auto ran = process::run_tool({(folder.path / "examine").string(), "--probe", "two", "--repeat", "4", "-o", folder.path.string()});
  INFO(ran.text);
  REQUIRE(ran.status == 0);
  for (const char* name : {"two-000.jsonl", "two-001.jsonl", "two-002.jsonl", "two-003.jsonl"}) {
    const ReadTrace trace = read_trace(folder.path / name);
    CHECK(trace.complete);
    const auto jobs = by_node(trace);
    REQUIRE(jobs.size() == 4);
    CHECK(jobs.at("first").release >= 0_ms);
    CHECK(jobs.at("second").release >= 1_ms);
    const Time error = *trace.header.clock_error + 1_us;
    CHECK(jobs.at("third").release + error >= std::max(jobs.at("first").end, jobs.at("second").end) + 1_ms);
    CHECK(jobs.at("fourth").release + error >= jobs.at("third").end);
    CHECK(trace.blocks.size() == 8);
  }
}

TEST_CASE("registers that the compiler did not give a kernel make a run invalid; a kernel that does not fit ends the program") {
  const TemporaryFolder folder;
  Operation hungry = kernel_operation("hungry", "S", 0_ms, 1_ms);
  std::get<GpuDemand>(hungry.demand).registers_per_thread = 64;
  Operation large = kernel_operation("large", "S", 0_ms, 1_ms);
  std::get<GpuDemand>(large.demand).shared_memory = 1 << 20;
  build_on_fake_gpu(std::vector{ProbeProgram{"hungry", experiment("e", {hungry})}, ProbeProgram{"large", experiment("e", {large})}},
                    folder.path);
  const std::string program = (folder.path / "examine").string();
  REQUIRE(process::run_tool({program, "--probe", "hungry", "-o", folder.path.string()}).status == 0);
  const auto check = check_named(read_trace(folder.path / "hungry-000.jsonl"), "device");
  CHECK(check.outcome == "failed");
  CHECK(check.text == "hungry: 24 registers per thread instead of 64");
  const auto refused = process::run_tool({program, "--probe", "large", "-o", folder.path.string()});
  CHECK(refused.status == 2);
  CHECK(refused.text.find("large: a block of 64 threads and 1048576 bytes of shared memory does not fit") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder.path / "large-000.jsonl"));
}

TEST_CASE("limits and measures are JSON of the fields that readers ask for") {
  const TemporaryFolder folder;
  build_on_fake_gpu({}, folder.path);
  const std::string program = (folder.path / "examine").string();
  const auto limits = process::run_tool({program, "--limits"});
  REQUIRE(limits.status == 0);
  const auto json = nlohmann::json::parse(limits.text);
  CHECK(json.at("device") == "a \"fake\" GPU");
  CHECK(json.at("compute_capability") == "9.0");
  CHECK(json.at("sms") == 4);
  CHECK(json.at("threads_per_sm") == 2048);
  CHECK(json.at("reserved_shared_per_block") == 1024);
  CHECK(json.at("priority_levels") == 6);
  CHECK(json.at("compute_mode") == "default");
  for (const char* name : {"dispatch_latency", "kernel_switch", "resident_grids", "processes", "process_preemption"})
    check_measure(folder.path, name);
}

TEST_CASE("what cannot be run is refused with status 2, and nothing is written") {
  const TemporaryFolder folder;
  const Experiment one = experiment("e", {kernel_operation("K", "S", 0_ms, 1_ms)});
  build_on_fake_gpu(std::vector{ProbeProgram{"p", one}, ProbeProgram{"q", one, ProcessLayout::processes}}, folder.path);
  const std::string program = (folder.path / "examine").string();
  CHECK(process::run_tool({program, "--help"}).status == 0);
  const std::string out = (folder.path / "out").string();
  const std::vector<std::vector<std::string>> wrong = {{},
                                                       {"--probe", "r", "-o", out},
                                                       {"--probe", "p"},
                                                       {"--probe", "p", "-o", ""},
                                                       {"--probe", "p", "-o", out, "--repeat", "0"},
                                                       {"--probe", "p", "-o", out, "--repeat", "1e3"},
                                                       {"--probe", "p", "-o", out, "--device", "-1"},
                                                       {"--probe", "p", "--limits", "-o", out},
                                                       {"--measure", "speed"},
                                                       {"--nonsense"},
                                                       {"--probe"}};
  for (std::vector<std::string> words : wrong) {
    CAPTURE(words.empty() ? "" : words.back());
    words.insert(words.begin(), program);
    const auto ran = process::run_tool(words);
    CHECK(ran.status == 2);
    CHECK(ran.text.starts_with("examine: "));
  }
  CHECK_FALSE(std::filesystem::exists(out));
  // A device that cannot be used, here or in the process of a stream.
  setenv("FAKE_BROKEN", "1", 1);
  for (const std::string name : {"p", "q"}) {
    const auto broken = process::run_tool({program, "--probe", name, "-o", out});
    CHECK(broken.status == 2);
    CHECK(broken.text.find("the fake device is broken") != std::string::npos);
  }
  unsetenv("FAKE_BROKEN");
  CHECK_FALSE(std::filesystem::exists(out));
  // A folder that cannot be made, and a trace that cannot be written.
  CHECK(process::run_tool({program, "--probe", "p", "-o", (folder.path / "examine" / "x").string()}).status == 2);
  std::filesystem::create_directories(folder.path / "taken" / "p-000.jsonl" / "x");
  CHECK(process::run_tool({program, "--probe", "p", "-o", (folder.path / "taken").string()}).status == 2);
  CHECK(names_in(folder.path / "taken") == std::vector<std::string>{"p-000.jsonl"});
}

TEST_CASE("asked to end, it leaves whole traces only") {
  const TemporaryFolder folder;
  const auto operations = std::vector{kernel_operation("A", "S", 0_ms, 20_ms), kernel_operation("B", "T", 5_ms, 20_ms)};
  build_on_fake_gpu(std::vector{ProbeProgram{"threads", experiment("e", operations)},
                                ProbeProgram{"processes", experiment("e", operations), ProcessLayout::processes}},
                    folder.path);
  for (const std::string name : {"threads", "processes"}) {
    CAPTURE(name);
    const std::string program = (folder.path / "examine").string();
    const auto output = folder.path / ("of-" + name);
    const std::string text = output.string();
    const char* arguments[] = {program.c_str(), "--probe", name.c_str(), "--repeat", "100000", "--output", text.c_str(), nullptr};
    pid_t child = 0;
    REQUIRE(posix_spawn(&child, program.c_str(), nullptr, nullptr, const_cast<char**>(arguments), environ) == 0);
    for (int i = 0; i < 24'000 && !std::filesystem::exists(output / (name + "-001.jsonl")); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    kill(child, SIGTERM);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 2);
    const auto traces = names_in(output);
    CHECK(traces.size() >= 2);
    for (const auto& trace : traces) {
      CHECK(trace.ends_with(".jsonl"));
      CHECK(read_trace(output / trace).complete);
    }
  }
}
