// On which pools bounds rest on a processor that queues what a node makes ready before it takes its next.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/io/task_set_file.hpp"

namespace {

using namespace rta;
using namespace rta::analysis;

std::vector<std::string> assumed(const std::string& text) {
  Options options;
  options.release = Release::completion;
  const Analysis analysis = analyze(std::make_shared<const TaskSet>(io::parse_task_set(text, "set.yaml").task_set), options);
  std::vector<std::string> lines;
  for (const QueuesFirst& one : queues_first(analysis.proof, analysis.chains)) lines.push_back(in_words(*analysis.proof.task_set, one));
  return lines;
}

// docs/theory/path.md, T10d without preemption: a (1) before b (2) and less urgent 10, 10, 8, 6 on two processors: T11b 23, T10d 13.
std::string pieces(int D, bool preemptive) {
  std::string text = "platform: {cpu: {processors: 2, scheduler: FP, preemptive: " + std::string(preemptive ? "true" : "false") +
                     "}}\ntime_unit: ns\ndags:\n  - {name: two, T: 100, D: " + std::to_string(D) +
                     ", priority: 2, nodes: {a: {on: cpu, C: 1}, b: {on: cpu, C: 2}}, edges: [a -> b]}\n";
  for (const int C : {10, 10, 8, 6}) {
    text += "  - {name: s" + std::to_string(text.size()) + ", T: 100, priority: 1, nodes: {x: {on: cpu, C: " + std::to_string(C) + "}}}\n";
  }
  return text;
}

}  // namespace

TEST_CASE("T10d without preemption assumes it, where its bounds are in use") {
  CHECK(assumed(pieces(13, false)) == std::vector<std::string>{"a processor of pool 'cpu' that ends a node queues what this makes ready "
                                                               "before it takes its next node (T10d without preemption)"});
  CHECK(assumed(pieces(30, false)).empty());  // T11b meets it
  CHECK(assumed(pieces(3, true)).empty());
}

TEST_CASE("T13 of a more urgent stage assumes it, where its reaction is shorter for it") {
  const auto chain = [](int writer) {
    return "platform: {cpu: {processors: 1, scheduler: FP}}\ntime_unit: ns\ndags:\n"
           "  - {name: a, T: 10, priority: " +
           std::to_string(writer) +
           ", nodes: {x: {on: cpu, C: 2}}}\n"
           "  - {name: b, T: 20, priority: 2, nodes: {y: {on: cpu, C: 3}}}\n"
           "chains:\n  - {name: c, stages: [a, b]}\n";
  };
  CHECK(assumed(chain(3)) ==
        std::vector<std::string>{
            "a processor of pool 'cpu' that ends a node queues what this makes ready before it takes its next node (T13 of a "
            "more urgent stage)"});
  CHECK(assumed(chain(1)).empty());
}
