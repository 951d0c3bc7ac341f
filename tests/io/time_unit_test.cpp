#include "rta/io/time_unit.hpp"

#include <doctest/doctest.h>

#include <string>

using rta::io::TimeUnit;
using rta::io::usual_time_unit;

TEST_CASE("a file's unit is that of most of its periods and deadlines") {
  CHECK(usual_time_unit("dags:\n  - {name: a, T: 900 us, D: 0.8 ms}\n  - {name: b, T: 1100 us}\n") == TimeUnit::us);
  CHECK(usual_time_unit("  - name: a\n    T: 33 ms\n    nodes:\n      - {on: cpu, C: 450 us}\n      - {on: cpu, C: 7 us}\n") ==
        TimeUnit::ms);
  CHECK(usual_time_unit("chains:\n  - {name: c, reaction: 2 s, age: 1 s}\n    x: {C: 5 ms}") == TimeUnit::s);
  CHECK(usual_time_unit("{T: 10 s, C: 1 ms}, {T: 1 s}, {T: 100 ms}") == TimeUnit::ms);
  CHECK(usual_time_unit("T: [10us, 20us]\nC: 1 ms\nC: 1 ms\n") == TimeUnit::us);
  CHECK(usual_time_unit("T: \"1.5 \xc2\xb5s\"") == TimeUnit::us);
}

TEST_CASE("a file without periods has the unit of most of its times, and of several the largest") {
  CHECK(usual_time_unit("operations:\n  - {at: 1 ms, L: 2 us}\n  - {at: 3us, L: 4 us}") == TimeUnit::us);
  CHECK(usual_time_unit("{at: 1 ms, L: 2 us}") == TimeUnit::ms);
}

TEST_CASE("a time_unit says it") {
  CHECK(usual_time_unit("time_unit: us\ndags: [{T: 10 ms}]") == TimeUnit::us);
  CHECK(usual_time_unit("time_unit: \"s\"  # seconds\n") == TimeUnit::s);
}

TEST_CASE("comments, names and other units are no times") {
  CHECK(!usual_time_unit("# T: 10 ms\nT: 5  # 10 us\n"));
  CHECK(!usual_time_unit("name: node-10 ms10 10 msg 10 KiB T: 30 Hz\n"));
  CHECK(usual_time_unit("name: a#b, T: 3 us") == TimeUnit::us);
  CHECK(!usual_time_unit(""));
  CHECK(!usual_time_unit("T:"));
}

TEST_CASE("files in ns have no unit that people chose") {
  CHECK(!usual_time_unit("T: 33333333 ns\nC: 5 ms\n"));
  CHECK(!usual_time_unit("time_unit: ns\nT: 33 ms\n"));
}

TEST_CASE("what stands behind the first MiB changes nothing") {
  std::string text = "T: 5 us\n" + std::string(1 << 20, ' ') + "\n";
  for (int i = 0; i < 5; ++i) text += "T: 5 ms\n";
  CHECK(usual_time_unit(text) == TimeUnit::us);
}
