#include "convert/profile/alignment.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "convert/profile/jobs.hpp"

using namespace rta::convert;

namespace {

using Sequence = std::vector<std::uint64_t>;

// The length of the longest common subsequence, by the textbook's table.
std::size_t longest_common(const Sequence& a, const Sequence& b) {
  std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      table[i][j] = a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1 : std::max(table[i - 1][j], table[i][j - 1]);
    }
  }
  return table[a.size()][b.size()];
}

}  // namespace

TEST_CASE("Sequences are aligned by as many equal elements as there can be") {
  const auto letters = rc::gen::container<Sequence>(rc::gen::inRange<std::uint64_t>(0, 4));
  CHECK(rc::check([&] {
    const Sequence a = *letters, b = *letters;
    const auto pairs = aligned(a, b, 10'000);
    RC_ASSERT(pairs.has_value());
    RC_ASSERT(pairs->size() == longest_common(a, b));
    for (std::size_t i = 0; i < pairs->size(); ++i) {
      const auto& [x, y] = (*pairs)[i];
      RC_ASSERT(a[x] == b[y]);
      if (i == 0) continue;
      RC_ASSERT((*pairs)[i - 1].first < x);
      RC_ASSERT((*pairs)[i - 1].second < y);
    }
  }));
}

TEST_CASE("Sequences that differ too much are not aligned") {
  const Sequence a{1, 2, 3, 4}, b{1, 5, 3, 6};  // 2 and 4 against 5 and 6: four elements without partner
  CHECK(aligned(a, b, 4).has_value());
  CHECK_FALSE(aligned(a, b, 3).has_value());
  CHECK(aligned(a, a, 0)->size() == 4);
}

TEST_CASE("A repetition is found where most of the end of a sequence repeats") {
  using Tokens = std::vector<std::uint32_t>;
  const auto found = find_repetition(Tokens{9, 8, 1, 2, 3, 1, 2, 3, 1, 2, 3});
  REQUIRE(found);
  CHECK(found->period == 3);
  CHECK(found->first == 2);
  CHECK_FALSE(find_repetition(Tokens{1, 2, 3, 4, 5, 6}));
  CHECK_FALSE(find_repetition(Tokens{1, 2, 3, 4, 5, 6, 7, 7}));  // two equal ones at the end are not most of it
  CHECK_FALSE(find_repetition(Tokens{}));
  CHECK_FALSE(find_repetition(Tokens{1}));
  CHECK(find_repetition(Tokens{4, 4, 4, 4})->period == 1);
  // Mostly 5s, but the longer period covers all: 5 5 5 1 | 5 5 5 1.
  CHECK(find_repetition(Tokens{5, 5, 5, 1, 5, 5, 5, 1})->period == 4);
}

TEST_CASE("From the first element of a repetition on, elements equal those one period later, and no shorter period covers about as much") {
  const auto tokens = rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange<std::uint32_t>(0, 3));
  CHECK(rc::check([&] {
    const std::vector<std::uint32_t> sequence = *tokens;
    const auto found = find_repetition(sequence);
    const auto covered = [&](std::size_t p) {  // elements of the longest end with that period
      std::size_t first = sequence.size() - std::min(p, sequence.size());
      while (first > 0 && sequence[first - 1] == sequence[first - 1 + p]) --first;
      return sequence.size() - first;
    };
    if (!found) {
      for (std::size_t p = 1; p < sequence.size(); ++p) {
        const bool short_of_it = covered(p) < 2 * p || covered(p) * 2 < sequence.size();
        RC_ASSERT(short_of_it);
      }
      return;
    }
    RC_ASSERT(sequence.size() - found->first == covered(found->period));
    std::size_t most = 0;
    for (std::size_t p = 1; p < sequence.size(); ++p) most = std::max(most, covered(p) >= 2 * p ? covered(p) : 0);
    RC_ASSERT(covered(found->period) * 10 >= 9 * most);
    for (std::size_t p = 1; p < found->period; ++p) {
      const bool worse = covered(p) < 2 * p || covered(p) * 10 < 9 * most;
      RC_ASSERT(worse);
    }
  }));
}
