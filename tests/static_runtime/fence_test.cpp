// Fences: exhaustively, under ThreadSanitizer, and all of the run time's threads together.
#include <doctest/doctest.h>

#include "played.hpp"
#include "process/tool.hpp"

using namespace rta;
using namespace rta::test;

TEST_CASE("no interleaving of fences and frames loses a wake-up, a write or a frame; what is left out of them on purpose is found") {
  const auto checked = process::run_tool({STATIC_FENCES});
  INFO(checked.text);
  CHECK(checked.status == 0);
  CHECK(checked.text.find("frames of two workers") != std::string::npos);
}

TEST_CASE("200,000 fence operations under ThreadSanitizer, between threads and between processes, asleep and awake") {
  for (const std::string between : {"threads", "processes"}) {
    for (const std::string spin : {"0", "20000"}) {
      CAPTURE(between);
      CAPTURE(spin);
      const auto ran = process::run_tool({STATIC_FENCE_STRESS, between, "25000", spin});
      INFO(ran.text);
      CHECK(ran.status == 0);
    }
  }
}

TEST_CASE("leaders and lines of random schedules under ThreadSanitizer, in one process: no race, nothing early") {
  const TemporaryFolder folder;
  int count = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    const static_order::Schedule schedule = RandomSchedule(seed, 10_us, 1 + seed % 3)(5 + seed, 3);
    if (played(schedule) == 0) continue;
    const std::string plan = (folder / "plan").string();
    std::ofstream(plan, std::ios::binary) << validation::plan_of(schedule, "schedule.yaml", std::string(64, 'a'));
    const auto ran = process::run_tool({STATIC_ONE_PROCESS, plan, "40"});
    INFO(ran.text);
    CHECK(ran.status == 0);
    ++count;
  }
  CHECK(count > 10);
}
