// The same for every architecture that this nvcc knows, oldest to newest.
#include <doctest/doctest.h>

#include <cstdio>

#include "built_workload.hpp"
#include "cuda_targets.hpp"
#include "cuda_task_set.hpp"
#include "support/skip.hpp"

using namespace rta;
using namespace rta::test;

TEST_CASE("a workload with every kind of pool compiles for each architecture of nvcc") {
  const std::string nvcc = validation::find_nvcc();
  if (nvcc.empty()) {
    skip("no nvcc here");
    return;
  }
  CHECK(compile_cuda(nvcc, every_target(nvcc)) == "");
}
