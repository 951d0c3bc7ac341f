// Large and hostile files take a bounded amount of time and memory.
#include "support/large_file.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <chrono>
#include <string>

#include "messages.hpp"

using namespace rta;
using namespace rta::test;

namespace {

// Processor time, so that other programs on the machine do not count.
double seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

}  // namespace

TEST_CASE("1,000 DAGs of 50 nodes") {
  const std::string text = large_file(1000, 50);
  const double start = seconds();
  const TaskSet set = io::parse_task_set(text, "large.yaml").task_set;
  const double taken = seconds() - start;
  CHECK(set.node_count() == 50'000);
  CHECK(set.dags()[999].edges().size() == 49);
  // Under 0.3 s without sanitizers (bench/task_set_file.cpp); this bound only catches what grows with the square of the size.
  CHECK(taken < 20);
}

TEST_CASE("Copies are made, not read again") {
  const std::string text =
      "platform: {cpu: {processors: 1}}\ndags: [{name: d, copies: 100000, T: 1 s, nodes: {a: {on: cpu, C: 1 us}, b: {on: cpu, C: 1 us}}, "
      "edges: [a -> b]}]";
  const TaskSet set = io::parse_task_set(text, "copies.yaml").task_set;
  CHECK(set.node_count() == 200'000);
  CHECK(set.dags()[99'999].name() == "d[99999]");
  CHECK(io::format_task_set(set).size() < 250);
}

TEST_CASE("Hostile texts end soon") {
  const double start = seconds();
  const auto repeated = [](std::string_view part, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += part;
    return text;
  };
  for (const std::string_view part :
       {"[", "{", "- ", "? ", "{a: ", "a:\n ", "&a ", "*a ", "!t ", "'", "\"", "|", "%", "--- a\n", "a: 1\n", "[],", ":", "\t"}) {
    CAPTURE(part);
    CHECK_FALSE(errors(repeated(part, 100'000)).empty());
    CHECK_FALSE(errors("a: [" + repeated(part, 100'000)).empty());
  }
  CHECK_FALSE(errors("a: " + repeated("x", 10'000'000)).empty());
  CHECK(seconds() - start < 60);
}
