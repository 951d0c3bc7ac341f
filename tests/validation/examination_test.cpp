// What the generator of examinations writes and what it refuses.
#include "rta/validation/examination.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "examination_programs.hpp"
#include "rta/model/error.hpp"

using namespace rta;
using namespace rta::test;
using validation::ProbeProgram;
using validation::ProcessLayout;
using validation::StreamKind;

namespace {

std::string content(const std::vector<validation::GeneratedFile>& files, std::string_view path) {
  const auto at = std::ranges::find(files, path, &validation::GeneratedFile::path);
  return at == files.end() ? "" : at->content;
}

std::string refusal(const std::vector<ProbeProgram>& probes) {
  try {
    (void)validation::examination_source(probes);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

std::string refusal(std::vector<Operation> operations, ProcessLayout layout = ProcessLayout::threads) {
  return refusal({ProbeProgram{"p", experiment("e", std::move(operations)), layout}});
}

Operation with_demand(const GpuDemand& demand) {
  Operation operation = kernel_operation("K", "S", 0_ms, 1_ms);
  operation.demand = demand;
  return operation;
}

}  // namespace

TEST_CASE("the tables say what the experiments say") {
  const auto probe = every_kind_of_operation();
  const auto files = validation::examination_source(std::vector{probe});
  const std::string tables = content(files, "probes.cpp");
  CAPTURE(tables);
  // name, is NULL, blocking, high
  CHECK(tables.find(R"({"S1", false, true, 0},)") != std::string::npos);
  CHECK(tables.find(R"({"NULL", true, true, 0},)") != std::string::npos);
  // name, kind, stream, engine, at, delay, after, L, B, H, shared memory, registers
  CHECK(tables.find(R"({"K1", OperationKind::kernel, 0, 0, 0, 0, nullptr, 0, 2000000, 5, 64, 0, 0, nullptr},)") != std::string::npos);
  CHECK(tables.find(R"({"K\"2\" \\ \012\077\077/ \303\244", OperationKind::kernel, 1, 0, 1000000, 0, )") != std::string::npos);
  CHECK(tables.find(R"({"in", OperationKind::copy_in, 2, 0, 1000000, 0, nullptr, 0, 1000000, 1, 0, 0, 0, nullptr},)") != std::string::npos);
  CHECK(tables.find(R"({"out", OperationKind::copy_out, 2, 1, 0, 500000, after_0_3, 2, 1000000, 1, 0, 0, 0, nullptr},)") !=
        std::string::npos);
  CHECK(tables.find("after_0_3[] = {0, 1};") != std::string::npos);
  CHECK(tables.find(R"({"every-kind_1.0", "odd \"name\".yaml", false, streams_0, )") != std::string::npos);
  CHECK(content(files, "README.md").find("- every-kind_1.0: 5 operations\n") != std::string::npos);
  CHECK_FALSE(content(files, "runtime/common/gpu_clock.cuh").empty());
  CHECK_FALSE(content(files, "runtime/examine/run.cuh").empty());
  CHECK(content(files, "runtime/workload/run.hpp").empty());
}

TEST_CASE("priorities and kinds of streams") {
  Operation urgent = kernel_operation("urgent", "S", 0_ms, 1_ms);
  std::get<GpuDemand>(urgent.demand).priority = high_priority;
  const ProbeProgram probe{"p", experiment("e", {urgent}), ProcessLayout::processes, StreamKind::non_blocking};
  const std::string tables = content(validation::examination_source(std::vector{probe}), "probes.cpp");
  CHECK(tables.find(R"({"S", false, false, 1},)") != std::string::npos);
  CHECK(tables.find(R"({"p", "e", true, streams_0, )") != std::string::npos);
  Operation on_null = urgent;
  on_null.stream = null_stream;
  CHECK(refusal({on_null}) == "probe 'p', operation 'urgent': the NULL stream has no high priority");
  CHECK(refusal({urgent, kernel_operation("slow", "S", 0_ms, 1_ms)}) ==
        "probe 'p', operation 'slow': stream 'S' has kernels of another priority: priorities are streams', not kernels'");
}

TEST_CASE("only the tables depend on the probes; files that have their content already are not touched") {
  const auto none = validation::examination_source({});
  const auto one = validation::examination_source(std::vector{every_kind_of_operation()});
  REQUIRE(none.size() == one.size());
  for (std::size_t f = 0; f < none.size(); ++f) {
    CHECK(none[f].path == one[f].path);
    if (none[f].path != "probes.cpp" && none[f].path != "README.md") CHECK(none[f].content == one[f].content);
  }
  const TemporaryFolder folder;
  validation::write_files(none, folder.path);
  const auto written = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  for (const char* name : {"examine.cu", "probes.cpp"}) std::filesystem::last_write_time(folder.path / name, written);
  validation::write_files(one, folder.path);
  CHECK(std::filesystem::last_write_time(folder.path / "examine.cu") == written);
  CHECK(std::filesystem::last_write_time(folder.path / "probes.cpp") != written);
}

TEST_CASE("names of probes are names of files") {
  const auto named = [](std::string name) {
    return ProbeProgram{std::move(name), experiment("e", {kernel_operation("K", "S", 0_ms, 1_ms)})};
  };
  for (const char* name : {"", "a/b", "../x", ".", "-p", "a b", "\xc3\xa4", "a\nb"}) {
    CAPTURE(name);
    CHECK(refusal({named(name)}).find("a name has letters, digits") != std::string::npos);
  }
  CHECK(refusal({named("a"), named("b"), named("a")}) == "probe 'a': another one has this name");
  CHECK(refusal({named("X1.head-of-line_2")}).empty());
}

TEST_CASE("what CUDA has no launch for is refused, with the operation's name") {
  const auto gpu = [](std::uint64_t B, std::uint32_t H, std::uint64_t shared, std::uint32_t registers) {
    return refusal({with_demand({B, H, Workload(static_cast<Wide>(H) * 1000), 1_us, shared, registers, low_priority})});
  };
  CHECK(gpu(4, 1024, 1 << 20, 255).empty());
  CHECK(gpu(4, 1025, 0, 0) == "probe 'p', operation 'K': CUDA has no blocks with a number of threads of 1025 (at most 1024)");
  CHECK(gpu(1ULL << 31U, 32, 0, 0).find("at most 2147483647") != std::string::npos);
  CHECK(gpu(4, 32, 1ULL << 31U, 0).find("shared memory") != std::string::npos);
  CHECK(gpu(4, 32, 0, 256).find("registers") != std::string::npos);
  CHECK(gpu((1ULL << 22U) + 1, 32, 0, 0).find("blocks to be recorded (at most 4194304)") != std::string::npos);
  CHECK(refusal({kernel_operation("K", "S", 0_ms, 2_s)}) == "probe 'p', operation 'K': it takes 2000000000 ns (at most 1000000000 ns)");
  CHECK(refusal({kernel_operation("K", "S", 11_s, 1_ms)}).find("more than 10 s") != std::string::npos);
}

TEST_CASE("more operations, streams or copies than a run can keep apart") {
  const auto many = [](std::size_t count, bool copies, bool one_stream) {
    std::vector<Operation> operations;
    for (std::size_t o = 0; o < count; ++o) {
      const std::string number = std::to_string(o);
      const std::string stream = one_stream ? "S" : "S" + number;
      operations.push_back(copies ? copy_operation(number, stream, 0_ms, 1_ms, Direction::h2d)
                                  : kernel_operation(number, stream, 0_ms, 1_ms));
    }
    return operations;
  };
  CHECK(refusal(many(1024, false, true)).empty());
  CHECK(refusal(many(1025, false, true)).find("1025 operations (at most 1024)") != std::string::npos);
  CHECK(refusal(many(257, false, false)).find("257 streams (at most 256)") != std::string::npos);
  CHECK(refusal(many(65, true, true)).find("65 copies (at most 64)") != std::string::npos);
  CHECK(refusal(many(16, false, false), ProcessLayout::processes).empty());
  CHECK(refusal(many(17, false, false), ProcessLayout::processes).find("at most 16") != std::string::npos);
  CHECK(refusal(many(1, true, true), ProcessLayout::processes).find("copies are not probed in processes") != std::string::npos);
}

TEST_CASE("one GPU") {
  Operation other = kernel_operation("L", "S", 0_ms, 1_ms);
  other.pool = 1;
  const Experiment two("e", {gpu_pool(4, 2048), gpu_pool(4, 2048, "second")}, {kernel_operation("K", "S", 0_ms, 1_ms), other});
  CHECK(refusal({ProbeProgram{"p", two}}) == "probe 'p', operation 'L': it is on another GPU than the others: a probe examines one");
}
