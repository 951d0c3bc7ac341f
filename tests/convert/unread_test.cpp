// What ran on a GPU and is not read: told with its time, and refused where it lies within jobs.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <map>
#include <memory>
#include <set>

#include "kineto_events.hpp"
#include "rta/io/task_set_file.hpp"

using namespace rta;
using namespace rta::test::kineto;

namespace {

// Two jobs of 500 us, 10 ms apart, with a kernel from 20 to 120 each; `more` is of 0 .. 10.7 ms.
std::string two_jobs(const std::string& more) {
  std::string events;
  for (int job = 0; job < 2; ++job) {
    const int at = job * 10'000;
    events += range(fmt::format("ProfilerStep#{}", job).c_str(), at, 500) + call("cudaLaunchKernel", at + 10, 5, job + 1) +
              kernel("k", at + 20, 100, 7, job + 1);
  }
  return all(events + more);
}
std::string event(const char* category, int ts, int dur, const char* arguments, const char* phase = "X") {
  return fmt::format(R"({{"ph": "{}", "cat": "{}", "name": "n", "pid": 0, "tid": 3, "ts": {}, "dur": {}, "args": {{{}}}}},)", phase,
                     category, ts, dur, arguments);
}

std::string nsys_with(const std::string& sql) {
  sqlite3* db = nullptr;
  REQUIRE(sqlite3_open(":memory:", &db) == SQLITE_OK);
  std::string all =
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, "
      "correlationId INTEGER, demangledName INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ "
      "INTEGER);"
      "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, globalTid INTEGER, text TEXT);"
      "CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT, smCount INTEGER, maxWarpsPerSm INTEGER, threadsPerWarp INTEGER, "
      "maxBlocksPerSm INTEGER, maxThreadsPerBlock INTEGER, maxShmemPerSm INTEGER, maxRegistersPerSm INTEGER, computeMajor INTEGER, "
      "computeMinor INTEGER);"
      "INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA H100', 132, 64, 32, 32, 1024, 233472, 65536, 9, 0);";
  for (int job = 0; job < 2; ++job) {
    const int at = job * 10'000'000 + 1000;
    all += fmt::format("INSERT INTO NVTX_EVENTS VALUES ({}, {}, 59, 1, 'frame');", at, at + 500'000);
    all += fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES ({}, {}, 0, 1, 7, {}, 1, 4, 1, 1, 64, 1, 1);", at + 20'000,
                       at + 120'000, job + 1);
  }
  all += sql;
  char* error = nullptr;
  CHECK_MESSAGE(sqlite3_exec(db, all.c_str(), nullptr, nullptr, &error) == SQLITE_OK, (error == nullptr ? "" : error));
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, void (*)(void*)> bytes(sqlite3_serialize(db, "main", &size, 0), sqlite3_free);
  std::string out(reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(size));
  sqlite3_close(db);
  return out;
}
convert::Options frames() {
  convert::Options out = options();
  out.job_markers = {"frame"};
  return out;
}

}  // namespace

TEST_CASE("A category of a GPU that is not known is refused within jobs, and told with its time outside") {
  // 300 us from 400 on: 100 lie within the first job, which ends at 500.
  const std::string inside = two_jobs(event("gpu_decompress", 400, 300, R"("device": 0, "stream": 9)"));
  CHECK(test::fault_of(inside, options()) ==
        "file: category with a device or stream 'gpu_decompress': 1 with 300 us on GPUs, of which 100 us lie within jobs: what it does on "
        "the GPU, and beside what, is not known: no node can stand for it");
  const std::string outside = two_jobs(event("gpu_decompress", 600, 300, R"("device": 0, "stream": 9)"));
  CHECK(
      test::mentions(convert::convert_text(outside, "file", options()).assumed,
                     "LEFT OUT: category with a device or stream 'gpu_decompress': 1 with 300 us on GPUs, of which none lie within jobs"));
  convert::Options of_cpu = options();
  of_cpu.cpu_only = true;
  CHECK(test::mentions(convert::convert_text(inside, "file", of_cpu).assumed, "LEFT OUT: category with a device or stream"));
  // What a job launched is its own, whenever it ran.
  const std::string launched =
      two_jobs(call("cudaMagic", 50, 5, 77) + event("gpu_decompress", 600, 300, R"("device": 0, "correlation": 77)"));
  CHECK(test::fault_of(launched, options()).find("300 us on GPUs, of which 300 us lie within jobs") != std::string::npos);
}

TEST_CASE("Other categories are told, with their time, or say nothing of times") {
  const auto result = convert::convert_text(
      two_jobs(event("mystery", 5, 40, "") + event("mystery", 95, 2, "") + event("cpu_op", 5, 40, "")), "file", options());
  CHECK(test::mentions(result.assumed, "category 'mystery', 2 times, 42 us in all IS LEFT OUT: of the CPU"));
  CHECK(!test::mentions(result.assumed, "cpu_op"));
}

TEST_CASE("Copies between GPUs, or by a way that is not known, are refused; so are kernels that begin and end apart") {
  CHECK(
      test::fault_of(two_jobs(copy("Memcpy PtoP (Device -> Device)", 130, 10, 7, 1)), options())
          .find(
              "copy 'Memcpy PtoP (Device -> Device)': 1 with 10 us on GPUs, of which 10 us lie within jobs: it takes what its two ends") !=
      std::string::npos);
  CHECK(test::fault_of(two_jobs(copy("Memcpy HtoH (Pageable -> Pinned)", 130, 10, 7, 1)), options()).find("which engine it takes") !=
        std::string::npos);
  CHECK(test::fault_of(two_jobs(copy("Memcpy DtoD (Device -> Device)", 130, 10, 7, 1)), options()) == "converted");
  const std::string apart = two_jobs(event("kernel", 130, 10, R"("device": 0, "stream": 7)", "B"));
  CHECK(test::fault_of(apart, options()).find("phase of an event of a GPU 'B' cannot be read") != std::string::npos);
}

TEST_CASE("Replays of CUDA graphs as wholes, and any table with times and a device, are refused within jobs") {
  const std::string graph =
      "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, "
      "correlationId INTEGER, globalPid INTEGER);";
  const std::string replay = graph + "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (131000, 331000, 0, 1, 7, 9, 0);";
  CHECK(test::fault_of(nsys_with(graph), frames()) == "converted");
  CHECK(
      test::fault_of(nsys_with(replay), frames()) ==
      "file: table with times on a GPU 'CUPTI_ACTIVITY_KIND_GRAPH_TRACE': 1 with 200 us on GPUs, of which 200 us lie within jobs: it holds "
      "replays of CUDA graphs as wholes: `nsys profile --cuda-graph-trace=node` records their kernels");
  const std::string unknown = "CREATE TABLE NEW_ENGINE (start INTEGER, end INTEGER, gpuId INTEGER);";
  CHECK(test::fault_of(nsys_with(unknown + "INSERT INTO NEW_ENGINE VALUES (2000, 3000, 0);"), frames())
            .find("table with times on a GPU 'NEW_ENGINE': 1 with 1 us on GPUs, of which 1 us lie within jobs") != std::string::npos);
  const auto later = convert::convert_text(nsys_with(unknown + "INSERT INTO NEW_ENGINE VALUES (700000, 900000, 0);"), "file", frames());
  CHECK(test::mentions(later.assumed, "LEFT OUT: table with times on a GPU 'NEW_ENGINE': 1 with 200 us on GPUs, of which none lie"));
  convert::Options of_another = frames();
  of_another.gpu = 0;
  CHECK(test::fault_of(nsys_with(unknown + "INSERT INTO NEW_ENGINE VALUES (2000, 3000, 1);"), of_another) == "converted");
  CHECK(test::fault_of(nsys_with("DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL;" + replay), frames()).find("--cuda-graph-trace=node") !=
        std::string::npos);
}

TEST_CASE("Tables of the host, ranges without an end and what the profiler warned of are told") {
  const auto result = convert::convert_text(
      nsys_with(
          "CREATE TABLE OSRT_API (start INTEGER, end INTEGER, globalTid INTEGER); INSERT INTO OSRT_API VALUES (1000, 4000, 1), (5000, "
          "9000, 1);"
          "INSERT INTO NVTX_EVENTS VALUES (5, NULL, 59, 1, 'open');"
          "CREATE TABLE DIAGNOSTIC_EVENT (severity INTEGER, text TEXT); INSERT INTO DIAGNOSTIC_EVENT VALUES (1, 'fine'), (2, 'some "
          "events were dropped');"),
      "file", frames());
  CHECK(test::mentions(result.assumed, "table with times 'OSRT_API', 2 times, 7 us in all IS LEFT OUT: of the CPU"));
  CHECK(test::mentions(result.assumed, "1 NVTX ranges that do not end within the recording are left out"));
  REQUIRE(result.warnings.size() == 1);
  CHECK(result.warnings.front().message == "the profiler said: some events were dropped");
}

TEST_CASE("Tables that have times by other columns than start and end are told where they have rows") {
  const auto assumed = [](const std::string& sql) { return convert::convert_text(nsys_with(sql), "file", frames()).assumed; };
  for (const char* columns : {"start INTEGER, duration INTEGER, deviceId INTEGER", "startNs INTEGER, endNs INTEGER, gpu INTEGER",
                              "timestamp INTEGER, vmId INTEGER, gpuId INTEGER"}) {
    const std::string table = fmt::format("CREATE TABLE NEW_ENGINE ({});", columns);
    CHECK(test::mentions(assumed(table + "INSERT INTO NEW_ENGINE VALUES (2000, 3000, 0);"),
                         "table with instants 'NEW_ENGINE' IS LEFT OUT: what it says of times is not known"));
    CHECK_FALSE(test::mentions(assumed(table), "NEW_ENGINE"));
  }
  CHECK_FALSE(test::mentions(
      assumed("CREATE TABLE GPU_METRICS (timestamp INTEGER, typeId INTEGER); INSERT INTO GPU_METRICS VALUES (1, 2);"), "GPU_METRICS"));
  CHECK_FALSE(test::mentions(assumed("CREATE TABLE Colours (id INTEGER, name TEXT); INSERT INTO Colours VALUES (1, 'red');"), "Colours"));
}

TEST_CASE("A profile of an AMD GPU is refused by its vendor, and its CPU's part knows what hip calls wait for") {
  std::string events;
  for (int job = 0; job < 2; ++job) {
    const int at = job * 10'000;
    events += range(fmt::format("ProfilerStep#{}", job).c_str(), at, 500) + call("hipExtModuleLaunchKernel", at + 10, 5, 10 * job + 1) +
              kernel("k", at + 20, 100, 7, 10 * job + 1) + call("hipDeviceSynchronize", at + 40, 90, 10 * job + 2);
  }
  CHECK(test::fault_of(all(events), options()).find("file: the profile is of a GPU of hip* calls, which is no GPU of NVIDIA") == 0);
  std::string instinct = all(events);
  instinct.replace(instinct.find("NVIDIA A100"), 11, "AMD Instinct MI210");
  CHECK(test::fault_of(instinct, options()).find("file: the profile is of AMD Instinct MI210, which is no GPU of NVIDIA") == 0);
  convert::Options of_cpu = options();
  of_cpu.cpu_only = true;
  // To the end of the launch, 15; to that of the kernel that it waits for, 120; to the end of the job, 500.
  const Dag dag = test::converted(instinct, of_cpu).dags().front();
  CHECK(longest_piece(test::node_of(dag, "cpu-2")) == Time(105'000));
  CHECK(longest_piece(test::node_of(dag, "cpu-3")) == Time(380'000));
}

TEST_CASE("Clusters, cooperative launches and green contexts of Nsight are told; a column that is not known, too") {
  const auto assumed = [](const std::string& sql) {
    return convert::convert_text(nsys_with("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN " + sql), "file", frames()).assumed;
  };
  const char* together =
      "blocks of kernel 'unnamed' start together, in clusters or all of them (a cooperative launch): it has the GPU for itself, for its "
      "time";
  CHECK(test::mentions(assumed("clusterX INTEGER DEFAULT 2"), together));
  CHECK(!test::mentions(assumed("clusterX INTEGER DEFAULT 1"), together));
  CHECK(test::mentions(assumed("launchType INTEGER DEFAULT 2"), together));
  CHECK(!test::mentions(assumed("launchType INTEGER DEFAULT 1"), together));
  CHECK(test::mentions(assumed("launchType INTEGER DEFAULT 9"), "kind of launch '9', 2 times IS LEFT OUT"));
  CHECK(test::mentions(assumed("greenContextId INTEGER DEFAULT 3"), "2 kernels ran in green contexts"));
  CHECK(test::mentions(assumed("novelty INTEGER"), "column 'CUPTI_ACTIVITY_KIND_KERNEL.novelty' IS LEFT OUT"));
}

TEST_CASE("Green contexts of Nsight whose SMs are told are partitions of the GPU") {
  const std::string add = "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN greenContextId INTEGER;";
  const auto in_green = [&](const std::string& more) {
    return nsys_with(add + "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET greenContextId = 3;" + more);
  };
  // A second kernel of each job, of another name, in another green context.
  const std::string another =
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT start + 110000, end + 110000, deviceId, contextId, 8, correlationId + 10, 2, gridX, "
      "gridY, "
      "gridZ, blockX, blockY, blockZ, 4 FROM CUPTI_ACTIVITY_KIND_KERNEL;";
  convert::Options with = frames();
  with.green_contexts = {{3, 16}, {4, 64}};
  const auto told = convert::convert_text(in_green(another), "file", with);
  CHECK_FALSE(test::mentions(told.assumed, "BOUNDS MAY BE TOO LOW"));
  CHECK(test::mentions(told.assumed, "green contexts 3, 4 of GPU 0 have no SM in common, and nothing else runs on it"));
  const TaskSet set = std::get<TaskSet>(told.content);
  std::vector<std::string> names;
  for (const Pool& pool : set.pools()) names.push_back(pool.name);
  CHECK(names == std::vector<std::string>{"cpu", "gpu/green-3", "gpu/green-4"});
  const auto& four = std::get<GpuPool>(set.pools()[2].resource);
  CHECK(four.sms == 64);
  CHECK(four.partition->of == 132);
  std::set<PoolId> used;
  for (const Node& node : set.dags()[0].nodes()) used.insert(node.pool);
  CHECK(used == std::set<PoolId>{0, 1, 2});
  CHECK(io::parse_task_set(io::format_task_set(set), "again.yaml").task_set == set);

  const auto refused = [&](const std::string& file, std::map<std::int64_t, std::uint32_t> sms) {
    convert::Options wrong = frames();
    wrong.green_contexts = std::move(sms);
    return test::fault_of(file, wrong);
  };
  CHECK(refused(in_green(another), {{3, 16}}) == "file: --green-context: how many SMs green context 4 has is missing");
  CHECK(refused(in_green(another), {{3, 64}, {4, 72}}) ==
        "file: --green-context: green contexts of GPU 0 have 136 SMs together, but it has 132");
  CHECK(refused(in_green(another), {{3, 16}, {4, 64}, {5, 8}}) ==
        "file: --green-context 5=8: no kernel of the profile ran in that green context (there are: 3, 4)");
  CHECK(refused(in_green(""), {{3, 12}}) ==
        "file: --green-context 3=12: a green context of compute capability 9.0 has at least 8 SMs, and a multiple of 8, not 12");
  CHECK(refused(nsys_with(add), {{3, 16}}) == "file: --green-context: no kernel of the profile ran in a green context");
  CHECK(refused(nsys_with(add + "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET greenContextId = 3 WHERE correlationId = 1;"), {{3, 16}}) ==
        "file: --green-context: 1 kernels of jobs ran on GPU 0 outside of green contexts, and might use any of its SMs: it has no "
        "partitions");
}

TEST_CASE("A field of an event of a GPU, or a key of the file, that is not known is told") {
  std::string text = two_jobs("");
  text.replace(text.find("\"registers per thread\""), 0, "\"novelty\": 5, ");
  text.replace(text.find("\"schemaVersion\""), 0, "\"strangeness\": 5, ");
  const auto assumed = convert::convert_text(text, "file", options()).assumed;
  CHECK(test::mentions(assumed, "field of an event of a GPU 'novelty' IS LEFT OUT"));
  CHECK(test::mentions(assumed, "key of the file 'strangeness' IS LEFT OUT"));
}

TEST_CASE("Long lists in an event hide nothing that comes after them, and an event with too many fields is refused") {
  const auto with = [](const std::string& fields) {
    std::string text = two_jobs("");
    text.replace(text.find("\"registers per thread\""), 0, fields);
    return text;
  };
  std::string list = "\"In split size\": [1", fields;
  for (int i = 0; i < 300; ++i) {
    list += ", 1";
    fields += fmt::format("\"f{}\": 1, ", i);
  }
  const auto result = convert::convert_text(with(list + "], "), "file", options());
  CHECK(std::get<TaskSet>(result.content) == test::converted(two_jobs(""), options()));
  CHECK(test::fault_of(with(fields), options()).find("an object has more than 256 fields") != std::string::npos);
}

TEST_CASE(
    "Registers and shared memory that the file does not say are those of the compute capability, or it is told that nothing limits them") {
  const auto without = [](std::string text, const std::string& key) {
    text.replace(text.find(key), key.size(), "novelty");
    return convert::convert_text(text, "file", options());
  };
  const auto gpu = [](const convert::Converted& result) -> const GpuPool& {
    return std::get<GpuPool>(std::get<TaskSet>(result.content).pools()[1].resource);
  };
  const auto registers = without(two_jobs(""), "regsPerMultiprocessor");
  CHECK(gpu(registers).sm.registers == 65'536U);
  CHECK(test::mentions(registers.assumed, "65536 registers per SM, as all GPUs of compute capability 8.0 have"));
  const auto shared = without(two_jobs(""), "sharedMemPerMultiprocessor");
  CHECK(gpu(shared).sm.shared_memory == 167'936U);
  CHECK(test::mentions(shared.assumed, "167936 bytes of shared memory per SM, as all GPUs of compute capability 8.0 have"));
}

TEST_CASE("Parts of a ns count as one of a duration") {
  std::string text = two_jobs("");
  const std::string whole = "\"dur\": 100,";
  text.replace(text.find(whole), whole.size(), "\"dur\": 100.0004,");  // us of a kernel
  CHECK(longest_piece(test::node_of(test::converted(text, options()).dags().front(), "k")) == Time(100'001));
}
