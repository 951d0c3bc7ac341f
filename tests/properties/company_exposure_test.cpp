// C2: no schedule in which company slows a block while it is there exceeds it; and wrong variants, which schedules exceed.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>

#include "support/exposed_system.hpp"

using namespace rta;
using namespace rta::test;

TEST_CASE("no simulated schedule exceeds bounds that count how long company is there") {
  std::size_t nodes = 0, shorter = 0, close = 0;
  for (std::uint64_t seed = 1; seed <= 1'500; ++seed) {
    const auto set = exposed_set(seed);
    const Release release = seed % 5 == 0 ? Release::offsets : Release::completion;
    const analysis::Proof proof = bounds_of(set, release);
    if (!analysis::is_playable(proof) || verdict_of(proof) == analysis::Verdict::unbounded) continue;
    const auto played = seed % 4 == 0 ? with_milder_company(*set, seed) : set;
    const auto worst = worst_played(*played, schedule_of(proof), seed, 24);
    const auto broken = later_than(proof, worst);
    REQUIRE_MESSAGE(!broken, "seed " << seed << ": " << broken.value_or(""));
    const std::size_t by_time = shorter_by_time(proof);
    shorter += by_time;
    for (DagId d = 0; d < worst.size(); ++d) {
      for (NodeId v = 0; v < worst[d].size(); ++v) {
        ++nodes;
        if (by_time > 0 && worst[d][v] * 100 >= proof.dags[d].nodes[v].bound->R * 95) ++close;
      }
    }
  }
  MESSAGE(nodes << " nodes, " << shorter << " shorter, " << close << " close");
  CHECK(nodes > 2'000);
  CHECK(shorter > 500);
  CHECK(close > 100);
}

TEST_CASE("the formula with every class there for a time holds, and the bounds are no later") {
  std::size_t exact = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const auto set = exposed_set(seed);
    const analysis::Proof own = by_exposure(set, Wrong::nothing);
    const analysis::Proof proof = bounds_of(set);
    const auto longest = analysis::block_times(*own.task_set);
    const auto found = analysis::block_times(*proof.task_set);
    for (DagId d = 0; d < found.size(); ++d) {
      for (NodeId v = 0; v < found[d].size(); ++v) {
        CHECK_MESSAGE(found[d][v] <= longest[d][v] + Time(2), "seed " << seed << " d" << d << "/k" << v);
        if (found[d][v] == longest[d][v]) ++exact;
      }
    }
  }
  CHECK(exact > 200);
}

TEST_CASE("schedules exceed what would follow from less company") {
  struct Variant {
    const char* what;
    Wrong wrong;
    std::uint64_t caught = 0;
  };
  std::array<Variant, 5> variants{{{"durations alone of what is there", Wrong::durations_alone},
                                   {"one job less", Wrong::one_job_less},
                                   {"windows of bounds without company", Wrong::unproven_windows},
                                   {"blocks side by side on places of their own", Wrong::places_of_their_own},
                                   {"nothing on its own SM", Wrong::own_entry_alone}}};
  for (std::uint64_t seed = 1; seed <= 6'000; ++seed) {
    if (std::ranges::all_of(variants, [](const Variant& one) { return one.caught > 0; })) break;
    const auto set = exposed_set(seed);
    const auto worst = worst_played(*set, released_on_completion(*set), seed, 24);
    for (Variant& variant : variants) {
      if (variant.caught == 0 && later_than(by_exposure(set, variant.wrong), worst)) variant.caught = seed;
    }
  }
  for (const Variant& variant : variants) CHECK_MESSAGE(variant.caught > 0, std::string(variant.what));
}
