// Ten million fence operations, and a deeper search.
#include <doctest/doctest.h>

#include "process/tool.hpp"

using namespace rta;

TEST_CASE("5,000,000 rounds between two processes, 10,000,000 fence operations, built with ThreadSanitizer") {
  const auto ran = process::run_tool({STATIC_FENCE_STRESS, "processes", "5000000", "20000"});
  INFO(ran.text);
  CHECK(ran.status == 0);
}

TEST_CASE("5,000,000 rounds between two threads, 10,000,000 fence operations that ThreadSanitizer sees") {
  const auto ran = process::run_tool({STATIC_FENCE_STRESS, "threads", "5000000", "20000"});
  INFO(ran.text);
  CHECK(ran.status == 0);
}

TEST_CASE("no interleaving of many frames loses a wake-up, a write or a frame") {
  const auto checked = process::run_tool({STATIC_FENCES, "--deep"});
  INFO(checked.text);
  CHECK(checked.status == 0);
}
