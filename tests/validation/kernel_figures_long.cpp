// The figures of all kernels on every architecture that this nvcc compiles for.
#include <doctest/doctest.h>

#include "cuda_targets.hpp"
#include "kernel_figures.hpp"
#include "rta/validation/machine.hpp"
#include "support/skip.hpp"

using namespace rta;
using namespace rta::test;

TEST_CASE("kernels of an examination use what bounds and programs take for granted on each architecture") {
  const std::string nvcc = validation::find_nvcc();
  if (nvcc.empty()) {
    skip("no nvcc here");
    return;
  }
  const TemporaryFolder folder;
  validation::write_files(validation::examination_source({}), folder.path);
  const auto figures = figures_of(nvcc, folder.path, "examine.cu", every_target(nvcc));
  check_figures(figures);
  check_amounts(figures);
}

TEST_CASE("a workload has a kernel for each number of registers on each architecture") {
  const std::string nvcc = validation::find_nvcc();
  if (nvcc.empty()) {
    skip("no nvcc here");
    return;
  }
  const TemporaryFolder folder;
  validation::write_workload(workload_of_all_registers(24), folder.path);
  const auto figures = figures_of(nvcc, folder.path, "workload.cu", every_target(nvcc));
  check_figures(figures);
  check_amounts(figures);
}

TEST_CASE("kernels of the measurements use what bounds take for granted on each architecture") {
  const std::string nvcc = validation::find_nvcc();
  if (nvcc.empty()) {
    skip("no nvcc here");
    return;
  }
  const TemporaryFolder folder;
  validation::write_files(validation::examination_source({}), folder.path);  // the runtime
  validation::write_workload(workload_of_all_registers(256), folder.path, validation::Built::kept);
  const auto root = std::filesystem::path(RTA_SOURCE_DIR) / "validation";
  for (const auto& source : {root / "overheads.cu", folder.path / "interference.cu", root / "probes.cu"}) {
    CAPTURE(source.string());
    check_figures(figures_of(nvcc, folder.path, source, every_target(nvcc)));
  }
}
