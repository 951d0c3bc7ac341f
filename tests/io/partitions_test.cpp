// GPUs that are cut into partitions, in task-set files.
#include "rta/model/partitions.hpp"

#include <doctest/doctest.h>

#include "messages.hpp"
#include "rta/io/canonical_json.hpp"
#include "rta/io/choice_file.hpp"
#include "rta/model/error.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::test;

namespace {

constexpr std::string_view cut = R"(platform:
  cpu: {processors: 2, scheduler: FIFO}
  orin: {device: orin, partitions: {perception: {sms: 10, kind: green}, planning: {sms: 4, kind: green}}, rest: spare}
  copy: {engines: 1}
dags:
  - name: camera
    T: 33 ms
    nodes:
      read: {on: cpu, C: 1 ms}
      upload: {on: copy, C: 1 ms}
      detect: {on: orin/perception, B: 64, H: 128, L: 100 us}
    edges:
      - read -> upload -> detect
tasks:
  - {name: plan, T: 50 ms, on: orin/planning, B: 16, H: 128, L: 200 us}
)";

/// `gpu` on line 2; the task of line 4 begins at column 5.
std::string with(const std::string& gpu, const std::string& on = "gpu/a") {
  return "platform:\n  gpu: {" + gpu + "}\ntasks:\n  - {name: k, T: 10 ms, on: " + on + ", B: 1, H: 32, L: 1 ms}\n";
}

std::string partitions(const std::string& of) { return with("device: orin, partitions: {" + of + "}"); }

std::uint32_t sms(const Pool& pool) { return std::get<GpuPool>(pool.resource).sms; }

}  // namespace

TEST_CASE("Each partition is a GPU of its own with the limits of its device; it is written as it was") {
  const TaskSet set = io::parse_task_set(cut, "f.yaml").task_set;
  std::vector<std::string> names;
  for (const Pool& pool : set.pools()) names.push_back(pool.name);
  CHECK(names == std::vector<std::string>{"cpu", "orin/perception", "orin/planning", "orin/spare", "copy"});
  CHECK(sms(set.pools()[1]) == 10);
  CHECK(sms(set.pools()[2]) == 4);
  CHECK(sms(set.pools()[3]) == 2);  // 16 - 10 - 4
  const auto& perception = std::get<GpuPool>(set.pools()[1].resource);
  CHECK(perception.sm.threads == 1536);
  CHECK(*perception.partition == Partition{.gpu = "orin", .name = "perception", .kind = PartitionKind::green, .of = 16, .rest = false});
  CHECK(partition_of(set.pools()[3])->rest);
  CHECK(set.dags()[0].nodes()[2].pool == 1);
  CHECK(set.dags()[1].nodes()[0].pool == 2);
  CHECK(io::format_task_set(set) == cut);
  CHECK(io::parse_task_set(io::canonical_json(set), "f.json").task_set == set);
}

TEST_CASE("A GPU that is described in full may be cut, of its SMs only the sum is checked") {
  const auto set =
      io::parse_task_set(with("sms: 7, threads: 64, threads_per_block: 64, partitions: {a: {sms: 3, kind: green}}, rest: b"), "f.yaml")
          .task_set;
  CHECK(sms(set.pools()[0]) == 3);
  CHECK(sms(set.pools()[1]) == 4);
  CHECK(io::parse_task_set(io::format_task_set(set), "again.yaml").task_set == set);
  CHECK(errors(with("sms: 7, threads: 64, partitions: {a: {sms: 4, kind: mps}, b: {sms: 4, kind: mps}}")) ==
        Errors{"f.yaml:2:76: partition 'b': sms: with this partition all have 8 SMs, but GPU 'gpu' has 7"});
}

TEST_CASE("SMs beside the granularity of the device are refused") {
  CHECK(
      errors(partitions("a: {sms: 5, kind: green}")) ==
      Errors{"f.yaml:2:45: partition 'a': sms: a green context of compute capability 8.7 has at least 4 SMs, and a multiple of 2, not 5"});
  CHECK(errors(partitions("a: {sms: 2, kind: green}")).size() == 1);
  CHECK(errors(partitions("a: {sms: 6, kind: green}")).empty());
  CHECK(errors(partitions("a: {sms: 5, kind: mps}")).empty());  // the server's chunks are not known
  CHECK(errors(partitions("a: {sms: 5, kind: tpc}")) ==
        Errors{"f.yaml:2:45: partition 'a': sms: a mask of TPCs of compute capability 8.7 has at least 2 SMs, and a multiple of 2, not 5"});
  CHECK(errors(partitions("a: {sms: 8, kind: mig}")) ==
        Errors{"f.yaml:2:45: partition 'a': sms: a GPU of compute capability 8.7 has no MIG instances"});
  CHECK(errors(with("device: h200, partitions: {a: {sms: 16, kind: mig}}")).empty());
}

TEST_CASE("The granularity of green contexts by compute capability") {
  const auto may = [](std::uint32_t n, std::string_view capability) { return !partition_fault(PartitionKind::green, n, capability); };
  CHECK(!may(1, "5.3"));  // no green contexts
  CHECK(may(1, "6.1"));
  CHECK(!may(1, "7.0"));
  CHECK(may(2, "7.0"));
  CHECK(!may(3, "7.2"));
  CHECK(!may(2, "8.7"));
  CHECK(may(4, "8.0"));
  CHECK(!may(5, "8.9"));
  CHECK(!may(4, "9.0"));
  CHECK(may(8, "9.0"));
  CHECK(!may(10, "9.0"));
  CHECK(may(16, "10.0"));
  CHECK(!may(12, "11.0"));
  CHECK(may(3, ""));                                      // not known
  CHECK(!partition_fault(PartitionKind::tpc, 1, "6.1"));  // 15 SMs: its TPCs have one each
}

TEST_CASE("What is left may be beside the granularity, but must be something") {
  const auto set = io::parse_task_set(with("device: h200, partitions: {a: {sms: 128, kind: green}}, rest: b"), "f.yaml").task_set;
  CHECK(sms(set.pools()[1]) == 4);
  CHECK(io::parse_task_set(io::format_task_set(set), "again.yaml").task_set == set);
  CHECK(errors(with("device: orin, partitions: {a: {sms: 16, kind: green}}, rest: b")) ==
        Errors{"f.yaml:2:70: pool 'gpu': rest: nothing is left: the partitions have all 16 SMs"});
  CHECK(errors(with("device: orin, partitions: {a: {sms: 8, kind: green}}, rest: a")) ==
        Errors{"f.yaml:2:69: pool 'gpu': rest: another partition is called 'a'"});
  CHECK(errors(with("device: orin, rest: b", "gpu")) ==
        Errors{"f.yaml:2:29: pool 'gpu': rest: what the partitions of a GPU leave, but it has no `partitions`"});
}

TEST_CASE("A node runs on one of the partitions, not on the GPU") {
  const std::string gpu = "device: orin, partitions: {a: {sms: 4, kind: green}, b: {sms: 4, kind: green}}";
  CHECK(errors(with(gpu, "gpu")) == Errors{"f.yaml:4:29: task 'k': on: GPU 'gpu' is cut into partitions: give one of them (gpu/a, gpu/b)"});
  CHECK(errors(with(gpu, "gpu/b")).empty());
  CHECK(errors(with(gpu, "gpu/c")).size() == 1);
}

TEST_CASE("Percentages of MPS are no partition") {
  CHECK(
      errors(partitions("a: {limit: 50 %, kind: mps}")) ==
      Errors{"f.yaml:2:47: partition 'a': limit: a percentage of MPS reserves no SMs: a client at its limit waits while SMs are free, and "
             "another client's kernel passes it, so that kernels have no FIFO in common; use static partitions of MPS (sms, with kind: "
             "mps)"});
}

TEST_CASE("Other mistakes of partitions have their place") {
  CHECK(errors(partitions("a: {kind: green}")) == Errors{"f.yaml:2:39: partition 'a': 'sms' is missing: the number of its SMs"});
  CHECK(errors(partitions("a: {sms: 4}")) == Errors{"f.yaml:2:39: partition 'a': 'kind' is missing: green, mps, mig or tpc"});
  CHECK(errors(partitions("a: {sms: 4, kind: blue}")).size() == 1);
  CHECK(errors(partitions("a: {sms: 17, kind: green}")).size() == 1);
  CHECK(errors(partitions("a: {sms: 4, kind: green, threads: 8}")).size() == 1);
  CHECK(errors(partitions("a: 4")).size() == 1);
  CHECK(errors(partitions("a: {sms: 4, kind: green}, a: {sms: 4, kind: green}")).size() == 1);
  CHECK(errors(with("device: orin, partitions: {}", "gpu")).size() == 1);
  CHECK(errors(partitions("a: {sms: 4, kind: green}, b: {sms: 4, kind: mps}")) ==
        Errors{"f.yaml:2:80: partition 'b': kind: partitions of one GPU are of one kind; those above are green"});
  CHECK(errors(with("device: orin, partitions: {a: {sms: 4, kind: green}}, sharing: {slice: 1 ms, switch: 1 us}")) ==
        Errors{"f.yaml:2:72: pool 'gpu': sharing: a GPU is shared by time slices or cut into partitions, not both"});
  CHECK(errors("platform:\n  gpu: {device: orin, partitions: {a: {sms: 4, kind: green}}}\n  gpu/a: {device: orin}\ntasks:\n"
               "  - {name: k, T: 10 ms, on: gpu/a, B: 1, H: 32, L: 1 ms}\n")
            .size() == 1);
  // What is wrong with the device is said once.
  CHECK(errors(with("device: orim, partitions: {a: {sms: 40, kind: green}}")).size() == 1);
}

TEST_CASE("A GPU with partitions is no pool, so no other may have its name") {
  CHECK(errors("platform:\n  a: {processors: 1, partitioned: true}\n  a0: {device: orin, partitions: {x: {sms: 4, kind: green}}}\ntasks:\n"
               "  - {name: k, T: 10 ms, on: a0/x, B: 1, H: 32, L: 1 ms}\n") == Errors{"f.yaml:3:3: pool 'a0': another pool has this name"});
  CHECK(errors("platform:\n  a0: {device: orin, partitions: {x: {sms: 4, kind: green}}}\n  a: {processors: 1, partitioned: true}\ntasks:\n"
               "  - {name: k, T: 10 ms, on: a0/x, B: 1, H: 32, L: 1 ms}\n")
            .size() == 1);
}

TEST_CASE("Green contexts are of one process; static partitions of MPS are of several") {
  const auto two = [](const std::string& kind, const std::string& second) {
    return errors("platform:\n  gpu: {device: orin, partitions: {a: {sms: 4, kind: " + kind + "}, b: {sms: 4, kind: " + kind +
                  "}}}\ntasks:\n  - {name: j, T: 10 ms, on: gpu/a, process: p, B: 1, H: 32, L: 1 ms}\n  - {name: k, T: 10 ms, on: " +
                  second + ", B: 1, H: 32, L: 1 ms}\n");
  };
  CHECK(two("green", "gpu/b, process: p").empty());
  CHECK(two("green", "gpu/b, process: q") ==
        Errors{
            "f.yaml:5:45: pool 'gpu': two processes use partitions of this GPU, 'p' (line 4) and 'q': green contexts and masks of TPCs are "
            "of one process; those of several take turns by time slices. Say kind: mps or mig"});
  CHECK(two("tpc", "gpu/b").size() == 1);
  CHECK(two("mps", "gpu/b, process: q").empty());
  CHECK(two("mps", "gpu/b").empty());
  CHECK(two("mps", "gpu/a, process: p").empty());
  CHECK(two("tpc", "gpu/b, process: p").empty());
  CHECK(two("mps", "gpu/b, process: p") ==
        Errors{"f.yaml:5:45: pool 'gpu/b': process 'p' has 'gpu/a' of this GPU already (line 4): a partition of MPS or MIG is of one "
               "process, which has no other"});
  CHECK(
      two("mps", "gpu/a, process: q") ==
      Errors{
          "f.yaml:5:45: pool 'gpu/a': two processes use this partition, 'p' (line 4) and 'q': leave `process` out if they share a context "
          "there (MPS)"});
}

TEST_CASE("Partitions that do not fit together are no task set") {
  const auto pools = [](auto change) {
    Pool one = gpu_pool(2, 64, "gpu/a");
    std::get<GpuPool>(one.resource).partition = Partition{.gpu = "gpu", .name = "a", .kind = PartitionKind::mps, .of = 4, .rest = false};
    Pool two = one;
    two.name = "gpu/b";
    std::get<GpuPool>(two.resource).partition->name = "b";
    change(std::get<GpuPool>(two.resource));
    return std::vector<Pool>{one, two};
  };
  const auto dags = std::vector<Dag>{Dag("d", 1_ms, std::nullopt, {gpu_node("k", 1, 1, 1_us, 0)}, {})};
  CHECK_NOTHROW(TaskSet("t", pools([](GpuPool&) {}), dags));
  CHECK_NOTHROW(TaskSet("t", pools([](GpuPool& p) { p.sms = 1; }), dags));
  CHECK_THROWS_AS(TaskSet("t", pools([](GpuPool& p) { p.sms = 3; }), dags), Defect);
  CHECK_THROWS_AS(TaskSet("t", pools([](GpuPool& p) { p.sm.threads = 32; }), dags), Defect);
  CHECK_THROWS_AS(TaskSet("t", pools([](GpuPool& p) { p.partition->kind = PartitionKind::mig; }), dags), Defect);
  CHECK_THROWS_AS(TaskSet("t", pools([](GpuPool& p) { p.partition->name = "c"; }), dags), Defect);
  std::vector<Pool> with_whole = pools([](GpuPool&) {});
  with_whole.push_back(gpu_pool(2, 64, "gpu"));
  CHECK_THROWS_AS(TaskSet("t", with_whole, dags), Defect);
  // A rest of other SMs than are left cannot be written.
  const TaskSet less("t", pools([](GpuPool& p) {
                       p.sms = 1;
                       p.partition->rest = true;
                     }),
                     dags);
  CHECK_THROWS_AS((void)io::format_task_set(less), UserError);
}

TEST_CASE("SM counts of partitions may be open, as a list or a range; what does not fit is no candidate") {
  const io::ChoiceFile file(R"(platform:
  gpu: {device: orin, partitions: {a: {sms: {from: 4, to: 12, step: 4}, kind: green}, b: {sms: [4, 6], kind: green}}}
tasks:
  - {name: k, T: 10 ms, on: [gpu/a, gpu/b], B: 1, H: 32, L: 1 ms}
)",
                            "f.yaml");
  REQUIRE(file.choices().size() == 3);
  CHECK(file.choices()[0] == io::Choice{"pool 'gpu/a': sms", {"4", "8", "12"}});
  CHECK(file.choices()[1] == io::Choice{"pool 'gpu/b': sms", {"4", "6"}});
  CHECK(file.choices()[2].alternatives == std::vector<std::string>{"gpu/a", "gpu/b"});
  const TaskSet set = file.task_set({2, 0, 1}).task_set;
  CHECK(sms(set.pools()[0]) == 12);
  CHECK(sms(set.pools()[1]) == 4);
  CHECK(set.dags()[0].nodes()[0].pool == 1);
  CHECK_THROWS_WITH_AS((void)file.task_set({2, 1, 0}),
                       "f.yaml:2:100: partition 'b': sms: with this partition all have 18 SMs, but GPU 'gpu' has 16", io::InputError);
  const auto wrong = [](const std::string& range) {
    return "platform:\n  gpu: {device: orin, partitions: {a: {sms: " + range + ", kind: green}}}\ntasks: []\n";
  };
  CHECK_THROWS_WITH_AS(io::ChoiceFile(wrong("{from: 4, to: 2, step: 1}"), "f.yaml"), "f.yaml:2:45: sms: a range from 4 to 2 has no number",
                       io::InputError);
  CHECK_THROWS_AS(io::ChoiceFile(wrong("{from: 4, to: 8}"), "f.yaml"), io::InputError);
  CHECK_THROWS_AS(io::ChoiceFile(wrong("{from: 0, to: 8, step: 1}"), "f.yaml"), io::InputError);
  CHECK_THROWS_AS(io::ChoiceFile(wrong("{from: 4, to: 8, step: 1, by: 2}"), "f.yaml"), io::InputError);
}

TEST_CASE("a duration that was measured on some SMs is not chosen for others") {
  const auto refusal = [](const std::string& gpu, const std::string& kernel) {
    try {
      (void)io::ChoiceFile("platform:\n  g: {" + gpu + "}\n  h: {device: orin}\ntasks:\n  - {name: t, T: 10 ms, " + kernel + "}\n", "f");
    } catch (const io::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string two = "device: orin, partitions: {a: {sms: 12, kind: green}, b: {sms: 4, kind: green}}";
  const std::string holds = "time: a duration holds for the SMs that it was measured on, but ";
  // 4 ms on 12 SMs are up to 12 ms on 4.
  CHECK(refusal(two, "on: [g/a, g/b], B: 240, H: 512, time: 4 ms") ==
        "f:5:63: " + holds + "pools 'g/a' and 'g/b' have others; give variants, each with its on and time, or B, H and L without time");
  const std::string open = holds + "those of pool 'g/a' are a choice; give B, H and L without time";
  CHECK(refusal("device: orin, partitions: {a: {sms: [4, 12], kind: green}}", "on: g/a, B: 240, H: 512, L: 600 us, time: 4200 us") ==
        "f:5:67: " + open);
  CHECK(refusal("device: orin, partitions: {a: {sms: {from: 4, to: 12, step: 4}, kind: green}}", "on: g/a, time: 4 ms") ==
        "f:5:40: " + open);
  CHECK(refusal("device: orin, sms: [4, 16]", "on: g, time: 4 ms").find("those of pool 'g' are a choice") != std::string::npos);
  CHECK(refusal("device: [orin, thor]", "on: g, time: 4 ms").find("those of pool 'g' are a choice") != std::string::npos);
  CHECK(refusal("device: orin, partitions: {a: {sms: [4, 8], kind: green}}, rest: r", "on: g/r, time: 4 ms").find("pool 'g/r'") !=
        std::string::npos);
  CHECK(refusal("device: thor", "on: [h, g], time: 4 ms").find("pools 'h' and 'g' have others") != std::string::npos);
  CHECK(refusal(two, "time: 4 ms, variants: [{on: g/a}, {on: g/b}]").find("have others") != std::string::npos);
  CHECK(refusal(two, "on: [g/a, g/b], variants: [{time: 4 ms}, {time: 8 ms}]").find("have others") != std::string::npos);
  // Each with its own, equal SMs, and blocks without a duration.
  CHECK(refusal(two, "variants: [{on: g/a, time: 4 ms}, {on: g/b, time: 8 ms}]").empty());
  CHECK(refusal("device: orin, sms: 16", "on: [h, g], time: 4 ms").empty());
  CHECK(refusal(two, "on: [g/a, g/b], B: 240, H: 512, L: 600 us").empty());
  CHECK(refusal(two, "on: g/a, time: [4 ms, 5 ms]").empty());
}

TEST_CASE("A range says each bound once; partitions have no variants, faulty names are said once, and there are at most 4096") {
  const auto chosen = [](const std::string& part) {
    try {
      const io::ChoiceFile file(partitions("a: {" + part + "}"), "f.yaml");
      (void)file.task_set(io::Selection(file.choices().size(), 0));
    } catch (const io::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(chosen("sms: {from: 4, from: 6, to: 8, step: 2}, kind: green").find("sms: 'from' is given twice") != std::string::npos);
  CHECK(chosen("variants: [{sms: 4, kind: green}]").find("unknown key 'variants'") != std::string::npos);
  CHECK(errors(with("device: orin, partitions: {'a b': {sms: 4, kind: green}}", "gpu")).size() <= 2);
  std::string many;
  for (int i = 0; i < 4097; ++i) many += (i == 0 ? "p" : ", p") + std::to_string(i) + ": {sms: 1, kind: mps}";
  const Errors found = errors(with("sms: 8192, threads: 64, partitions: {" + many + "}", "gpu/p0"));
  REQUIRE_FALSE(found.empty());
  CHECK(found.front().find("partitions: a GPU has at most 4096, not 4097") != std::string::npos);
}
