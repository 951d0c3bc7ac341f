// Files with choices: what they leave open, and the task sets that they stand for.
#include "rta/io/choice_file.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "rta/io/diagnostic.hpp"

using namespace rta;

namespace {

std::string refusal(const std::string& text) {
  try {
    const io::ChoiceFile file(text, "f");
    (void)file.task_set(io::Selection(file.choices().size(), 0));
  } catch (const io::InputError& error) {
    return error.diagnostics().front().text();
  }
  return "";
}

}  // namespace

TEST_CASE("a file without choices is the task set that it is") {
  const std::string text = "platform: {cpu: {processors: 2}}\ntasks: [{name: a, on: cpu, C: 1 ms, T: 5 ms}]\n";
  const io::ChoiceFile file(text, "f");
  CHECK(file.choices().empty());
  CHECK(file.task_set({}).task_set == io::parse_task_set(text, "f").task_set);
}

TEST_CASE("a file with choices is kept whole") {
  const io::ChoiceFile file(std::string("platform: {cpu: {processors: 2}}\ntasks: [{name: a, on: cpu, C: [1 ms, 2 ms], T: 5 ms}]\n"), "f");
  const auto set = file.task_set({1}).task_set;
  CHECK(set.dags()[0].name() == "a");
  CHECK(std::get<CpuDemand>(set.dags()[0].nodes()[0].demand).C == Time(2'000'000));
}

TEST_CASE("a selection is the file with single values") {
  const io::ChoiceFile file(R"(
platform: {cpu: {processors: 2, scheduler: [G-EDF, FP]}, gpu: {sms: 2, threads: 1024}}
dags:
  - name: a
    T: [10 ms, 12 ms]
    nodes:
      u: {on: cpu, C: {max: 2 ms, min: 1 ms}}
      v: {on: gpu, L: 1 ms, variants: [{B: 4, H: 256}, {B: 2, H: 512}]}
    edges: [u -> v]
)",
                            "f");
  CHECK(std::vector<io::Choice>(file.choices().begin(), file.choices().end()) ==
        std::vector<io::Choice>{{"pool 'cpu': scheduler", {"G-EDF", "FP"}},
                                {"DAG 'a': T", {"10 ms", "12 ms"}},
                                {"node 'a/v': variants", {"{B: 4, H: 256}", "{B: 2, H: 512}"}}});
  const char* const plain = R"(
platform: {cpu: {processors: 2, scheduler: FP}, gpu: {sms: 2, threads: 1024}}
dags:
  - {name: a, T: 10 ms, nodes: {u: {on: cpu, C: {max: 2 ms, min: 1 ms}}, v: {on: gpu, L: 1 ms, B: 2, H: 512}}, edges: [u -> v]}
)";
  CHECK(file.task_set({1, 0, 1}).task_set == io::parse_task_set(plain, "f").task_set);
}

TEST_CASE("clusters are pools of equal size, and all nodes of a DAG on them go to one") {
  const io::ChoiceFile file(R"(
platform: {cpu: {processors: 4, clusters: [1, 2, 4]}}
dags:
  - {name: a, T: 10 ms, nodes: {u: {on: cpu, C: 1 ms}, v: {on: cpu, C: 2 ms}}, edges: [u -> v]}
tasks:
  - {name: b, on: cpu, C: 1 ms, T: 5 ms}
)",
                            "f");
  REQUIRE(file.choices().size() == 3);
  CHECK(file.choices()[1] == io::Choice{"DAG 'a': cluster of 'cpu'", {"0", "1", "2", "3"}});
  CHECK(file.choices()[2].what == "task 'b': cluster of 'cpu'");
  const char* const split = R"(
platform: {cpu0: {processors: 2}, cpu1: {processors: 2}}
dags:
  - {name: a, T: 10 ms, nodes: {u: {on: cpu1, C: 1 ms}, v: {on: cpu1, C: 2 ms}}, edges: [u -> v]}
tasks:
  - {name: b, on: cpu0, C: 1 ms, T: 5 ms}
)";
  CHECK(file.task_set({1, 1, 0}).task_set == io::parse_task_set(split, "f").task_set);
  CHECK(file.plain({1, 3, 2}) == io::Selection{1, 1, 0});
  CHECK(file.plain({0, 3, 2}) == io::Selection{0, 0, 0});
  CHECK(file.task_set({0, 3, 2}).task_set.pools().size() == 1);
}

TEST_CASE("what is no choice is refused where it stands") {
  CHECK(refusal("platform: {cpu: {processors: []}}\ntasks: [{name: a, on: cpu, C: 1 ms, T: 5 ms}]\n") ==
        "f:1:30: processors: a choice has at least one alternative");
  CHECK(refusal("platform: {cpu: {processors: [[1]]}}\ntasks: [{name: a, on: cpu, C: 1 ms, T: 5 ms}]\n") ==
        "f:1:31: processors: choices do not nest");
  CHECK(refusal("platform: {cpu: {processors: 1}}\ntasks: [{name: a, on: cpu, variants: {C: 1 ms}, T: 5 ms}]\n") ==
        "f:2:38: variants: a list of mappings is expected");
  CHECK(refusal("platform: {cpu: {processors: 1}}\ntasks: [{name: a, on: cpu, variants: [C], T: 5 ms}]\n") ==
        "f:2:39: variants: each is a mapping, e.g. {B: 8, H: 256, L: 1 ms}");
  CHECK(refusal("platform: {cpu: {processors: 4, clusters: 0}}\ntasks: [{name: a, on: cpu, C: 1 ms, T: 5 ms}]\n") ==
        "f:1:43: clusters: a whole number is expected (allowed: 1 to 64), or a list of them");
  CHECK(refusal("platform: {cpu: {processors: 4, clusters: 3}}\ntasks: [{name: a, on: cpu, C: 1 ms, T: 5 ms}]\n") ==
        "f:1:43: clusters: 4 processors cannot be split into 3 equal clusters");
}

TEST_CASE("keys that are no words, and clusters given twice or by none, are refused as well") {
  const std::string tasks = "tasks: [{name: a, on: cpu, C: 1 ms, T: 5 ms}]\n";
  CHECK(refusal("platform: {cpu: {processors: 1, [a, b]: 2}}\n" + tasks) != "");
  CHECK(refusal("platform: {cpu: {processors: 2, clusters: 2, {a: [b]}: 2}}\n" + tasks) != "");
  CHECK(refusal("platform: {cpu: {processors: 2, clusters: []}}\n" + tasks).starts_with("f:1:43: clusters: "));
  CHECK(refusal("platform: {cpu: {processors: 2, clusters: 1, clusters: 2}}\n" + tasks) ==
        "f:1:56: clusters: given twice for pools of this name");
  CHECK(refusal("platform: [1]\ndags: {a: 1}\n") != "");
  CHECK(refusal("platform: {cpu: {processors: 1}}\ndags: [{name: a, T: 1 ms, variants: [{edges: [], nodes: {u: {on: [cpu]}}}]}]\n") != "");
}

TEST_CASE("an error in an alternative is reported at its place") {
  CHECK(refusal("platform: {cpu: {processors: 1, scheduler: [EDF, FIFO]}}\ntasks: [{name: a, on: cpu, C: 1 ms, T: 5 ms}]\n")
            .starts_with("f:1:45: "));
  CHECK(refusal("platform: {cpu: {processors: 1}}\ntasks: [{name: a, on: cpu, C: 1 ms, variants: [{C: 2 ms}], T: 5 ms}]\n")
            .starts_with("f:2:49: "));
}

// T/24 = 1.25 ms; of 100 ns 4.1666 ns, rounded down.
TEST_CASE("`phase: any` is every multiple of T/24, in whole ns") {
  const std::string before = "time_unit: ms\nplatform: {cpu: {processors: 1}}\ntasks:\n  - {name: a, on: cpu, C: 1, periodic: true, ";
  const io::ChoiceFile file(before + "T: 30, phase: any}\n", "f");
  REQUIRE(file.choices().size() == 1);
  CHECK(file.choices()[0].what == "task 'a': phase");
  REQUIRE(file.choices()[0].alternatives.size() == 24);
  CHECK(file.choices()[0].alternatives[0] == "0 ns");
  CHECK(file.choices()[0].alternatives[1] == "1250 us");
  CHECK(file.task_set({0}).task_set == io::parse_task_set(before + "T: 30, phase: 0}\n", "f").task_set);
  CHECK(file.task_set({23}).task_set == io::parse_task_set(before + "T: 30, phase: 28.75}\n", "f").task_set);
  const io::ChoiceFile odd(before + "T: 100 ns, phase: any}\n", "f");
  CHECK(odd.choices()[0].alternatives[7] == "29 ns");
  // 3 ns has three instants.
  const io::ChoiceFile few(before + "T: 3 ns, phase: any}\n", "f");
  CHECK(few.choices()[0].alternatives == std::vector<std::string>{"0 ns", "1 ns", "2 ns"});
}

TEST_CASE("`phase: any`: each copy has a phase of its own, and all other choices in common") {
  const io::ChoiceFile file(R"(
platform: {cpu: {processors: 2, clusters: [1, 2]}}
dags:
  - {name: cam, copies: 2, T: 24 ms, phase: any, periodic: true, D: [5 ms, 6 ms], nodes: {u: {on: cpu, C: [1 ms, 2 ms]}}}
chains:
  - {name: c, stages: ["cam[1]"]}
)",
                            "f");
  std::vector<std::string> names;
  for (const io::Choice& choice : file.choices()) names.push_back(choice.what);
  CHECK(names == std::vector<std::string>{"pool 'cpu': clusters", "DAG 'cam[0]': phase", "DAG 'cam[1]': phase", "DAG 'cam': D",
                                          "node 'cam/u': C", "DAG 'cam': cluster of 'cpu'"});
  const char* const plain = R"(
platform: {cpu0: {processors: 1}, cpu1: {processors: 1}}
dags:
  - {name: "cam[0]", T: 24 ms, phase: 3 ms, periodic: true, D: 6 ms, nodes: {u: {on: cpu1, C: 2 ms}}}
  - {name: "cam[1]", T: 24 ms, phase: 0 ms, periodic: true, D: 6 ms, nodes: {u: {on: cpu1, C: 2 ms}}}
chains:
  - {name: c, stages: ["cam[1]"]}
)";
  CHECK(file.task_set({1, 3, 0, 1, 1, 1}).task_set == io::parse_task_set(plain, "f").task_set);
}

TEST_CASE("`phase: any` needs one T and one number of copies") {
  const std::string before = "platform: {cpu: {processors: 1}}\ntasks:\n  - {name: a, on: cpu, C: 1 ms, periodic: true, phase: any, ";
  CHECK(refusal(before + "T: [5 ms, 6 ms]}\n") ==
        "f:3:56: phase: `any` goes with one value of T, and here that is a choice; list phases in its place");
  CHECK(refusal(before + "T: 5 ms, copies: [1, 2]}\n") ==
        "f:3:56: phase: `any` goes with one value of copies, and here that is a choice; list phases in its place");
  CHECK(refusal(before + "variants: [{T: 5 ms}, {T: 6 ms}]}\n") ==
        "f:3:56: phase: `any` goes with one value of T, and here that is a choice; list phases in its place");
  CHECK(refusal(before + "T: 5 ms, copies: 65}\n") == "f:3:78: copies: with `phase: any` each has a phase of its own (allowed: 1 to 64)");
  CHECK(refusal(before + "T: 5 ms, phase: 1 ms}\n") == "f:3:70: 'phase' is given twice");
  CHECK(refusal(before + "D: 5 ms}\n").find("'T' is missing") != std::string::npos);
  CHECK(refusal(before + "T: x}\n").starts_with("f:3:64: task 'a': T: "));
}

TEST_CASE("alternatives have costs, which the task set does not see") {
  const io::ChoiceFile file(R"(
platform:
  cpu: {processors: [2, {value: 4, cost: 30}], scheduler: [G-EDF, FP], clusters: [1, {value: 2, cost: 5}]}
  gpu: {sms: 12, threads: 2048, partitions: {p: {sms: {from: 4, to: 8, step: 2, cost: 10}, kind: green}}}
tasks:
  - {name: a, on: gpu/p, L: 1 ms, T: 10 ms, variants: [{B: 4, H: 256}, {B: 2, H: 512, cost: 7}]}
  - {name: b, on: cpu, C: [{value: {max: 2 ms, min: 1 ms}, cost: 100}, 3 ms], T: 10 ms}
)",
                            "f");
  using Costs = std::vector<std::uint64_t>;
  const auto choices = file.choices();
  REQUIRE(choices.size() == 7);
  CHECK(choices[0] == io::Choice{"pool 'cpu': processors", {"2", "4"}, {0, 30}});
  CHECK(choices[1].costs.empty());
  CHECK(choices[2] == io::Choice{"pool 'cpu': clusters", {"1", "2"}, {0, 5}});
  CHECK(choices[3] == io::Choice{"pool 'gpu/p': sms", {"4", "6", "8"}, {40, 60, 80}});
  CHECK(choices[4] == io::Choice{"task 'a': variants", {"{B: 4, H: 256}", "{B: 2, H: 512}"}, {0, 7}});
  CHECK(choices[5] == io::Choice{"task 'b': C", {"{max: 2 ms, min: 1 ms}", "3 ms"}, {100, 0}});
  CHECK(choices[6].costs == Costs{});
  CHECK(file.has_costs());
  CHECK(file.cost({0, 0, 0, 0, 0, 1, 0}) == 40);
  CHECK(file.cost({1, 1, 1, 2, 1, 0, 1}) == 30 + 5 + 80 + 7 + 100);
  const char* const plain = R"(
platform:
  cpu0: {processors: 2, scheduler: FP}
  cpu1: {processors: 2, scheduler: FP}
  gpu: {sms: 12, threads: 2048, partitions: {p: {sms: 6, kind: green}}}
tasks:
  - {name: a, on: gpu/p, L: 1 ms, T: 10 ms, B: 2, H: 512}
  - {name: b, on: cpu1, C: {max: 2 ms, min: 1 ms}, T: 10 ms}
)";
  CHECK(file.task_set({1, 1, 1, 1, 1, 0, 1}).task_set == io::parse_task_set(plain, "f").task_set);
}

TEST_CASE("costs that are none are refused") {
  const auto of_processors = [](const std::string& list) {
    return refusal("platform: {cpu: {processors: " + list + "}}\ntasks: [{name: a, on: cpu, C: 1 ms, T: 5 ms}]\n");
  };
  CHECK(of_processors("[2, {value: 4, cost: -1}]") ==
        "f:1:51: cost: a whole number is expected, in a unit of your own (allowed: 0 to 1000000000)");
  CHECK(of_processors("[2, {value: 4, cost: 1000000001}]").find("cost: a whole number") != std::string::npos);
  CHECK(of_processors("[2, {value: 4, cost: 1.5}]").find("cost: a whole number") != std::string::npos);
  CHECK(of_processors("[2, {value: 4}]") == "f:1:34: an alternative with a cost has both keys, e.g. {value: gpu1, cost: 300}");
  CHECK(of_processors("[2, {cost: 4}]") == "f:1:34: an alternative with a cost has both keys, e.g. {value: gpu1, cost: 300}");
  CHECK(of_processors("[2, {value: 4, cost: 1, price: 2}]") ==
        "f:1:54: 'price' is not known, or given twice, in an alternative with a cost (allowed: value, cost)");
  CHECK(of_processors("[2, {value: [3, 4], cost: 1}]").find("choices do not nest") != std::string::npos);
}
