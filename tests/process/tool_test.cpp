#include "process/tool.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string>

namespace process = rta::process;
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

TEST_CASE("the output of a running tool is read while it runs, and its errors afterwards") {
  process::RunningTool tool({"sh", "-c", "echo first; echo wrong >&2; echo second; exit 5"});
  REQUIRE(tool.started());
  std::string text;
  std::array<char, 4> piece{};
  for (ssize_t count = 0; (count = ::read(tool.output(), piece.data(), piece.size())) > 0;)
    text.append(piece.data(), static_cast<std::size_t>(count));
  CHECK(text == "first\nsecond\n");
  const process::ToolOutput output = tool.end();
  CHECK(output.status == 5);
  CHECK(output.text == "wrong\n");
}

TEST_CASE("a running tool that nobody waits for is killed") {
  const auto begin = std::chrono::steady_clock::now();
  { const process::RunningTool tool({"sh", "-c", "exec sleep 600"}); }
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(300));
  process::RunningTool none({"/no/such/program"});
  CHECK_FALSE(none.started());
  CHECK_FALSE(none.end().started);
}
