// What the jobs of a profile of PyTorch are: by ranges, markers or repetition, and how those that differ become one DAG.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "kineto_events.hpp"

using namespace rta;
using namespace rta::test::kineto;

TEST_CASE("Ranges of the program are its jobs: their distance is the period, and all between their start and end is theirs") {
  std::string events;
  for (int i = 0; i < 3; ++i) {
    const int at = i * 1000 + (i == 2 ? 50 : 0);  // 1000 and 1050 apart
    events += range(fmt::format("ProfilerStep#{}", i).c_str(), at, 400);
    events += call("cudaLaunchKernel", at + 100, 10, 10 * i + 1) + kernel("k", at + 120, 50 + i, 7, 10 * i + 1);
  }
  const auto result = convert::convert_text(all(events), "t.json", options());
  const Dag& dag = std::get<TaskSet>(result.content).dags().front();
  CHECK(dag.name() == "ProfilerStep");
  CHECK(dag.period() == Time(1'000'000));
  REQUIRE(dag.nodes().size() == 3);
  CHECK(longest_piece(test::node_of(dag, "cpu-1")) == Time(110'000));
  CHECK(longest_piece(test::node_of(dag, "k")) == Time(52'000));
  CHECK(test::node_of(dag, "k").variation == Variation{Time(50'000), Time(51'000)});
  CHECK(longest_piece(test::node_of(dag, "cpu-2")) == Time(290'000));
  CHECK(test::edges_of(dag) == "cpu-1 -> k\ncpu-1 -> cpu-2\n");
  CHECK(test::mentions(result.found, "jobs begin 1 ms apart at least, 1025 us on average, 1050 us at most"));
}

TEST_CASE("Percentiles leave the longest times out, and say so") {
  std::string events;
  for (int i = 0; i < 10; ++i) {
    events += range(fmt::format("ProfilerStep#{}", i).c_str(), i * 1000, 900);
    events += call("cudaLaunchKernel", i * 1000, 10, i + 1) + kernel("k", i * 1000 + 20, 10 * (i + 1), 7, i + 1);
  }
  convert::Options chosen = options();
  chosen.percentile = 800'000;
  const auto result = convert::convert_text(all(events), "t.json", chosen);
  // Eight of ten kernels took at most 80 us; of those 10 to 80 the mean is 45, and 3 x 45 - 10 - 80 = 45.
  const Dag& dag = std::get<TaskSet>(result.content).dags().front();
  CHECK(longest_piece(test::node_of(dag, "k")) == Time(80'000));
  CHECK(test::node_of(dag, "k").variation == Variation{Time(10'000), Time(45'000)});
  CHECK(test::mentions(result.assumed, "--percentile 80: longer times WERE SEEN"));
}

TEST_CASE("A marker may be any range; one that is not there is refused with those that are") {
  std::string events = range("frame 1", 0, 500) + range("frame 2", 1000, 500) + range("other", 200, 100);
  for (const int at : {100, 1100}) events += call("cudaLaunchKernel", at, 10, at) + kernel("k", at + 20, 50, 7, at);
  convert::Options chosen = options();
  chosen.job_markers = {"frame*"};
  CHECK(test::converted(all(events), chosen).dags().front().name() == "frame");
  chosen.job_markers = {"frame"};
  CHECK(test::converted(all(events), chosen).dags().front().period() == Time(1'000'000));
  chosen.job_markers = {"step"};
  CHECK(test::fault_of(all(events), chosen) == "file: --job-marker: no range of the recording is called 'step' (ranges: frame , other)");
}

TEST_CASE("Two markers are two DAGs; the innermost range on the launching thread decides") {
  std::string events;
  for (int i = 0; i < 2; ++i) {
    events += range("camera", 1000 * i, 900) + range("lidar", 1000 * i + 400, 200) + range("radar", 1000 * i, 900, 2);
    events += call("cudaLaunchKernel", 1000 * i + 100, 10, 10 * i + 1) + kernel("a", 1000 * i + 120, 50, 7, 10 * i + 1);
    events += call("cudaLaunchKernel", 1000 * i + 450, 10, 10 * i + 2) + kernel("b", 1000 * i + 470, 50, 8, 10 * i + 2);
    events += call("cudaLaunchKernel", 1000 * i + 450, 10, 10 * i + 3, 2) + kernel("c", 1000 * i + 470, 50, 9, 10 * i + 3);
  }
  convert::Options chosen = options();
  chosen.job_markers = {"camera", "lidar", "radar"};
  const TaskSet set = test::converted(all(events), chosen);
  REQUIRE(set.dags().size() == 3);
  (void)test::node_of(set.dags()[0], "a");
  (void)test::node_of(set.dags()[1], "c");
  (void)test::node_of(set.dags()[2], "b");
  CHECK(set.dags()[1].name() == "radar");
}

TEST_CASE("Without ranges, what repeats exactly are the jobs, from the longest pause on") {
  std::string events;
  int correlation = 0;
  // The recording begins in the middle of a job: b c | a b c | a b c | a
  for (const char* name : {"b", "c", "a", "b", "c", "a", "b", "c", "a"}) {
    const int at = 100 * correlation + (name[0] == 'a' ? 0 : -40);
    ++correlation;
    events += call("cudaLaunchKernel", at + 100, 10, correlation) + kernel(name, at + 115, 20, 7, correlation);
  }
  const auto result = convert::convert_text(all(events), "t.json", options());
  const Dag& dag = std::get<TaskSet>(result.content).dags().front();
  CHECK(dag.period() == Time(300'000));
  // A kernel starts 5 us after its launch has returned, so that a job takes 5 us longer than its longest path, which ends with c.
  CHECK(test::edges_of(dag) == "cpu-1 -> a\ncpu-1 -> cpu-2\na -> b\ncpu-2 -> b\ncpu-2 -> cpu-3\nb -> c\ncpu-3 -> c\nc -> gaps\n");
  CHECK(test::mentions(result.found, "2 jobs of 3 kernels, copies and memsets which repeat exactly; each begins with 'a'"));
  CHECK(test::mentions(result.assumed, "3 kernels, copies and memsets before the first and after the last job are left out"));
}

TEST_CASE("Jobs that differ become their union; --strict refuses them") {
  std::string events;
  int correlation = 0;
  for (int i = 0; i < 3; ++i) {
    events += range(fmt::format("ProfilerStep#{}", i).c_str(), i * 1000, 900);
    int at = i * 1000;
    for (const char* name : i == 1 ? std::vector{"a", "extra", "b"} : std::vector{"a", "b"}) {
      at += 100;
      ++correlation;
      events += call("cudaLaunchKernel", at, 10, correlation) +
                kernel(name, at + 15, 20, 7, correlation, i == 2 && name[0] == 'b' ? "[20, 1, 1]" : "[10, 1, 1]");
    }
  }
  const auto result = convert::convert_text(all(events), "t.json", options());
  const Dag& dag = std::get<TaskSet>(result.content).dags().front();
  const std::string edges = test::edges_of(dag);
  CHECK(edges.find("a -> extra\n") != std::string::npos);
  CHECK(edges.find("extra -> b\n") != std::string::npos);
  CHECK(std::get<GpuDemand>(test::node_of(dag, "b").demand).B == 20);
  CHECK(test::mentions(result.assumed,
                       "1 kernels, copies and memsets are not in all of its 3 jobs ('extra' in 1), and are taken to run in all"));
  CHECK(test::mentions(result.assumed, "1 times a kernel had another grid"));
  convert::Options chosen = options();
  chosen.strict = true;
  CHECK(test::fault_of(all(events), chosen)
            .find("--strict: the 3 jobs of DAG 'ProfilerStep' differ: 1 kernels, copies and memsets are not in all of them: 'extra' in 1, "
                  "1 have") != std::string::npos);
}

TEST_CASE("Jobs in another order keep their nodes apart, so that no cycle comes of it") {
  std::string events;
  int correlation = 0;
  for (int i = 0; i < 2; ++i) {
    events += range(fmt::format("ProfilerStep#{}", i).c_str(), i * 1000, 900);
    for (const char* name : i == 0 ? std::vector{"a", "b"} : std::vector{"b", "a"}) {
      ++correlation;
      events += call("cudaLaunchKernel", 100 * correlation + i * 900, 10, correlation) +
                kernel(name, 100 * correlation + 15 + i * 900, 20, 7, correlation);
    }
  }
  const TaskSet set = test::converted(all(events), options());
  std::size_t kernels = 0;
  for (const Node& node : set.dags().front().nodes()) kernels += static_cast<std::size_t>(node.demand.index() == 1);
  CHECK(kernels == 3);
}
