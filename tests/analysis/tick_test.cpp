// Ticks mix neither with ns nor with numbers of jobs, and only `Ticks` turns them into ns.
#include "analysis/path/system/tick.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <type_traits>

#include "analysis/path/system/ticks.hpp"
#include "rta/model/quantity.hpp"

namespace {

using namespace rta;
using namespace rta::analysis::path;

template <class A, class B>
concept Summable = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept Subtractable = requires(A a, B b) {
  a - b;
};
template <class A, class B>
concept Comparable = requires(A a, B b) {
  a < b;
};
template <class A, class B>
concept Multipliable = requires(A a, B b) {
  (a) * (b);
};

template <class Other>
constexpr bool mixes =
    Summable<Tick, Other> || Summable<Other, Tick> || Subtractable<Tick, Other> || Subtractable<Other, Tick> || Comparable<Tick, Other> ||
    Comparable<Other, Tick> || std::is_convertible_v<Other, Tick> || std::is_convertible_v<Tick, Other>;
static_assert(!mixes<std::int64_t>);
static_assert(!mixes<Wide>);
static_assert(!mixes<Time>);
static_assert(Summable<Tick, Tick>);
static_assert(Multipliable<Tick, std::int64_t>);
static_assert(!Multipliable<Tick, Tick>);
static_assert(std::is_trivially_copyable_v<Tick>);

}  // namespace

TEST_CASE("Ticks become ns rounded up, or down where that is asked for, and ns become ticks") {
  Ticks ticks;
  ticks.Q = 6;
  CHECK(ticks.ns(Tick(12)) == 2);
  CHECK(ticks.ns(Tick(13)) == 3);
  CHECK(ticks.ns(Tick(-13)) == -2);
  CHECK(ticks.whole_ns(Tick(17)) == 2);
  CHECK(ticks.of_ns(3) == Tick(18));
  CHECK(ticks.fine_ns(Tick(3)) == analysis::FineTime(1 << 15));
}

TEST_CASE("A wide count that does not fit into ticks is refused") {
  CHECK(to_tick(Wide{INT64_MAX}) == Tick::max());
  CHECK(to_tick(Wide{INT64_MIN}) == Tick::min());
  CHECK_THROWS_AS(static_cast<void>(to_tick(Wide{INT64_MAX} + 1)), Overflow);
  CHECK_THROWS_AS(static_cast<void>(to_tick(Wide{INT64_MIN} - 1)), Overflow);
}
