// Law 6: writing a task set and reading the file gives the same task set.
#include <doctest/doctest.h>

#include <algorithm>

#include "support/arbitrary_task_set.hpp"

using namespace rta;

TEST_CASE("What is written reads back equal, without warnings but those of priorities without effect and of jobs that overlap") {
  CHECK(rc::check("written and read", [] {
    const TaskSet written = *test::arbitrary_task_set();
    const io::ReadResult read = io::parse_task_set(io::format_task_set(written), "written.yaml");
    RC_ASSERT(read.task_set == written);
    RC_ASSERT(std::ranges::all_of(read.warnings, [](const auto& w) {
      return w.message.find("priority: has no effect") != std::string::npos || w.message.find("is longer than T") != std::string::npos;
    }));
  }));
}

TEST_CASE("Writing is stable: the same text again from what was read") {
  CHECK(rc::check("written twice", [] {
    const std::string text = io::format_task_set(*test::arbitrary_task_set());
    RC_ASSERT(io::format_task_set(io::parse_task_set(text, "written.yaml").task_set) == text);
  }));
}
