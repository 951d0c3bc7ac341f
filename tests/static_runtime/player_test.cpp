// The player: what it draws belongs to a job, so that a seed repeats a run however frames overlap and threads take turns.
#include <doctest/doctest.h>

#include "played.hpp"

using namespace rta;
using namespace rta::test;

namespace {

/// Two frames of one runnable, side by side on two cores.
static_order::Schedule overlapping(Time C) {
  ScheduledHyperepoch h = hyperepoch("h", C * 3, {{"CPU0", "CPU", {}}, {"CPU1", "CPU", {}}}, {{"epoch", C, 2}});
  h.runnables = {runnable("-a", "r", 0, C), runnable("-a", "r", 1, C)};
  h.runnables[1].frame = 1;
  return schedule_of({"-a"}, {h}, 77);
}

}  // namespace

TEST_CASE("frames of one runnable that overlap share nothing, as ThreadSanitizer sees it") {
  Stage stage(overlapping(4_ms));
  const auto master = stage.master({"--frames", "10", "--", STATIC_RACED_PLAYER, "--execution", "uniform", "--late", "100", "--", "{}"});
  const int status = master->wait();
  INFO(master->said());
  CHECK((status == 0 || status == 1));
  CHECK(master->said().find("ThreadSanitizer") == std::string::npos);
  CHECK(stage.records().jobs.size() == 20);
}
