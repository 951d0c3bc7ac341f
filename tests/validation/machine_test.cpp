#include "rta/validation/machine.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace rta::validation;

TEST_CASE("every subject is looked at once, and what is wrong comes with a remedy") {
  const auto findings = examine_machine();
  std::set<std::string> subjects;
  for (const Finding& finding : findings) {
    CHECK(subjects.insert(finding.subject).second);
    CHECK_FALSE(finding.text.empty());
    if (finding.severity >= Severity::doubtful) CHECK_FALSE(finding.remedy.empty());
  }
  for (const char* subject : {"SCHED_DEADLINE", "SCHED_FIFO", "real-time throttling", "locked memory", "nvcc", "GPU"})
    CHECK(subjects.contains(subject));
  CHECK(is_fit(findings) == std::ranges::none_of(findings, [](const Finding& f) { return f.severity >= Severity::doubtful; }));
}

TEST_CASE("a tool's output and status come back, as does that there is no such tool") {
  const auto said = run_tool({"sh", "-c", "echo one; echo two >&2; exit 3"});
  CHECK(said.status == 3);
  CHECK(said.text == "one\ntwo\n");
  CHECK(run_tool({"no-such-program-of-this-name"}).status == -1);
  CHECK(run_tool({"sh", "-c", "kill -9 $$"}).status == -1);
  CHECK(run_tool({}).status == -1);
  // More than a pipe holds, and more than is kept, without a deadlock.
  CHECK(run_tool({"sh", "-c", "yes | head -c 3000000"}).text.size() <= (1U << 20U) + 4096);
}
