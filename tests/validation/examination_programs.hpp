// Probes for tests, and their programs: with a fake GPU, or put through nvcc.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "built_workload.hpp"
#include "fake_gpu.hpp"
#include "process/tool.hpp"
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

/// Builds `folder`/examine as it was generated, with warnings as errors, but for a fake CUDA (tests/validation/fake).
inline void build_on_fake_gpu(std::span<const validation::ProbeProgram> probes, const std::filesystem::path& folder) {
  static const TemporaryFolder shared;  // the main part is the same for all probes
  static const std::string object = (shared.path / "examine.o").string();
  const std::string runtime = (folder / "runtime").string();
  validation::write_files(validation::examination_source(probes), folder);
  if (!std::filesystem::exists(object))
    compile_for_fake_gpu({"-I" + runtime, "-x", "c++", "-c", (folder / "examine.cu").string(), "-o", object});
  compile_for_fake_gpu({"-I" + runtime, object, (folder / "probes.cpp").string(), "-o", (folder / "examine").string(), "-ldl"});
}

/// Runs a measure on the fake GPU: every sample has the fields that readers ask for.
inline void check_measure(const std::filesystem::path& folder, const std::string& name) {
  static const std::map<std::string, std::vector<std::string>> fields = {
      {"dispatch_latency", {"launch_to_start_ns", "end_to_host_ns", "same_stream_ns", "other_stream_ns", "freed_place_ns"}},
      {"kernel_switch", {"switch_ns"}},
      {"resident_grids", {"kernels", "resident", "room_for_blocks"}},
      {"connections", {"connections", "streams", "concurrent"}},
      {"synchronisation", {"call", "blocks_other_threads", "synchronises_implicitly", "caller_waits"}},
      {"processes", {"mps", "together", "overlap_ns", "slice_ns", "longest_slice_ns", "longest_switch_ns"}},
      {"process_preemption", {"mps", "preempted", "began_before_end", "wait_ns", "longest_gap_ns"}}};
  CAPTURE(name);
  const auto path = folder / "samples.jsonl";
  const auto ran = process::run_tool({(folder / "examine").string(), "--measure", name, "--repeat", "2", "-o", path.string()});
  INFO(ran.text);
  REQUIRE(ran.status == 0);
  std::ifstream file(path);
  std::set<std::string> numbers;
  for (std::string line; std::getline(file, line);) {
    const auto sample = nlohmann::json::parse(line);
    CHECK(sample.at("measure") == name);
    numbers.insert(sample.at("sample").dump());
    for (const std::string& field : fields.at(name)) CHECK(sample.contains(field));
    // The fake GPU has room for all, and its calls wait only for what they name.
    if (name == "resident_grids") CHECK(sample.at("kernels") == 320);
    if (name == "process_preemption") CHECK(sample.at("began_before_end") == true);
    if (name == "synchronisation" && sample.at("call") == "cudaDeviceSynchronize") CHECK(sample.at("caller_waits") == true);
    if (name == "synchronisation" && sample.at("call") == "none") CHECK(sample.at("caller_waits") == false);
  }
  CHECK(numbers == std::set<std::string>{"0", "1"});
}

/// Generates and builds `folder`/examine with its own Makefile; what the compilers say, empty: not a word. `targets`: options of nvcc, in
/// place of the Makefile's.
inline std::string build_examination(const std::filesystem::path& folder, const std::string& targets) {
  const std::vector<validation::ProbeProgram> probes{every_kind_of_operation()};
  validation::write_files(validation::examination_source(probes), folder);
  const auto built =
      process::run_tool({"make", "--silent", "-C", folder.string(), "NVCC=" + validation::find_nvcc(),
                         "NVCCFLAGS=-O1 -Xcompiler -Wall,-Wextra,-Wshadow " + targets, "ARCH=sm_90", "examine", "interference"});
  return built.status == 0 ? built.text : built.text + "\nexit status " + std::to_string(built.status);
}

}  // namespace rta::test
