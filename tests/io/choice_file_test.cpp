// Files with choices: what they leave open, and the task sets that they stand for.
#include "rta/io/choice_file.hpp"

#include <doctest/doctest.h>

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
