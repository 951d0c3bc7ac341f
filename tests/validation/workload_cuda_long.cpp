// The same for every architecture that this nvcc knows, oldest to newest.
#include <doctest/doctest.h>

#include <sstream>

#include "built_workload.hpp"
#include "cuda_task_set.hpp"

using namespace rta;
using namespace rta::test;

TEST_CASE("a workload with every kind of pool compiles for each architecture of nvcc") {
  const std::string nvcc = validation::find_nvcc();
  if (nvcc.empty()) {
    MESSAGE("no nvcc here: nothing was compiled");
    return;
  }
  std::vector<std::string> targets;
  std::istringstream list(validation::run_tool({nvcc, "--list-gpu-code"}).text);
  for (std::string target; list >> target;) {
    if (target.starts_with("sm_")) targets.push_back("-gencode=arch=compute_" + target.substr(3) + ",code=" + target);
  }
  REQUIRE_FALSE(targets.empty());
  CHECK(compile_cuda(nvcc, targets) == "");
}
