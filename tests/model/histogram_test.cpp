#include "rta/model/histogram.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

using rta::Histogram;

TEST_CASE("small numbers have cells of their own, so that their quantiles are exact") {
  Histogram<2> h;  // 4 cells for each power of two: numbers below 8 are exact
  for (const std::uint64_t v : {5U, 1U, 4U, 2U, 3U}) h.add(v);
  CHECK(h.quantile(200'000) == 1);
  CHECK(h.quantile(200'001) == 2);
  CHECK(h.quantile(500'000) == 3);
  CHECK(h.quantile(1'000'000) == 5);
  CHECK(h.mean() == 3);
  CHECK(h.max() == 5);
}

TEST_CASE("a quantile is the largest number of its cell, and never above the maximum") {
  Histogram<2> h;  // [16, 32) has cells of 4: 16-19, 20-23, 24-27, 28-31
  for (const std::uint64_t v : {17U, 21U, 22U, 24U}) h.add(v);
  CHECK(h.quantile(250'000) == 19);
  CHECK(h.quantile(500'000) == 23);
  CHECK(h.quantile(750'000) == 23);
  CHECK(h.quantile(1'000'000) == 24);
}

TEST_CASE("the largest numbers of all have a cell, too") {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  Histogram<9> h;
  h.add(most);
  h.add(most - 1);
  CHECK(h.quantile(1) == most);
  CHECK(h.mean() == static_cast<double>(most));
}

TEST_CASE("a histogram that was cleared is as one that is new, but for its memory") {
  Histogram<7> h;
  for (std::uint64_t v = 1; v < 1'000'000; v *= 3) h.add(v);
  h.clear();
  CHECK(h.count() == 0);
  h.add(7);
  CHECK(h.quantile(10'000) == 7);
  CHECK(h.max() == 7);
  CHECK(h.mean() == 7);
}

TEST_CASE("quantiles count the last numbers, which wait to be spread, and those before as one") {
  Histogram<7> h;
  std::vector<std::uint64_t> values;
  std::uint64_t random = 1;
  for (int i = 0; i < 200; ++i) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    values.push_back((random >> 33) >> (random % 5 * 6));
    h.add(values.back());
    auto sorted = values;
    std::sort(sorted.begin(), sorted.end());
    for (const std::size_t rank : {std::size_t{0}, sorted.size() / 3, sorted.size() / 2, sorted.size() - 1}) {
      // Just so many millionths that the number of this rank is the first with enough at or below it.
      const auto ppm = static_cast<std::uint32_t>((rank + 1) * 1'000'000 / sorted.size());
      CAPTURE(i);
      CAPTURE(rank);
      CHECK(h.quantile(ppm) >= sorted[rank]);
      CHECK(h.quantile(ppm) <= sorted[rank] + sorted[rank] / 128);
    }
  }
}
