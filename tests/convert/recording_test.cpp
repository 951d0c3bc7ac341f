// Traces of `rta record`: two frames, 1 ms apart, as the test of Nsight Systems' exports has them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <limits>
#include <sstream>

#include "conversion.hpp"
#include "rta/trace/activity.hpp"
#include "rta/trace/reader.hpp"

using namespace rta;
using namespace rta::trace;

namespace {

constexpr std::uint32_t pid = 7, tid = 9;

std::string line(const Activity& activity) { return line_of(activity) + "\n"; }

// A kernel on stream 13, then one on stream 14 that waits for it by event 5, then a copy back that the thread waits for. Every call of the
// runtime calls the driver. Without `told`, CUPTI does not say which recording of the event is waited for.
std::string two_frames(bool told) {
  std::string text = R"({"schema": 1, "kind": "trace", "source": "recording", "task_set": ""})" + std::string("\n");
  text += line(ProcessActivity{pid, 1, "/opt/camera"});
  DeviceActivity device{pid, 0, "GPU-1", {}};
  device.limits.product = "NVIDIA H100";
  device.limits.compute_capability = "9.0";
  device.limits.sms = 132;
  device.limits.copy_engines = 3;
  device.limits.shared_per_sm = 233'472;
  text += line(device) + line(ContextActivity{pid, 1, 0, 7});
  for (std::uint32_t i = 0; i < 2; ++i) {
    const auto at = [&](int us) { return Time((static_cast<int>(i) * 1000 + us) * 1000 + 500); };
    const auto origin = [&](std::uint32_t stream, std::uint32_t n) {
      return Origin{pid, 0, 1, stream, 10 * i + n, std::nullopt, std::nullopt};
    };
    const auto call = [&](int start, int end, std::uint32_t n, const std::string& name) {
      text += line(CallActivity{CallInterface::runtime, "cuda" + name, pid, tid, 10 * i + n, at(start), at(end), 0});
      text += line(CallActivity{CallInterface::driver, "cu" + name, pid, tid, 10 * i + n, at(start) + Time(100), at(end) - Time(100), 0});
    };
    const auto kernel = [&](int start, int end, std::uint32_t stream, std::uint32_t n) {
      KernelActivity a{"_Z4gemmPf", origin(stream, n), at(start), at(end), {4, 2, 1}, {32, 4, 1}};
      a.registers = 32;
      a.static_shared = 1024;
      a.dynamic_shared = 512;
      text += line(a);
    };
    const std::optional<std::uint64_t> record = told ? std::optional<std::uint64_t>(100 + i) : std::nullopt;
    // Records of the event come after the wait in the file: CUPTI hands them over in no order.
    text += line(SynchronizationActivity{SynchronizationKind::wait_event, pid, 1, 14, 5, record, 10 * i + 3, at(34), at(35)});
    call(10, 20, 1, "LaunchKernel");
    kernel(25, 125, 13, 1);
    call(30, 32, 2, "EventRecord");
    text += line(EventActivity{pid, 1, 13, 5, record, 10 * i + 2});
    call(34, 36, 3, "StreamWaitEvent");
    call(40, 50, 4, "LaunchKernel");
    kernel(130, 230, 14, 4);
    call(60, 70, 6, "MemcpyAsync");
    text += line(TransferActivity{CopyDirection::d2h, MemoryKind::device, MemoryKind::pinned, 4096, true, origin(14, 6), at(240), at(250)});
    call(80, 260, 7, "StreamSynchronize");
    text += line(SynchronizationActivity{SynchronizationKind::stream, pid, 1, 14, std::nullopt, std::nullopt, 10 * i + 7, at(80), at(255)});
    text += line(RangeActivity{"frame", "", pid, tid, tid, at(0), at(900)});
  }
  return text + R"({"t": "end", "complete": true, "lost_records": 0})" + "\n";
}

convert::Options frames() {
  convert::Options options;
  options.processors = {{"", 4}};
  options.job_markers = {"frame"};
  return options;
}

TaskSet converted(const std::string& text) { return test::converted(text, frames(), "t.jsonl"); }

convert::RecordedJobs jobs_of(const std::string& text, const convert::Options& options) {
  std::istringstream in(text);
  Reader reader(in, "t.jsonl");
  return convert::recorded_jobs(reader, "t.jsonl", options);
}

/// The records of one job's node.
std::vector<JobRecord> of_node(const convert::RecordedJobs& jobs, const std::string& node) {
  std::vector<JobRecord> found;
  for (const Record& record : jobs.records) {
    const auto* job = std::get_if<JobRecord>(&record);
    if (job != nullptr && job->job.node == node) found.push_back(*job);
  }
  return found;
}

}  // namespace

TEST_CASE("A recording becomes the task set that a profile of the same run becomes") {
  for (const bool told : {true, false}) {
    CAPTURE(told);
    const TaskSet set = converted(two_frames(told));
    const Dag& dag = set.dags().front();
    CHECK(dag.name() == "frame");
    CHECK(dag.period() == Time(1'000'000));
    const auto& kernel = std::get<GpuDemand>(test::node_of(dag, "gemm").demand);
    CHECK(kernel.B == 8);
    CHECK(kernel.H == 128);
    CHECK(kernel.L == Time(100'000));
    CHECK(kernel.shared_memory == 1536);
    CHECK(kernel.registers_per_thread == 32);
    // The thread launches at 20, 50 and 70 us and waits from 80 to 250.
    CHECK(longest_piece(test::node_of(dag, "cpu-4")) == Time(180'000));
    CHECK(test::edges_of(dag) ==
          "cpu-1 -> gemm\ncpu-1 -> cpu-2\ngemm -> gemm-2\ncpu-2 -> gemm-2\ncpu-2 -> cpu-3\ngemm-2 -> copy-d2h\ncpu-3 -> copy-d2h\n"
          "cpu-3 -> cpu-4\ncopy-d2h -> cpu-5\ncpu-4 -> cpu-5\n");
    const auto& pool = std::get<GpuPool>(set.pools()[1].resource);
    CHECK(pool.sms == 132);
    CHECK(pool.device == "h100");
  }
}

// Frames begin at 0.5 us and last 900 us. Kernels run from 25 to 125 and, once the first has ended, from 130 to 230 us; the copy to 250.
TEST_CASE("A recording has the jobs of the task set that it becomes, with their times") {
  const auto jobs = jobs_of(two_frames(true), frames());
  CHECK(jobs.complete);
  const auto second = of_node(jobs, "gemm-2");
  REQUIRE(second.size() == 2);
  CHECK(second[0] == JobRecord{{"frame", "gemm-2", 1}, Time(125'500), Time(130'500), Time(230'500)});
  CHECK(second[1] == JobRecord{{"frame", "gemm-2", 2}, Time(1'125'500), Time(1'130'500), Time(1'230'500)});
  CHECK(of_node(jobs, "cpu-1")[0] == JobRecord{{"frame", "cpu-1", 1}, Time(500), Time(500), Time(20'500)});
  std::vector<DagRecord> dags;
  for (const Record& record : jobs.records) {
    if (const auto* dag = std::get_if<DagRecord>(&record)) dags.push_back(*dag);
  }
  REQUIRE(dags.size() == 2);
  CHECK(dags[1] == DagRecord{{"frame", "", 2}, Time(1'000'500), Time(1'900'500)});
  const TaskSet set = converted(two_frames(true));
  for (const Record& record : jobs.records) {
    const auto* job = std::get_if<JobRecord>(&record);
    if (job != nullptr) CHECK(test::node_of(set.dags().front(), job->job.node).name == job->job.node);
  }
}

// The kernels wait for each other by an event alone, so they are one after the other with nothing between.
TEST_CASE("What --fuse joins lasts from its first to its last kernel, and other traces are no recordings") {
  auto options = frames();
  options.fuse = Time(1'000'000);
  const auto fused = of_node(jobs_of(two_frames(true), options), "gemm");
  REQUIRE(!fused.empty());
  CHECK(fused[0].start == Time(25'500));
  std::string simulated = two_frames(true);
  simulated.replace(simulated.find("recording"), 9, "simulation");
  CHECK_THROWS_AS(static_cast<void>(jobs_of(simulated, frames())), io::InputError);
}

TEST_CASE("A recording that is cut off, or lost records, says so") {
  std::string text = two_frames(true);
  text.resize(text.rfind("{\"t\": \"end\""));
  const auto result = convert::convert_text(text, "t.jsonl", frames());
  REQUIRE(result.warnings.size() == 1);
  CHECK(result.warnings.front().text().find("is incomplete") != std::string::npos);
}

TEST_CASE("Kernels whose blocks start together have the GPU for themselves, and are told of") {
  const auto told = [](const std::string& text) {
    const auto result = convert::convert_text(text, "t.jsonl", frames());
    const bool said = test::mentions(result.assumed, "blocks of kernel 'gemm(float*)' start together");
    const Dag& dag = std::get<TaskSet>(result.content).dags().front();
    CHECK(std::get<GpuDemand>(test::node_of(dag, "gemm").demand).has_blocks != said);
    return said;
  };
  const std::string text = two_frames(true), launch = R"("launch": "regular")";
  REQUIRE(text.find(launch) != std::string::npos);
  CHECK_FALSE(told(text));
  for (const auto& [instead, together] :
       {std::pair(R"("launch": "cooperative")", true), std::pair(R"("launch": "regular", "cluster": [2, 1, 1])", true),
        std::pair(R"("launch": "regular", "cluster": [1, 1, 1])", false)}) {
    std::string changed = text;
    changed.replace(text.find(launch), launch.size(), instead);
    CHECK(told(changed) == together);
  }
}

TEST_CASE("What a recording has and its reader does not know is told; a check of the recording that failed is a warning") {
  const auto with = [](const std::string& old, const std::string& by) {
    std::string text = two_frames(true);
    REQUIRE(text.find(old) != std::string::npos);
    text.replace(text.find(old), old.size(), by);
    return convert::convert_text(text, "t.jsonl", frames());
  };
  const std::string regular = R"("launch": "regular")", of_stream = R"("kind": "stream")", header_end = R"("task_set": ""})";
  CHECK(test::mentions(with(regular, regular + R"(, "novelty": 1)").assumed, "field of a record 'kernel.novelty' IS LEFT OUT"));
  CHECK(test::mentions(with(header_end, R"("task_set": "", "novelty": 1})").assumed, "key of the header 'novelty' IS LEFT OUT"));
  CHECK(test::mentions(with(regular, R"("launch": "other")").assumed, "kind of launch 'other' IS LEFT OUT: how its blocks start"));
  CHECK(test::mentions(with(of_stream, R"("kind": "unknown")").assumed, "kind of synchronisation 'unknown' IS LEFT OUT"));
  const std::string end = R"({"t": "end")";
  CHECK(test::mentions(with(end, line(OverheadActivity{"buffer_flush", pid, {}, Time(4), Time(6)}) + end).assumed,
                       "record 'buffer_flush', 2 ns in all IS LEFT OUT: times at which the recording itself held the program up"));
  const auto warned = with(end, R"({"t": "check", "name": "clock", "outcome": "failed", "text": "it went back"})"
                                "\n" +
                                    end);
  REQUIRE(warned.warnings.size() == 1);
  CHECK(warned.warnings.front().message == "the run says of itself: clock: it went back");
  CHECK_FALSE(test::mentions(with(end, end).assumed, "IS LEFT OUT"));
}

TEST_CASE("Contexts of one process take turns on the GPU: each is a process of it where slices are known, else a difference") {
  // The second kernel of each frame ran in context 2.
  std::string text = two_frames(true);
  const std::string stream = R"("context": 1, "stream": 14)";
  for (std::size_t at = text.find(stream); at != std::string::npos; at = text.find(stream, at))
    text.replace(at, stream.size(), R"("context": 2, "stream": 14)");
  const auto unknown = convert::convert_text(text, "t.jsonl", frames());
  REQUIRE(unknown.taking_turns.size() == 1);
  CHECK(unknown.taking_turns.front().find("2 contexts of one process took turns on GPU 0, unless they ran under MPS") == 0);
  convert::Options known = frames();
  known.slice = Time(1'000'000);
  known.switching = Time(1'000);
  const auto apart = convert::convert_text(text, "t.jsonl", known);
  CHECK(apart.taking_turns.empty());
  std::size_t contexts = 0;
  for (const Pool& pool : std::get<TaskSet>(apart.content).pools()) {
    const auto* gpu = std::get_if<GpuPool>(&pool.resource);
    contexts += gpu != nullptr && gpu->sharing ? 1U : 0U;
  }
  CHECK(contexts == 2);
  CHECK(convert::convert_text(two_frames(true), "t.jsonl", frames()).taking_turns.empty());
}

// One after the other, or each in a container of its own: the second is no part of the first, whose correlations and events it has again.
TEST_CASE("Two processes of one number are two") {
  const std::string camera = two_frames(true);
  std::string lidar = camera.substr(camera.find('\n') + 1);
  lidar.replace(lidar.find("/opt/camera"), 11, "/opt/lidar");
  const auto both = convert::convert_text(camera.substr(0, camera.find(R"({"t": "end")")) + lidar, "t.jsonl", frames());
  const auto& dags = std::get<TaskSet>(both.content).dags();
  const auto alone = convert::convert_text(camera, "t.jsonl", frames());
  REQUIRE(std::get<TaskSet>(alone.content).dags().size() == 1);
  REQUIRE(dags.size() == 2);
  for (const Dag& dag : dags) CHECK(dag.nodes().size() == std::get<TaskSet>(alone.content).dags().front().nodes().size());
}

TEST_CASE("A recording's stream has a priority that a stream can have") {
  const auto with = [&](std::int32_t priority) {
    std::string text = two_frames(true);
    return text.insert(text.find(R"({"t": "end")"), line(StreamActivity{pid, 1, 13, priority, StreamKind::non_blocking}));
  };
  CHECK(test::fault_of(with(-255), frames()) == "converted");
  for (const std::int32_t wrong : {1, -256, std::numeric_limits<std::int32_t>::min()})
    CHECK(test::fault_of(with(wrong), frames()).find(fmt::format("priority {}: a stream's is 0, the least urgent, down to -255", wrong)) !=
          std::string::npos);
}

TEST_CASE("A recording's launch without blocks is refused") {
  std::string text = two_frames(true);
  const std::size_t at = text.find("[4, 2, 1]");
  REQUIRE(at != std::string::npos);
  text.replace(at, 9, "[4, 0, 1]");
  CHECK(test::fault_of(text, {}, "t.jsonl") != "converted");
}

TEST_CASE("A copy between GPUs within a job is refused: no node stands for it") {
  std::string text = two_frames(true);
  const Origin origin{pid, 0, 1, 14, 6, std::nullopt, std::nullopt};
  const std::string copy =
      line(TransferActivity{CopyDirection::p2p, MemoryKind::device, MemoryKind::device, 4096, true, origin, Time(300'500), Time(320'500)});
  text.insert(text.find('\n') + 1, copy);
  CHECK(test::fault_of(text, frames(), "t.jsonl")
            .find("t.jsonl: direction of a copy 'p2p': 1 with 20 us on GPUs, of which 20 us lie within") == 0);
}

TEST_CASE("A wait that names a recording of its event made after it takes the last one before it") {
  // The first frame's wait names the recording of the second frame.
  std::string text = two_frames(true);
  const std::string first = "\"record\": 100", second = "\"record\": 101";
  const std::size_t wait = text.find("wait_event");
  REQUIRE(wait != std::string::npos);
  const std::size_t named = text.find(first, wait);
  REQUIRE(named != std::string::npos);
  text.replace(named, first.size(), second);
  const auto result = convert::convert_text(text, "t.jsonl", frames());
  CHECK(test::edges_of(std::get<TaskSet>(result.content).dags().front()).find("gemm -> gemm-2\n") != std::string::npos);
  CHECK(!test::mentions(result.assumed, "of another job"));
  CHECK(!test::mentions(result.assumed, "recorded again later"));
}
