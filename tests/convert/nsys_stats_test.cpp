// Kernels that nsys stats lists.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "conversion.hpp"

using namespace rta;

namespace {

const std::string header =
    "Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),Bytes (MB),Throughput (MB/s),SrcMemKd,"
    "DstMemKd,Device,Ctx,GreenCtx,Strm,Name\n";

// A job every 10 ms, three of them: a copy to the device of 100 us, a kernel, a copy back of 50 us, without a pause. The kernel of
// 4 x 2 blocks of 64 threads takes 500 us, 700 us and 600 us: L = 700 us.
std::string jobs() {
  std::string text = header;
  std::int64_t at = 1'000'000;
  for (const std::int64_t length : {500'000, 700'000, 600'000}) {
    text += std::to_string(at) + ",100000,1,,,,,,,,,,8.389,1.0,Pageable,Device,NVIDIA A100 (0),1,,7,[CUDA memcpy Host-to-Device]\n";
    text += std::to_string(at + 100'000) + "," + std::to_string(length) +
            ",2,4,2,1,64,1,1,40,0.001,0.000,,,,,NVIDIA A100 (0),1,,7,\"void gemm<float, 2>(float*, \"\"q\"\")\"\n";
    text += std::to_string(at + 100'000 + length) + ",50000,3,,,,,,,,,,8.389,1.0,Device,Pageable,NVIDIA A100 (0),1,,7,[CUDA memcpy DtoH]\n";
    at += 10'000'000;
  }
  return text;
}

convert::Options options() {
  convert::Options out;
  out.processors = {{"", 2}};
  out.device = "a100";
  return out;
}

}  // namespace

TEST_CASE("Kernels that nsys stats lists are jobs where they repeat") {
  CHECK(convert::recognise(jobs()) == convert::Kind::nsys_stats);
  const auto converted = convert::convert_text(
      "Processing [a.sqlite] with [cuda_gpu_trace.py]... \n\n ** CUDA GPU Trace (cuda_gpu_trace):\n\n" + jobs(), "trace.csv", options());
  const auto& set = std::get<TaskSet>(converted.content);
  REQUIRE(set.dags().size() == 1);
  const Dag& dag = set.dags().front();
  CHECK(dag.name() == "trace");
  CHECK(dag.period() == Time(10'000'000));
  const auto& kernel = std::get<GpuDemand>(test::node_of(dag, "gemm").demand);
  CHECK(kernel.B == 8);
  CHECK(kernel.H == 64);
  CHECK(kernel.L == Time(700'000));
  CHECK(kernel.registers_per_thread == 40);
  // 0.001 MB is up to 0.0015 MB, and 0.000 MB up to 0.0005 MB.
  CHECK(kernel.shared_memory == 1500 + 500);
  CHECK(std::get<CopyDemand>(test::node_of(dag, "copy-h2d").demand).C == Time(100'000));
  CHECK(test::edges_of(dag) == "copy-h2d -> gemm\ngemm -> copy-d2h\n");
  CHECK(test::mentions(converted.assumed, "calls of the CPU are not in the file"));
  CHECK(test::mentions(converted.assumed, "the file does not say which priorities streams have: all have one, the lowest"));
  CHECK(test::mentions(converted.assumed, "up to 500 B more than it shows"));
  CHECK(test::fault_of(jobs()).find("the file does not say how many SMs and threads GPU 0 (NVIDIA A100) has: give --device NAME") !=
        std::string::npos);
}

// Starts in ms with a fraction; 1.5 us are 1500 ns, 0.0004 us are less than the 0.1 us that the file shows.
TEST_CASE("Times count in the unit of the header, and are rounded up") {
  const std::string text =
      "Start (ms),Duration (us),GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (B),DymSMem (KiB),Strm,Name\n"
      "1.000000,1.5,1,1,1,32,1,1,8,48,2,7,a\n1.100000,0.0004,1,1,1,32,1,1,8,0,0,7,b\n";
  convert::Options chosen = options();
  chosen.period = Time(50'000'000);
  const TaskSet set = test::converted(text, chosen);
  const auto& a = std::get<GpuDemand>(test::node_of(set.dags().front(), "a").demand);
  CHECK(a.shared_memory == 48 + 2048);
  CHECK(a.L == Time(1500));
  CHECK(std::get<GpuDemand>(test::node_of(set.dags().front(), "b").demand).L == Time(100));
}

// The third kernel, of 900 us, stands behind a blank line; what follows it is of no table of kernels.
TEST_CASE("A blank line within a table ends it only where something else begins") {
  const std::string blank =
      " ** CUDA GPU Trace (cuda_gpu_trace):\n\n" + header +
      "1000000,100000,1,4,1,1,64,1,1,40,0,0,,,,,g (0),1,,7,k\n2000000,100000,2,4,1,1,64,1,1,40,0,0,,,,,g (0),1,,7,k\n\n"
      "3000000,900000,3,4,1,1,64,1,1,40,0,0,,,,,g (0),1,,7,k\n\n";
  const auto longest = [](const TaskSet& set) { return std::get<GpuDemand>(test::node_of(set.dags().front(), "k").demand).L; };
  CHECK(longest(test::converted(blank, options())) == Time(900'000));
  const auto text = convert::convert_text(blank + "Time (%),Total Time (ns)\n50.0,1\n", "file", options());
  CHECK(longest(std::get<TaskSet>(text.content)) == Time(900'000));
  CHECK(test::mentions(text.assumed, "line 'text', 2 times IS LEFT OUT"));
  CHECK(test::fault_of(blank + "4000000,5\n", options()) == "file:9:1: the row has 2 cells, the header 21");
  CHECK(longest(test::converted(blank + "Processing [b.sqlite] with [cuda_gpu_trace.py]...\n\n** CUDA GPU Trace (cuda_gpu_trace):\n\n" +
                                    header + "4000000,950000,4,4,1,1,64,1,1,40,0,0,,,,,g (0),1,,7,k\n",
                                options())) == Time(950'000));
}

// a b every 2 ms; the first a takes 350 us, then `rare` takes 400 us in the third gap, and four jobs follow that repeat.
TEST_CASE("Kernels outside the jobs that repeat are told, and those that took longer there counted") {
  const auto row = [](int start, int length, const char* name) {
    return std::to_string(start) + "000," + std::to_string(length) + "000,,4,1,1,64,1,1,40,0,0,,,,,g (0),1,,7," + name + "\n";
  };
  std::string text = header;
  std::string quiet = header;
  for (int i = 0; i < 7; ++i) {
    const int at = 1000 + i * 2000;
    text += row(at, i == 0 ? 350 : 100, "a") + row(at + 500, 50, "b") + (i == 2 ? row(at + 1500, 400, "rare") : std::string());
    quiet += row(at, 100, "a") + row(at + 500, 50, "b");
  }
  const auto cut = convert::convert_text(text, "t.csv", options());
  // 350 + 100 + 100 us of a, 3 x 50 us of b, 400 us of rare.
  CHECK(
      test::mentions(cut.assumed, "DAG 't': 7 kernels, copies and memsets before the first and after the last job are left out: 1100 us"));
  CHECK(cut.beside.count == 0);
  CHECK(cut.beside.unlike == 1);
  CHECK(cut.beside.unlike_names == std::vector<std::string>{"'a' of 350 us, in jobs at most 100 us"});
  CHECK(test::mentions(cut.assumed, "WARNING: DAG 't': kernels in no job, WHICH NO BOUND COVERS: 'rare' of 400 us"));
  const auto none = convert::convert_text(quiet + row(15000, 100, "a"), "t.csv", options());
  CHECK(test::mentions(none.assumed, "before the first and after the last job are left out"));
  CHECK(none.beside.unlike == 0);
}

TEST_CASE("Cells without registers, green contexts and several contexts are told") {
  const std::string table =
      header + "1000000,100000,1,4,1,1,64,1,1,,0,0,,,,,g (0),1,0,7,k\n2000000,100000,2,4,1,1,64,1,1,40,0,0,,,,,g (0),1,3,7,k\n";
  const auto one = convert::convert_text(table, "file", options());
  CHECK(test::mentions(one.assumed, "Reg/Trd, StcSMem or DymSMem of 1 kernels are empty: what these take of them COUNTS AS NOTHING"));
  CHECK(test::mentions(one.assumed, "1 kernels ran in green contexts, which have a part of the SMs"));
  CHECK(one.taking_turns.empty());
  const auto two = convert::convert_text(table + "3000000,100000,3,4,1,1,64,1,1,40,0,0,,,,,g (0),2,,7,k\n", "file", options());
  REQUIRE(two.taking_turns.size() == 1);
  CHECK(two.taking_turns.front().find("2 contexts of one process took turns on GPU 0") == 0);
  const auto none = convert::convert_text(jobs(), "file", options());
  CHECK_FALSE(test::mentions(none.assumed, "are empty"));
  CHECK_FALSE(test::mentions(none.assumed, "green"));
}

// Processes 5 and 9 each launch a kernel every 2 ms.
TEST_CASE("Processes that nsys stats lists share the GPU in time slices") {
  std::string text = "Start (ns),Duration (ns),GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (B),DymSMem (B),Device,PID,Ctx,Strm,Name\n";
  for (int i = 1; i < 5; ++i) {
    text += std::to_string(i * 2'000'000) + ",100000,1,1,1,32,1,1,8,0,0,g (0),5,1,7,a\n";
    text += std::to_string(i * 2'000'000 + 500'000) + ",200000,1,1,1,32,1,1,8,0,0,g (0),9,1,7,b\n";
  }
  convert::Options chosen = options();
  const auto together = convert::convert_text(text, "t.csv", chosen);
  CHECK(test::mentions(together.assumed, "processes share pool 'gpu' in time slices: it holds as if they were one process"));
  REQUIRE(together.taking_turns.size() == 1);
  CHECK(together.taking_turns.front().find("2 processes took turns on GPU 0") == 0);
  chosen.slice = Time(1'000'000);
  chosen.switching = Time(1'000);
  const TaskSet set = test::converted(text, chosen, "t.csv");
  REQUIRE(set.dags().size() == 2);
  CHECK(set.dags()[0].name() == "t-5");
  CHECK(set.dags()[1].name() == "t-9");
  std::size_t contexts = 0;
  for (const Pool& pool : set.pools()) {
    const auto* gpu = std::get_if<GpuPool>(&pool.resource);
    contexts += gpu != nullptr && gpu->sharing ? 1U : 0U;
  }
  CHECK(contexts == 2);
}

TEST_CASE("Tables of nsys stats that list no kernels are told by what they are; broken rows by their line") {
  convert::Options chosen = options();
  chosen.period = Time(50'000'000);
  const auto both = convert::convert_text(
      jobs() + "\n ** CUDA GPU Kernel Summary (cuda_gpu_kern_sum):\n\nTime (%),Total Time (ns),Name\n50.0,1,novelty\n", "file", chosen);
  CHECK(test::mentions(both.assumed, "report 'cuda_gpu_kern_sum' IS LEFT OUT: it sums times up"));
  CHECK(test::fault_of("Time (%),Total Time (ns),Instances,Avg (ns),Name\n50.0,1,1,1.0,k\n", chosen)
            .find("`nsys stats --report cuda_gpu_trace") != std::string::npos);
  chosen.from = convert::Kind::nsys_stats;
  const auto fault = [&](const std::string& rows) { return test::fault_of(header + rows, chosen); };
  CHECK(fault("1,2,3\n") == "file:2:1: the row has 3 cells, the header 21");
  CHECK(fault("1,-2,3,1,1,1,1,1,1,1,0,0,,,,,g (0),1,,7,k\n").find("file:2:1: Duration '-2': a number of at least 0") == 0);
  CHECK(fault("nan,2,3,1,1,1,1,1,1,1,0,0,,,,,g (0),1,,7,k\n").find("file:2:1: Start 'nan': a number of at least 0") == 0);
  CHECK(fault("1,99999999999999999999,3,1,1,1,1,1,1,1,0,0,,,,,g (0),1,,7,k\n").find("file:2:1: Duration '99999") == 0);
  CHECK(fault("1,2,3,0,1,1,1,1,1,1,0,0,,,,,g (0),1,,7,k\n").find("file:2:1: GrdX '0': a whole number within 1 ..") == 0);
  CHECK(fault("1,2,3,4,,1,1,1,1,1,0,0,,,,,g (0),1,,7,k\n").find("file:2:1: grid and block of a kernel are not whole") == 0);
  CHECK(fault("1,2,3,4,1,1,65536,2,1,1,0,0,,,,,g (0),1,,7,k\n").find("file:2:1: grid and block of a kernel are not whole, or too large") ==
        0);
  CHECK(fault("").find("no kernel, copy or memset") != std::string::npos);
  // A kernel, and within its job what no node stands for.
  CHECK(
      fault(
          "1000,200,3,4,1,1,64,1,1,1,0,0,,,,,g (0),1,,7,k\n1200,90,3,,,,,,,,,,,,,,g (0),1,,7,graph #1\n1300,200,3,4,1,1,64,1,1,1,0,0,,,,,g "
          "(0),1,,7,k\n")
          .find("row without a grid 'graph #1': 1 with 90 ns on GPUs") != std::string::npos);
  CHECK(test::fault_of("Start (ns),Duration (ns),GrdX,BlkX,Name\n", chosen) == "file:1:1: the header has no column 'GrdY'");
  CHECK(test::fault_of("Start (ells),Duration (ns),GrdX,BlkX,Name\n", chosen) ==
        "file:1:1: column 'Start (ells)': in which unit it counts is not known");
  CHECK(test::fault_of("nothing\n", chosen).find("no table of kernels is in the file") != std::string::npos);
}

// Two processes copy to a GPU every 2 ms, on which no kernel runs; beside another GPU's kernels in a green context, too.
TEST_CASE("Processes that only copy to a GPU do not take turns on it") {
  const std::string head =
      "Start (ns),Duration (ns),GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (B),DymSMem (B),Bytes (MB),SrcMemKd,DstMemKd,Device,PID,Ctx,"
      "GreenCtx,Strm,Name\n";
  std::string copies;
  std::string kernels;
  for (int i = 1; i < 4; ++i) {
    const std::string start = std::to_string(i * 2'000);
    kernels += start + "000,100000,1,1,1,32,1,1,8,0,0,,,,g (0),5,1,3,7,a\n";
    for (const char* const at : {"300", "700"}) {
      copies += std::to_string(i * 2'000 + std::stoi(at)) + "000,100000,,,,,,,,,,1.0,Pageable,Device,g (1)," +
                (std::string(at) == "300" ? "5" : "9") + ",1,,7,[CUDA memcpy Host-to-Device]\n";
    }
  }
  convert::Options chosen = options();
  chosen.period = Time(10'000'000);
  const auto alone = convert::convert_text(head + copies, "t.csv", chosen);
  CHECK(alone.taking_turns.empty());
  for (const Pool& pool : std::get<TaskSet>(alone.content).pools()) CHECK(pool.kind() != PoolKind::gpu);
  chosen.green_contexts = {{3, 8}};
  const auto both = convert::convert_text(head + kernels + copies, "t.csv", chosen);
  CHECK(both.taking_turns.empty());
  CHECK(std::ranges::any_of(std::get<TaskSet>(both.content).pools(), [](const Pool& pool) { return pool.name == "gpu0/green-3"; }));
}
