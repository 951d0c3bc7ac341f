#include "rta/analysis/queue/workers.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "analysis/explain/item_lines.hpp"
#include "analysis/explain/reason_words.hpp"
#include "rta/model/error.hpp"

using namespace rta;
using namespace rta::literals;
namespace workers = rta::analysis::workers;
using rta::analysis::in_words;

// N = 4, L = (10, 4) us, B = (2, 5), T = (20, 10) us: U = 1 + 2 = 3, carry 2 x 10, released 40.
// R_1 = (20 + 40 - 10)/4 + 10 = 22.5, R_2 = (20 + 40 - 4)/4 + 4 = 18.
TEST_CASE("T8: items on workers") {
  const std::vector<workers::Task> tasks{{20_us, 2, 10_us, {}}, {10_us, 5, 4_us, {}}};
  const auto bounds = workers::response_bounds(tasks, 4, Time::zero(), false);
  REQUIRE(bounds);
  CHECK(bounds->terms.ceil_U == 3);
  CHECK(bounds->terms.carry == 20_us);
  CHECK(bounds->R == std::vector<Time>{22500_ns, 18_us});
  CHECK(workers::explain(tasks, 4, Time::zero(), *bounds, 1, {}, {}).back() == "R_k = (20000 + 40000 - 4000) / 4 + 4000 = 18000 ns");
}

// 1 us of dispatch per item: L = (11, 5), U = 1.1 + 2.5 = 3.6, carry 3 x 11, released 47: R_1 = (33 + 47 - 11)/4 + 11 = 28.25.
TEST_CASE("T8: dispatch overhead counts with every item") {
  const std::vector<workers::Task> tasks{{20_us, 2, 10_us, {}}, {10_us, 5, 4_us, {}}};
  const auto bounds = workers::response_bounds(tasks, 4, 1_us, false);
  REQUIRE(bounds);
  CHECK(bounds->R == std::vector<Time>{28250_ns, 23750_ns});
}

// One engine, U <= 1: no carry; a copy waits for one copy of every other task at most.
TEST_CASE("T8: a copy engine is one worker") {
  const std::vector<workers::Task> copies{{10_us, 1, 5_us, {}}, {8_us, 1, 4_us, {}}};  // U = 1 exactly
  const auto bounds = workers::response_bounds(copies, 1);
  REQUIRE(bounds);
  CHECK(bounds->terms.ceil_U == 1);
  CHECK(bounds->R == std::vector<Time>{9_us, 9_us});
  std::vector<workers::Task> more = copies;
  more.push_back({1'000'000_s, 1, 1_ns, {}});
  const auto above = workers::response_bounds(more, 1);
  REQUIRE_FALSE(above);
  CHECK(in_words(above.reason()).find("exceeds the capacity of 1 worker or engine by 1/1000000000000000") != std::string::npos);
}

// J_1 = 5 us: (1 + 5/10) 5 = 7.5 us of tau_1 may be released at once: R_1 = 7.5 + 4 - 5 + 5.
TEST_CASE("T8: enqueue jitter") {
  const std::vector<workers::Task> copies{{10_us, 1, 5_us, 5_us}, {8_us, 1, 4_us, {}}};
  CHECK(workers::response_bounds(copies, 1)->R == std::vector<Time>{11500_ns, 11500_ns});
}

// N = 4, L = (100, 2), B = (1, 2), T = (1000, 2): U = 2.1, two items left over. One job of tau_1 at most is unfinished: carry 102.
// R = (102 + 104 - (100, 2))/4 + (100, 2) = (126.5, 53), without counting (151, 77.5).
TEST_CASE("T8: counting the items that can be unfinished") {
  const std::vector<workers::Task> tasks{{1000_ns, 1, 100_ns, {}}, {2_ns, 2, 2_ns, {}}};
  CHECK(workers::response_bounds(tasks, 4, Time::zero(), false)->R == std::vector<Time>{151_ns, 78_ns});
  const auto counted = workers::response_bounds(tasks, 4);
  REQUIRE(counted);
  CHECK(counted->terms.counted);
  CHECK(counted->terms.carry == 102_ns);
  CHECK(counted->R == std::vector<Time>{127_ns, 53_ns});
}

TEST_CASE("T8: nothing to do, and numbers that do not fit") {
  CHECK(workers::response_bounds({}, 4)->R.empty());
  CHECK(workers::response_bounds(std::vector<workers::Task>{{10_ns, 3, 0_ns, {}}}, 4)->R == std::vector<Time>{0_ns});
  CHECK_THROWS_AS(static_cast<void>(workers::response_bounds(std::vector<workers::Task>{{10_ns, 3, 0_ns, {}}}, 0)), Defect);
  // Half of 2^32 workers are busy for ever with items of 290 years.
  const Time L(9'000'000'000'000'000'000);
  CHECK_THROWS_AS(static_cast<void>(workers::response_bounds(std::vector<workers::Task>{{L, 1ULL << 31, L, {}}}, 4'000'000'000U)),
                  Overflow);
}

// 200 workers, n items of 100 us, the i-th every T_i, beside 1 us at a time. T_i is the bound that round i - 1 leaves: until then two jobs
// of it can be unfinished, from then on one, so that each round takes one long item out of the carry, and the next T comes into reach.
TEST_CASE("T8: where counting goes on after 64 rounds, that is told") {
  const auto left_out = [](std::size_t n) {
    const auto tasks = [](std::uint64_t short_items, const std::vector<Time>& T) {
      std::vector<workers::Task> all{{2_us, short_items, 1_us, {}}};
      for (const Time period : T) all.push_back({period, 1, 100_us, {}});
      return all;
    };
    // Carry 149 items: twice n of 100 us, and 1 us each for the others.
    const std::int64_t carry = 2 * static_cast<std::int64_t>(n) * 100'000 + (149 - 2 * static_cast<std::int64_t>(n)) * 1'000;
    std::vector<Time> T;
    std::uint64_t short_items = 299;
    for (int round = 0; round < 3; ++round) {  // the short items make up what the long ones lack in U = 150
      const std::int64_t released = static_cast<std::int64_t>(short_items) * 1'000 + static_cast<std::int64_t>(n) * 100'000;
      T.clear();
      for (std::size_t i = 0; i < n; ++i) {
        const std::int64_t backlog = carry - static_cast<std::int64_t>(i) * 99'000 + released - 100'000;
        T.emplace_back((backlog + 199) / 200 + 100'000);
      }
      Wide of_long = 0;  // millionths
      for (const Time period : T) of_long += Wide{100'000} * 1'000'000 / period.count() + 1;
      short_items = static_cast<std::uint64_t>((Wide{150} * 1'000'000 - of_long) * 2 / 1'000'000);
    }
    const auto bounds = workers::response_bounds(tasks(short_items, T), 200);
    REQUIRE(bounds);
    CHECK(bounds->terms.ceil_U == 150);
    CHECK(bounds->terms.counted);
    return bounds->left_out;
  };
  CHECK(left_out(40).empty());
  const auto after_64 = left_out(70);
  REQUIRE(after_64.size() == 1);
  CHECK(after_64.front().limit == rta::analysis::LeftOut::Limit::rounds);
  CHECK(after_64.front().most == 64);
}
