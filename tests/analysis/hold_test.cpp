// T21h and T41, worked by hand (docs/theory/threads.md).
#include "rta/analysis/threads/hold.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <vector>

#include "rta/model/error.hpp"

using namespace rta;
using namespace rta::analysis::threads;
using namespace rta::literals;

namespace {

constexpr std::size_t cpu_at = 0, gpu_at = 1;

/// m processors, and a GPU on which every kernel fills the one SM.
std::vector<Pool> cpu_and_gpu(std::uint64_t m) {
  return {{.rate = static_cast<Wide>(m), .places = m, .processors = true}, {.rate = 1, .places = 0, .processors = false}};
}

Piece cpu(Time C) { return {cpu_at, C, C.count(), C.count()}; }
Piece kernel(Time L) { return {gpu_at, L, L.count(), L.count()}; }

/// a (1), three kernels of 2, b (1).
Body filter(Time T, std::uint32_t threads = 1) {
  return {.threads = threads, .T = T, .after = {}, .pieces = {cpu(1_ms), kernel(2_ms), kernel(2_ms), kernel(2_ms), cpu(1_ms)}};
}

/// Tiny YOLO of tasksets/literature with weights of occupancy, in 1/(9 x 7) of an SM: H/1792 is 1/7.
std::vector<Piece> tiny_yolo() {
  const auto on_gpu = [](std::int64_t B, std::int64_t part, Time L) {  // part of 7 is a block's share of an SM
    const Wide s = Wide{L.count()} * part;
    return Piece{gpu_at, L, s, s * B};
  };
  const Piece conv = on_gpu(144, 1, 350_us);
  const Piece pool = on_gpu(36, 2, 150_us);
  std::vector<Piece> pieces{cpu(3_ms)};
  for (int layer = 1; layer <= 9; ++layer) {
    pieces.push_back(cpu(300_us));
    pieces.push_back(conv);
    if (layer <= 6) pieces.push_back(pool);
  }
  pieces.push_back(cpu(2_ms));
  return pieces;
}

std::vector<Pool> six_processors_and_nine_sms() {
  return {{.rate = 6, .places = 6, .processors = true}, {.rate = Wide{9} * 7, .places = 0, .processors = false}};
}

}  // namespace

TEST_CASE("a thread of its own is never kept waiting: the job of 8 ms has the bound 8 ms for every T from 8 ms on") {
  for (const Time T : {8_ms, 9_ms, 12_ms, 1_s}) {
    const std::vector<Body> one{filter(T)};
    const Holds holds = analysis::threads::holds(one, cpu_and_gpu(1));
    CHECK(holds.bodies[0].F == 8_ms);
    CHECK(holds.bodies[0].ends == std::vector{1_ms, 3_ms, 5_ms, 7_ms, 8_ms});
  }
  const std::vector<Body> often{filter(7'999'999_ns)};
  const Holds holds = analysis::threads::holds(often, cpu_and_gpu(1));
  CHECK_FALSE(holds.bodies[0].F);
  CHECK(holds.bodies[0].H == 8_ms);
  CHECK(holds.bodies[0].before == 1);
}

TEST_CASE("two bodies: each kernel waits for one of the other, each run on a shared processor for one run") {
  // One processor: 8 + 3 x 2 + 2 x 1. Two: 8 + 3 x 2.
  const std::vector<Body> two{filter(16_ms), filter(16_ms)};
  const Holds one_processor = analysis::threads::holds(two, cpu_and_gpu(1));
  CHECK(one_processor.bodies[0].F == 16_ms);
  CHECK(one_processor.bodies[1].F == 16_ms);
  const std::vector<Body> sooner{filter(14_ms), filter(14_ms)};
  CHECK_FALSE(analysis::threads::holds(sooner, cpu_and_gpu(1)).bodies[0].F);
  const Holds two_processors = analysis::threads::holds(sooner, cpu_and_gpu(2));
  CHECK(two_processors.bodies[0].F == 14_ms);
  // Two threads of one body wait for one another as two bodies do; each has T = 14/2.
  const std::vector<Body> twice{filter(7_ms, 2)};
  CHECK(analysis::threads::holds(twice, cpu_and_gpu(2)).bodies[0].F == 14_ms);
  const std::vector<Body> faster{filter(6'999'999_ns, 2)};
  CHECK_FALSE(analysis::threads::holds(faster, cpu_and_gpu(2)).bodies[0].F);
}

TEST_CASE("a pipeline of three threads ends by the sum of what they hold: 7 + 6 + 7") {
  // Each of the four kernels of 2 ms may wait for one of each other stage: 1 + 2 + 2 + 2, 2 + 2 + 2, 2 + 2 + 2 + 1.
  const std::vector<Body> stages{
      {1, 7_ms, {}, {cpu(1_ms), kernel(2_ms)}}, {1, 7_ms, {0}, {kernel(2_ms)}}, {1, 7_ms, {1}, {kernel(2_ms), cpu(1_ms)}}};
  const Holds holds = analysis::threads::holds(stages, cpu_and_gpu(2));
  CHECK(holds.bodies[0].H == 7_ms);
  CHECK(holds.bodies[1].H == 6_ms);
  CHECK(holds.bodies[2].H == 7_ms);
  CHECK(holds.bodies[2].A == 13_ms);
  CHECK(holds.bodies[2].F == 20_ms);
}

TEST_CASE("one run queues once, and another thread's run counts whole") {
  // Runs of 1 + 2 and of 4: on one processor 3 + 4, not 1 + 4 + 2 + 4.
  const std::vector<Body> two{{1, 7_ms, {}, {cpu(1_ms), cpu(2_ms)}}, {1, 7_ms, {}, {cpu(4_ms)}}};
  const Holds holds = analysis::threads::holds(two, cpu_and_gpu(1));
  CHECK(holds.bodies[0].ends == std::vector{5_ms, 7_ms});
  CHECK(holds.bodies[1].F == 7_ms);
}

TEST_CASE("where jobs may overtake one another those released later count, too") {
  // Before b, of one thread, a has two: 1 ms each on two processors. b: H = 3 on one engine, A = 1. T = 3: nobody is released meanwhile.
  // T = 1 needs three threads: ceil(3/1) - 1 = 2 before and floor(1/1) = 1 after, so four.
  const std::vector<Pool> pools{{.rate = 8, .places = 8, .processors = true}, {.rate = 8, .places = 8, .processors = true}};
  const auto bodies = [](Time T, std::uint32_t threads) {
    return std::vector<Body>{{2, T, {}, {{0, 1_ms, 1'000'000, 1'000'000}}}, {threads, T, {0}, {{1, 3_ms, 3'000'000, 3'000'000}}}};
  };
  CHECK(holds(bodies(3_ms, 1), pools).bodies[1].F == 4_ms);
  CHECK_FALSE(holds(bodies(1_ms, 3), pools).bodies[1].F);
  CHECK(holds(bodies(1_ms, 3), pools).bodies[1].before == 3);
  CHECK(holds(bodies(1_ms, 4), pools).bodies[1].F == 4_ms);
}

TEST_CASE("what follows a body without a bound has none") {
  const std::vector<Body> stages{{1, 3_ms, {}, {cpu(4_ms)}}, {1, 3_ms, {0}, {cpu(1_ms)}}};
  const Holds holds = analysis::threads::holds(stages, cpu_and_gpu(2));
  CHECK_FALSE(holds.bodies[0].F);
  CHECK_FALSE(holds.bodies[1].A);
  CHECK_FALSE(holds.bodies[1].F);
}

TEST_CASE("Tiny YOLO: k frames at once, 19.9 ms alone and 12 ms more for each thread") {
  // e: 7.7 ms of processors, 9 kernels of 0.35 + 143 x 0.35/(7 x 9) = 1.1444 ms, 6 of 0.15 + 35 x 0.15 x 2/(7 x 9) = 0.31667 ms: 19.9 ms.
  // Each of 15 kernels waits for one of each other thread: 144 x 0.35/(7 x 9) = 0.8 ms.
  const std::vector<Time> H{19'900'000_ns, 31'900'000_ns, 43'900'000_ns, 55'900'000_ns};
  for (std::uint32_t k = 1; k <= 4; ++k) {
    const Time least = to_time(ceil_div(H[k - 1].count(), k));
    const std::vector<Body> frames{{k, least, {}, tiny_yolo()}};
    const Holds holds = analysis::threads::holds(frames, six_processors_and_nine_sms());
    CHECK(holds.bodies[0].F == H[k - 1]);
    const std::vector<Body> sooner{{k, least - 1_ns, {}, tiny_yolo()}};
    CHECK_FALSE(analysis::threads::holds(sooner, six_processors_and_nine_sms()).bodies[0].F);
  }
  // 71.5 frames/s: T = 13.975 ms.
  CHECK(to_time(ceil_div(H[3].count(), 4)) == 13'975_us);
}

TEST_CASE("n cameras of one thread each have the bound of n threads") {
  const std::vector<Body> four(4, Body{1, 55'900'000_ns, {}, tiny_yolo()});
  for (const Hold& hold : holds(four, six_processors_and_nine_sms()).bodies) CHECK(hold.F == 55'900'000_ns);
}

TEST_CASE("numbers that leave the range are refused") {
  const std::vector<Body> bodies{{1, 1_s, {}, {{gpu_at, Time(std::numeric_limits<std::int64_t>::max()), 0, 0}, kernel(1_ms)}}};
  CHECK_THROWS_AS(static_cast<void>(holds(bodies, cpu_and_gpu(1))), Overflow);
}

namespace {

Body spinning(Body body) {
  body.spins = true;
  return body;
}

}  // namespace

TEST_CASE("who spins alone takes no longer than who blocks") {
  const std::vector<Body> one{spinning(filter(8_ms))};
  const Holds holds = analysis::threads::holds(one, cpu_and_gpu(1));
  CHECK(holds.bodies[0].F == 8_ms);
  CHECK(holds.kept(one, cpu_and_gpu(1), 0) == 8_ms);
  CHECK(holds.bodies[0].ends == std::vector{1_ms, 3_ms, 5_ms, 7_ms, 8_ms});
}

TEST_CASE("who spins keeps its processor from others, but has the GPU from those that wait for it") {
  // One processor: whoever has it has the GPU to itself, 8, after the other's 8. Two: 8 and a kernel of the other each time.
  const std::vector<Body> two{spinning(filter(16_ms)), spinning(filter(16_ms))};
  const Holds one_processor = analysis::threads::holds(two, cpu_and_gpu(1));
  CHECK(one_processor.kept(two, cpu_and_gpu(1), 1) == 8_ms);
  CHECK(one_processor.bodies[1].F == 16_ms);
  CHECK(one_processor.bodies[1].ends.front() == 9_ms);
  CHECK(analysis::threads::holds(two, cpu_and_gpu(2)).bodies[0].F == 14_ms);
  // Three on two processors: 8 + 3 x 2 each, after half of the other two's 14.
  const std::vector<Body> three(3, spinning(filter(28_ms)));
  const Holds shared = analysis::threads::holds(three, cpu_and_gpu(2));
  CHECK(shared.kept(three, cpu_and_gpu(2), 2) == 14_ms);
  CHECK(shared.bodies[2].F == 28_ms);
  // Two threads of one body are as two bodies.
  CHECK(analysis::threads::holds(std::vector{spinning(filter(8_ms, 2))}, cpu_and_gpu(1)).bodies[0].F == 16_ms);
}

TEST_CASE("beside who spins who blocks waits for a processor as long as that is kept, and has kernels in the way all the same") {
  // f spins: 8 and g's kernel each time, 14, after g's run of 1. g: its run of 1 after 14, its kernel of 2 after one of f's.
  const Body g{.threads = 1, .T = 20_ms, .after = {}, .pieces = {cpu(1_ms), kernel(2_ms)}};
  const std::vector<Body> bodies{spinning(filter(20_ms)), g};
  const Holds holds = analysis::threads::holds(bodies, cpu_and_gpu(1));
  CHECK(holds.kept(bodies, cpu_and_gpu(1), 0) == 14_ms);
  CHECK(holds.bodies[0].F == 15_ms);
  CHECK(holds.bodies[1].ends == std::vector{15_ms, 19_ms});
  CHECK(holds.others(bodies, cpu_and_gpu(1), 1, gpu_at) == std::vector<Wide>{1, 0});
}

TEST_CASE("who spins has a pool of processors to spin on, from its first piece on") {
  const Body from_kernel{.threads = 1, .T = 20_ms, .after = {}, .pieces = {kernel(2_ms), cpu(1_ms)}, .spins = true};
  CHECK_THROWS_AS(static_cast<void>(holds(std::vector{from_kernel}, cpu_and_gpu(1))), Defect);
  const Body nothing{.threads = 1, .T = 20_ms, .after = {}, .pieces = {}, .spins = true};
  CHECK_THROWS_AS(static_cast<void>(holds(std::vector{nothing}, cpu_and_gpu(1))), Defect);
}
