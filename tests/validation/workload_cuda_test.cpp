// Workloads with GPU, copy and worker nodes compile, where there is an nvcc. Nothing runs: that needs a GPU (validation/gpu-check).
#include <doctest/doctest.h>

#include <cstdio>

#include "built_workload.hpp"
#include "cuda_task_set.hpp"
#include "support/skip.hpp"

using namespace rta;
using namespace rta::test;

TEST_CASE("a workload with every kind of pool compiles without a warning") {
  const std::string nvcc = validation::find_nvcc();
  if (nvcc.empty()) {
    skip("no nvcc here");
    return;
  }
  CHECK(compile_cuda(nvcc, {"-arch=sm_90"}) == "");
}
