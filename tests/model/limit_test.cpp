#include "rta/model/limit.hpp"

#include <doctest/doctest.h>

using rta::Limit;
using namespace std::chrono_literals;

TEST_CASE("a limit that nothing was set for is never reached") {
  Limit limit;
  limit.spend(1'000'000);
  CHECK_FALSE(limit.reached());
  CHECK(limit.cause() == Limit::Cause::none);
}

TEST_CASE("a request ends all copies of a limit, whatever work and time are left") {
  std::stop_source source;
  const Limit limit(source.get_token());
  const Limit narrow = limit.with_effort(10).within(1h);
  CHECK_FALSE(narrow.reached());
  source.request_stop();
  CHECK(limit.cause() == Limit::Cause::request);
  CHECK(narrow.cause() == Limit::Cause::request);
}

TEST_CASE("work is counted by each search on its own") {
  const Limit all = Limit().with_effort(3);
  Limit one = all;
  one.spend();
  one.spend();
  CHECK_FALSE(one.reached());
  one.spend();
  CHECK(one.cause() == Limit::Cause::effort);
  CHECK_FALSE(all.reached());
  const Limit next = one.with_effort(2);
  CHECK(next.spent() == 0);
  CHECK_FALSE(next.reached());
  CHECK(Limit().with_effort(0).reached());
}

TEST_CASE("of two instants the earlier one counts") {
  const auto now = Limit::Clock::now();
  const Limit past = Limit().until(now - 1s);
  CHECK(past.cause() == Limit::Cause::time);
  CHECK(past.until(now + 1h).cause() == Limit::Cause::time);
  CHECK_FALSE(Limit().until(now + 1h).reached());
  CHECK(Limit().within(0s).reached());
}

TEST_CASE("a time past the range of the clock is no limit") {
  CHECK_FALSE(Limit().within(std::chrono::nanoseconds::max()).reached());
  CHECK(Limit().within(std::chrono::nanoseconds::max()).within(0s).reached());
}
