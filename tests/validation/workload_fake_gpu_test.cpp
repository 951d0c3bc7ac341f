// A workload with every kind of pool, built for a fake CUDA and really run. What is checked holds on any machine, however loaded.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "built_workload.hpp"
#include "fake_gpu.hpp"
#include "process/tool.hpp"
#include "rta/analysis/analyze.hpp"
#include "rta/model/kernel_time.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::test;

namespace {

/// The folder of the program, which is built once: grab (CPU) -> upload (copy) -> kernel (GPU) -> items (workers), T = 500 ms.
const std::filesystem::path& every_kind() {
  static const TemporaryFolder folder;
  static bool built = false;
  if (built) return folder.path;

  analysis::Options options;
  options.release = Release::completion;
  Node upload = gpu_node("upload", 1, 1, 100_us, 2);
  upload.demand = CopyDemand{100_us, Direction::h2d};  // short, since pinned memory is for the longest copy
  Node items = gpu_node("items", 1, 1, 1_ms, 3);
  items.demand = WorkerDemand{3, 1_ms};
  Node kernel = gpu_node("kernel", 4, 128, 3_ms);
  std::get<GpuDemand>(kernel.demand).priority = 3;
  const auto analysis = analysis::analyze(
      task_set({cpu_pool(1), gpu_pool(4, 2048), {"copy", EnginePool{1}}, {"worker", WorkerPool{2, 100_us}}},
               {Dag("d", 500_ms, std::nullopt, {cpu_node("grab", 1_ms), upload, kernel, items}, {{0, 1}, {1, 2}, {2, 3}})}),
      options);
  validation::write_workload(validation::generate_workload(analysis.proof, "text"), folder.path);
  compile_for_fake_gpu({"-I" + (folder.path / "runtime").string(), "-x", "c++", (folder.path / "workload.cu").string(), "-o",
                        (folder.path / "workload").string()});
  built = true;
  return folder.path;
}

/// Beside GPU pools a worker pool needs a device of its own.
std::vector<std::string> short_run(std::vector<std::string> more) {
  std::vector<std::string> options{"--warmup", "0ms", "--scheduling", "other", "--device", "worker=1"};
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

process::ToolOutput run_refused(const std::vector<std::string>& options) {
  std::vector<std::string> words{(every_kind() / "workload").string(), "--output", (every_kind() / "refused.jsonl").string()};
  words.insert(words.end(), options.begin(), options.end());
  auto ran = process::run_tool(words);
  CHECK(ran.status == 2);
  return ran;
}

/// Outcome and text of the checks of a name.
std::vector<std::pair<std::string, std::string>> checks_named(const ReadTrace& trace, std::string_view name) {
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& check : trace.checks) {
    if (check.name == name) found.emplace_back(check.outcome, check.text);
  }
  return found;
}

/// An environment variable for as long as this lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { unsetenv(name_); }

 private:
  const char* name_;
};

}  // namespace

TEST_CASE("kernels, copies and items of a workload all end, in their order, with a record of each") {
  const auto trace = run_workload(
      every_kind(), {"--duration", "2s", "--warmup", "500ms", "--trace-level", "block", "--scheduling", "other", "--device", "worker=1"});
  CHECK(trace.complete);
  CHECK(trace.lost == 0);
  CHECK(trace.header.device == "a \"fake\" GPU, a \"fake\" GPU");
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
  const auto device = checks_named(trace, "device of gpu");
  REQUIRE(!device.empty());
  CHECK(device.front() == std::pair<std::string, std::string>{"ok", "a \"fake\" GPU with 4 SMs of 2048 threads"});
  for (const auto& check : device) {
    CAPTURE(check.second);
    CHECK(check.first != "failed");  // without the right to SCHED_FIFO there is a warning
  }
}

TEST_CASE("a kernel that does not fit is named before anything is launched") {
  const Variable nothing_fits("FAKE_BLOCKS_PER_SM", "0");
  const auto refused = run_refused(short_run({"--duration", "10ms"}));
  CHECK(refused.text ==
        "workload: d/kernel: a block of 128 threads with 24 registers each and 0 bytes of shared memory does not fit on an SM of "
        "this device\n");
}

TEST_CASE("a device with fewer stream priorities than the task set is refused") {
  const Variable few("FAKE_PRIORITY_LEVELS", "3");
  const auto refused = run_refused(short_run({"--duration", "10ms"}));
  CHECK(refused.text == "workload: d/kernel: its stream priority is 3, this device has 0 to 2\n");
}

TEST_CASE("pools whose bounds presume a device of their own are not put on one") {
  CHECK(run_refused({}).text.starts_with("workload: pools 'gpu' and 'worker' are both on CUDA device 0: "));
  CHECK(run_refused({"--device", "gpu=1", "--device", "worker=1"}).text.find("both on CUDA device 1: ") != std::string::npos);
}

TEST_CASE("one job of each node: its streams were used before, its blocks are on the host's clock, fewer blocks per SM are noticed") {
  const Variable fewer("FAKE_BLOCKS_PER_SM", "3");
  const Variable slow("FAKE_FIRST_USE_MS", "150");
  // A job that is the first on its stream takes that long on any machine; on a busy one others may, now and then.
  bool all_short = false;
  for (int attempt = 0; attempt < 8 && !all_short; ++attempt) {
    const auto trace = run_workload(every_kind(), short_run({"--duration", "10ms", "--trace-level", "block", "--write", "end"}));
    CHECK(trace.jobs.size() == 4);
    all_short = std::ranges::all_of(trace.jobs, [](const auto& job) { return job.end - job.release < 150_ms; });
    std::map<std::string, trace::JobRecord> jobs;
    for (const auto& job : trace.jobs) jobs.emplace(job.job.node, job);
    CHECK(trace.blocks.size() == 4 + 3);
    for (const auto& block : trace.blocks) {  // the fake GPU's clock is 5 s ahead
      CHECK(block.start + 1_s >= jobs.at(block.job.node).release);
      CHECK(block.end <= jobs.at(block.job.node).end + 1_s);
    }
    const auto checks = checks_named(trace, "device of gpu");
    REQUIRE(checks.size() >= 2);
    CHECK(checks[1] ==
          std::pair<std::string, std::string>("failed", "d/kernel: an SM of this device holds 3 of its blocks, one of the pool 16"));
    CHECK(checks_named(trace, "clock of device 1").size() == 1);
  }
  CHECK(all_short);
}

TEST_CASE("partitions are green contexts: kernels run on the SMs of theirs alone, and it is checked that they do") {
  const auto part = [](const std::string& name, std::uint32_t sms, bool rest) {
    Pool pool = gpu_pool(sms, 2048, "gpu/" + name);
    std::get<GpuPool>(pool.resource).partition = Partition{.gpu = "gpu", .name = name, .kind = PartitionKind::green, .of = 4, .rest = rest};
    return pool;
  };
  analysis::Options options;
  options.release = Release::completion;
  const auto analysis = analysis::analyze(
      task_set({part("a", 2, false), part("c", 1, false), part("b", 1, true)},
               {Dag("d", 500_ms, std::nullopt,
                    {gpu_node("left", 6, 128, 1_ms, 0), gpu_node("right", 4, 128, 1_ms, 2), gpu_node("middle", 2, 128, 1_ms, 1)},
                    {{0, 1}, {0, 2}})}),
      options);
  const TemporaryFolder folder;
  validation::write_workload(validation::generate_workload(analysis.proof, "text"), folder.path);
  compile_for_fake_gpu({"-I" + (folder.path / "runtime").string(), "-x", "c++", (folder.path / "workload.cu").string(), "-o",
                        (folder.path / "workload").string()});
  const std::vector<std::string> once{"--duration", "10ms", "--warmup", "0ms", "--trace-level", "block", "--scheduling", "other"};
  const auto trace = run_workload(folder.path, once);
  CHECK(trace.blocks.size() == 12);
  for (const auto& block : trace.blocks) {
    CHECK((block.sm == 3) == (block.job.node == "right"));
    CHECK((block.sm == 2) == (block.job.node == "middle"));
  }
  using Check = std::pair<std::string, std::string>;
  CHECK(checks_named(trace, "device of gpu/a").front() == Check{"ok", "a \"fake\" GPU with 4 SMs of 2048 threads"});
  CHECK(checks_named(trace, "SMs of gpu/a") == std::vector<Check>{{"ok", "blocks ran on 2 of its 2"}});
  CHECK(checks_named(trace, "SMs of gpu/b") == std::vector<Check>{{"ok", "blocks ran on 1 of its 1"}});
  {
    const Variable overlap("FAKE_PARTITIONS_OVERLAP", "1");
    const auto wrong = run_workload(folder.path, once);
    CHECK(checks_named(wrong, "SMs of gpu/a") == std::vector<Check>{{"failed", "its blocks ran on 4 SMs"}});
    CHECK(checks_named(wrong, "SMs of gpu/b").front().first == "failed");
  }
  const auto refused = [&](const char* more, const char* value) {
    std::vector<std::string> words{(folder.path / "workload").string(), "--output", (folder.path / "refused.jsonl").string(), more, value};
    const auto ran = process::run_tool(words);
    CHECK(ran.status == 2);
    return ran.text;
  };
  CHECK(
      refused("--tasks", "processes").starts_with("workload: --tasks processes: pool 'gpu/a' is a green context, which is of one process"));
  const Variable more("FAKE_MORE_SMS", "1");
  CHECK(refused("--duration", "10ms") == "pool 'gpu/a': the device makes a green context of 3 SMs of 2\n");
}

TEST_CASE("threads issue copies, kernels and items themselves, wait for each, and leave their processor meanwhile") {
  Node upload = gpu_node("upload", 1, 1, 100_us, 2);
  upload.demand = CopyDemand{100_us, Direction::h2d};
  Node items = gpu_node("items", 1, 1, 1_ms, 3);
  items.demand = WorkerDemand{3, 1_ms};
  DagAttributes attributes;
  attributes.threads = 1;
  // The camera's kernel takes 20 ms, and frames come every 10 ms; meanwhile the log has the only processor.
  const auto analysis = analysis::analyze(
      task_set({cpu_pool(1, Scheduler::fifo), gpu_pool(4, 2048), {"copy", EnginePool{1}}, {"worker", WorkerPool{2, 100_us}}},
               {Dag("camera", 10_ms, std::nullopt,
                    {cpu_node("grab", 1_ms), upload, gpu_node("kernel", 4, 128, 20_ms), gpu_node("second", 4, 128, 1_ms), items,
                     cpu_node("show", 1_ms)},
                    {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}, attributes),
                Dag("log", 5_ms, std::nullopt, {cpu_node("write", 1_ms)}, {}, attributes)}));
  const TemporaryFolder folder;
  validation::write_workload(validation::generate_workload(analysis.proof, "text"), folder.path);
  compile_for_fake_gpu({"-I" + (folder.path / "runtime").string(), "-x", "c++", (folder.path / "workload.cu").string(), "-o",
                        (folder.path / "workload").string()});
  const auto trace = run_workload(folder.path, short_run({"--duration", "80ms", "--trace-level", "block"}));
  CHECK(trace.complete);
  std::map<std::pair<std::string, std::uint64_t>, trace::JobRecord> jobs;
  for (const auto& job : trace.jobs) jobs.emplace(std::pair(job.job.node, job.job.job), job);
  std::map<std::string, std::size_t> blocks;
  for (const auto& block : trace.blocks) ++blocks[block.job.node];
  CHECK(blocks == std::map<std::string, std::size_t>{{"items", 24}, {"kernel", 32}, {"second", 32}});
  CHECK(trace.copies.size() == 8);
  const std::vector<std::string> path{"grab", "upload", "kernel", "second", "items", "show"};
  for (std::uint64_t j = 0; j < 8; ++j) {
    for (std::size_t i = 1; i < path.size(); ++i) CHECK(jobs.at({path[i], j}).start >= jobs.at({path[i - 1], j}).end);
    if (j > 0) CHECK(jobs.at({"grab", j}).start >= jobs.at({"show", j - 1}).end);
  }
  // Had the camera kept its processor, the log would not have run during any of its kernels.
  const auto writes_during_kernel = [](const std::vector<trace::JobRecord>& played) {
    return std::ranges::any_of(played, [&](const auto& job) {
      return job.job.node == "write" && std::ranges::any_of(played, [&](const auto& kernel) {
               return kernel.job.node == "kernel" && kernel.start <= job.start && job.end <= kernel.end;
             });
    });
  };
  bool seen = writes_during_kernel(trace.jobs);
  // On a busy machine the log may be kept from running for as long as kernels do.
  for (int again = 0; again < 5 && !seen; ++again) {
    std::filesystem::remove(folder.path / "trace.jsonl");
    seen = writes_during_kernel(run_workload(folder.path, short_run({"--duration", "80ms", "--trace-level", "block"})).jobs);
  }
  CHECK(seen);
}

TEST_CASE("threads that spin keep their processor while a kernel runs, and others wait for it") {
  Node items = gpu_node("items", 1, 1, 1_ms, 2);
  items.demand = WorkerDemand{3, 1_ms};
  DagAttributes attributes;
  attributes.threads = 1;
  attributes.wait = Wait::spin;
  const auto analysis = analysis::analyze(task_set(
      {cpu_pool(1, Scheduler::fifo), gpu_pool(4, 2048), {"worker", WorkerPool{2, 100_us}}},
      {Dag("camera", 40_ms, std::nullopt, {cpu_node("grab", 1_ms), gpu_node("kernel", 4, 128, 10_ms), items, cpu_node("show", 1_ms)},
           {{0, 1}, {1, 2}, {2, 3}}, attributes),
       Dag("log", 5_ms, std::nullopt, {cpu_node("write", 500_us)}, {}, attributes)}));
  const TemporaryFolder folder;
  validation::write_workload(validation::generate_workload(analysis.proof, "text"), folder.path);
  compile_for_fake_gpu({"-I" + (folder.path / "runtime").string(), "-x", "c++", (folder.path / "workload.cu").string(), "-o",
                        (folder.path / "workload").string()});
  const auto trace = run_workload(folder.path, short_run({"--duration", "160ms", "--trace-level", "block"}));
  CHECK(trace.complete);
  std::map<std::pair<std::string, std::uint64_t>, trace::JobRecord> jobs;
  for (const auto& job : trace.jobs) jobs.emplace(std::pair(job.job.node, job.job.job), job);
  for (std::uint64_t j = 0; j < 4; ++j) {
    const Time begin = jobs.at({"grab", j}).start;
    const Time end = jobs.at({"show", j}).end;
    for (std::uint64_t write = 0; write < 32; ++write) {
      const auto& job = jobs.at({"write", write});
      CHECK((job.end <= begin || job.start >= end));
    }
  }
}

TEST_CASE("groups: each is played by a thread of its own, one job at a time, after the groups before it, with its kernels awaited") {
  const auto grouped = [](Node node, const char* group) {
    node.group = group;
    return node;
  };
  const auto set = task_set({cpu_pool(2), gpu_pool(4, 2048)},
                            {Dag("d", 20_ms, std::nullopt,
                                 {grouped(cpu_node("launch", 1_ms), "g"), grouped(gpu_node("kernel", 4, 128, 3_ms), "g"),
                                  grouped(cpu_node("await", 1_ms), "g"), gpu_node("alone", 4, 128, 1_ms), cpu_node("last", 1_ms)},
                                 {{0, 1}, {1, 2}, {2, 3}, {3, 4}})});
  analysis::Options options;
  options.granularity = analysis::Granularity::coarse;
  const auto analysis = analysis::analyze(set, options);
  REQUIRE(analysis.proof.dags[0].bound);
  const TemporaryFolder folder;
  validation::write_workload(validation::generate_workload(analysis.proof, "text", {{"granularity", "coarse"}}), folder.path);
  compile_for_fake_gpu({"-I" + (folder.path / "runtime").string(), "-x", "c++", (folder.path / "workload.cu").string(), "-o",
                        (folder.path / "workload").string()});
  const auto trace = run_workload(folder.path, {"--duration", "100ms", "--warmup", "0ms", "--trace-level", "block"});
  CHECK(trace.complete);
  CHECK(trace.header.release == "grouped");
  CHECK(trace.dags.size() == 5);
  CHECK(trace.blocks.size() == 5 * 8);
  CHECK(trace.runs.size() == 5 * 3);
  std::map<std::pair<std::string, std::uint64_t>, trace::JobRecord> jobs;
  for (const auto& job : trace.jobs) jobs.emplace(std::pair(job.job.node, job.job.job), job);
  const std::vector<std::string> path{"launch", "kernel", "await", "alone", "last"};
  for (std::uint64_t j = 0; j < 5; ++j) {
    for (std::size_t i = 1; i < path.size(); ++i) CHECK(jobs.at({path[i], j}).start >= jobs.at({path[i - 1], j}).end);
    if (j > 0) CHECK(jobs.at({"launch", j}).start >= jobs.at({"await", j - 1}).end);
    const auto reference = [&](NodeId task) { return *analysis.proof.dags[0].nodes[task].reference; };
    CHECK(jobs.at({"alone", j}).start >= 20_ms * static_cast<std::int64_t>(j) + reference(1));
    CHECK(jobs.at({"last", j}).start >= 20_ms * static_cast<std::int64_t>(j) + reference(2));
  }
}

TEST_CASE("kernels by their durations: blocks that fill every SM for so long, and waves that share it") {
  Node engine = gpu_node("engine", 1, 1, 1_ms, 0);
  const Pool pool = gpu_pool(4, 2048);
  engine.demand = kernel_by_time(20_ms, std::get<GpuPool>(pool.resource));
  Node waves = gpu_node("waves", 16, 1024, 20_ms, 0);  // 8 at once
  std::get<GpuDemand>(waves.demand).time = 20_ms;
  analysis::Options options;
  options.release = Release::completion;
  const auto analysis = analysis::analyze(task_set({pool}, {Dag("d", 500_ms, std::nullopt, {engine, waves}, {{0, 1}})}), options);
  const TemporaryFolder folder;
  validation::write_workload(validation::generate_workload(analysis.proof, "text"), folder.path);
  compile_for_fake_gpu({"-I" + (folder.path / "runtime").string(), "-x", "c++", (folder.path / "workload.cu").string(), "-o",
                        (folder.path / "workload").string()});
  const auto trace =
      run_workload(folder.path, {"--duration", "10ms", "--warmup", "0ms", "--trace-level", "block", "--scheduling", "other"});
  std::map<std::string, std::size_t> blocks;
  for (const auto& block : trace.blocks) {
    ++blocks[block.job.node];
    CHECK(block.end - block.start >= (block.job.node == "engine" ? 19_ms : 9_ms));  // less a step of the timer
  }
  CHECK(blocks == std::map<std::string, std::size_t>{{"engine", 8}, {"waves", 16}});
  for (const auto& check : checks_named(trace, "device of gpu")) {
    CAPTURE(check.second);
    CHECK(check.first != "failed");
  }
}
