// Kernels whose launch is not in the profile keep their place in their stream. Times are us.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "kineto_events.hpp"

using namespace rta;
using namespace rta::test::kineto;

namespace {

// Three kernels of 100 us in a stream, launched at 10, 20 and 30; the thread waits for them from 40 on.
std::string job_of_three(int number, bool middle_is_known) {
  const int at = number * 10'000, id = number * 100;
  return range(fmt::format("ProfilerStep#{}", number).c_str(), at, 500) + call("cudaLaunchKernel", at + 10, 5, id + 1) +
         (middle_is_known ? call("cudaLaunchKernel", at + 20, 5, id + 2) : std::string()) + call("cudaLaunchKernel", at + 30, 5, id + 3) +
         kernel("a", at + 20, 100, 7, id + 1) + kernel("b", at + 120, 100, 7, id + 2) + kernel("c", at + 220, 100, 7, id + 3) +
         call("cudaDeviceSynchronize", at + 40, 285, id + 9);
}

}  // namespace

TEST_CASE("A kernel without a launch in one of its jobs stays between its neighbours, and is no second node") {
  const auto result = convert::convert_text(all(job_of_three(0, true) + job_of_three(1, false)), "file", options());
  const Dag dag = std::get<TaskSet>(result.content).dags().front();
  // The thread: to the end of each launch, of the wait, of the job.
  CHECK(dag.nodes().size() == 3 + 5);
  const std::string edges = test::edges_of(dag);
  for (const char* edge : {"a -> b\n", "b -> c\n", "cpu-1 -> a\n", "cpu-2 -> b\n", "cpu-3 -> c\n"})
    CHECK(edges.find(edge) != std::string::npos);
  // The launch is at 25 in one job, and no later than that of c, at 30, in the other: 10 us and 15 us after that of a.
  CHECK(longest_piece(test::node_of(dag, "cpu-2")) == Time(15'000));
  CHECK(longest_piece(test::node_of(dag, "cpu-3")) == Time(10'000));
  CHECK(test::mentions(result.assumed,
                       "1 kernels, copies and memsets whose launch is not in the file are taken to be launched by the thread"));
}

TEST_CASE("A kernel without a launch that began while its thread waited was launched before, and was waited for") {
  std::string events;
  for (int number = 0; number < 2; ++number) {
    const int at = number * 10'000, id = number * 100;
    events += range(fmt::format("ProfilerStep#{}", number).c_str(), at, 500) + call("cudaLaunchKernel", at + 10, 5, id + 1) +
              kernel("a", at + 20, 100, 7, id + 1) + kernel("last", at + 120, 100, 7, id + 2) +
              call("cudaStreamSynchronize", at + 40, 185, id + 9);
  }
  const Dag dag = test::converted(all(events), options()).dags().front();
  const std::string edges = test::edges_of(dag);
  // cpu-1 launches a, cpu-2 is at 40, where the wait begins; cpu-3 waits, and cpu-4 follows what it waited for.
  for (const char* edge : {"a -> last\n", "cpu-2 -> last\n", "last -> cpu-4\n"}) CHECK(edges.find(edge) != std::string::npos);
  CHECK(longest_piece(test::node_of(dag, "cpu-2")) == Time(25'000));
}

TEST_CASE("Without any call kernels follow their stream alone") {
  std::string events;
  for (int number = 0; number < 3; ++number)
    events += kernel("a", number * 1000 + 10, 100, 7, -1) + kernel("b", number * 1000 + 120, 100, 7, -1);
  const auto result = convert::convert_text(all(events), "file", options());
  CHECK(test::edges_of(std::get<TaskSet>(result.content).dags().front()).find("a -> b\n") != std::string::npos);
  CHECK(test::mentions(result.assumed, "whose launch is not in the file follow their stream alone"));
}

TEST_CASE("Kernels whose blocks start together, or may, are told by the call that launches them, and have the GPU for themselves") {
  const auto assumed = [](const char* name) {
    std::string events;
    for (int number = 0; number < 2; ++number) {
      const int at = number * 10'000;
      events += range(fmt::format("ProfilerStep#{}", number).c_str(), at, 500) + call(name, at + 10, 5, number + 1) +
                kernel("k", at + 20, 100, 7, number + 1);
    }
    const auto result = convert::convert_text(all(events), "file", options());
    const auto& k = std::get<GpuDemand>(test::node_of(std::get<TaskSet>(result.content).dags().front(), "k").demand);
    CHECK(k.has_blocks == (std::string(name) == "cudaLaunchKernel"));
    CHECK(k.time == Time(100'000));
    return result.assumed;
  };
  CHECK(test::mentions(assumed("cudaLaunchCooperativeKernel"), "blocks of kernel 'k' start together"));
  CHECK(test::mentions(assumed("cuLaunchKernelEx"), "1 kernels, 'k' among them, are launched with attributes that the file does not tell"));
  CHECK(test::mentions(assumed("cudaGraphLaunch"), "1 kernels, 'k' among them, are launched with attributes that the file does not tell"));
  CHECK(!test::mentions(assumed("cudaLaunchKernel"), "together"));
}

TEST_CASE("Calls for which streams wait, and no edge does, are told") {
  const auto assumed = [](const char* name) {
    std::string events;
    for (int number = 0; number < 2; ++number) events += job_of_three(number, true) + call(name, number * 10'000 + 400, 5, number + 501);
    return convert::convert_text(all(events), "file", options()).assumed;
  };
  CHECK(test::mentions(assumed("cudaLaunchHostFunc"), "2 calls have streams run functions of the host"));
  CHECK(test::mentions(assumed("cudaMallocAsync"), "2 calls take memory from a pool or give it back"));
  CHECK(test::mentions(assumed("cudaFreeAsync"), "2 calls take memory from a pool or give it back"));
  CHECK(!test::mentions(assumed("cudaMalloc"), "calls"));
}

TEST_CASE("A cluster of one that the file tells says nothing of a cooperative launch") {
  const auto blocks = [](const char* name, const char* cluster) {
    std::string events;
    for (int number = 0; number < 2; ++number) {
      const int at = number * 10'000;
      std::string one = kernel("k", at + 20, 100, 7, number + 1);
      const auto block = one.find("\"grid\"");
      REQUIRE(block != std::string::npos);
      one.insert(block, fmt::format("\"cluster\": {}, ", cluster));
      events += range(fmt::format("ProfilerStep#{}", number).c_str(), at, 500) + call(name, at + 10, 5, number + 1) + one;
    }
    const auto result = convert::convert_text(all(events), "file", options());
    return std::get<GpuDemand>(test::node_of(std::get<TaskSet>(result.content).dags().front(), "k").demand).has_blocks;
  };
  CHECK(blocks("cudaLaunchKernel", "[1, 1, 1]"));
  CHECK(!blocks("cudaLaunchKernel", "[2, 1, 1]"));
  CHECK(!blocks("cudaLaunchKernelExC", "[1, 1, 1]"));
}

TEST_CASE("What no job launched and ran beside jobs is counted for the comparison with the model") {
  // From 9995 to 10095, of which 95 us lie in the second job, which begins at 10000; what runs from 5000 on lies in none.
  const std::string beside = call("cudaLaunchKernel", 9'980, 5, 77) + kernel("alien", 9'995, 100, 9, 77) +
                             call("cudaLaunchKernel", 4'980, 5, 78) + kernel("alien", 5'000, 10, 9, 78);
  const auto result = convert::convert_text(all(job_of_three(0, true) + job_of_three(1, true) + beside), "file", options());
  CHECK(result.beside.count == 1);
  CHECK(result.beside.time == Time(95'000));
  CHECK(test::mentions(result.assumed,
                       "2 kernels, copies and memsets that no job launched are left out: 110 us on GPUs, 95 us OF IT BESIDE JOBS"));
}

TEST_CASE("A percentile trims the model, and not what it is held against") {
  std::string events;
  for (int number = 0; number < 2; ++number) {
    const int at = number * 10'000, length = number == 0 ? 100 : 300;
    events += range(fmt::format("ProfilerStep#{}", number).c_str(), at, 100 + length) + call("cudaLaunchKernel", at + 10, 5, number + 1) +
              kernel("k", at + 20, length, 7, number + 1);
  }
  convert::Options half = options();
  half.percentile = 500'000;
  const auto result = convert::convert_text(all(events), "file", half);
  const Dag dag = std::get<TaskSet>(result.content).dags().front();
  CHECK(longest_piece(test::node_of(dag, "k")) == Time(100'000));
  REQUIRE(result.recorded.size() == 1);
  CHECK(result.recorded.front().length == Time(400'000));
  CHECK(result.recorded.front().kernels == Time(300'000));
  CHECK(result.recorded.front().busy == Time(300'000));
  // Of two jobs 99.9 % leave nothing out.
  half.percentile = 999'000;
  CHECK(test::mentions(convert::convert_text(all(events), "file", half).assumed,
                       "--percentile 99.9: no time is so rare, and the longest count"));
}

TEST_CASE("A GPU of another vendor is refused by its name, and one of nobody's unless --device says which it is") {
  const auto fault = [](const std::string& name, bool device = false) {
    std::string text = all(job_of_three(0, true) + job_of_three(1, true));
    text.replace(text.find("NVIDIA A100"), 11, name);
    convert::Options chosen = options();
    if (device) chosen.device = "a100";
    return test::fault_of(text, chosen);
  };
  for (const char* name :
       {"NVIDIA A100", "Tesla V100-DGXS-32GB", "A100-SXM4-40GB", "GeForce RTX 3090", "GH200 480GB", "Orin", "Quadro T1000"})
    CHECK_MESSAGE(fault(name) == "converted", name);
  CHECK(fault("Intel(R) Data Center GPU Max 1550")
            .find("file: the profile is of Intel(R) Data Center GPU Max 1550, which is no GPU of NVIDIA: how") == 0);
  CHECK(fault("Intel Arc A770").find("which is no GPU of NVIDIA") != std::string::npos);
  CHECK(fault("MTT S80").find("which is no GPU of NVIDIA") != std::string::npos);
  CHECK(fault("AMD Instinct MI300X").find("grids count threads there") != std::string::npos);
  CHECK(fault("gfx90a").find("grids count threads there") != std::string::npos);
  CHECK(fault("AMD Instinct MI300X", true).find("grids count threads there") != std::string::npos);
  CHECK(fault("Frobnicator 9000").find("file: whose GPU 'Frobnicator 9000' is, is not known") == 0);
  CHECK(fault("Frobnicator 9000", true) == "converted");
}
