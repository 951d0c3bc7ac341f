// The same for every architecture that this nvcc knows, oldest to newest.
#include <doctest/doctest.h>

#include <cstdio>

#include "cuda_targets.hpp"
#include "examination_programs.hpp"
#include "support/skip.hpp"

using namespace rta;
using namespace rta::test;

TEST_CASE("an examination compiles for each architecture of nvcc") {
  const std::string nvcc = validation::find_nvcc();
  if (nvcc.empty()) {
    skip("no nvcc here");
    return;
  }
  const TemporaryFolder folder;
  std::string targets;
  for (const std::string& target : every_target(nvcc)) targets += " " + target;
  CHECK(build_examination(folder.path, targets) == "");
}
