// The simulator plays company while it is there: by hand, against C1, and against wrong variants of it.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "rta/io/task_set_file.hpp"
#include "rta/simulate/simulate.hpp"
#include "support/slowed_played.hpp"

using namespace rta;
using namespace rta::test;
using namespace rta::literals;

namespace {

/// a of class x, 10 us alone, twice as long beside y; b of class y, 30 us beside x and 20 us alone.
TaskSet two_kernels(const std::string& sms, const std::string& more, const std::string& H) {
  return io::parse_task_set("platform: {gpu: {sms: " + sms +
                                ", threads: 64, interference: {classes: [x, y], other-sm: {x: [0, 1], y: [0.5, 0]}" + more +
                                "}}}\ndags:\n  - {name: a, T: 1 ms, nodes: {k: {on: gpu, B: 1, H: " + H +
                                ", L: {alone: 10 us}, class: x}}}\n  - {name: b, T: 1 ms, nodes: {k: {on: gpu, B: 1, H: " + H +
                                ", L: {alone: 20 us}, class: y}}}\n",
                            "set.yaml")
      .task_set;
}

/// The longest of both, a released at 0 and b at `at`.
std::vector<Time> responses(const TaskSet& set, Time at, simulate::Placement placement = simulate::Placement::most_free) {
  simulate::Options options;
  options.duration = 1_ms;
  options.releases.phases = {0_us, at};
  options.placement = placement;
  const auto seen = simulate::simulate(set, released_on_completion(set), options);
  return {seen.dags[0].response.max(), seen.dags[1].response.max()};
}

}  // namespace

TEST_CASE("a block is slower while company is there, and no longer") {
  const TaskSet set = two_kernels("2", "", "64");
  // a is alone for 4 us, then beside b: the other 6 us take 12, to 16. b has done 8 us of its 20 by then, in 12, and takes 12 more.
  CHECK(responses(set, 4_us) == std::vector{16_us, 24_us});
  // Both at once: a ends at 20, when b has done 13.333 us: 20 + 6.667.
  CHECK(responses(set, 0_us) == std::vector{20_us, Time(26'667)});
  CHECK(responses(set, 100_us) == std::vector{10_us, 20_us});
}

TEST_CASE("on one SM `same-sm` counts, and `other-sm` does not") {
  const TaskSet set = two_kernels("2", ", same-sm: {x: [0, 2], y: [0, 0]}", "32");
  // Side by side as above; on one SM b is not disturbed, and a does 6.667 us of its 10 until b has ended at 20.
  CHECK(responses(set, 0_us) == std::vector{20_us, Time(26'667)});
  CHECK(responses(set, 0_us, simulate::Placement::least_free) == std::vector{Time(23'334), 20_us});
}

TEST_CASE("partitions of a GPU are company of one another") {
  const TaskSet set = io::parse_task_set(
                          "platform: {gpu: {sms: 2, threads: 64, interference: {classes: [x, y], other-sm: {x: [0, 1], y: [0.5, 0]}}, "
                          "partitions: {p: {sms: 1, kind: green}, q: {sms: 1, kind: green}}}}\n"
                          "dags:\n  - {name: a, T: 1 ms, nodes: {k: {on: gpu/p, B: 1, H: 64, L: {alone: 10 us}, class: x}}}\n"
                          "  - {name: b, T: 1 ms, nodes: {k: {on: gpu/q, B: 1, H: 64, L: {alone: 20 us}, class: y}}}\n",
                          "set.yaml")
                          .task_set;
  CHECK(responses(set, 4_us) == std::vector{16_us, 24_us});
}

TEST_CASE("a kernel without a class counts as the worst, and another job of it as one of its own") {
  const TaskSet set = io::parse_task_set(
                          "platform: {gpu: {sms: 2, threads: 64, interference: {classes: [x, y], other-sm: {x: [0, 1], y: [0.5, 0]}}}}\n"
                          "dags:\n  - {name: a, T: 10 us, nodes: {k: {on: gpu, B: 1, H: 64, L: {alone: 12 us}}}}\n",
                          "set.yaml")
                          .task_set;
  simulate::Options options;
  options.duration = 20_us;
  const auto seen = simulate::simulate(set, released_on_completion(set), options);
  // The first is alone for 10 us, and 2 of its 12 take 4: it ends at 14. The second has done 2 by then and takes 10 more.
  CHECK(seen.dags[0].response.max() == 14_us);
  CHECK(seen.dags[0].response.worst_job() == 0);
  CHECK(seen.simulated == 24_us);
}

TEST_CASE("no simulated schedule of kernels that slow one another down exceeds C1 or C2") {
  for (const Release release : {Release::completion, Release::offsets}) {
    const auto played = play_slowed(1, 900, 24, release);
    REQUIRE_MESSAGE(!played.broken, played.broken.value_or(""));
    CHECK(played.nodes > 500);
    CHECK(played.close > 100);
    CHECK(played.shorter > 50);
  }
}

TEST_CASE("the search finds schedules that exceed bounds without some company") {
  auto variants = wrong_company;
  for (std::uint64_t seed = 1; seed <= 5'000; ++seed) {
    if (std::ranges::all_of(variants, &WrongVariant::caught)) break;
    const SlowedSystem system = slowed_system(seed);
    const auto worst = worst_played(*system.set, released_on_completion(*system.set), seed, 48);
    for (WrongVariant& variant : variants) {
      if (!variant.caught) variant.caught = later_than(variant.bounds(system), worst).has_value();
    }
  }
  for (const WrongVariant& variant : variants) CHECK_MESSAGE(variant.caught, std::string(variant.what));
}
