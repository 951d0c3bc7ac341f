// What one call launched together, as a CUDA graph. Times are us.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <functional>

#include "kineto_events.hpp"

using namespace rta;
using namespace rta::test::kineto;

namespace {

std::string edges_of_two_jobs(const std::function<std::string(int at, int first, int job)>& events_of) {
  std::string events;
  for (int job = 0; job < 2; ++job) {
    const int at = job * 10'000;
    events += range(fmt::format("ProfilerStep#{}", job).c_str(), at, 700) + events_of(at, 100 * job, job);
  }
  return test::edges_of(test::converted(all(events), options()).dags().front());
}

std::string sync(int ts, int stream, int correlation, int recorded_on, int record) {
  return fmt::format(
      R"({{"ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": 0, "tid": {0}, "ts": {1}, "dur": 1, "args": {{"cuda_sync_kind": "Stream Wait Event", "stream": {0}, "correlation": {2}, "wait_on_stream": {3}, "wait_on_cuda_event_record_corr_id": {4}, "device": 0, "context": 1}}}},)",
      stream, ts, correlation, recorded_on, record);
}

}  // namespace

TEST_CASE("A kernel of a graph follows those of its launch that had always ended when it began, on whatever stream") {
  const auto events = [](int at, int id, int job) {
    // b ends before join begins in the first job alone.
    return call("cudaGraphLaunch", at + 10, 5, id + 1) + kernel("a", at + 20, 100, 7, id + 1) +
           kernel("b", at + 125, job == 0 ? 100 : 310, 7, id + 1) + kernel("side", at + 125, 300, 20, id + 1) +
           kernel("join", at + 430, 50, 7, id + 1) + call("cudaDeviceSynchronize", at + 40, 450, id + 9);
  };
  // What waits for the launch waits for all of it: for b, too, which is not the last of its stream.
  CHECK(edges_of_two_jobs(events) ==
        "cpu-1 -> a\ncpu-1 -> b\ncpu-1 -> side\ncpu-1 -> join\ncpu-1 -> cpu-2\na -> b\na -> side\nb -> cpu-3\nside -> join\nside -> "
        "cpu-3\njoin -> cpu-3\ncpu-2 -> cpu-3\n");
}

TEST_CASE("A graph comes whole behind what its streams had been given, and the next of a stream behind all of the graph") {
  const auto events = [](int at, int id, int) {
    return call("cudaLaunchKernel", at + 1, 2, id + 1) + kernel("before", at + 5, 10, 7, id + 1) +
           call("cudaGraphLaunch", at + 10, 5, id + 2) + kernel("left", at + 20, 100, 7, id + 2) +
           kernel("right", at + 20, 200, 20, id + 2) + call("cudaLaunchKernel", at + 30, 5, id + 3) +
           kernel("after", at + 230, 10, 7, id + 3);
  };
  const std::string edges = edges_of_two_jobs(events);
  CHECK(edges.find("before -> left\nbefore -> right\n") != std::string::npos);
  CHECK(edges.find("left -> after\n") != std::string::npos);
  CHECK(edges.find("right -> after\n") != std::string::npos);
  CHECK(edges.find("left -> right\n") == std::string::npos);
}

TEST_CASE("A wait whose record comes later is for all that the stream had been given; one of another job is said to be so") {
  const auto events_with = [](int (*record)(int id)) {
    return [record](int at, int id, int) {
      return call("cudaLaunchKernel", at + 10, 5, id + 1) + kernel("a", at + 20, 100, 20, id + 1) +
             call("cudaStreamWaitEvent", at + 20, 2, id + 3) + sync(at + 20, 24, id + 3, 20, record(id)) +
             call("cudaLaunchKernel", at + 30, 5, id + 4) + kernel("b", at + 130, 10, 24, id + 4) +
             call("cudaEventRecord", at + 40, 2, id + 5);
    };
  };
  CHECK(edges_of_two_jobs(events_with([](int id) { return id + 5; })).find("a -> b\n") != std::string::npos);
  const auto told = [&](int (*record)(int id)) {
    std::string events;
    for (int job = 0; job < 2; ++job)
      events += range(fmt::format("ProfilerStep#{}", job).c_str(), job * 10'000, 700) + events_with(record)(job * 10'000, 100 * job, job);
    return convert::convert_text(all(events), "file", options()).assumed;
  };
  const auto later = told([](int id) { return id + 5; });
  CHECK(
      test::mentions(later, "2 waits for an event that was recorded again later are taken to wait for all that its stream had been given"));
  CHECK(!test::mentions(later, "of another job"));
  // The second job waits for the record of the first: that one is of another job. The first waits for its own, which comes later.
  const auto other = told([](int) { return 5; });
  CHECK(test::mentions(other, "1 waits for an event of another job are left out"));
  CHECK(test::mentions(other, "1 waits for an event that was recorded again later"));
}
