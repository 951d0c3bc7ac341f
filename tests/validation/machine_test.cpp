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
