// Standard Task Graphs.
#include <doctest/doctest.h>

#include "conversion.hpp"

using namespace rta;

namespace {

// Two tasks between an entry and an exit.
const std::string two = "2\n  0  0  0\n  1  5  1  0\n  2  7  2  0 1\n  3  0  2  1 2  # the exit\n#\n# made by hand\n";

convert::Options options() {
  convert::Options out;
  out.processors = {{"", 2}};
  out.time_unit = Time(1'000'000);
  out.period = Time(50'000'000);
  return out;
}

}  // namespace

TEST_CASE("A Standard Task Graph is a DAG with its entry and its exit") {
  CHECK(convert::recognise(two) == convert::Kind::stg);
  CHECK(io::format_task_set(test::converted(two, options(), "rand0001.stg")) == R"(platform:
  cpu: {processors: 2, scheduler: G-EDF}
dags:
  - name: rand0001
    T: 50 ms
    nodes:
      0: {on: cpu, C: 0 ns}
      1: {on: cpu, C: 5 ms}
      2: {on: cpu, C: 7 ms}
      3: {on: cpu, C: 0 ns}
    edges:
      - 0 -> 1
      - 0 -> 2
      - 1 -> 2
      - 1 -> 3
      - 2 -> 3
)");
  CHECK(test::fault_of(two).find("give --period TIME") != std::string::npos);
  CHECK(test::fault_of(two).find("give --time-unit") != std::string::npos);
  CHECK(test::fault_of(two).find("give --processors N") != std::string::npos);
}

TEST_CASE("Broken task graphs are refused with their line") {
  const auto fault = [](const std::string& text) {
    convert::Options chosen = options();
    chosen.from = convert::Kind::stg;
    return test::fault_of(text, chosen);
  };
  CHECK(fault("1 2\n0 0 0\n") == "file:1:1: the number of tasks is expected, alone on its line");
  CHECK(fault("1\n0 0 0\n1 5 1 0\n").find("the file ends after 2 rows") != std::string::npos);
  CHECK(fault("1\n0 0 0\n2 5 1 0\n2 0 1 1\n") == "file:3:1: task 1 is expected, not 2");
  CHECK(fault("1\n0 0 0\n1 5 2 0\n2 0 1 1\n") == "file:3:1: 2 predecessors are announced, 1 numbers follow");
  CHECK(fault("1\n0 0 0\n1 5 9223372036854775809 0 1\n2 0 1 1\n").find("file:3:1: 9223372036854775809 predecessors are announced") == 0);
  CHECK(fault("1\n0 0 0\n1 5 1 9\n2 0 1 1\n") == "file:3:1: predecessor 9 is no task");
  CHECK(fault("1\n0 0 0\n1 x 1 0\n2 0 1 1\n") == "file:3:1: 'x' is no whole number of at least 0 that fits");
  CHECK(fault("1\n0 0 0\n1 5 1 2\n2 0 1 1\n").find("has a cycle: 1 -> 2 -> 1") != std::string::npos);
  CHECK(fault("99999999\n0 0 0\n").find("there are more than 1000000 tasks") != std::string::npos);
  CHECK(fault("0\n0 0 0\n1 9999999999999999999 1 0\n").find("a number is too large") != std::string::npos);
  CHECK(fault("0\n0 1 0\n1 1 1 0\n2 1 0\n").find("file:4:1: a row after the exit") == 0);
}
