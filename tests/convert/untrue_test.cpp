// Records whose times cannot be true. Times are us: four jobs of 1.2 ms, 10 ms apart, each with k0 from 20 to 420 and k1 from 520 to 920.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <functional>

#include "kineto_events.hpp"

using namespace rta;
using namespace rta::test::kineto;

namespace {

struct Times {
  int start, length;
};

// `times` may change those of a kernel of a job.
convert::Converted of_four_jobs(const std::function<void(int job, int kernel, Times& times)>& change) {
  std::string events;
  for (int job = 0; job < 4; ++job) {
    const int at = 10'000'000 + job * 10'000;
    events += range(fmt::format("ProfilerStep#{}", job).c_str(), at, 1200);
    for (int k = 0; k < 2; ++k) {
      Times times{at + 20 + 500 * k, 400};
      change(job, k, times);
      events += call("cudaLaunchKernel", at + 10 + 10 * k, 5, 10 * job + k + 1);
      events += kernel(k == 0 ? "k0" : "k1", times.start, times.length, 7, 10 * job + k + 1);
    }
    events += call("cudaDeviceSynchronize", at + 40, 1000, 10 * job + 9);
  }
  return convert::convert_text(all(events), "file", options());
}
std::string fault_of_four_jobs(const std::function<void(int job, int kernel, Times& times)>& change) {
  try {
    (void)of_four_jobs(change);
  } catch (const UserError& error) {
    return error.what();
  }
  return "converted";
}
Time length_of(const convert::Converted& result, const char* node) {
  return longest_piece(test::node_of(std::get<TaskSet>(result.content).dags().front(), node));
}

}  // namespace

TEST_CASE("A record without times is not counted: what the other jobs took counts") {
  const auto result = of_four_jobs([](int job, int k, Times& times) {
    if (job == 1 && k == 1) times = {0, 0};
  });
  CHECK(test::mentions(result.assumed,
                       "1 of 8 kernels, copies and memsets have times that cannot be true (1 without times): their times are not counted"));
  CHECK(length_of(result, "k1") == Time(400'000));
  CHECK(std::get<GpuDemand>(test::node_of(std::get<TaskSet>(result.content).dags().front(), "k1").demand).B == 10);
  CHECK(!test::mentions(result.assumed, "are not in all of its"));
}

TEST_CASE("A record that ends before it begins, or begins long before its launch, is not counted") {
  const auto backwards = of_four_jobs([](int job, int k, Times& times) {
    if (job == 2 && k == 0) times.length = -7;
  });
  CHECK(test::mentions(backwards.assumed, "(1 that end before they begin)"));
  CHECK(length_of(backwards, "k0") == Time(400'000));
  const auto early = of_four_jobs([](int job, int k, Times& times) {
    if (job == 3 && k == 1) times = {5, 9'000'000};
  });
  CHECK(test::mentions(early.assumed, "(1 that begin before their launch)"));
  CHECK(length_of(early, "k1") == Time(400'000));
}

TEST_CASE("A kernel that outlasts the next one of its stream had ended when that began") {
  // k0 of job 1 would end at 20 + 2000: k1 began at 520, so that it lasted 500 at most.
  const auto result = of_four_jobs([](int job, int k, Times& times) {
    if (job == 1 && k == 0) times.length = 2000;
  });
  CHECK(length_of(result, "k0") == Time(500'000));
  CHECK(test::mentions(result.assumed, "(1 that outlast the next of their stream or what waited for them): they are cut"));
}

TEST_CASE("A kernel that outlasts the synchronisation that waited for it had ended when that returned") {
  // The last kernel of all would end after 4 s; the thread went on at 40 + 1000 of that job, 520 us after the kernel had begun.
  const auto result = of_four_jobs([](int job, int k, Times& times) {
    if (job == 3 && k == 1) times.length = 4'000'000;
  });
  CHECK(length_of(result, "k1") == Time(520'000));
}

TEST_CASE("A kernel that lasts hundreds of times as long as all that the program did is not counted") {
  std::string events;
  for (int job = 0; job < 3; ++job) {
    const int at = 10'000'000 + job * 10'000;
    events += range(fmt::format("ProfilerStep#{}", job).c_str(), at, 1200);
    events += call("cudaLaunchKernel", at + 10, 5, job + 1);
    events += kernel("k", at + 20, job == 2 ? 2'000'000'000 : 300, 7, job + 1);
  }
  // 2000 s in a recording of 21 ms; 100 s, 100 times the shortest recording that tells, would be believed.
  const auto result = convert::convert_text(all(events), "file", options());
  CHECK(length_of(result, "k") == Time(300'000));
  CHECK(test::mentions(result.assumed, "(1 that last over 100 times as long as the recording of the program)"));
}

TEST_CASE("From 1 % on a recording with such records is refused, and where nothing else tells how long a kernel lasts") {
  CHECK(
      fault_of_four_jobs([](int job, int, Times& times) {
        if (job == 1) times = {0, 0};
      }) ==
      "file: 2 of 8 kernels, copies and memsets have times that cannot be true (2 without times): a recording of which 1 % is wrong shows "
      "nothing; record it again");
  convert::Options chosen = options();
  chosen.period = Time(10'000'000);
  const std::string one = range("ProfilerStep#0", 10'000'000, 500) + call("cudaLaunchKernel", 10'000'010, 5, 1) + kernel("k", 0, 0, 7, 1);
  CHECK(test::fault_of(all(one), chosen) ==
        "file: DAG 'ProfilerStep': 'k' has times that cannot be true in every job: nothing tells how long it lasts");
  CHECK(test::fault_of(all(call("cudaLaunchKernel", 10'000'010, 5, 1) + kernel("k", 0, 0, 7, 2)), chosen).find("and no launch") !=
        std::string::npos);
}

TEST_CASE("Kernels that begin before the one before them has ended are told of, and keep their times") {
  const auto result = of_four_jobs([](int, int k, Times& times) {
    if (k == 0) times.length = 510;  // to 530, where k1 begins at 520 and ends at 920
  });
  CHECK(length_of(result, "k0") == Time(510'000));
  CHECK(test::mentions(result.assumed, "4 kernels, copies and memsets had not ended when the next of their stream began"));
  CHECK(test::mentions(result.assumed, "kernels that began so, 'k1' among 1, have the GPU for themselves, for their time"));
  // Blocks of k1 wait on their SMs for k0, as long as k0 takes then.
  const auto& dag = std::get<TaskSet>(result.content).dags().front();
  CHECK(std::get<GpuDemand>(test::node_of(dag, "k0").demand).has_blocks);
  CHECK(!std::get<GpuDemand>(test::node_of(dag, "k1").demand).has_blocks);
}
