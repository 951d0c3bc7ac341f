#include "process/tool.hpp"

#include <doctest/doctest.h>

using rta::process::run_attached;
using rta::process::run_tool;

TEST_CASE("a tool's output and status come back, as does that there is no such tool") {
  const auto said = run_tool({"sh", "-c", "echo one; echo two >&2; exit 3"});
  CHECK(said.status == 3);
  CHECK(said.text == "one\ntwo\n");
  CHECK(said.started);
  CHECK(run_tool({"no-such-program-of-this-name"}).status == -1);
  CHECK_FALSE(run_tool({"no-such-program-of-this-name"}).started);
  const auto killed = run_tool({"sh", "-c", "kill -9 $$"});
  CHECK(killed.started);
  CHECK(killed.status == -1);
  CHECK(run_tool({}).status == -1);
  // More than a pipe holds, and more than is kept, without a deadlock.
  CHECK(run_tool({"sh", "-c", "yes | head -c 3000000"}).text.size() <= (1U << 20U) + 4096);
}

TEST_CASE("a status of 127 is a tool's own, as a shell's that does not find its command") {
  CHECK(run_tool({"sh", "-c", "exit 127"}).status == 127);
}

TEST_CASE("an attached tool's status comes back") {
  CHECK(run_attached({"sh", "-c", "exit 5"}) == 5);
  CHECK(run_attached({"no-such-program-of-this-name"}) == -1);
}
