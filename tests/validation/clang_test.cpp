// Every CUDA source is put through a second compiler: clang's front end for the host side and for the device side, whose PTX the toolkit's
// assembler takes, with warnings as errors. Only the toolkit's declarations are nvcc's (tests/validation/clang).
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "cuda_task_set.hpp"
#include "examination_programs.hpp"
#include "kernel_figures.hpp"
#include "process/tool.hpp"
#include "rta/validation/machine.hpp"
#include "rta/validation/recording.hpp"
#include "support/skip.hpp"

using namespace rta;
using namespace rta::test;

namespace {

namespace fs = std::filesystem;

/// Clang and the toolkit whose declarations it compiles with.
struct SecondCompiler {
  std::string clang;
  fs::path toolkit;
};

/// Asked of nvcc itself, which may be a script elsewhere that calls the toolkit's; empty where it does not say.
fs::path toolkit_of(const fs::path& nvcc) {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "empty.cu").close();
  std::istringstream lines(process::run_tool({nvcc.string(), "--dryrun", "-c", (folder.path / "empty.cu").string()}).text);
  const std::string top = "#$ TOP=";
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(top, 0) == 0) return fs::weakly_canonical(line.substr(top.size()));
  }
  return {};
}

/// None where one is missing; the case then is to be left.
std::optional<SecondCompiler> second_compiler() {
  SecondCompiler found;
  for (const char* name : {"clang++-14", "clang++"}) {
    if (found.clang.empty() && process::run_tool({name, "--version"}).status == 0) found.clang = name;
  }
  const fs::path nvcc = validation::find_nvcc();
  if (found.clang.empty() || nvcc.empty()) {
    skip(nvcc.empty() ? "no nvcc here" : "no clang here");
    return std::nullopt;
  }
  found.toolkit = toolkit_of(nvcc);
  if (found.toolkit.empty()) {
    skip("nvcc does not say where its toolkit is");
    return std::nullopt;
  }
  return found;
}

std::vector<std::string> strict(const SecondCompiler& with, const fs::path& runtime) {
  return {with.clang,
          "-std=c++17",
          "-O2",
          "-Wall",
          "-Wextra",
          "-Wpedantic",
          "-Wconversion",
          "-Wshadow",
          "-Werror",
          "-isystem",
          (with.toolkit / "include").string(),
          "-I" + runtime.string()};
}

/// CUDA for one architecture, without clang's own headers for it.
std::vector<std::string> cuda(const SecondCompiler& with, const fs::path& runtime, const std::string& target) {
  auto words = strict(with, runtime);
  const std::string declarations = std::string(RTA_SOURCE_DIR) + "/tests/validation/clang/cuda.hpp";
  words.insert(words.end(), {"-x", "cuda", "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version", "-Wno-unused-command-line-argument",
                             "--cuda-gpu-arch=" + target, "-include", declarations});
  return words;
}

/// Whether it compiled. A compiler that crashes says nothing of the source: the case then is to be left.
bool check_quiet(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  const auto ran = process::run_tool(words);
  if (ran.status != 0 && ran.status != 1) {
    MESSAGE(ran.text);
    skip("clang ends with status " + std::to_string(ran.status));
    return false;
  }
  INFO(ran.text);
  REQUIRE(ran.status == 0);
  CHECK(ran.text.empty());
  return true;
}

/// Both sides, and the assembler. `shared_memory`: whether kernels may declare some.
void check_cuda(const SecondCompiler& with, const fs::path& runtime, const fs::path& source, bool shared_memory = false) {
  const TemporaryFolder folder;
  if (!check_quiet(cuda(with, runtime, "sm_75"), {"--cuda-host-only", "-fsyntax-only", source.string()})) return;
  for (const std::string target : {"sm_75", "sm_86"}) {
    CAPTURE(target);
    const std::string ptx = (folder.path / (target + ".ptx")).string();
    // Instructions of warps came with PTX 6.0; clang assumes less.
    if (!check_quiet(cuda(with, runtime, target),
                     {"-Xclang", "-target-feature", "-Xclang", "+ptx71", "--cuda-device-only", "-S", "-o", ptx, source.string()}))
      return;
    const auto assembled = process::run_tool({(with.toolkit / "bin/ptxas").string(), "-v", "-arch=" + target, ptx, "-o", ptx + ".cubin"});
    INFO(assembled.text);
    REQUIRE(assembled.status == 0);
    const auto figures = read_figures(assembled.text);
    CHECK_FALSE(figures.empty());
    for (const KernelFigures& is : figures) {
      CAPTURE(is.kernel);
      CHECK(is.stack + is.spilled == 0);
      CHECK((shared_memory || is.shared_memory == 0));
    }
  }
}

}  // namespace

TEST_CASE("clang compiles the measurements of overheads and the probes for host and device without a warning") {
  const auto with = second_compiler();
  if (!with) return;
  const fs::path root = fs::path(RTA_SOURCE_DIR) / "validation";
  for (const char* source : {"overheads.cu", "probes.cu"}) {
    CAPTURE(source);
    check_cuda(*with, root / "runtime", root / source);
  }
}

TEST_CASE("clang compiles the programs to be recorded for host and device without a warning") {
  const auto with = second_compiler();
  if (!with) return;
  const fs::path root = fs::path(RTA_SOURCE_DIR) / "tasksets/examples";
  for (const char* source : {"frames.cu", "cuda/detector.cu"}) {
    CAPTURE(source);
    check_cuda(*with, root, root / source, true);
  }
}

TEST_CASE("clang compiles an examination for host and device without a warning") {
  const auto with = second_compiler();
  if (!with) return;
  const TemporaryFolder folder;
  const std::vector<validation::ProbeProgram> probes{every_kind_of_operation()};
  validation::write_files(validation::examination_source(probes), folder.path);
  for (const char* source : {"examine.cu", "interference.cu"}) {
    CAPTURE(source);
    check_cuda(*with, folder.path / "runtime", folder.path / source);
  }
  auto words = strict(*with, folder.path / "runtime");
  (void)check_quiet(words, {"-fsyntax-only", (folder.path / "probes.cpp").string()});
}

TEST_CASE("clang compiles a workload with every kind of pool for host and device without a warning") {
  const auto with = second_compiler();
  if (!with) return;
  const TemporaryFolder folder;
  validation::write_workload(validation::generate_workload(every_kind_of_pool(), "text"), folder.path);
  check_cuda(*with, folder.path / "runtime", folder.path / "workload.cu");
}

TEST_CASE("clang compiles the library that records without a warning") {
  const auto with = second_compiler();
  if (!with) return;
  const auto cupti = validation::find_cupti();
  if (!cupti) {
    skip("CUPTI is not installed");
    return;
  }
  const TemporaryFolder folder;
  validation::write_files(validation::recording_source(), folder.path);
  (void)check_quiet(strict(*with, folder.path / "runtime"), {"-isystem", cupti->include.string(), "-isystem", cupti->cuda.string(),
                                                             "-fsyntax-only", (folder.path / "record.cpp").string()});
}
