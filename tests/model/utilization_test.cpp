#include "rta/model/utilization.hpp"

#include <doctest/doctest.h>

#include "rta/model/error.hpp"

using rta::Utilization;
using rta::Wide;

TEST_CASE("thirds add up to one exactly") {
  Utilization U;
  for (int i = 0; i < 3; ++i) U.add(1, 3);
  CHECK(U.compare(1) == std::strong_ordering::equal);
  CHECK(U.ceil() == 1);
  CHECK(U.exact() == "1");
}

TEST_CASE("a difference far below the precision of a double is seen") {
  // 1/3 + 2/3 = 1 with periods of about 10^18, then one unit of work more.
  const Wide period = 999'999'999'999'999'999;
  Utilization U;
  U.add(period / 3, period);
  U.add(2 * (period / 3), period);
  CHECK(U.compare(1) == std::strong_ordering::equal);
  U.add(1, period);
  CHECK(U.compare(1) == std::strong_ordering::greater);
  CHECK(U.ceil() == 2);
}

TEST_CASE("coprime periods are summed exactly") {
  // 1/7 + 1/11 + 1/13 = (143 + 91 + 77) / 1001 = 311/1001
  Utilization U;
  U.add(1, 7);
  U.add(1, 11);
  U.add(1, 13);
  CHECK(U.exact() == "311/1001");
  CHECK(U.compare(311, 1001) == std::strong_ordering::equal);
  CHECK(U.compare(310, 1001) == std::strong_ordering::greater);
  CHECK(U.ceil_times(1001) == 311);
  CHECK(U.ceil_times(1000) == 311);  // 310.69
}

TEST_CASE("ceil of whole numbers is the number itself") {
  Utilization U;
  CHECK(U.ceil() == 0);
  U.add(10, 5);
  CHECK(U.ceil() == 2);
  U.add(1, 1'000'000'000'000'000'000);
  CHECK(U.ceil() == 3);
}

TEST_CASE("negative work and periods that are not positive are refused") {
  Utilization U;
  CHECK_THROWS_AS(U.add(-1, 2), rta::Defect);
  CHECK_THROWS_AS(U.add(1, 0), rta::Defect);
}
