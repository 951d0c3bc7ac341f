// Generated programs, really built and really run. What is checked holds on any machine, however loaded: counts, order, instants before
// which nothing may happen. Whether response times stay within bounds is a matter of the machine.
#include <doctest/doctest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <thread>

#include "built_workload.hpp"
#include "process/tool.hpp"
#include "rta/analysis/analyze.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::test;

namespace {

// Two DAGs on one processor, utilization 0.35: `cam` T = 20 ms, grab (2 ms) -> {left (1 ms), right (1 ms)} -> join (1 ms); `log` T = 50 ms,
// 5 ms.
analysis::Proof diamond(Scheduler scheduler, Release release = Release::offsets, bool preemptive = true) {
  analysis::Options options;
  options.preemptive = preemptive;
  options.release = release;
  return analysis::analyze(task_set({cpu_pool(1, scheduler)},
                                    {Dag("cam", 20_ms, std::nullopt,
                                         {cpu_node("grab", 2_ms), cpu_node("left", 1_ms), cpu_node("right", 1_ms), cpu_node("join", 1_ms)},
                                         {{0, 1}, {0, 2}, {1, 3}, {2, 3}}),
                                     Dag("log", 50_ms, std::nullopt, {cpu_node("write", 5_ms)}, {})}),
                           options)
      .proof;
}

using Key = std::pair<std::string, std::uint64_t>;  // node, job

void check_common(const ReadTrace& trace, std::uint64_t first_cam, std::uint64_t cams, std::uint64_t logs) {
  CHECK(trace.complete);
  CHECK(trace.lost == 0);
  std::set<std::pair<std::string, std::uint64_t>> seen;
  std::map<std::string, std::uint64_t> count;
  std::map<std::uint64_t, Time> cam_release;
  for (const auto& dag : trace.dags) {
    CHECK(seen.emplace(dag.job.dag, dag.job.job).second);
    ++count[dag.job.dag];
    const Time T = dag.job.dag == "cam" ? 20_ms : 50_ms;
    CHECK(dag.release == T * static_cast<std::int64_t>(dag.job.job));  // absolute releases: no drift
    if (dag.job.dag == "cam") cam_release[dag.job.job] = dag.release;
  }
  CHECK(count["cam"] == cams);
  CHECK(count["log"] == logs);
  CHECK(cam_release.begin()->first == first_cam);
  std::map<Key, trace::JobRecord> jobs;
  for (const auto& job : trace.jobs) {
    if (job.job.dag == "cam") CHECK(jobs.emplace(Key(job.job.node, job.job.job), job).second);
  }
  CHECK(jobs.size() == 4 * cams);
  for (const auto& [job, release] : cam_release) {
    const auto& grab = jobs.at({"grab", job});
    const auto& left = jobs.at({"left", job});
    const auto& right = jobs.at({"right", job});
    const auto& join = jobs.at({"join", job});
    CHECK(grab.start >= release);
    CHECK(left.start >= grab.end);
    CHECK(right.start >= grab.end);
    CHECK(join.start >= std::max(left.end, right.end));
    for (const auto* r : {&grab, &left, &right, &join}) CHECK(r->start >= r->release);
  }
}

}  // namespace

TEST_CASE("released at offsets: nothing starts before its offset, C is consumed, jobs of the warm-up are not recorded") {
  const TemporaryFolder folder;
  const analysis::Proof proof = diamond(Scheduler::g_fl);
  build_workload(proof, folder.path);
  for (const std::string scheduling : {"auto", "fifo", "other"}) {
    CAPTURE(scheduling);
    const auto trace =
        run_workload(folder.path, {"--duration", "1s", "--warmup", "200ms", "--trace-level", "block", "--scheduling", scheduling});
    check_common(trace, 10, 50, 20);  // [200, 1200) ms: cam 10 ... 59, log 4 ... 23
    CHECK(trace.header.source == "measurement");
    CHECK(trace.header.release == "offsets");
    CHECK(trace.runs.size() == 50 * 4 + 20);
    for (const auto& job : trace.jobs) {
      const DagId d = job.job.dag == "cam" ? 0 : 1;
      const auto& nodes = proof.task_set->dags()[d].nodes();
      const auto v = static_cast<NodeId>(std::ranges::find(nodes, job.job.node, &Node::name) - nodes.begin());
      const Time T = proof.task_set->dags()[d].period();
      CHECK(job.start >= T * static_cast<std::int64_t>(job.job.job) + *proof.dags[d].nodes[v].reference);
    }
    Time grab_total;
    for (const auto& run : trace.runs) {
      REQUIRE(run.consumed.has_value());
      CHECK(*run.consumed <= run.end - run.start + 1_ms);
      if (run.job.node == "grab") grab_total += *run.consumed;
    }
    CHECK(grab_total >= Time(50 * 1'980'000));  // of 50 x 2 ms; never below
    CHECK(std::ranges::any_of(trace.checks, [](const auto& check) { return check.name == "scheduling of cpu"; }));
    CHECK(std::ranges::any_of(trace.checks, [](const auto& check) { return check.name == "C"; }));
  }
}

TEST_CASE("a process per DAG: one trace of all, with the same clock") {
  const TemporaryFolder folder;
  build_workload(diamond(Scheduler::g_edf), folder.path);
  check_common(run_workload(folder.path, {"--duration", "1s", "--warmup", "0ms", "--tasks", "processes"}), 0, 50, 20);
  // Nothing but the trace is left behind.
  for (const auto& entry : std::filesystem::directory_iterator(folder.path))
    CHECK(entry.path().filename().string().find(".part") == std::string::npos);
}

TEST_CASE("a FIFO thread pool, released on completion, written at the end") {
  const TemporaryFolder folder;
  build_workload(diamond(Scheduler::fifo, Release::completion), folder.path);
  const auto trace = run_workload(folder.path, {"--duration", "1s", "--warmup", "0ms", "--write", "end"});
  check_common(trace, 0, 50, 20);
  CHECK(trace.header.release == "completion");
  // One thread serves the pool: no two jobs overlap.
  std::map<Time, Time> intervals;
  for (const auto& job : trace.jobs) intervals.emplace(job.start, job.end);
  Time last;
  for (const auto& [start, end] : intervals) {
    CHECK(start >= last);
    last = end;
  }
}

TEST_CASE("a thread pool by priority point: what has started ends before anything else starts") {
  const TemporaryFolder folder;
  build_workload(diamond(Scheduler::g_edf, Release::completion, false), folder.path);
  const auto trace = run_workload(folder.path, {"--duration", "1s", "--warmup", "0ms"});
  check_common(trace, 0, 50, 20);
  auto jobs = trace.jobs;
  std::ranges::sort(jobs, {}, &trace::JobRecord::start);
  for (std::size_t i = 1; i < jobs.size(); ++i) CHECK(jobs[i].start >= jobs[i - 1].end);
}

TEST_CASE("fixed priorities: threads at their levels, or one thread pool that takes the most urgent job first") {
  for (const bool preemptive : {true, false}) {
    CAPTURE(preemptive);
    const TemporaryFolder folder;
    build_workload(diamond(Scheduler::fp, Release::completion, preemptive), folder.path);
    const auto trace = run_workload(folder.path, {"--duration", "1s", "--warmup", "0ms"});
    check_common(trace, 0, 50, 20);
    const auto at = std::ranges::find(trace.checks, "scheduling of cpu", &trace::CheckRecord::name);
    REQUIRE(at != trace.checks.end());
    // Deadline monotonic: 2 for cam (T = 20 ms), 1 for log, the levels 3 and 2. A kernel that grants no SCHED_FIFO keeps no order.
    const bool refused = at->text.find("no SCHED_FIFO") != std::string::npos;
    if (!preemptive) {
      CHECK(at->text.find("one thread pool by fixed priority") != std::string::npos);
    } else {
      CHECK(at->text.find(refused ? "not the order of the task set" : "SCHED_FIFO, fixed priorities at levels 3, 2") != std::string::npos);
    }
  }
}

TEST_CASE("threads: each plays one job at a time, in the order of release and along the path, however many wait") {
  // 5 ms every 2 ms: jobs wait for a thread from the second on.
  for (const std::uint32_t threads : {1U, 2U}) {
    CAPTURE(threads);
    DagAttributes attributes;
    attributes.threads = threads;
    const TemporaryFolder folder;
    const auto set = task_set(
        {cpu_pool(1, Scheduler::fifo)},
        {Dag("d", 2_ms, std::nullopt, {cpu_node("b", 2_ms), cpu_node("c", 2_ms), cpu_node("a", 1_ms)}, {{2, 0}, {0, 1}}, attributes)});
    build_workload(analysis::analyze(set).proof, folder.path);
    const auto trace = run_workload(folder.path, {"--duration", "60ms", "--warmup", "0ms", "--trace-level", "block"});
    CHECK(trace.complete);
    REQUIRE(trace.dags.size() == 30);
    CHECK(trace.runs.size() == 90);
    std::map<Key, trace::JobRecord> jobs;
    for (const auto& job : trace.jobs) jobs.emplace(Key(job.job.node, job.job.job), job);
    std::map<std::uint64_t, Time> end;
    for (const auto& dag : trace.dags) end[dag.job.job] = dag.end;
    std::uint64_t together = 0;
    for (std::uint64_t j = 0; j < 30; ++j) {
      CHECK(jobs.at({"b", j}).start >= jobs.at({"a", j}).end);
      CHECK(jobs.at({"c", j}).start >= jobs.at({"b", j}).end);
      // `release` is when a thread took the job: then at most threads - 1 others are under way.
      const Time taken = jobs.at({"a", j}).release;
      if (j > 0) CHECK(taken >= jobs.at({"a", j - 1}).release);
      std::uint64_t under_way = 0;
      for (std::uint64_t i = 0; i < j; ++i) under_way += end.at(i) > taken ? 1 : 0;
      CHECK(under_way < threads);
      together += under_way;
    }
    if (threads == 2) CHECK(together > 20);
    // One processor: what runs on it does not overlap.
    auto runs = trace.runs;
    std::ranges::sort(runs, {}, &trace::RunRecord::start);
    for (std::size_t i = 1; i < runs.size(); ++i) CHECK(runs[i].start >= runs[i - 1].end);
    const auto at = std::ranges::find(trace.checks, "scheduling of cpu", &trace::CheckRecord::name);
    REQUIRE(at != trace.checks.end());
    CHECK(at->text.find("threads that wait, in the order in which they ask for a processor") != std::string::npos);
  }
}

TEST_CASE("early releasing: successors need not wait for their offset") {
  const TemporaryFolder folder;
  build_workload(diamond(Scheduler::g_edf, Release::early), folder.path);
  const auto trace = run_workload(folder.path, {"--duration", "1s", "--warmup", "0ms"});
  check_common(trace, 0, 50, 20);
  CHECK(trace.header.release == "early");
}

TEST_CASE("a run that is killed leaves a trace that reads as incomplete; one that is asked to end says so itself") {
  const TemporaryFolder folder;
  build_workload(diamond(Scheduler::g_edf), folder.path);
  for (const int signal : {SIGKILL, SIGTERM}) {
    CAPTURE(signal);
    const std::string program = (folder.path / "workload").string();
    const std::string trace = (folder.path / "cut.jsonl").string();
    const char* arguments[] = {program.c_str(), "--output", trace.c_str(), "--duration", "60s", "--warmup", "0ms", "--quiet", nullptr};
    std::error_code ignored;
    std::filesystem::remove(trace, ignored);
    pid_t child = 0;
    REQUIRE(posix_spawn(&child, program.c_str(), nullptr, nullptr, const_cast<char**>(arguments), environ) == 0);
    // Until there are records.
    for (int i = 0; i < 2000 && (!std::filesystem::exists(trace) || std::filesystem::file_size(trace) < 4000); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    kill(child, signal);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    const auto read = read_trace(trace);
    CHECK_FALSE(read.complete);
    CHECK(read.jobs.size() > 3);
    if (signal == SIGTERM) {
      CHECK(WIFEXITED(status));
      CHECK(WEXITSTATUS(status) == 1);
      CHECK_FALSE(read.checks.empty());
    }
  }
}

TEST_CASE("a generated program refuses what it cannot do") {
  const TemporaryFolder folder;
  build_workload(diamond(Scheduler::g_edf), folder.path);
  const std::string program = (folder.path / "workload").string();
  CHECK(process::run_tool({program, "--help"}).status == 0);
  const auto kept = folder.path / "kept.jsonl";
  std::ofstream(kept) << "an earlier trace";
  const std::vector<std::vector<std::string>> wrong = {
      {"--duration", "60"},   {"--duration"},          {"--nonsense"},          {"--cpus", "cpu=0-1"},   {"--cpus", "gpu=0"},
      {"--cpus", "cpu=9999"}, {"--output", "/none/x"}, {"--tasks", "fibers"},   {"--scheduling", "rr"},  {"--trace-level", "thread"},
      {"--duration", "0s"},   {"--overhead", "cpu"},   {"--overhead", "x=1us"}, {"--overhead", "cpu=1"}, {"--overhead", "cpu=1s"}};
  for (std::vector<std::string> words : wrong) {
    CAPTURE(words.front());
    words.insert(words.begin(), program);
    if (words[1] != "--output") words.insert(words.end(), {"--output", kept.string()});
    CHECK(process::run_tool(words).status == 2);
    std::ifstream in(kept);
    CHECK(std::string(std::istreambuf_iterator<char>(in), {}) == "an earlier trace");
  }
}

TEST_CASE("DAGs on threads stay in one process") {
  DagAttributes attributes;
  attributes.threads = 1;
  const TemporaryFolder folder;
  const auto dag = [&](const char* name) { return Dag(name, 10_ms, std::nullopt, {cpu_node("a", 1_ms)}, {}, attributes); };
  build_workload(analysis::analyze(task_set({cpu_pool(1, Scheduler::fifo)}, {dag("x"), dag("y")})).proof, folder.path);
  const auto ran = process::run_tool(
      {(folder.path / "workload").string(), "--tasks", "processes", "--output", (folder.path / "t").string(), "--duration", "1s"});
  CHECK(ran.status == 2);
  CHECK(ran.text.find("DAG 'x' is played by threads that stand in one queue for their processors") != std::string::npos);
}

TEST_CASE("a machine with too few processors is told so") {
  const TemporaryFolder folder;
  const auto analysis = analysis::analyze(task_set({cpu_pool(4096)}, {Dag("d", 10_ms, std::nullopt, {cpu_node("a", 1_ms)}, {})}));
  build_workload(analysis.proof, folder.path);
  const auto ran = process::run_tool({(folder.path / "workload").string(), "--duration", "1s", "--output", (folder.path / "t").string()});
  CHECK(ran.status == 2);
  CHECK(ran.text.find("needs 4096 processors") != std::string::npos);
}

TEST_CASE("records that find no room, because the disk is slow, are counted and make the run invalid; the others are whole") {
  const TemporaryFolder folder;
  build_workload(analysis::analyze(task_set({cpu_pool(1)}, {Dag("d", 1_ms, std::nullopt, {cpu_node("a", 10_us)}, {})}), {}).proof,
                 folder.path);
  const auto pipe = folder.path / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const auto output = folder.path / "read.jsonl";
  // Nothing is read for as long as jobs run. A pipe holds some 500 records, the ring of each of the node's two threads 1024, and 3000 jobs
  // make 3 each.
  std::thread disk([&] {
    std::ifstream in(pipe);
    std::string line;
    std::getline(in, line);
    std::ofstream out(output);
    out << line << '\n';
    std::this_thread::sleep_for(std::chrono::seconds(4));
    while (std::getline(in, line)) out << line << '\n';
  });
  const auto ran = process::run_tool({(folder.path / "workload").string(), "--output", pipe.string(), "--duration", "3s", "--warmup", "0s",
                                      "--trace-level", "block", "--scheduling", "other"});
  disk.join();
  INFO(ran.text);
  CHECK(ran.status == 1);
  CHECK(ran.text.find("failed: records: ") != std::string::npos);
  const ReadTrace trace = read_trace(output);
  CHECK(trace.lost > 0);
  CHECK(trace.lost + trace.dags.size() + trace.jobs.size() + trace.runs.size() == 9000);
  const auto records = std::ranges::find(trace.checks, "records", &trace::CheckRecord::name);
  REQUIRE(records != trace.checks.end());
  CHECK(records->outcome == "failed");
  CHECK(records->text == std::to_string(trace.lost) + " were lost");
}
