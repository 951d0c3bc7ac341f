// Generated examinations, built with a fake GPU and really run: tables, order of issue, processes, traces, options. What is checked holds
// on any machine, however loaded.
#include <doctest/doctest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

#include "examination_programs.hpp"

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
  build_fake_examination(std::vector{probe}, folder.path);
  const auto output = folder.path / "deep" / "traces";
  const auto ran =
      validation::run_tool({(folder.path / "examine").string(), "--probe", probe.name, "--repeat", "3", "--output", output.string()});
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
    CHECK(trace.header.clock_error == Time(700));
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
      CHECK(job.start >= job.release);
      CHECK(job.end <= trace.dags[0].end);
      for (const std::size_t before : operation.after) CHECK(job.release >= jobs.at(operations[before].name).end + operation.delay);
      const auto* kernel = std::get_if<GpuDemand>(&operation.demand);
      const Time length = kernel != nullptr ? kernel->L : std::get<CopyDemand>(operation.demand).C;
      CHECK(job.end - job.start >= length);
      const auto blocks = std::ranges::count(trace.blocks, operation.name, [](const auto& block) { return block.job.node; });
      const auto copies = std::ranges::count(trace.copies, operation.name, [](const auto& copy) { return copy.job.node; });
      CHECK(blocks == (kernel != nullptr ? static_cast<std::ptrdiff_t>(kernel->B) : 0));
      CHECK(copies == (kernel != nullptr ? 0 : 1));
    }
    for (const auto& block : trace.blocks) {
      CHECK(block.sm == block.block % 4);
      CHECK(block.start == jobs.at(block.job.node).start);
    }
    for (const auto& copy : trace.copies) CHECK(copy.engine == (copy.job.node == "out" ? 1 : 0));
    CHECK(check_named(trace, "SM clock").outcome == "ok");
    CHECK(check_named(trace, "throttling").outcome == "ok");
    CHECK(check_named(trace, "other processes on the GPU").outcome == "ok");
    CHECK_FALSE(check_named(trace, "issue times").text.empty());
  }
}

TEST_CASE("operations of one instant are issued in their order, by streams and whatever their rows") {
  const TemporaryFolder folder;
  std::vector<Operation> operations;
  for (int o = 0; o < 40; ++o)
    operations.push_back(kernel_operation("K" + std::to_string(o), "S" + std::to_string(o % 7), o < 20 ? 1_ms : 0_ms, 100_us, 1));
  build_fake_examination(std::vector{ProbeProgram{"order", experiment("order", operations)}}, folder.path);
  REQUIRE(validation::run_tool({(folder.path / "examine").string(), "--probe", "order", "-o", folder.path.string()}).status == 0);
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
  build_fake_examination(probes, folder.path);
  const auto ran =
      validation::run_tool({(folder.path / "examine").string(), "--probe", "two", "--repeat", "4", "-o", folder.path.string()});
  INFO(ran.text);
  REQUIRE(ran.status == 0);
  for (const char* name : {"two-000.jsonl", "two-001.jsonl", "two-002.jsonl", "two-003.jsonl"}) {
    const ReadTrace trace = read_trace(folder.path / name);
    CHECK(trace.complete);
    const auto jobs = by_node(trace);
    REQUIRE(jobs.size() == 4);
    CHECK(jobs.at("first").release >= 0_ms);
    CHECK(jobs.at("second").release >= 1_ms);
    CHECK(jobs.at("third").release >= std::max(jobs.at("first").end, jobs.at("second").end) + 1_ms);
    CHECK(jobs.at("fourth").release >= jobs.at("third").end);
    CHECK(trace.blocks.size() == 8);
  }
}

TEST_CASE("a disturbed run says so in its trace") {
  const TemporaryFolder folder;
  build_fake_examination(std::vector{ProbeProgram{"p", experiment("e", {kernel_operation("K", "S", 0_ms, 1_ms)})}}, folder.path);
  setenv("FAKE_NEWCOMER", "1", 1);
  const auto ran = validation::run_tool({(folder.path / "examine").string(), "--probe", "p", "-o", folder.path.string()});
  unsetenv("FAKE_NEWCOMER");
  REQUIRE(ran.status == 0);
  const auto check = check_named(read_trace(folder.path / "p-000.jsonl"), "other processes on the GPU");
  CHECK(check.outcome == "failed");
  CHECK(check.text == "4 came while the examination ran");  // five, of which one is ours
}

TEST_CASE("what cannot be run is refused with status 2, and nothing is written") {
  const TemporaryFolder folder;
  build_fake_examination(std::vector{ProbeProgram{"p", experiment("e", {kernel_operation("K", "S", 0_ms, 1_ms)})}}, folder.path);
  const std::string program = (folder.path / "examine").string();
  CHECK(validation::run_tool({program, "--help"}).status == 0);
  const std::string out = (folder.path / "out").string();
  const std::vector<std::vector<std::string>> wrong = {{},
                                                       {"--probe", "q", "-o", out},
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
    const auto ran = validation::run_tool(words);
    CHECK(ran.status == 2);
    CHECK(ran.text.starts_with("examine: "));
  }
  CHECK_FALSE(std::filesystem::exists(out));
  // A folder that cannot be made, and a trace that cannot be written.
  CHECK(validation::run_tool({program, "--probe", "p", "-o", (folder.path / "examine" / "x").string()}).status == 2);
  std::filesystem::create_directories(folder.path / "taken" / "p-000.jsonl" / "x");
  CHECK(validation::run_tool({program, "--probe", "p", "-o", (folder.path / "taken").string()}).status == 2);
  CHECK(names_in(folder.path / "taken") == std::vector<std::string>{"p-000.jsonl"});
}

TEST_CASE("asked to end, it leaves whole traces only") {
  const TemporaryFolder folder;
  const auto operations = std::vector{kernel_operation("A", "S", 0_ms, 20_ms), kernel_operation("B", "T", 5_ms, 20_ms)};
  build_fake_examination(std::vector{ProbeProgram{"threads", experiment("e", operations)},
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
    for (int i = 0; i < 2000 && !std::filesystem::exists(output / (name + "-002.jsonl")); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    kill(child, SIGTERM);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 2);
    const auto traces = names_in(output);
    CHECK(traces.size() >= 3);
    for (const auto& trace : traces) {
      CHECK(trace.ends_with(".jsonl"));
      CHECK(read_trace(output / trace).complete);
    }
  }
}
