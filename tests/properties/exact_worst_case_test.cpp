// The exact worst case of small systems, by all their states, and that no bound on completion is below it.
#include "support/exact_worst_case.hpp"

#include <doctest/doctest.h>

#include "support/small_systems.hpp"

using namespace rta::test;

namespace {

using Rows = std::vector<std::vector<int>>;

constexpr std::size_t many = 100'000;

ExactDag single(int C, int T, int Y = 0, int priority = 0) { return {T, Y, {{0, C, {}, priority}}}; }

}  // namespace

TEST_CASE("Exact worst case: each of two tasks on one FIFO processor may come just after the other") {
  // 2 + 3 for both.
  CHECK(ExactWorstCase({{ExactOrder::fifo, 1}}, {single(2, 10), single(3, 10)}).latest(many) == Rows{{5}, {5}});
  CHECK(ExactWorstCase({{ExactOrder::fifo, 2}}, {single(2, 10), single(3, 10)}).latest(many) == Rows{{2}, {3}});
}

TEST_CASE("Exact worst case: what has an earlier point or a higher priority preempts, unless nothing is preempted") {
  // Points 0 and 10 after the release: the first waits for the second only if that was released 10 earlier, and then it has ended.
  CHECK(ExactWorstCase({{ExactOrder::gel, 1}}, {single(2, 10, 0), single(3, 10, 10)}).latest(many) == Rows{{2}, {5}});
  CHECK(ExactWorstCase({{ExactOrder::fixed, 1}}, {single(2, 10, 0, 1), single(3, 10, 0, 0)}).latest(many) == Rows{{2}, {5}});
  // The second starts at the instant at which the first is released, and runs to its end.
  CHECK(ExactWorstCase({{ExactOrder::gel_non_preemptive, 1}}, {single(2, 10, 0), single(3, 10, 10)}).latest(many) == Rows{{5}, {5}});
}

TEST_CASE("Exact worst case: jobs of one DAG overlap") {
  // theory/path.md, why floor: T = 12; 3 on a FIFO processor, 9 on one of two preemptive ones, then 0 on the first again: it is ready at
  // 12, together with the first node of the next job, which may go first: 15.
  const ExactDag dag{12, 0, {{0, 3, {}, 0}, {1, 9, {0}, 0}, {0, 0, {1}, 0}}};
  CHECK(ExactWorstCase({{ExactOrder::fifo, 1}, {ExactOrder::gel, 2}}, {dag}).latest(many) == Rows{{3, 12, 15}});
}

TEST_CASE("Exact worst case: what executes for nothing may let others come too early") {
  // One DAG, three FIFO processors: a (4) -> b (3 on q), and c (2) -> d (1 on q). In full d is ready at 2 and ends at 3, before b comes. If
  // a executes for nothing, b runs on q from 0 to 3, and d ends at 4.
  const ExactDag dag{20, 0, {{0, 4, {}, 0}, {1, 3, {0}, 0}, {2, 2, {}, 0}, {1, 1, {2}, 0}}};
  const ExactPool one{ExactOrder::fifo, 1};
  CHECK(ExactWorstCase({one, one, one}, {dag}).latest(many) == Rows{{4, 7, 2, 4}});
}

TEST_CASE("Exact worst case: what T10x, as it was written down, did not count") {
  // theory/tightness.md, what is not shipped. GEL with equal points beside one FIFO server.
  const ExactPool server{ExactOrder::fifo, 1};
  const auto processors = [](std::size_t m) { return ExactPool{ExactOrder::gel, m}; };
  // 4 on the server -> 2 beside 1 on the server -> 10: the 1 is behind the 4, the 10 are before the 2. Its largest sum was 15.75.
  const ExactDag behind{20, 0, {{1, 4, {}, 0}, {0, 2, {0}, 0}}};
  const ExactDag ahead{20, 0, {{1, 1, {}, 0}, {0, 10, {0}, 0}}};
  CHECK(ExactWorstCase({processors(1), server}, {behind, ahead}).latest(many) == Rows{{5, 16}, {5, 16}});
  // 5 -> 1 -> 1 on the server, and after the 5 also 10 on the server: 5 + 10 + 1. Its largest sum was 12.55.
  const ExactDag beside{30, 0, {{0, 5, {}, 0}, {0, 1, {0}, 0}, {1, 1, {1}, 0}, {1, 10, {0}, 0}}};
  CHECK(ExactWorstCase({processors(2), server}, {beside}).latest(many) == Rows{{5, 6, 16, 16}});
  // 1 on the server, and 4 -> 4 -> 2 on the server every 4: three jobs are there at once, where two were counted, 1 + 2 + 2.
  const ExactDag often{4, 0, {{0, 4, {}, 0}, {0, 4, {0}, 0}, {1, 2, {1}, 0}}};
  CHECK(ExactWorstCase({processors(3), server}, {{20, 0, {{1, 1, {}, 0}}}, often}).latest(many) == Rows{{7}, {4, 8, 15}});
}

// The second job's first node takes 0, its second waits until 4 and takes 0; at 4 it ties with the first job, which then ends by 8.
TEST_CASE("Exact worst case: on a FIFO processor for each of three nodes a later job may tie and go first") {
  const ExactPool one{ExactOrder::fifo, 1};
  const ExactDag pipeline{3, 0, {{0, 2, {}, 0}, {1, 2, {0}, 0}, {2, 2, {1}, 0}}};
  CHECK(ExactWorstCase({one, one, one}, {pipeline}).latest(many) == Rows{{2, 4, 8}});
}

TEST_CASE("Exact worst case: too many states are none") {
  CHECK_FALSE(ExactWorstCase({{ExactOrder::fifo, 1}}, {single(2, 10), single(3, 10)}).latest(5));
  CHECK_FALSE(ExactWorstCase({{ExactOrder::fifo, 1}}, {single(2, 3), single(3, 3)}).latest(many));  // overloaded
}

TEST_CASE("No bound on completion is below the exact worst case of small systems") {
  for (const SmallKind kind : {SmallKind::fifo, SmallKind::gel, SmallKind::gel_and_fifo, SmallKind::non_preemptive, SmallKind::fixed}) {
    CAPTURE(static_cast<int>(kind));
    Distances distances(kind);
    for (std::uint64_t seed = 1; distances.systems() < 20; ++seed) distances.measure(seed, 4'000);
    for (const std::string& row : distances.rows("20")) MESSAGE(row);
  }
}
