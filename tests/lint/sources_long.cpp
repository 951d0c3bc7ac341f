// Every seeded mistake is found with clang, too.
#include <doctest/doctest.h>

#include "seeded.hpp"

using namespace rta;
using namespace rta::test;

TEST_CASE("what was seeded into any source is found with clang, too, and nothing else") {
  const std::string clang = clang_with_cuda();
  if (clang.empty()) {
    MESSAGE("skipped: no clang, or no CUDA headers");
    return;
  }
  for (const auto& path : seeded_sources()) {
    INFO(path.filename().string());
    CHECK(listed(found(lint_file(path, clang))) == listed(expected(content(path), true)));
  }
}
