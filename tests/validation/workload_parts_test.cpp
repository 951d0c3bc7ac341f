// Parts of a workload's runtime that need neither a GPU nor time: clocks.
#include <doctest/doctest.h>

#include "workload/checks.hpp"

using namespace workload;

namespace {

constexpr std::int64_t s = 1'000'000'000;

// 10 ppm fast, read 1 s apart; 1 us of error.
GpuClock fast_clock() { return {ClockPair{10 * s, 500 * s, 1'000}, ClockPair{11 * s, 501 * s + 10'000, 1'000}}; }

}  // namespace

TEST_CASE("a line through two readings of both clocks") {
  const GpuClock clock = fast_clock();
  CHECK(clock.to_host(500 * s) == 10 * s);
  CHECK(clock.to_host(501 * s + 10'000) == 11 * s);
  CHECK(clock.to_host(500 * s + 100 * (s + 10'000)) == doctest::Approx(110 * s).epsilon(1e-12));
  CHECK(clock.drift({111 * s, 600 * s + 110 * 10'000 + s, 0}) <= 100'000);
}

TEST_CASE("what a clock's line may be off grows with time; more is a warning and never invalidates a run") {
  const GpuClock clock = fast_clock();
  CHECK(clock.tolerance(5 * s) == 1'000'000);
  CHECK(clock.tolerance(11 * s) == 1'000'000);
  CHECK(clock.tolerance(11 * s + 600 * s) == 4'000'000);  // 5 ppm of 600 s
  CHECK(check_gpu_clock("c", clock, 40'000, 12 * s).outcome == Outcome::ok);
  CHECK(check_gpu_clock("c", clock, 60'000, 12 * s).outcome == Outcome::warning);
  CHECK(check_gpu_clock("c", clock, 3'000'000, 611 * s).outcome == Outcome::ok);
  CHECK(check_gpu_clock("c", clock, 9'000'000, 611 * s).outcome == Outcome::warning);
  CHECK(check_gpu_clock("c", clock, 60'000, 12 * s).text == "read to within 1.0 us; runs -10.000 ppm against the host's; off by 60.0 us at the end");
}
