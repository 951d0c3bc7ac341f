// T15 and T15g by hand: the examples of docs/theory/static.md.
#include "rta/static_order/proof.hpp"

#include <doctest/doctest.h>

#include "schedules.hpp"

using namespace rta;
using namespace rta::static_order;

namespace {

HyperepochProof proven(const ScheduledHyperepoch& h) {
  Cycle cycle;
  auto proof = prove(h, cycle);
  REQUIRE(proof);
  CHECK(cycle.empty());
  return std::move(*proof);
}

std::vector<std::int64_t> ends(const ScheduledHyperepoch& h) {
  std::vector<std::int64_t> all;
  for (const RunnableProof& r : proven(h).runnables) all.push_back(r.end.count());
  return all;
}

}  // namespace

TEST_CASE("submit, kernel and post on a CPU and a GPU end at 10, 20 and 30") {
  ScheduledHyperepoch h = hyperepoch_with({"CPU0", "iGPU"}, Time(100));
  add(h, 10, {0});
  add(h, 10, {1}, {0});
  add(h, 10, {0}, {1});
  const HyperepochProof proof = proven(h);
  CHECK(ends(h) == std::vector<std::int64_t>{10, 20, 30});
  CHECK(proof.length == Time(30));
  CHECK(proof.critical_path == std::vector<std::size_t>{0, 1, 2});
  // Period 100: each may take 70 longer, and all of them 100/30 = 10/3 times as long.
  for (const RunnableProof& r : proof.runnables) CHECK(r.slack == Time(70));
  REQUIRE(proof.scale);
  CHECK(proof.scale->numerator * 3 == proof.scale->denominator * 10);
  CHECK(proof.lateness == Time(-70));
  CHECK(proof.runnables[2].decision.by == Decision::By::dependency);
  CHECK(proof.runnables[2].decision.predecessor == 1);
}

TEST_CASE("two submitters and a third runnable on one CPU, two kernels of 1") {
  // CPU0: Y.submit, X.submit, test1, 10 each: 10, 20, 30. Kernels of 1 on one GPU: max(10) + 1 = 11; max(20, 11) + 1 = 21.
  ScheduledHyperepoch h = hyperepoch_with({"CPU0", "iGPU"});
  const auto y = add(h, 10, {0});
  const auto x = add(h, 10, {0});
  add(h, 10, {0});
  add(h, 1, {1}, {y});
  add(h, 1, {1}, {x});
  CHECK(ends(h) == std::vector<std::int64_t>{10, 20, 30, 11, 21});
}

TEST_CASE("a runnable waits for its release, and then decides nothing before it") {
  ScheduledHyperepoch h = hyperepoch_with({"CPU0"});
  add(h, 5, {0});
  add(h, 5, {0}, {}, 20);  // idle from 5 to 20
  const HyperepochProof proof = proven(h);
  CHECK(ends(h) == std::vector<std::int64_t>{5, 25});
  CHECK(proof.critical_path == std::vector<std::size_t>{1});
  CHECK(proof.runnables[1].decision.by == Decision::By::release);
}

TEST_CASE("orders that contradict dependencies deadlock, and the cycle is named") {
  // Resource 0 serves 0, 1; resource 1 serves 2, 3; 1 -> 2 and 3 -> 0.
  ScheduledHyperepoch h = hyperepoch_with({"a", "b"});
  add(h, 1, {0}, {3});
  add(h, 1, {0});
  add(h, 1, {1}, {1});
  add(h, 1, {1});
  Cycle cycle;
  CHECK_FALSE(prove(h, cycle));
  REQUIRE(cycle.size() == 4);
  // Each waits for the next: 0 for 3, 3 for 2, 2 for 1, 1 for 0.
  for (std::size_t i = 0; i < cycle.size(); ++i) CHECK(cycle[(i + 1) % 4] == (cycle[i] + 3) % 4);
}

TEST_CASE("submittees of one stream keep the order of the list") {
  // Two engines, one stream: without the stream the second submittee would end at 1.
  ScheduledHyperepoch h = hyperepoch_with({"a", "b", "stream"});
  add(h, 9, {0});
  add(h, 1, {1});
  h.runnables[0].stream = 2;
  h.runnables[1].stream = 2;
  CHECK(ends(h) == std::vector<std::int64_t>{9, 10});
}

TEST_CASE("a submittee that overlaps counts from its submitter's start") {
  // CPU 3, then submit of 4: it starts at 3, so does the kernel of max(4, 6) = 6: 9. post waits for both: 9 + 1.
  ScheduledHyperepoch h = hyperepoch_with({"CPU0", "iGPU"}, Time(20));
  add(h, 3, {0});
  const auto submit = add(h, 4, {0});
  const auto kernel = add(h, 6, {1});
  h.runnables[kernel].after_start = {submit};
  add(h, 1, {0}, {kernel});
  CHECK(ends(h) == std::vector<std::int64_t>{3, 7, 9, 10});
  const HyperepochProof proof = proven(h);
  CHECK(proof.runnables[kernel].decision.by == Decision::By::submitter_start);
  // The kernel may take 10 more. The submitter's own end has 12 left (post starts 9, may start 19; 19 - 7), and with more than 6 the kernel
  // becomes as long as it: 6 + 10 - 4 = 12.
  CHECK(proof.runnables[kernel].slack == Time(10));
  CHECK(proof.runnables[submit].slack == Time(12));
  CHECK(proof.runnables[0].slack == Time(10));
}

TEST_CASE("slack is what the nearest deadline behind a runnable leaves") {
  // 2 -> 3 -> 4 with deadline 7 for the second: the first may take 2 more (2 + 3 = 5), the third has the period: 20 - 9 = 11.
  ScheduledHyperepoch h = hyperepoch_with({"a", "b", "c"}, Time(20));
  add(h, 2, {0});
  add(h, 3, {1}, {0});
  add(h, 4, {2}, {1});
  h.runnables[1].deadline = Time(7);
  const HyperepochProof proof = proven(h);
  CHECK(proof.runnables[0].slack == Time(2));
  CHECK(proof.runnables[1].slack == Time(2));
  CHECK(proof.runnables[2].slack == Time(11));
  // 7/5 before the deadline, 20/9 before the period.
  CHECK(proof.scale->numerator * 5 == proof.scale->denominator * 7);
}

TEST_CASE("late runnables have negative slack, and a scale below 1") {
  ScheduledHyperepoch h = hyperepoch_with({"a"}, Time(10));
  add(h, 8, {0});
  add(h, 4, {0});
  const HyperepochProof proof = proven(h);
  CHECK(proof.lateness == Time(2));
  CHECK(proof.latest == 1);
  CHECK(proof.runnables[0].slack == Time(-2));
  CHECK(proof.scale->numerator * 12 == proof.scale->denominator * 10);
}

TEST_CASE("releases take no part in the scale of WCETs") {
  // Released at 6, due at 10: 4/2 = 2.
  ScheduledHyperepoch h = hyperepoch_with({"a"}, Time(10));
  add(h, 2, {0}, {}, 6);
  CHECK(proven(h).scale->numerator == 2 * proven(h).scale->denominator);
}

TEST_CASE("kernels of two streams that share one SM (T15g)") {
  // g = 1. CPU 1; a (L 4, B 3, w 1/2), b (3, 2, 1/2); CPU 2 after both; c (2, 1, 1) behind b. In units of 1/2: capacity 2.
  ScheduledHyperepoch h = hyperepoch_with({"CPU0", "gpu", "A", "B"});
  h.sharing.push_back({1, Sharing::By::streams, 2});
  const auto kernel = [&](std::int64_t L, std::uint64_t B, std::int64_t weight, std::size_t stream, std::vector<std::size_t> after) {
    const auto id = add(h, L, {1}, std::move(after));
    h.runnables[id].blocks = B;
    h.runnables[id].weight = weight;
    h.runnables[id].stream = stream;
    return id;
  };
  const auto first = add(h, 1, {0});
  const auto a = kernel(4, 3, 1, 2, {first});
  const auto b = kernel(3, 2, 1, 3, {first});
  const auto last = add(h, 2, {0}, {a, b});
  const auto c = kernel(2, 1, 2, 3, {first});
  // a: 1 + 4 + 4 x 2/2 + (3 x 2 + 2 x 2)/2 = 14; b: 1 + 3 + 3/2 + 12/2 = 11.5; last: 16; c: 1 + (3 + 3/2) + 2 + 12/2 = 13.5
  CHECK(ends(h) == std::vector<std::int64_t>{1, 14, 12, 16, 14});
  const FreePath path = free_path(h, last);
  CHECK(path.runnables == std::vector<std::size_t>{first, a, last});
  CHECK(path.others == Time(3));
  CHECK(path.kernels == Time(4));
  CHECK(path.own == 8);
  CHECK(path.parallel_volume == 10);
  CHECK(path.parallel == std::vector<std::size_t>{b, c});
  CHECK(free_path(h, c).end == Time(14));
  CHECK_FALSE(proven(h).runnables[a].slack);
}

TEST_CASE("kernels that cannot meet are left out (T15g)") {
  // One SM, one block at a time: (5, 1) at once and (5, 1) released at 100.
  ScheduledHyperepoch h = hyperepoch_with({"gpu"});
  h.sharing.push_back({0, Sharing::By::streams, 1});
  for (const std::int64_t release : {0, 100}) {
    const auto id = add(h, 5, {0}, {}, release);
    h.runnables[id].blocks = 1;
    h.runnables[id].weight = 1;
  }
  CHECK(ends(h) == std::vector<std::int64_t>{5, 105});
  // At 3 they meet.
  h.runnables[1].release = Time(3);
  CHECK(ends(h) == std::vector<std::int64_t>{10, 13});
}

TEST_CASE("frames are counted from their own start") {
  ScheduledHyperepoch h = hyperepoch_with({"a"}, Time(20));
  h.epochs[0] = {"frame", Time(10), 2};
  add(h, 3, {0});
  const auto second = add(h, 4, {0}, {}, 10);
  h.runnables[second].frame = 1;
  const HyperepochProof proof = proven(h);
  REQUIRE(proof.frames.size() == 2);
  CHECK(proof.frames[0].end == Time(3));
  CHECK(proof.frames[1].start == Time(10));
  CHECK(proof.frames[1].end == Time(14));
}

TEST_CASE("times out of range are refused, not wrapped") {
  ScheduledHyperepoch h = hyperepoch_with({"a"});
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  add(h, most, {0});
  add(h, most, {0});
  Cycle cycle;
  CHECK_THROWS_AS(static_cast<void>(prove(h, cycle)), Overflow);
}
