#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <utility>

#include "simulate/fifo.hpp"

using namespace rta::simulate;

namespace {

// Pushes and pops at random; `disorder` in 8 of the keys are drawn, the others stay as they are, so that a row forms.
void compare_with_a_set(std::uint64_t seed, std::uint64_t disorder) {
  const auto drawn = [&](std::uint64_t n) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    return (seed >> 33) % n;
  };
  ReadyQueue queue;
  std::set<std::pair<std::int64_t, std::uint32_t>> expected;  // key, sequence = id
  std::int64_t key = 500;
  std::uint32_t next = 0;
  const auto push = [&](bool instead) {
    if (drawn(8) < disorder) key = static_cast<std::int64_t>(drawn(1000));
    if (instead) {
      expected.erase(expected.begin());
      queue.replace_top(Entry(key, next, next));
    } else {
      queue.push(Entry(key, next, next));
    }
    expected.emplace(key, next++);
  };
  for (int step = 0; step < 6000; ++step) {
    const bool growing = step % 3000 < 1500;
    if (expected.empty() || drawn(4) < (growing ? 3U : 1U)) {
      push(false);
    } else if (drawn(4) == 0) {
      push(true);
    } else {
      queue.pop();
      expected.erase(expected.begin());
    }
    REQUIRE(queue.empty() == expected.empty());
    if (!expected.empty()) REQUIRE(queue.top().id() == expected.begin()->second);
    if (!expected.empty()) REQUIRE(expected.contains({queue.soon().key, queue.soon().id()}));
  }
}

}  // namespace

TEST_CASE("a ready queue gives the least first, with a row and without") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    for (const std::uint64_t disorder : {0U, 1U, 8U}) compare_with_a_set(seed, disorder);
  }
}
