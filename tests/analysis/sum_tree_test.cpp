// SumTree beside sums one by one.
#include "analysis/path/system/sum_tree.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

using namespace rta::analysis::path;

TEST_CASE("SumTree: numbers and sums as they are added one by one, whatever the size, and zeros again after a reset") {
  std::mt19937_64 random(1);
  SumTree tree;
  for (const int count : {0, 1, 63, 64, 65, 4096, 4097, 300'000, 5}) {
    const auto size = static_cast<std::size_t>(count);
    CAPTURE(size);
    tree.reset(size);
    CHECK(tree.before(size).count() == 0);
    std::vector<std::int64_t> numbers(size, 0);
    for (std::size_t change = 0; size > 0 && change < 1000; ++change) {
      const std::size_t at = change < 2 ? (size - 1) * change : random() % size;
      const auto x = static_cast<std::int64_t>(random() % 1000);
      numbers[at] += x;
      tree.add(at, Tick(x));
    }
    std::int64_t sum = 0;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < size; ++i) {
      if (tree.at(i).count() != numbers[i] || (i % 61 < 3 && tree.before(i).count() != sum)) ++wrong;
      sum += numbers[i];
    }
    CHECK(wrong == 0);
    CHECK(tree.before(size).count() == sum);
  }
}
