// The plan holds exactly what the schedule says, and whoever opens one believes nothing.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "rta/model/error.hpp"
#include "rta/validation/static_plan.hpp"
#include "schedules.hpp"

extern "C" {
#include "static/plan.h"
}

using namespace rta;
using namespace rta::test;

namespace {

/// Opens a copy that ends where the plan ends, so that the sanitizer sees whoever reads on.
struct Opened {
  explicit Opened(const std::string& text) : bytes(text.begin(), text.end()) {
    const auto* words = reinterpret_cast<const unsigned char*>(bytes.data());
    good = rts_plan_open(&plan, words, bytes.size(), &error);
  }
  std::vector<char> bytes;
  rts_plan plan{};
  rts_error error{};
  bool good = false;
};

std::string bytes_of(const Schedule& schedule) { return validation::plan_of(schedule, "schedule.yaml", std::string(64, 'a')); }

/// When each job of a frame ends at the latest, as the plan says; -1: it does not run. Jobs end in the order of what they wait for.
std::vector<std::int64_t> worst_ends(const rts_plan& plan, std::uint64_t frame) {
  const std::uint32_t count = plan.header->jobs.count;
  std::vector<std::int64_t> start(count, -1);
  std::vector<std::int64_t> end(count, -1);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t i = 0; i < count; ++i) {
      const rts_job& job = plan.jobs[i];
      if (!rts_runs_in(&job, frame)) continue;
      std::int64_t at = job.offset;
      for (std::uint32_t w = 0; w < job.waits; ++w) {
        const rts_wait& wait = plan.waits[job.first_wait + w];
        if (rts_applies_in(&plan, &wait, frame)) at = std::max(at, wait.started != 0 ? start[wait.job] : end[wait.job]);
      }
      for (std::uint32_t k = plan.lines[job.line].first_job; k < i; ++k) at = std::max(at, end[k]);
      if (at == start[i] && end[i] >= 0) continue;
      start[i] = at;
      end[i] = at + job.wcet;
      changed = true;
    }
  }
  return end;
}

}  // namespace

TEST_CASE("the tutorial's plan: two lines of one process, the kernel waits for its submitter alone") {
  const Opened opened(bytes_of(tutorial(10_ms, 100_ms, 101)));
  REQUIRE_MESSAGE(opened.good, opened.error.text);
  const rts_plan& plan = opened.plan;
  CHECK(plan.header->identifier == 101);
  CHECK(plan.header->clients.count == 1);
  REQUIRE(plan.header->lines.count == 2);
  REQUIRE(plan.header->jobs.count == 3);
  CHECK(plan.lines[0].core == 0);
  CHECK(plan.lines[1].stream == 0);
  CHECK(std::string(rts_name(&plan, plan.streams[0].name)) == "CUDA_STREAMX");
  // Job 0 submits job 2; job 1, post_process, waits for it, and for submit as the one before in its line.
  CHECK(plan.jobs[0].submits == 2);
  REQUIRE(plan.jobs[2].waits == 1);
  CHECK(plan.waits[plan.jobs[2].first_wait].job == 0);
  REQUIRE(plan.jobs[1].waits == 1);
  CHECK(plan.waits[plan.jobs[1].first_wait].job == 2);
  CHECK(worst_ends(plan, 0) == std::vector<std::int64_t>{10'000'000, 30'000'000, 20'000'000});
}

TEST_CASE("a plan plays what was proven: its longest paths are the schedule's, and in no frame longer") {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    const Schedule schedule = RandomSchedule(seed, 1_ms, 1 + seed % 3)(3 + seed % 20, 7);
    if (played(schedule) == 0) continue;
    const Opened opened(bytes_of(schedule));
    REQUIRE_MESSAGE(opened.good, opened.error.text);
    const rts_plan& plan = opened.plan;
    for (std::uint64_t frame = 0; frame < 24; ++frame) {
      const auto ends = worst_ends(plan, frame);
      for (std::uint32_t i = 0; i < ends.size(); ++i) {
        if (has_empty_turns(schedule)) {
          CHECK(ends[i] <= plan.jobs[i].finish);
        } else {
          CHECK(ends[i] == (rts_runs_in(&plan.jobs[i], frame) ? plan.jobs[i].finish : -1));
        }
      }
    }
  }
}

TEST_CASE("in every frame the plan keeps every order that the schedule has, through empty slots, too") {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    Schedule schedule = RandomSchedule(seed, 1_ms, 1 + seed % 3)(3 + seed % 20, 7);
    if (played(schedule) == 0) continue;
    ScheduledHyperepoch& h = schedule.hyperepochs.front();
    // Everything takes 1, so that one that comes after another cannot end with it.
    for (ScheduledRunnable& r : h.runnables) r.wcet = r.role == Role::frame_sync ? Time() : 1_ns;
    const Opened opened(bytes_of(schedule));
    REQUIRE_MESSAGE(opened.good, opened.error.text);
    const auto predecessors = before(h);
    for (std::uint64_t frame = 0; frame < 12; ++frame) {
      const auto ends = worst_ends(opened.plan, frame);
      const auto end_of = [&](std::size_t r) -> std::int64_t {
        for (std::uint32_t i = 0; i < ends.size(); ++i) {
          const std::string label = rts_name(&opened.plan, rts_runnable_of(&opened.plan, &opened.plan.jobs[i])->label);
          for (const auto& step : static_order::steps_of(h, h.runnables[r])) {
            if (step.label() == label && ends[i] >= 0) return ends[i];
          }
        }
        return -1;
      };
      // An empty slot passes on the latest end of what it comes after.
      std::vector<std::int64_t> passed(h.runnables.size());
      for (std::size_t r = 0; r < h.runnables.size(); ++r) {
        for (const std::size_t p : predecessors[r]) passed[r] = std::max(passed[r], passed[p]);
        const std::int64_t end = end_of(r);
        if (end < 0) continue;
        CHECK(end > passed[r]);
        passed[r] = end;
      }
    }
  }
}

TEST_CASE("a plan with any byte changed is refused or still one that can be played: nothing is read outside it") {
  std::mt19937_64 random(1);
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Schedule schedule = RandomSchedule(seed, 1_ms, 2)(4 + seed % 9, 7);
    if (played(schedule) == 0) continue;
    const std::string bytes = bytes_of(schedule);
    for (int change = 0; change < 400; ++change) {
      std::string changed = bytes;
      for (std::size_t n = 1 + random() % 3; n > 0; --n) {
        const std::size_t at = (random() % (changed.size() / 4)) * 4;
        // Numbers near those that are there are the likeliest to be believed.
        const std::uint32_t values[] = {
            0, 1, 2, UINT32_MAX, static_cast<std::uint32_t>(random() % 64), static_cast<std::uint32_t>(random())};
        std::memcpy(changed.data() + at, &values[random() % std::size(values)], 4);
      }
      const Opened opened(changed);
      if (!opened.good) {
        CHECK(std::strlen(opened.error.text) > 5);
        continue;
      }
      (void)worst_ends(opened.plan, 5);
    }
    for (std::size_t length = 0; length < bytes.size(); length += 1 + bytes.size() / 50) CHECK_FALSE(Opened(bytes.substr(0, length)).good);
  }
}

TEST_CASE("a plan whose jobs wait for each other is refused by name") {
  std::string bytes = bytes_of(relay(1_ms, 10_ms, 7));
  const Opened opened(bytes);
  REQUIRE(opened.good);
  // a: first, last; b: middle. `middle` waits for `first`: let it wait for `last`, which waits for it.
  const rts_job& middle = opened.plan.jobs[2];
  REQUIRE(middle.waits == 1);
  const std::size_t at = opened.plan.header->waits.at + middle.first_wait * sizeof(rts_wait);
  const std::uint32_t last = 1;
  std::memcpy(bytes.data() + at, &last, sizeof last);
  const Opened deadlocked(bytes);
  CHECK_FALSE(deadlocked.good);
  CHECK(std::string(deadlocked.error.text).find("can never start") != std::string::npos);
}

TEST_CASE("what cannot be played is said with the runnable's name") {
  Schedule schedule = tutorial(10_ms, 100_ms, 101);
  schedule.hyperepochs[0].runnables[1].stream.reset();
  CHECK_THROWS_WITH_AS((void)bytes_of(schedule), "what submitter 'GpuX.submit' submits is in no stream, so that its end cannot be told",
                       UserError);
  schedule = tutorial(10_ms, 100_ms, 101);
  schedule.hyperepochs[0].runnables[0].submits = {1, 1};
  CHECK_THROWS_WITH_AS(
      (void)bytes_of(schedule),
      "submitter 'GpuX.submit' has 2 submittees; the run time tells the end of one, so that each needs a submitter of its own", UserError);
  schedule = tutorial(10_ms, 100_ms, 101);
  schedule.clients[0] = "two\nlines";
  CHECK_THROWS_AS((void)bytes_of(schedule), UserError);
  schedule = tutorial(10_ms, 100_ms, 101);
  schedule.hyperepochs[0].runnables[0].after = {2};
  CHECK_THROWS_WITH_AS((void)bytes_of(schedule),
                       "hyperepoch 'hyperepoch0': 'GpuX.submit' stands before 'GpuX.post_process', for which it waits", UserError);
}

TEST_CASE("runnables that take a slot in turn: each is played in its own frames") {
  // An epoch of 2 frames and 3 steps: frame k of repetition n takes step (2n + k) mod 3, so step 0 comes in frame 0 of n = 0, 3, 6 ...
  // and in frame 1 of n = 1, 4, 7 ...
  ScheduledHyperepoch h = hyperepoch("h", 20_ms, {{"CPU0", "CPU", {}}}, {{"e", 10_ms, 2}});
  for (std::uint64_t k = 0; k < 2; ++k) {
    ScheduledRunnable slot = runnable("", "slot", 0, 1_ms);
    slot.steps = {"x.a", "y.b", ""};
    slot.frame = k;
    slot.release = 10_ms * static_cast<std::int64_t>(k);
    h.runnables.push_back(slot);
  }
  using static_order::Turn;
  const auto first = static_order::steps_of(h, h.runnables[0]);
  REQUIRE(first.size() == 2);
  CHECK(first[0].turn == Turn{3, 0});
  CHECK(first[1].turn == Turn{3, 2});
  CHECK(first[1].label() == "y.b");
  CHECK(static_order::steps_of(h, h.runnables[1])[0].turn == Turn{3, 1});
  CHECK(static_order::empty_turns(h, h.runnables[0]) == std::vector<Turn>{{3, 1}});
  const Opened opened(bytes_of(schedule_of({"x", "y"}, {h}, 1)));
  REQUIRE_MESSAGE(opened.good, opened.error.text);
  CHECK(opened.plan.header->jobs.count == 4);
  CHECK(opened.plan.header->lines.count == 2);
  for (std::uint64_t n = 0; n < 9; ++n) {
    int runs = 0;
    for (std::uint32_t i = 0; i < 4; ++i) runs += rts_runs_in(&opened.plan.jobs[i], n) ? 1 : 0;
    // Of two slots in a row, one is empty in two of three frames.
    CHECK(runs == (n % 3 == 0 ? 2 : 1));
  }
}

TEST_CASE("turns that meet: the Chinese remainder") {
  using static_order::both;
  using static_order::Turn;
  CHECK(both({3, 2}, {4, 1}) == Turn{12, 5});  // 5, 17, 29 ...
  CHECK(both({4, 1}, {6, 3}) == Turn{12, 9});
  CHECK_FALSE(both({4, 1}, {6, 2}).has_value());
  CHECK(both({1, 0}, {7, 3}) == Turn{7, 3});
  CHECK_THROWS_AS((void)both({65537, 0}, {65539, 0}), UserError);
}
