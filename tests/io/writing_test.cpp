// How a task set looks as a file, and what cannot be written.
#include <doctest/doctest.h>

#include <filesystem>
#include <iterator>
#include <system_error>

#include "messages.hpp"
#include "rta/io/new_file.hpp"
#include "rta/model/error.hpp"
#include "support/build.hpp"
#include "support/folder.hpp"

using namespace rta;
using namespace rta::test;

namespace {

std::ptrdiff_t files_in(const std::filesystem::path& folder) { return std::distance(std::filesystem::directory_iterator(folder), {}); }

}  // namespace

TEST_CASE("A non-preemptive pool says so, a preemptive one nothing") {
  const std::vector<Dag> dags{{"d", 1_ms, std::nullopt, {cpu_node("d", 1_us)}, {}}};
  CHECK(io::format_task_set(*task_set({{"cpu", CpuPool{2, Scheduler::g_edf, false}}}, dags))
            .starts_with("platform:\n  cpu: {processors: 2, scheduler: G-EDF, preemptive: false}\n"));
  CHECK(io::format_task_set(*task_set({cpu_pool(2)}, dags)).starts_with("platform:\n  cpu: {processors: 2, scheduler: G-EDF}\n"));
}

TEST_CASE("A task set as a file: copies together, chains, largest whole units, short form at the end") {
  Node last = cpu_node("c", 0_ns);
  last.deadline = 20_ms;
  last.sequential = true;
  last.group = "tail";
  const std::vector<Node> nodes{cpu_node("a", 1500_us), gpu_node("b", 120, 256, 210_us), last};
  const std::vector<Edge> edges{{0, 1, false}, {1, 2, false}, {0, 2, true}};
  std::vector<Dag> dags{{"camera[0]", 33_ms, 100_ms, nodes, edges}, {"camera[1]", 33_ms, 100_ms, nodes, edges}};
  dags.emplace_back("camera[2]", 34_ms, 100_ms, nodes, edges);  // another period: no copy
  dags.emplace_back("tau[0]", 2_s, std::nullopt, std::vector{cpu_node("tau", 1_ns)}, std::vector<Edge>{});
  dags.emplace_back("tau[1]", 2_s, std::nullopt, std::vector{cpu_node("tau", 1_ns)}, std::vector<Edge>{});
  const auto set = task_set({cpu_pool(4, Scheduler::g_fl), gpu_pool(2, 2048)}, dags);
  CHECK(io::format_task_set(*set) == R"(platform:
  cpu: {processors: 4, scheduler: G-FL}
  gpu: {sms: 2, threads: 2048, threads_per_block: 2048}
dags:
  - name: camera
    copies: 2
    T: 33 ms
    D: 100 ms
    nodes:
      a: {on: cpu, C: 1500 us}
      b: {on: gpu, B: 120, H: 256, L: 210 us}
      c: {on: cpu, C: 0 ns, D: 20 ms, sequential: true, group: tail}
    edges:
      - a -> b -> c
      - {path: a -> c, cut: true}
  - name: "camera[2]"
    T: 34 ms
    D: 100 ms
    nodes:
      a: {on: cpu, C: 1500 us}
      b: {on: gpu, B: 120, H: 256, L: 210 us}
      c: {on: cpu, C: 0 ns, D: 20 ms, sequential: true, group: tail}
    edges:
      - a -> b -> c
      - {path: a -> c, cut: true}
tasks:
  - {name: tau, copies: 2, T: 2 s, on: cpu, C: 1 ns}
)");
  CHECK(io::parse_task_set(io::format_task_set(*set), "f.yaml").task_set == *set);
}

TEST_CASE("What no file can say is refused") {
  const auto written = [](Node node, Pool gpu = gpu_pool(1, 2048)) {
    return io::format_task_set(*task_set({cpu_pool(1), std::move(gpu)}, {{"d", 1_s, std::nullopt, {std::move(node)}, {}}}));
  };
  CHECK_THROWS_WITH_AS(written(cpu_node("two words", 1_ns)),
                       "the task set cannot be written: 'two words' is no name: a name is one word, without spaces", UserError);
  CHECK_THROWS_AS(written(cpu_node("a->b", 1_ns)), UserError);
  CHECK_THROWS_AS(written(cpu_node(std::string(256, 'a'), 1_ns)), UserError);

  Node kernel = gpu_node("k", 1, 32, 10_ns);
  std::get<GpuDemand>(kernel.demand).C = Workload(288);  // 9 x 32 needs L = 9
  CHECK_THROWS_WITH_AS(written(kernel), "the task set cannot be written: node 'k' has L other than C/H", UserError);

  Pool warps = gpu_pool(1, 2048);
  std::get<GpuPool>(warps.resource).allocation.warp = 32;
  CHECK_THROWS_WITH_AS(written(gpu_node("k", 1, 33, 10_ns), warps),
                       "the task set cannot be written: H of node 'k' is no whole number of warps", UserError);
  Pool unknown = gpu_pool(1, 2048);
  std::get<GpuPool>(unknown.resource).device = "voodoo";
  CHECK_THROWS_WITH_AS(written(cpu_node("a", 1_ns), unknown), "the task set cannot be written: no device is called 'voodoo'", UserError);
}

TEST_CASE("A file is written whole, in place of the old one, and nothing is left beside it") {
  const TemporaryFolder folder;
  io::write_file(folder / "out.yaml", "first");
  io::write_file(folder / "out.yaml", "second");
  CHECK(content(folder / "out.yaml") == "second");
  CHECK(files_in(folder.path) == 1);

  CHECK_THROWS_AS(io::write_file(folder / "none/out.yaml", "x"), std::system_error);
  std::filesystem::create_directory(folder / "taken");
  CHECK_THROWS_AS(io::write_file(folder / "taken", "x"), std::system_error);
  CHECK(files_in(folder.path) == 2);
  io::write_file("/dev/null", "x");
  CHECK(std::filesystem::is_character_file("/dev/null"));
  CHECK_THROWS_AS(io::write_file("/dev/full", "x"), std::system_error);
}

TEST_CASE("Files that cannot be read say why, without a line") {
  const TemporaryFolder folder;
  const auto reading = [](const std::filesystem::path& path) {
    try {
      static_cast<void>(io::read_task_set(path));
    } catch (const io::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string missing = (folder / "missing.yaml").string();
  CHECK(reading(missing) == missing + ": cannot be opened: No such file or directory");
  std::filesystem::create_directory(folder / "directory");
  const std::string directory = (folder / "directory").string();
  CHECK(reading(directory) == directory + ": cannot be read: Is a directory");
  CHECK(reading("/dev/zero") == "/dev/zero: the file is larger than 64 MiB (see --largest-file)");
  CHECK(test::errors(std::string((std::size_t{64} << 20U) + 1, ' ')) ==
        test::Errors{"f.yaml: the file is larger than 64 MiB (see --largest-file)"});
}
