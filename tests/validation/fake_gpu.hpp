// Generated CUDA programs, compiled by g++ for the fake CUDA of tests/validation/fake.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "process/tool.hpp"

namespace rta::test {

/// With warnings as errors. `words`: the options of g++ that say what is compiled; folders of the fake come before theirs.
inline void compile_for_fake_gpu(const std::vector<std::string>& words) {
  const std::string fake = (std::filesystem::path(RTA_SOURCE_DIR) / "tests/validation/fake").string();
  std::vector<std::string> all{"g++",          "-std=c++17", "-O1",     "-Wall",    "-Wextra",      "-Wpedantic",
                               "-Wconversion", "-Wshadow",   "-Werror", "-pthread", "-D__CUDACC__", "-I" + fake};
  all.insert(all.end(), words.begin(), words.end());
  all.emplace_back("-Wno-unknown-pragmas");
  const auto built = process::run_tool(all);
  INFO(built.text);
  REQUIRE(built.status == 0);
}

}  // namespace rta::test
