#include "rta/report/time_text.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <string>

#include "rta/io/task_set_file.hpp"

using namespace rta;
using namespace rta::literals;
using report::bound_text;
using report::number_text;
using report::rounded_text;
using report::ShownTimes;
using report::time_text;

namespace {

constexpr auto least_time = std::numeric_limits<std::int64_t>::min();
constexpr auto largest_time = std::numeric_limits<std::int64_t>::max();

/// What was printed, in ns.
Wide printed(const std::string& text) {
  const std::size_t space = text.find(' ');
  const std::string unit = text.substr(space + 1);
  Wide scale = unit == "s" ? 1'000'000'000 : unit == "ms" ? 1'000'000 : unit == "us" ? 1'000 : 1;
  const bool negative = text.front() == '-';
  Wide value = 0;
  bool behind = false;
  for (const char c : text.substr(negative ? 1 : 0, space - (negative ? 1 : 0))) {
    if (c == '.') {
      behind = true;
    } else {
      if (behind) scale /= 10;
      value = value * 10 + (c - '0');
    }
  }
  return (negative ? -value : value) * scale;
}

/// Digits from the first that is no zero on.
std::size_t significant(const std::string& text) {
  std::string digits;
  for (const char c : text.substr(0, text.find(' '))) {
    if (c >= '0' && c <= '9' && (c != '0' || !digits.empty())) digits += c;
  }
  return digits.size();
}

/// Of all sizes and signs.
class Times {
 public:
  Time next() {
    const auto value = static_cast<std::int64_t>(bits_() >> (bits_() % 62 + 1));
    return Time(bits_() % 4 == 0 ? -value : value);
  }
  /// Close to it, above or below.
  Time near(Time time) { return Time(time.count() / 2 + static_cast<std::int64_t>(bits_() % 2001) - 1000 + time.count() / 2); }

 private:
  std::mt19937_64 bits_{1};
};

}  // namespace

TEST_CASE("times are exact and in the unit that people read") {
  CHECK(time_text(33_ms) == "33 ms");
  CHECK(time_text(Time(179'612'345)) == "179.612345 ms");
  CHECK(time_text(450_ns) == "450 ns");
  CHECK(time_text(Time(1'500)) == "1.5 us");
  CHECK(time_text(Time(-2'500'000)) == "-2.5 ms");
  CHECK(time_text(9999_ms) == "9999 ms");
  CHECK(time_text(10_s) == "10 s");
  CHECK(time_text(Time::zero()) == "0 ms");
  CHECK(time_text(Time(least_time)) == "-9223372036.854775808 s");
}

TEST_CASE("all times of a result are in its unit") {
  const ShownTimes us({.unit = io::TimeUnit::us, .all_digits = false});
  CHECK(time_text(33_ms) == "33000 us");
  CHECK(time_text(450_ns) == "0.45 us");
  CHECK(time_text(Time::zero()) == "0 us");
  CHECK(rounded_text(Time(12'968'751)) == "12969 us");  // whole units stay
  CHECK(rounded_text(Time(12'345)) == "12.4 us");
  CHECK(report::span_text(10_s) == "10 s");
  {
    const ShownTimes s({.unit = io::TimeUnit::s, .all_digits = false});
    CHECK(time_text(33_ms) == "0.033 s");
    CHECK(rounded_text(Time(12'968'751)) == "0.0130 s");
  }
  CHECK(time_text(1_ms) == "1000 us");
}

TEST_CASE("without a chosen unit it is the one that fits the shortest period") {
  const auto set = [](const std::string& periods) {
    std::string text = "platform:\n  cpu: {processors: 1}\ntasks:\n";
    for (std::size_t i = 0; i < periods.size(); i += 6)
      text += "  - {name: t" + std::to_string(i) + ", on: cpu, C: 1 ns, T: " + periods.substr(i, 6) + "}\n";
    return io::parse_task_set(text, "x").task_set;
  };
  const TaskSet in_us = set(" 33 ms900 us");
  CHECK(report::fitting_unit(in_us) == io::TimeUnit::us);
  CHECK(report::fitting_unit(set(" 33 ms  12 s")) == io::TimeUnit::ms);
  CHECK(report::fitting_unit(set("  30 s  12 s")) == io::TimeUnit::s);
  CHECK(report::fitting_unit(set("500 ns")) == io::TimeUnit::ns);
  CHECK(report::fitting_unit(set("  2 us")) == io::TimeUnit::ns);  // bounds are far below
  CHECK(report::fitting_unit(set(" 99 us")) == io::TimeUnit::ns);
  CHECK(report::fitting_unit(set("100 us")) == io::TimeUnit::us);
  const ShownTimes fitting(in_us);
  CHECK(time_text(33_ms) == "33000 us");
  const ShownTimes chosen({.unit = io::TimeUnit::ms, .all_digits = false});
  const ShownTimes still(in_us);
  CHECK(time_text(33_ms) == "33 ms");
}

TEST_CASE("what is derived has three digits, rounded up") {
  CHECK(rounded_text(Time(12'968'750)) == "13.0 ms");
  CHECK(rounded_text(Time(14'291'667)) == "14.3 ms");
  CHECK(rounded_text(Time(14'300'000)) == "14.3 ms");
  CHECK(rounded_text(Time(14'300'001)) == "14.4 ms");
  CHECK(rounded_text(Time(9'995'000)) == "10.0 ms");  // carries
  CHECK(rounded_text(Time(9'990'001)) == "10.0 ms");
  CHECK(rounded_text(Time(9'990'000)) == "9.99 ms");
  CHECK(rounded_text(10_ms) == "10 ms");  // exact
  CHECK(rounded_text(Time(999'400'001)) == "1000 ms");
  CHECK(rounded_text(Time(1'234'567'890)) == "1235 ms");
  CHECK(rounded_text(Time(1'234'567)) == "1.24 ms");
  CHECK(rounded_text(Time(999'999)) == "1000 us");
  CHECK(rounded_text(7_ns) == "7 ns");
  CHECK(rounded_text(1234_ns) == "1.24 us");
  CHECK(rounded_text(Time::zero()) == "0 ms");
  CHECK(rounded_text(Time(12'968'750), 4) == "12.97 ms");
}

TEST_CASE("room is rounded down, as lateness is rounded up") {
  CHECK(rounded_text(Time(-7'031'250)) == "-7.03 ms");
  CHECK(rounded_text(Time(-7'039'999)) == "-7.03 ms");
  CHECK(rounded_text(Time(-10'000'001)) == "-10.0 ms");
  CHECK(rounded_text(Time(7'031'250)) == "7.04 ms");
  CHECK(rounded_text(Time(-1)) == "-1 ns");
}

TEST_CASE("a bound that meets its limit never looks late, nor one that misses it in time") {
  CHECK(bound_text(Time(12'549'000), Time(12'550'000)) == "12.55 ms");
  CHECK(bound_text(Time(12'549'999), Time(12'549'999)) == "12.549999 ms");
  CHECK(bound_text(Time(12'549'999), Time(12'550'000)) == "12.55 ms");
  CHECK(bound_text(Time(12'550'001), Time(12'550'000)) == "12.6 ms");
  CHECK(bound_text(Time(12'549'000), 13_ms) == "12.6 ms");
  CHECK(bound_text(Time(12'549'000), std::nullopt) == "12.6 ms");
  CHECK(bound_text(Time(9'995'000), 10_ms) == "10.0 ms");
  CHECK(bound_text(Time(9'995'000), Time(9'999'000)) == "9.995 ms");
}

TEST_CASE("all digits where they are asked for") {
  const ShownTimes all({.unit = std::nullopt, .all_digits = true});
  CHECK(rounded_text(Time(12'968'750)) == "12.96875 ms");
  CHECK(bound_text(Time(12'549'000), Time(12'550'000)) == "12.549 ms");
}

TEST_CASE("a printed bound is the bound or above it by less than a hundredth, and on its side of the limit") {
  Times times;
  for (int i = 0; i < 200'000; ++i) {
    const Time time = times.next();
    std::optional<io::TimeUnit> unit;
    if (i % 5 != 0) unit = static_cast<io::TimeUnit>(i % 5 - 1);
    const ShownTimes shown({.unit = unit, .all_digits = false});
    const std::string text = rounded_text(time);
    INFO(time.count() << ' ' << text);
    const Wide value = printed(text);
    const Wide exact = time.count();
    REQUIRE(value >= exact);
    REQUIRE((value - exact) * 100 <= (exact < 0 ? -exact : exact));
    REQUIRE((value < 0) == (exact < 0));
    REQUIRE(printed(time_text(time)) == exact);
    if (value != exact) REQUIRE(significant(text) >= 3);

    const Time limit = times.near(time);
    const Wide bound = printed(bound_text(time, limit));
    REQUIRE(bound >= exact);
    REQUIRE((bound <= limit.count()) == (time <= limit));
  }
}

TEST_CASE("what was seen and its bound keep their order") {
  Times times;
  for (int i = 0; i < 100'000; ++i) {
    const Time seen = times.next(), bound = times.near(seen), limit = times.near(seen);
    const int digits = report::digits_that_tell(
        {report::Beside{seen, bound}, report::Beside{seen, limit, true}, report::Beside{bound, limit, true}, std::nullopt});
    const Wide a = printed(rounded_text(seen, digits)), b = printed(rounded_text(bound, digits));
    INFO(seen.count() << ' ' << bound.count() << ' ' << limit.count() << ' ' << digits);
    REQUIRE((a > b) == (seen > bound));
    REQUIRE((a > limit.count()) == (seen > limit));
    REQUIRE((b > limit.count()) == (bound > limit));
  }
}

TEST_CASE("the least and the largest times are rounded, too") {
  CHECK(rounded_text(Time(least_time)) == "-9223372036 s");
  CHECK(rounded_text(Time(largest_time)) == "9223372037 s");
  CHECK(rounded_text(Time(largest_time), 30) == "9223372036.854775807 s");
}

TEST_CASE("numbers lose their trailing zeros") {
  CHECK(number_text(16, 3) == "16");
  CHECK(number_text(1612.8, 3) == "1612.8");
  CHECK(number_text(-0.0001, 2) == "0");
}
