// Examinations compile, where there is an nvcc. Nothing runs: that needs a GPU (validation/gpu-check).
#include <doctest/doctest.h>

#include "examination_programs.hpp"

using namespace rta;
using namespace rta::test;

TEST_CASE("an examination compiles without a warning") {
  const std::string nvcc = validation::find_nvcc();
  if (nvcc.empty()) {
    MESSAGE("no nvcc here: nothing was compiled");
    return;
  }
  CHECK(compile_examination(nvcc, {"-arch=sm_90"}) == "");
}
