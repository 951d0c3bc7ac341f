// Profiles of Nsight Systems: databases made here, with the columns of an export.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <memory>

#include "conversion.hpp"
#include "convert/nsys_reader.hpp"

using namespace rta;

namespace {

const std::string kernels =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER "
    "NOT NULL, streamId "
    "INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER NOT NULL, registersPerThread INTEGER NOT NULL, "
    "gridX INTEGER NOT NULL, "
    "gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL, "
    "staticSharedMemory INTEGER "
    "NOT NULL, dynamicSharedMemory INTEGER NOT NULL);";
const std::string calls =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid "
    "INTEGER, correlationId "
    "INTEGER, nameId INTEGER NOT NULL);";
const std::string copies =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER, "
    "correlationId INTEGER, "
    "globalPid INTEGER, copyKind INTEGER NOT NULL, srcKind INTEGER, dstKind INTEGER);";
const std::string synchronisations =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, end INTEGER, contextId INTEGER, streamId INTEGER, correlationId "
    "INTEGER, globalPid "
    "INTEGER, syncType INTEGER NOT NULL, eventSyncId INTEGER);";
const std::string events =
    "CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, eventSyncId "
    "INTEGER);";
const std::string ranges =
    "CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, globalTid INTEGER, text TEXT, textId "
    "INTEGER);";
const std::string texts =
    "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"
    "INSERT INTO StringIds VALUES (1, 'void gemm<float>(float*)'), (2, 'cudaLaunchKernel_v7000'), (3, 'cudaStreamSynchronize_v3020'), (4, "
    "'frame'), "
    "(5, 'cudaStreamWaitEvent_v3020'), (6, 'cudaEventRecord_v3020'), (7, 'cudaMemcpyAsync_v3020');";
const std::string gpu =
    "CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT, smCount INTEGER, maxWarpsPerSm INTEGER, threadsPerWarp INTEGER, maxBlocksPerSm "
    "INTEGER, "
    "maxThreadsPerBlock INTEGER, maxShmemPerSm INTEGER, maxRegistersPerSm INTEGER, asyncEngines INTEGER, computeMajor INTEGER, "
    "computeMinor INTEGER);"
    "INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA H100', 132, 64, 32, 32, 1024, 233472, 65536, 3, 9, 0);";

// The bytes of a database that these statements make.
std::string database(const std::string& sql) {
  sqlite3* db = nullptr;
  REQUIRE(sqlite3_open(":memory:", &db) == SQLITE_OK);
  char* error = nullptr;
  CHECK_MESSAGE(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &error) == SQLITE_OK, (error == nullptr ? "" : error));
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, void (*)(void*)> bytes(sqlite3_serialize(db, "main", &size, 0), sqlite3_free);
  REQUIRE(static_cast<bool>(bytes));
  std::string out(reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(size));
  sqlite3_close(db);
  return out;
}

// Process 7 (its global id 7 << 24), thread 9. Two frames, 1 ms apart: a kernel on stream 13, then one on stream 14 that waits for it by an
// event, then a copy back that the thread waits for.
std::string database_of_frames(const std::string& more) {
  std::string sql = kernels + calls + copies + synchronisations + events + ranges + texts + gpu;
  for (int i = 0; i < 2; ++i) {
    const auto at = [&](int us) { return std::to_string((i * 1000 + us) * 1000 + 500); };
    const auto id = [&](int n) { return std::to_string(10 * i + n); };
    const std::string pid = std::to_string(7 << 24), tid = std::to_string((7 << 24) + 9);
    sql += "INSERT INTO NVTX_EVENTS VALUES (" + at(0) + "," + at(900) + ",59," + tid + ",NULL,4);";
    const auto call = [&](int start, int end, int correlation, int name) {
      sql += "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (" + at(start) + "," + at(end) + ",0," + tid + "," + id(correlation) + "," +
             std::to_string(name) + ");";
    };
    const auto kernel = [&](int start, int end, int stream, int correlation) {
      sql += "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (" + at(start) + "," + at(end) + ",0,1," + std::to_string(stream) + "," +
             id(correlation) + "," + pid + ",1,32,4,2,1,32,4,1,1024,512);";
    };
    call(10, 20, 1, 2);
    kernel(25, 125, 13, 1);
    call(30, 32, 2, 6);
    sql += "INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (13," + id(2) + "," + pid + "," + id(5) + ");";
    call(34, 36, 3, 5);
    sql += "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (" + at(34) + "," + at(35) + ",1,14," + id(3) + "," + pid + ",2," +
           id(5) + ");";
    call(40, 50, 4, 2);
    kernel(130, 230, 14, 4);
    call(60, 70, 6, 7);
    sql += "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (" + at(240) + "," + at(250) + ",0,1,14," + id(6) + "," + pid + ",2,2,1);";
    call(80, 260, 7, 3);
    sql += "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (" + at(80) + "," + at(255) + ",1,14," + id(7) + "," + pid + ",3,NULL);";
  }
  return database(sql + more);
}
std::string two_frames() { return database_of_frames(""); }

convert::Options options() {
  convert::Options out;
  out.processors = {{"", 4}};
  return out;
}

}  // namespace

TEST_CASE("An export becomes a task set: jobs by NVTX, limits from the file, events across streams, waits") {
  convert::Options chosen = options();
  chosen.job_markers = {"frame"};
  const TaskSet set = test::converted(two_frames(), chosen);
  const Dag& dag = set.dags().front();
  CHECK(dag.name() == "frame");
  CHECK(dag.period() == Time(1'000'000));
  // The thread launches at 20, 50 and 70 us, waits from 80 to 250 (the copy's end), and the range ends at 900.
  CHECK(longest_piece(test::node_of(dag, "cpu-1")) == Time(20'000));
  CHECK(longest_piece(test::node_of(dag, "cpu-2")) == Time(30'000));
  CHECK(longest_piece(test::node_of(dag, "cpu-3")) == Time(20'000));
  CHECK(longest_piece(test::node_of(dag, "cpu-4")) == Time(180'000));
  CHECK(longest_piece(test::node_of(dag, "cpu-5")) == Time(650'000));
  const auto& kernel = std::get<GpuDemand>(test::node_of(dag, "gemm").demand);
  CHECK(kernel.B == 8);
  CHECK(kernel.H == 128);
  CHECK(kernel.L == Time(100'000));
  CHECK(kernel.shared_memory == 1536);
  CHECK(kernel.registers_per_thread == 32);
  CHECK(test::edges_of(dag) ==
        "cpu-1 -> gemm\ncpu-1 -> cpu-2\ngemm -> gemm-2\ncpu-2 -> gemm-2\ncpu-2 -> cpu-3\ngemm-2 -> copy-d2h\ncpu-3 -> copy-d2h\ncpu-3 -> "
        "cpu-4\n"
        "copy-d2h -> cpu-5\ncpu-4 -> cpu-5\n");
  const auto& pool = std::get<GpuPool>(set.pools()[1].resource);
  CHECK(pool.sms == 132);
  CHECK(pool.device == "h100");
  CHECK(std::get<EnginePool>(set.pools()[2].resource).engines == 2);
}

namespace {

// In each frame, others run in the thread's place from 5 to 12 us, and from `waits` on it waits for 10 us; states as `names` says.
std::string with_switches(const std::string& names, int preempted = 1, int waits = 300) {
  const std::string tid = std::to_string((7 << 24) + 9);
  std::string sql =
      "CREATE TABLE SCHED_EVENTS (start INTEGER NOT NULL, cpu INTEGER NOT NULL, isSchedIn INTEGER NOT NULL, globalTid INTEGER, threadState "
      "INTEGER, threadBlock INTEGER);" +
      names;
  for (int i = 0; i < 2; ++i) {
    const auto at = [&](int us) { return std::to_string((i * 1000 + us) * 1000 + 500); };
    const auto away = [&](int from, int to, int state) {
      sql += fmt::format("INSERT INTO SCHED_EVENTS VALUES ({},0,0,{},{},NULL), ({},0,1,{},1,NULL);", at(from), tid, state, at(to), tid);
    };
    away(5, 12, preempted);
    away(waits, waits + 10, 2);
  }
  return sql;
}
const std::string thread_states =
    "CREATE TABLE ENUM_SAMPLING_THREAD_STATE (id INTEGER, name TEXT, label TEXT); INSERT INTO ENUM_SAMPLING_THREAD_STATE VALUES (0, "
    "'Unknown', ''), (1, 'Running', ''), (2, 'Interruptible', '');";

}  // namespace

TEST_CASE("C is without the time in which others ran in the place of a thread, where the export tells that from waits") {
  convert::Options chosen = options();
  chosen.job_markers = {"frame"};
  const auto read = [&](const std::string& more) { return convert::convert_text(database_of_frames(more), "file", chosen); };
  const auto times = [](const convert::Converted& result) {
    const Dag& dag = std::get<TaskSet>(result.content).dags().front();
    return std::pair(longest_piece(test::node_of(dag, "cpu-1")), longest_piece(test::node_of(dag, "cpu-5")));
  };
  // From 0 to 20 us without 5 to 12; but a call began at 10 us: the thread ran then, and the switch cannot be true.
  const auto contradicted = read(with_switches(thread_states));
  CHECK(times(contradicted) == std::pair(Time(20'000), Time(650'000)));
  // Calls at 10, 30 .. leave 400 to 407 free; the thread waits from 300 to 310, which counts.
  std::string later = with_switches(thread_states);
  for (int i = 0; i < 2; ++i) {
    for (const auto& [from, to] : {std::pair(5, 400), std::pair(12, 407)}) {
      const std::string old = "(" + std::to_string((i * 1000 + from) * 1000 + 500) + ",";
      later.replace(later.find(old), old.size(), "(" + std::to_string((i * 1000 + to) * 1000 + 500) + ",");
    }
  }
  const auto counted = read(later);
  CHECK(times(counted) == std::pair(Time(20'000), Time(643'000)));
  CHECK(test::mentions(counted.assumed, "DAG 'frame': others ran in the place of its threads for up to 7 us of a job (SCHED_EVENTS)"));
  REQUIRE(counted.recorded.size() == 1);
  CHECK(counted.recorded.front().length == Time(893'000));
  // Without names of states, or with one kind alone, nothing tells them apart.
  const auto nameless = read(with_switches(""));
  CHECK(times(nameless).second == Time(650'000));
  CHECK(test::mentions(nameless.assumed, "switch of threads 'SCHED_EVENTS', 8 times IS LEFT OUT: it does not tell a thread that others"));
  CHECK(test::mentions(read(with_switches(thread_states, 2)).assumed, "switch of threads 'SCHED_EVENTS', 8 times IS LEFT OUT"));
}

TEST_CASE("Stream priorities and processes come from the export") {
  std::string sql = kernels + texts + gpu;
  sql +=
      "CREATE TABLE TARGET_INFO_CUDA_STREAM (streamId INTEGER, processId INTEGER, contextId INTEGER, priority INTEGER, flag INTEGER);"
      "INSERT INTO TARGET_INFO_CUDA_STREAM VALUES (13, 7, 1, 4294967293, 2), (13, 8, 1, 0, 2);"
      "CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT); INSERT INTO PROCESSES VALUES (117440512, 7, "
      "'/usr/bin/planner'), (134217728, 8, 'viewer');";
  for (const char* pid : {"117440512", "134217728"}) {
    sql += std::string("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (0,1000,0,1,13,1,") + pid + ",1,32,1,1,1,64,1,1,0,0);";
  }
  convert::Options chosen = options();
  chosen.period = Time(1'000'000);
  const auto result = convert::convert_text(database(sql), "two.sqlite", chosen);
  const auto& set = std::get<TaskSet>(result.content);
  REQUIRE(set.dags().size() == 2);
  CHECK(set.dags()[0].name() == "planner");
  CHECK(std::get<GpuDemand>(set.dags()[0].nodes()[0].demand).priority == 3);  // CUDA's -3
  CHECK(std::get<GpuDemand>(set.dags()[1].nodes()[0].demand).priority == low_priority);
  CHECK(!test::mentions(result.assumed, "which priorit"));
  CHECK(test::mentions(convert::convert_text(two_frames(), "file", options()).assumed,
                       "the file does not say which priorities streams have: all have one, the lowest"));
  CHECK(test::mentions(result.assumed, "processes share pool 'gpu' in time slices"));
  CHECK(test::mentions(result.assumed, "processes ('planner-1', 'viewer-2') are not told apart"));
}

// A number comes back, or the processes ran on two machines: rows of streams name a process by its number alone.
TEST_CASE("Streams of two processes of one number have a priority where both agree") {
  const auto with = [](const char* rows) {
    std::string sql = kernels + texts + gpu;
    sql += "CREATE TABLE TARGET_INFO_CUDA_STREAM (streamId INTEGER, processId INTEGER, contextId INTEGER, priority INTEGER, flag INTEGER);";
    sql += rows;
    for (const char* process : {"117440512", "281475094151168"})  // 7 << 24, and the same on a second machine
      sql += std::string("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (0,1000,0,1,13,1,") + process + ",1,32,1,1,1,64,1,1,0,0);";
    convert::Options chosen = options();
    chosen.period = Time(1'000'000);
    return convert::convert_text(database(sql), "two.sqlite", chosen);
  };
  const auto agreed = with("INSERT INTO TARGET_INFO_CUDA_STREAM VALUES (13, 7, 1, -3, 2), (13, 7, 1, -3, 2);");
  REQUIRE(std::get<TaskSet>(agreed.content).dags().size() == 2);
  for (const Dag& dag : std::get<TaskSet>(agreed.content).dags()) CHECK(std::get<GpuDemand>(dag.nodes()[0].demand).priority == 3);
  const auto apart = with("INSERT INTO TARGET_INFO_CUDA_STREAM VALUES (13, 7, 1, -3, 2), (13, 7, 1, 0, 2);");
  for (const Dag& dag : std::get<TaskSet>(apart.content).dags()) CHECK(std::get<GpuDemand>(dag.nodes()[0].demand).priority == low_priority);
  CHECK(test::mentions(apart.assumed, "the file does not say which priorities streams have"));
}

TEST_CASE("A stream of Nsight's has a priority that a stream can have") {
  const std::string sql =
      kernels + texts + gpu +
      "CREATE TABLE TARGET_INFO_CUDA_STREAM (streamId INTEGER, processId INTEGER, contextId INTEGER, priority INTEGER, flag INTEGER);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (0,1000,0,1,13,1,117440512,1,32,1,1,1,64,1,1,0,0);"
      "INSERT INTO TARGET_INFO_CUDA_STREAM VALUES (13, 7, 1, ";
  for (const char* wrong : {"1", "-256", "4294967040", "9223372036854775807"})
    CHECK(test::fault_of(database(sql + wrong + ", 2);"), options())
              .find(std::string("priority ") + wrong + ": a stream's is 0, the least urgent, down to -255") != std::string::npos);
}

TEST_CASE("A database that is cut short is refused") {
  const std::string whole = two_frames();
  for (const std::size_t missing : {std::size_t{1}, std::size_t{100}, std::size_t{4096}}) {
    CAPTURE(missing);
    CHECK(test::fault_of(whole.substr(0, whole.size() - missing), options()) == "file: the database is cut short");
  }
}

TEST_CASE("What an export lacks is named: the table, the column, or the option") {
  CHECK(test::fault_of(database(texts), options()).find("file: table CUPTI_ACTIVITY_KIND_KERNEL is missing") == 0);
  CHECK(test::fault_of(database("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER);"), options()) ==
        "file: table CUPTI_ACTIVITY_KIND_KERNEL: its column end is missing");
  CHECK(test::fault_of(database(kernels), options()) == "file: the recording has no kernel, copy or memset on a GPU");
  const std::string one = kernels + texts + "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (0,1000,0,1,7,1,0,1,32,1,1,1,64,1,1,0,0);";
  CHECK(test::fault_of(database(one), options()).find("does not say how many SMs and threads GPU 0 has: give --device NAME") !=
        std::string::npos);
}

TEST_CASE("Absurd rows and hostile schemas are refused with table and row") {
  const auto row = [](const std::string& values) {
    return database(kernels + texts + "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (" + values + ");");
  };
  CHECK(test::fault_of(row("5,1,0,1,7,1,0,1,32,1,1,1,64,1,1,0,0"), options()) ==
        "file: table CUPTI_ACTIVITY_KIND_KERNEL, row 1: start and end must be times in ns, the end not before the start");
  CHECK(test::fault_of(row("0,9223372036854775807,0,1,7,1,0,1,32,1,1,1,64,1,1,0,0"), options()).find("row 1: start and end") !=
        std::string::npos);
  CHECK(test::fault_of(row("0,1,0,1,7,1,0,1,32,0,1,1,64,1,1,0,0"), options())
            .find("row 1: a grid's extent must be a whole number within 1 .. 2147483647") != std::string::npos);
  CHECK(test::fault_of(row("0,1,0,1,7,1,0,1,32,1,1,1,1024,1024,1,0,0"), options()).find("row 1: grid or block are too large") !=
        std::string::npos);
  CHECK(test::fault_of(row("0,1,0,1,7,1,0,-1,32,1,1,1,64,1,1,0,0"), options()).find("row 1: the name's number") != std::string::npos);
  CHECK(test::fault_of(row("'a',1,0,1,7,1,0,1,32,1,1,1,64,1,1,0,0"), options()).find("row 1: start and end") != std::string::npos);
  // A view that would run for ever is no table.
  CHECK(test::fault_of(
            database(
                "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT x FROM c;"),
            options())
            .find("is missing") != std::string::npos);
  // A column that is computed when it is read: functions are not allowed to run.
  CHECK(test::fault_of(database("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (a INTEGER, start INTEGER AS (hex(zeroblob(100000000))));"),
                       options())
            .find("file: table CUPTI_ACTIVITY_KIND_KERNEL: ") == 0);
  const std::string whole = two_frames();
  CHECK(test::fault_of(whole.substr(0, 3000), options()).find("file: ") == 0);
  std::string damaged = whole;
  for (std::size_t i = 4096; i + 7 < damaged.size(); i += 977) damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
  CHECK_NOTHROW((void)test::fault_of(damaged, options()));
}
