// Which bounds count as machine-checked.
#include "rta/analysis/machine_checked.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/option_table.hpp"
#include "rta/io/task_set_file.hpp"

using namespace rta;
using namespace rta::analysis;

namespace {

MachineChecked checked_of(const std::string& text, const GivenOptions& options = {}) {
  const auto set = std::make_shared<const TaskSet>(io::parse_task_set(text, "set.yaml").task_set);
  return machine_checked(analyze(set, options_of(options)).proof);
}

const std::string two = "platform: {cpu: {processors: 2, scheduler: G-EDF}}\ndags:\n";
const std::string chain = "nodes: {x: {on: cpu, C: 1 ms}, y: {on: cpu, C: 2 ms}}, edges: [x -> y]}\n";

}  // namespace

TEST_CASE("every headline of a bound is one of the theorems that proofs/check asks for") {
  std::ifstream file(std::filesystem::path(RTA_SOURCE_DIR) / "proofs" / "headlines");
  std::set<std::string> names;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string module, name;
    if (!line.starts_with('#') && words >> module >> name) names.insert(name);
  }
  REQUIRE(names.size() > 100);
  for (const std::string_view headline : headlines()) {
    CAPTURE(headline);
    CHECK(names.contains(std::string(headline)));
  }
}

TEST_CASE("of two sporadic chains on processors every bound is machine-checked") {
  const auto checked = checked_of(two + "  - {name: a, T: 10 ms, " + chain + "  - {name: b, T: 20 ms, " + chain);
  CHECK(checked.all());
  CHECK(checked.bounds == 4);
  for (const auto& dag : checked.nodes) {
    for (const auto& node : dag) {
      REQUIRE(node);
      CHECK_FALSE(node->name.empty());
    }
  }
}

TEST_CASE("threads that share pools with threads alone are machine-checked, by T21h") {
  const std::string threads = "threads: 1, " + chain;
  const auto checked =
      checked_of("platform: {cpu: {processors: 2}}\ndags:\n  - {name: a, T: 3 ms, " + threads + "  - {name: b, T: 3 ms, " + threads);
  CHECK(checked.all());
  REQUIRE(checked.bounds == 4);
  CHECK(checked.nodes[0][0]->name == "T21h_safe");
}

TEST_CASE("what the model of the proofs leaves out makes no bound machine-checked") {
  const std::pair<const char*, const char*> features[] = {
      {"T: 10 ms, threads: 1, nodes: {x: {on: cpu, C: 1 ms}}}\n", "DAG 'a' has threads that wait for its kernels"},
      {"T: 10 ms, nodes: {x: {on: cpu, C: 1 ms, sequential: true}}}\n", "DAG 'a' has sequential nodes"}};
  for (const auto& feature : features) {
    const std::string why = feature.second;
    CAPTURE(why);
    const auto checked = checked_of(fmt::format("{}  - {{name: a, {}  - {{name: b, T: 20 ms, {}", two, feature.first, chain));
    CHECK_FALSE(checked.all());
    REQUIRE(checked.bounds > 0);
    REQUIRE(checked.outside.size() == 1);
    CHECK(checked.outside.front() == why);
    for (const auto& nodes : checked.nodes) {
      for (const auto& node : nodes) CHECK((!node || node->name.empty()));
    }
  }
}

TEST_CASE("limits and history edges that delay nothing are machine-checked on completion, by T40") {
  const std::pair<const char*, const char*> gates[] = {
      {"in_flight: 2, nodes: {x: {on: cpu, C: 1 ms}}}\n", "DAG 'a' has a limit of jobs under way"},
      {"nodes: {x: {on: cpu, C: 1 ms, after: {node: x, jobs: 1}}}}\n", "DAG 'a' has nodes that wait for earlier jobs"}};
  for (const auto& gate : gates) {
    const std::string file = fmt::format("{}  - {{name: a, T: 10 ms, {}  - {{name: b, T: 20 ms, {}", two, gate.first, chain);
    const std::string why = gate.second;
    CAPTURE(why);
    const auto checked = checked_of(file, {{"release", "completion"}});
    CHECK(checked.all());
    CHECK(checked.carried_by == std::vector<std::string_view>{"T40_safe"});
    CHECK(checked_of(file, {{"release", "offsets"}}).outside == std::vector<std::string>{why});
  }
  // Bounds of T38 (b) are not: three jobs of 4 ms in 10 on one processor.
  const auto late = checked_of(
      "platform: {cpu: {processors: 1, scheduler: FIFO}}\ndags:\n  - {name: a, T: 5 ms, in_flight: 1, nodes: {x: {on: cpu, C: 3 ms}}}\n"
      "  - {name: b, T: 20 ms, nodes: {x: {on: cpu, C: 6 ms}}}\n",
      {{"release", "completion"}});
  CHECK_FALSE(late.all());
}

TEST_CASE("company of kernels, all the time, is machine-checked on completion, by C1") {
  const auto file = [](const std::string& more, const std::string& L) {
    return "platform: {gpu: {sms: 2, threads: 64, interference: {classes: [L2, DRAM], other-sm: {L2: [0, 1], DRAM: [1, 0]}" + more +
           "}}}\ntasks:\n  - {name: a, T: 1 ms, on: gpu, B: 1, H: 64, L: {alone: 10 us}, class: L2}\n"
           "  - {name: b, T: 1 ms, on: gpu, B: 1, H: 64, L: " +
           L + ", class: DRAM}\n";
  };
  const GivenOptions completion{{"release", "completion"}};
  const auto checked = checked_of(file("", "100 us"), completion);
  CHECK(checked.all());
  CHECK(checked.carried_by == std::vector<std::string_view>{"C1_safe"});
  const std::vector<std::string> outside{"durations were measured alone, and company is added"};
  CHECK(checked_of(file("", "5 us"), completion).outside == outside);  // C2
  CHECK(checked_of(file("", "100 us"), {{"release", "offsets"}}).outside == outside);
  CHECK(checked_of(file(", beside: {copies: [0, 0], cpu: [0, 0]}", "100 us"), completion).outside == outside);
}

TEST_CASE("DAGs without bounds that are less urgent wherever they meet others are machine-checked, by T37") {
  const auto file = [](const std::string& scheduler, const std::string& second) {
    return "platform: {cpu: {processors: 1, scheduler: " + scheduler + "}}\ndags:\n" +
           "  - {name: a, T: 10 ms, priority: 2, nodes: {x: {on: cpu, C: 1 ms}}}\n"
           "  - {name: b, T: 10 ms, priority: " +
           second + ", nodes: {x: {on: cpu, C: 12 ms}}}\n";
  };
  const GivenOptions completion{{"release", "completion"}};
  const auto checked = checked_of(file("FP", "1"), completion);
  REQUIRE(checked.bounds == 1);
  CHECK(checked.all());
  CHECK(checked.carried_by == std::vector<std::string_view>{"T37_safe"});
}

TEST_CASE("jobs of periodic tasks are machine-checked, by T35") {
  const auto checked = checked_of(
      "platform: {cpu: {processors: 1, scheduler: FIFO, preemptive: false}}\ntasks:\n"
      "  - {name: a, T: 10 ms, phase: 0 ms, periodic: true, on: cpu, C: 3 ms}\n"
      "  - {name: b, T: 10 ms, phase: 5 ms, periodic: true, on: cpu, C: 3 ms}\n",
      {{"release", "completion"}});
  CHECK(checked.all());
  REQUIRE(checked.bounds == 2);
  CHECK(checked.nodes[1][0]->name == "T35_in_every_tick");
}

TEST_CASE("tasks on one processor under fixed priorities are machine-checked, by T11j") {
  const auto checked = checked_of(
      "platform: {cpu: {processors: 1, scheduler: FP}}\ntasks:\n"
      "  - {name: a, T: 4 ms, on: cpu, C: 1 ms, priority: 3}\n"
      "  - {name: b, T: 6 ms, on: cpu, C: 2 ms, priority: 2}\n"
      "  - {name: c, T: 13 ms, on: cpu, C: 3 ms, priority: 1}\n",
      {{"release", "completion"}});
  CHECK(checked.all());
  REQUIRE(checked.bounds == 3);
  CHECK(checked.nodes[2][0]->name == "T11j_one_processor");
}

TEST_CASE("a theorem in a form that no machine has checked is counted") {
  const auto dag = [](std::string_view name, int phase) {
    return fmt::format(
        "  - {{name: {}, T: 10 ms, phase: {} ms, periodic: true, nodes: {{x: {{on: cpu, C: 1 ms}}, "
        "k: {{on: gpu, B: 1, H: 1024, L: 2 ms}}}}, edges: [x -> k]}}\n",
        name, phase);
  };
  const auto checked =
      checked_of("platform: {cpu: {processors: 1, scheduler: FIFO, preemptive: false}, gpu: {sms: 1, threads: 1024}}\ndags:\n" +
                     dag("a", 0) + dag("b", 5),
                 {{"release", "completion"}});
  CHECK(checked.outside.empty());
  CHECK_FALSE(checked.all());
  REQUIRE(checked.others.size() == 1);
  CHECK(checked.others.front().theorem == Theorem::T35);
  CHECK(checked.others.front().form == "beside kernels in turn");
  CHECK(checked.others.front().bounds == 4);
}

TEST_CASE("kernels of three stream priorities at offsets are machine-checked, by T7 with the carry of each") {
  const auto checked = checked_of(
      "platform: {gpu: {sms: 1, threads: 1024}}\ntasks:\n"
      "  - {name: a, T: 10 ms, on: gpu, B: 1, H: 1024, L: 2 ms, priority: 2}\n"
      "  - {name: b, T: 20 ms, on: gpu, B: 1, H: 1024, L: 3 ms, priority: 1}\n"
      "  - {name: c, T: 40 ms, on: gpu, B: 1, H: 1024, L: 5 ms}\n",
      {{"release", "offsets"}});
  CHECK(checked.outside.empty());
  CHECK(checked.all());
  REQUIRE(checked.bounds == 3);
  CHECK(checked.nodes[0][0]->name == "T7");
  CHECK(checked.nodes[1][0]->name == "T7");
  CHECK(checked.nodes[2][0]->name == "T7_lowest_a");
}

TEST_CASE("the lowest stream priority is machine-checked with every carry, light or counted, too") {
  const auto lowest = [](const std::string& tasks) {
    const auto checked = checked_of("platform: {gpu: {sms: 1, threads: 2048}}\ntasks:\n" + tasks, {{"release", "offsets"}});
    CHECK(checked.all());
    return std::string(checked.nodes[0][0]->name);
  };
  CHECK(lowest("  - {name: a, T: 100 ms, on: gpu, B: 1, H: 128, L: 200 ms}\n"
               "  - {name: b, T: 20 ms, on: gpu, B: 1, H: 128, L: 40 ms, priority: 1}\n"
               "  - {name: c, T: 100 ms, on: gpu, B: 2, H: 128, L: 200 ms, priority: 1}\n") == "T7_lowest_b");
  CHECK(lowest("  - {name: a, T: 1000 ms, on: gpu, B: 2, H: 32, L: 2000 ms}\n"
               "  - {name: b, T: 20 ms, on: gpu, B: 6, H: 512, L: 4 ms}\n"
               "  - {name: c, T: 20 ms, on: gpu, B: 3, H: 512, L: 9 ms, priority: 1}\n") == "T7_lowest_c");
}

TEST_CASE("GPUs with several stream priorities or registers in parts, and early releases, are outside the model") {
  const auto why = [](const std::string& platform, const std::string& kernel, const std::string& release) {
    const auto checked = checked_of(fmt::format("platform: {{gpu: {{sms: 2, threads: 1024{}}}}}\ndags:\n"
                                                "  - {{name: a, T: 100 ms, nodes: {{x: {{on: gpu, B: 2, H: 256, L: 1 ms{}}}}}}}\n"
                                                "  - {{name: b, T: 100 ms, nodes: {{y: {{on: gpu, B: 2, H: 256, L: 1 ms}}}}}}\n",
                                                platform, kernel),
                                    {{"release", release}});
    CHECK_FALSE(checked.all());
    REQUIRE(checked.outside.size() == 1);
    return checked.outside.front();
  };
  CHECK(why("", ", priority: 1", "completion") == "kernels of GPU 'gpu' have several stream priorities");
  CHECK(why("", ", priority: 1", "segments") == "kernels of GPU 'gpu' have several stream priorities");
  CHECK(why(", registers: 65536, register_parts: 4, warp: 32", ", registers: 32", "completion") ==
        "registers of GPU 'gpu' are in several parts");
  CHECK(why("", "", "early") == "nodes are released early");
}

TEST_CASE("a set without bounds is not machine-checked") {
  const auto checked = checked_of("platform: {cpu: {processors: 1}}\ndags:\n  - {name: a, T: 1 ms, nodes: {x: {on: cpu, C: 2 ms}}}\n");
  CHECK(checked.bounds == 0);
  CHECK_FALSE(checked.all());
}

TEST_CASE("beside GPUs in time slices T14 is machine-checked, and what it does not cover is named") {
  const std::string sharing = "sharing: {slice: 2 ms, switch: 500 us}";
  const std::string file = "platform: {cpu: {processors: 1, scheduler: FIFO}, gpu: {sms: 1, threads: 1024, " + sharing +
                           "}}\ndags:\n  - {name: a, T: 100 ms, process: a, nodes: {x: {on: cpu, C: 2 ms}, k: {on: gpu, B: 1, H: 1024, L: "
                           "5 ms}}, edges: [x -> k]}\n"
                           "  - {name: b, T: 100 ms, process: b, nodes: {k: {on: gpu, B: 1, H: 1024, L: 5 ms}}}\n";
  const auto checked = checked_of(file, {{"release", "completion"}, {"path-bound", "T10n"}});
  CHECK(checked.all());
  REQUIRE(checked.bounds == 3);
  CHECK(checked.nodes[0][1]->name == "T14_in_every_tick");
  const auto alone = checked_of(file, {{"release", "offsets"}});
  CHECK_FALSE(alone.all());
  REQUIRE(alone.others.size() == 1);
  CHECK(alone.others.front().theorem == Theorem::T14j);
}
