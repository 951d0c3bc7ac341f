// Registers, shared memory, stack and spills of the kernels as nvcc compiles them, against what bounds and programs take for granted. For
// one architecture; for all of them: kernel_figures_long.cpp.
#include "kernel_figures.hpp"

#include <doctest/doctest.h>

#include "common/check.hpp"
#include "rta/model/footprint.hpp"
#include "rta/validation/machine.hpp"
#include "support/skip.hpp"

using namespace rta;
using namespace rta::test;

TEST_CASE("figures are read from what ptxas says") {
  const auto figures = read_figures(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function '_Zf' for 'sm_75'\n"
      "ptxas info    : Function properties for _Zf\n"
      "    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads\n"
      "ptxas info    : Used 22 registers, used 1 barriers, 1024 bytes smem, 376 bytes cmem[0]\n"
      "ptxas info    : Compiling entry function '_Zg' for 'sm_121'\n"
      "ptxas info    : Function properties for _Zg\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 253 registers, used 0 barriers\n");
  REQUIRE(figures.size() == 2);
  CHECK(figures[0].kernel == "_Zf");
  CHECK(figures[0].target == "sm_75");
  CHECK(figures[0].registers == 22);
  CHECK(figures[0].shared_memory == 1024);
  CHECK(figures[0].stack == 16);
  CHECK(figures[0].spilled == 12);
  CHECK(figures[1].kernel == "_Zg");
  CHECK(figures[1].target == "sm_121");
  CHECK(figures[1].registers == 253);
  CHECK(figures[1].shared_memory + figures[1].stack + figures[1].spilled == 0);
}

TEST_CASE("registers are handed out as the model of every built-in device has it, and none limits a kernel of 32") {
  for (const Device& device : devices()) {
    CAPTURE(device.name);
    for (unsigned registers = 1; registers <= 255; ++registers)
      CHECK(footprint(64, 0, registers, device.gpu).registers == Wide{2} * 32 * allocated(registers));
    CHECK(footprint(device.gpu.sm.threads, 0, 32, device.gpu).registers <= Wide{*device.gpu.sm.registers});
  }
}

TEST_CASE("kernels of an examination use what bounds and programs take for granted") {
  const std::string nvcc = validation::find_nvcc();
  if (nvcc.empty()) {
    skip("no nvcc here");
    return;
  }
  const TemporaryFolder folder;
  validation::write_files(validation::examination_source({}), folder.path);
  const auto figures = figures_of(nvcc, folder.path, "examine.cu", {"-arch=sm_120"});
  check_figures(figures);
  check_amounts(figures);
}
