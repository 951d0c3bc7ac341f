// Every seeded mistake is found, and nothing else.
#include <doctest/doctest.h>

#include "seeded.hpp"

using namespace rta;
using namespace rta::test;

namespace {

lint::Report lint_file(const std::filesystem::path& path, const std::string& clang) {
  lint::Options options;
  options.clang = clang;
  options.flags = {"-I/usr/local/cuda/include/cccl"};
  return lint::lint_sources(std::vector<lint::SourceText>{{path.string(), content(path)}}, options);
}

}  // namespace

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

TEST_CASE("what was seeded into a source is found with clang, too, and what only clang can tell apart") {
  const std::string clang = lint::find_clang();
  if (clang.empty() || !std::filesystem::exists("/usr/local/cuda/include/cuda_runtime.h")) {
    MESSAGE("skipped: no clang, or no CUDA headers");
    return;
  }
  for (const auto& path : seeded_sources()) {
    INFO(path.filename().string());
    CHECK(listed(found(lint_file(path, clang))) == listed(expected(content(path), true)));
  }
}
