// Probes for tests, and their programs: with a fake GPU, or put through nvcc.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "built_workload.hpp"
#include "rta/validation/examination.hpp"
#include "support/build.hpp"

namespace rta::test {

inline Operation kernel_operation(std::string name, std::string stream, Time at, Time L, std::uint64_t B = 2, std::uint32_t H = 64) {
  Operation operation;
  operation.name = std::move(name);
  operation.demand = std::get<GpuDemand>(gpu_node("", B, H, L).demand);
  operation.stream = std::move(stream);
  operation.at = at;
  return operation;
}

inline Operation copy_operation(std::string name, std::string stream, Time at, Time C, Direction direction) {
  Operation operation;
  operation.name = std::move(name);
  operation.pool = 1;
  operation.demand = CopyDemand{C, direction};
  operation.stream = std::move(stream);
  operation.at = at;
  return operation;
}

inline Operation after(Operation operation, std::vector<std::size_t> before, Time delay = {}) {
  operation.after = std::move(before);
  operation.delay = delay;
  return operation;
}

inline Experiment experiment(std::string name, std::vector<Operation> operations, std::uint32_t engines = 2) {
  return {std::move(name), {gpu_pool(4, 2048), {"copy", EnginePool{engines}}}, std::move(operations)};
}

/// Two streams, the NULL stream, copies both ways and waiting, with names that no language has for identifiers.
inline validation::ProbeProgram every_kind_of_operation() {
  const std::string odd = "K\"2\" \\ \n?\?/ \xc3\xa4";
  return {"every-kind_1.0",
          experiment("odd \"name\".yaml", {kernel_operation("K1", "S1", 0_ms, 2_ms, 5), kernel_operation(odd, "s 2", 1_ms, 1_ms),
                                           copy_operation("in", "S3", 1_ms, 1_ms, Direction::h2d),
                                           after(copy_operation("out", "S3", 0_ms, 1_ms, Direction::d2h), {0, 1}, 500_us),
                                           after(kernel_operation("last", std::string(null_stream), 0_ms, 1_ms), {3})})};
}

/// Generates `folder`/examine with warnings as errors, on the fake GPU.
inline void build_fake_examination(std::span<const validation::ProbeProgram> probes, const std::filesystem::path& folder) {
  validation::write_files(validation::examination_source(probes), folder);
  const std::filesystem::path fake = std::filesystem::path(RTA_SOURCE_DIR) / "tests/validation/fake";
  const auto built = validation::run_tool({"g++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow",
                                           "-Werror", "-pthread", "-I" + (folder / "runtime").string(), (fake / "examine.cpp").string(),
                                           (folder / "probes.cpp").string(), "-o", (folder / "examine").string(), "-ldl"});
  INFO(built.text);
  REQUIRE(built.status == 0);
}

/// Generates and builds `folder`/examine with its own Makefile; what the compilers say, empty: not a word. `targets`: options of nvcc, in
/// place of the Makefile's.
inline std::string build_examination(const std::filesystem::path& folder, const std::string& targets) {
  const std::vector<validation::ProbeProgram> probes{every_kind_of_operation()};
  validation::write_files(validation::examination_source(probes), folder);
  const auto built = validation::run_tool({"make", "--silent", "-C", folder.string(), "NVCC=" + validation::find_nvcc(),
                                           "NVCCFLAGS=-O1 -Xcompiler -Wall,-Wextra,-Wshadow " + targets, "ARCH=sm_90"});
  return built.status == 0 ? built.text : built.text + "\nexit status " + std::to_string(built.status);
}

}  // namespace rta::test
