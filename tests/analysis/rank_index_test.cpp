// RankIndex beside a binary search.
#include "analysis/path/system/rank_index.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "analysis/path/system/table.hpp"

namespace {

using namespace rta::analysis::path;

void is_as_a_binary_search(const std::vector<std::int64_t>& sorted, const std::vector<std::int64_t>& asked) {
  RankIndex index;
  index.set(sorted);
  for (const std::int64_t x : asked) {
    CAPTURE(x);
    CHECK(index.first_above(x) == first_above(sorted, x));
  }
}

}  // namespace

TEST_CASE("RankIndex: one value, neighbours, and the ends of 64 bits") {
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  is_as_a_binary_search({5}, {least, 4, 5, 6, most});
  is_as_a_binary_search({-1, 0, 1}, {least, -2, -1, 0, 1, 2, most});
  is_as_a_binary_search({least, 0, most}, {least, least + 1, -1, 0, 1, most - 1, most});
}

TEST_CASE("RankIndex: random values, some crowded in a corner of their range") {
  std::mt19937_64 random(1);
  for (int run = 0; run < 200; ++run) {
    CAPTURE(run);
    std::vector<std::int64_t> values;
    const std::size_t n = 1 + random() % 60;
    for (std::size_t i = 0; i < n; ++i) {
      const std::int64_t range = random() % 4 == 0 ? 1'000'000'000 : 50;
      values.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(range)) - 20);
    }
    values = sorted_without_repeats(std::move(values));
    std::vector<std::int64_t> asked;
    for (const std::int64_t value : values) asked.insert(asked.end(), {value - 1, value, value + 1});
    for (std::int64_t x = -30; x < 60; ++x) asked.push_back(x);
    is_as_a_binary_search(values, asked);
  }
}
