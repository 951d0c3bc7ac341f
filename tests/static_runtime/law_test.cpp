// The law: no runnable of a played schedule ends after its proven finish plus the wake-ups that were measured.
#include <doctest/doctest.h>

#include "played.hpp"
#include "rta/compare/static_comparison.hpp"

using namespace rta;
using namespace rta::test;

namespace {

compare::StaticComparison compared(const static_order::Schedule& schedule, const Stage& stage) {
  std::ifstream file(stage.trace());
  trace::Reader reader(file, "trace.jsonl");
  return compare::compare(schedule, std::string(64, 'a'), reader, "trace.jsonl");
}

}  // namespace

TEST_CASE("law: random schedules with random times up to the WCET and late wake-ups end when proven, but for the wake-ups") {
  std::uint64_t frames = 0;
  std::uint64_t late = 0;
  for (std::uint64_t seed = 100; seed < 112; ++seed) {
    CAPTURE(seed);
    const static_order::Schedule schedule = RandomSchedule(seed, 300_us, 2)(4 + seed % 12, 3);
    if (played(schedule) == 0) continue;
    Stage stage(schedule);
    const std::string execution = seed % 2 == 0 ? "uniform" : "worst";
    const auto master =
        stage.play({"--frames", "40"}, {"--execution", execution, "--late", seed % 3 == 0 ? "0" : "300", "--seed", std::to_string(seed)});
    const int status = master->wait();
    INFO(master->said());
    REQUIRE((status == 0 || status == 1));
    const auto result = compared(schedule, stage);
    CHECK(result.complete);
    CHECK(result.hyperepochs.front().frames == 40);
    CHECK(result.hyperepochs.front().incomplete == 0);
    CHECK(result.early == 0);
    // On a busy machine a runnable is interrupted and takes longer than its WCET; then, and only then, something may be later still.
    CHECK(result.unexplained == 0);
    if (result.over == 0) CHECK(result.late == 0);
    frames += result.hyperepochs.front().frames;
    late += result.late;
  }
  CHECK(frames >= 200);
  MESSAGE(late << " jobs were late because a runnable took longer than its WCET");
}
