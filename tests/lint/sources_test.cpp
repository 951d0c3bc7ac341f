// Every seeded mistake is found, and nothing else.
#include <doctest/doctest.h>

#include "seeded.hpp"

using namespace rta;
using namespace rta::test;

TEST_CASE("what was seeded into a source is found at its line and column, and nothing else, by its text alone") {
  std::size_t seeded = 0;
  for (const auto& path : seeded_sources()) {
    INFO(path.filename().string());
    const Found wanted = expected(content(path), false);
    seeded += wanted.empty() ? 0 : 1;
    CHECK(wanted.empty() == path.filename().string().starts_with("clean-"));
    CHECK(listed(found(lint_file(path, ""))) == listed(wanted));
  }
  CHECK(seeded >= 40);
}

TEST_CASE("clang tells apart what tokens cannot, and finds what they find") {
  const std::string clang = clang_with_cuda();
  if (clang.empty()) {
    MESSAGE("skipped: no clang, or no CUDA headers");
    return;
  }
  for (const char* name : {"overloads.cu", "macros.cu", "templates.cu", "methods.cu", "clean-names.cu"}) {
    INFO(name);
    const auto path = seeded_folder() / name;
    CHECK(listed(found(lint_file(path, clang))) == listed(expected(content(path), true)));
  }
}
