// GPUs that processes share, in task-set files.
#include "rta/model/time_slices.hpp"

#include <doctest/doctest.h>

#include "messages.hpp"
#include "rta/io/canonical_json.hpp"
#include "rta/model/error.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::test;

namespace {

constexpr std::string_view text = R"(platform:
  cpu: {processors: 2, scheduler: FIFO}
  gpu: {device: orin, sharing: {slice: 1 ms, switch: 200 us}}
  copy: {engines: 1}
dags:
  - name: camera
    T: 33 ms
    nodes:
      read: {on: cpu, C: 1 ms}
      resize: {on: gpu, process: perception, B: 64, H: 128, L: 100 us}
      other: {on: gpu, process: display, B: 8, H: 128, L: 100 us}
    edges:
      - read -> resize
tasks:
  - {name: plan, copies: 2, T: 50 ms, on: gpu, process: planning, B: 16, H: 128, L: 200 us}
  - {name: rest, T: 100 ms, on: gpu, B: 16, H: 128, L: 200 us}
)";

std::string with(const std::string& gpu, const std::string& keys_a, const std::string& keys_b) {
  return "platform:\n  gpu: {sms: 1, threads: 1" + gpu + "}\ntasks:\n  - {name: a, T: 10 ms, on: gpu, " + keys_a +
         "B: 1, H: 1, L: 1 ms}\n  - {name: b, T: 10 ms, on: gpu, " + keys_b + "B: 1, H: 1, L: 1 ms}\n";
}

}  // namespace

TEST_CASE("A GPU with `sharing` is a pool per process, and is written as one") {
  const TaskSet set = io::parse_task_set(text, "f.yaml").task_set;
  std::vector<std::string> names;
  for (const Pool& pool : set.pools()) names.push_back(pool.name);
  CHECK(names == std::vector<std::string>{"cpu", "gpu", "gpu/display", "gpu/perception", "gpu/planning", "copy"});
  const Sharing& sharing = *std::get<GpuPool>(set.pools()[3].resource).sharing;
  CHECK(sharing == Sharing{.gpu = "gpu", .process = "perception", .slice = 1_ms, .switch_time = 200_us, .contexts = 4});
  CHECK(gap(sharing) == 3800_us);  // 3 x 1 ms + 4 x 200 us
  CHECK(set.dags()[0].nodes()[1].pool == 3);
  CHECK(set.dags()[3].nodes()[0].pool == 1);
  CHECK(io::format_task_set(set) == text);
  CHECK(io::parse_task_set(io::canonical_json(set), "f.json").task_set == set);
}

TEST_CASE("A DAG's process is its nodes', unless they have their own") {
  const auto set = io::parse_task_set(R"(platform:
  gpu: {sms: 1, threads: 1, sharing: {slice: 2 ms, switch: 0 ns}}
dags:
  - name: d
    T: 10 ms
    process: one
    nodes:
      a: {on: gpu, B: 1, H: 1, L: 1 ms}
      b: {on: gpu, process: two, B: 1, H: 1, L: 1 ms}
)",
                                      "f.yaml")
                       .task_set;
  CHECK(set.pools()[set.dags()[0].nodes()[0].pool].name == "gpu/one");
  CHECK(set.pools()[set.dags()[0].nodes()[1].pool].name == "gpu/two");
}

TEST_CASE("Two processes on a GPU without `sharing` are refused; one is harmless") {
  CHECK(errors(with("", "process: p, ", "process: p, ")).empty());
  CHECK(
      errors(with("", "process: p, ", "process: q, ")) ==
      Errors{"f.yaml:5:43: pool 'gpu': two processes use this GPU, 'p' (line 4) and 'q': say `sharing: {slice: …, switch: …}` there if it "
             "serves them by time slices, or leave `process` out if they share a context (MPS)"});
  CHECK(errors(with("", "process: p, ", "")) ==
        Errors{"f.yaml:5:5: pool 'gpu': two processes use this GPU, 'p' (line 4) and the process without a name: say `sharing: {slice: …, "
               "switch: …}` there if it serves them by time slices, or leave `process` out if they share a context (MPS)"});
}

TEST_CASE("Wrong slices are refused with their place") {
  CHECK(errors(with(", sharing: {slice: 0 ns, switch: 1 us}", "", "")).size() == 1);
  CHECK(errors(with(", sharing: {slice: 1 ms}", "", "")) ==
        Errors{"f.yaml:2:38: pool 'gpu': 'switch' is missing: how long it takes to pass from one process to the next"});
  CHECK(errors(with(", sharing: 1 ms", "", "")).size() == 1);
  CHECK(errors(with(", sharing: {slice: 1 ms, switch: 1 us, order: fair}", "", "")).size() == 1);
  CHECK(
      errors("platform:\n  cpu: {processors: 1, sharing: {slice: 1 ms, switch: 1 us}}\ntasks:\n  - {name: a, T: 1 ms, on: cpu, C: 1 us}\n")
          .size() == 1);
  CHECK(errors("platform:\n  gpu: {sms: 1, threads: 1, sharing: {slice: 1 ms, switch: 1 us}}\n  gpu/p: {sms: 1, threads: 1}\ntasks:\n"
               "  - {name: a, T: 10 ms, on: gpu, process: p, B: 1, H: 1, L: 1 ms}\n") ==
        Errors{"f.yaml:5:43: pool 'gpu/p': another pool has this name; the contexts of a GPU with `sharing` are called GPU/PROCESS"});
}

TEST_CASE("A context without a kernel cannot be written, as it would be gone when read again") {
  const TaskSet set = io::parse_task_set(text, "f.yaml").task_set;
  const TaskSet fewer("fewer", {set.pools().begin(), set.pools().end()}, {set.dags()[0]});
  CHECK_THROWS_AS((void)io::format_task_set(fewer), UserError);
}

TEST_CASE("Contexts that do not fit together are no task set") {
  auto pools = [](auto change) {
    Pool one = gpu_pool(1, 1, "gpu/a");
    std::get<GpuPool>(one.resource).sharing = Sharing{.gpu = "gpu", .process = "a", .slice = 1_ms, .switch_time = 1_us, .contexts = 2};
    Pool two = one;
    two.name = "gpu/b";
    std::get<GpuPool>(two.resource).sharing->process = "b";
    change(two);
    return std::vector<Pool>{one, two};
  };
  const auto dags = std::vector<Dag>{Dag("d", 1_ms, std::nullopt, {gpu_node("k", 1, 1, 1_us, 0)}, {})};
  CHECK_NOTHROW(TaskSet("t", pools([](Pool&) {}), dags));
  CHECK_THROWS_AS(TaskSet("t", pools([](Pool& p) { std::get<GpuPool>(p.resource).sms = 2; }), dags), Defect);
  CHECK_THROWS_AS(TaskSet("t", pools([](Pool& p) { std::get<GpuPool>(p.resource).sharing->slice = 2_ms; }), dags), Defect);
  CHECK_THROWS_AS(TaskSet("t", pools([](Pool& p) { p.name = "b"; }), dags), Defect);
  CHECK_THROWS_AS(TaskSet("t", pools([](Pool& p) { std::get<GpuPool>(p.resource).sharing->contexts = 3; }), dags), Defect);
}
