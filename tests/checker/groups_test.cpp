// Groups: bounds that rest on each other, and proofs that are no fixed point.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "claims.hpp"
#include "rta/analysis/option_table.hpp"

namespace {

using namespace rta::test;

// The low kernel has no bound, so the group has none, and the jitter of the high kernel is not known: its bound of round 0, with no jitter,
// is none.
TEST_CASE("where a group has no bound what it awaits has none either") {
  const std::string file =
      "platform: {gpu: {sms: 1, threads: 12}, cpu: {processors: 2}}\ntime_unit: ns\ndags:\n"
      "  - {name: d, T: 40, nodes: {a: {on: cpu, C: 4}, high: {on: gpu, B: 1, H: 1, L: 4, priority: high}, "
      "low: {on: gpu, B: 30, H: 12, L: 10}}, edges: [a -> high -> low]}\n";
  const auto set = rta::io::parse_task_set(file, "set.yaml").task_set;
  const Certified made = certified(set, rta::analysis::options_of({{"granularity", "monolithic"}}));
  CHECK(made.certificate.text.find("\nawaited ") == std::string::npos);
  CHECK(first_refused(made.file, made.certificate.text) == "");
}

TEST_CASE("a monolithic DAG: 2 + 1 on a processor, an item of 3, T = 20: 8 and 5, the least that rest on each other") {
  // The body: C = 3 + R_k, alone on its processor. The item comes up to R after the release: R_k = 3 + 3 R/20. R_k = 5, R = 8.
  const std::string file =
      "platform: {cpu: {processors: 1}, w: {workers: 1}}\ntime_unit: ns\ndags:\n"
      "  - {name: d, T: 20, nodes: {a: {on: cpu, C: 2}, k: {on: w, B: 1, L: 3}, b: {on: cpu, C: 1}}, edges: [a -> k -> b]}\n";
  const auto why = [&](int s, int R, int R_k) {
    return first_refused(file, by_hand(file, fmt::format("release offsets\ngranularity monolithic\nbase 0 T3 0 0 {}\nbase 1 T8 1 0 1 all\n"
                                                         "bound 0 0 0 {} 20 base 0\nawaited 0 1 {} base 1\nend 0 {}\n{}",
                                                         s, R, R_k, R, verdict)));
  };
  CHECK(why(8, 8, 5) == "");
  CHECK(why(8, 7, 5) != "");
  CHECK(why(7, 7, 4) != "");
}

TEST_CASE("a group whose kernel has no bound has none") {
  const std::string file =
      "platform: {cpu: {processors: 1}, w: {workers: 1}}\ntime_unit: ns\ndags:\n"
      "  - {name: d, T: 20, nodes: {a: {on: cpu, C: 2}, k: {on: w, B: 1, L: 3}, b: {on: cpu, C: 1}}, edges: [a -> k -> b]}\n";
  const std::string text = "release offsets\ngranularity monolithic\nbase 0 T3 0 0 3\nbound 0 0 0 3 20 base 0\nend 0 3\n";
  CHECK(first_refused(file, by_hand(file, text + verdict)).find("rests on a bound that is not there") != std::string::npos);
}

TEST_CASE("a node that is split is read as the nodes that the program writes in its place") {
  const std::string head =
      "platform: {cpu: {processors: 2, scheduler: FP}, gpu: {sms: 2, threads: 64}, copy: {engines: 1}}\ntime_unit: ns\ndags:\n"
      "  - {name: d, T: 400, priority: 3, nodes: {a: {on: cpu, C: 4}, x: {on: cpu, ";
  const std::string tail = "}, b: {on: cpu, C: 7}}, edges: [a -> x -> b, a -> b]}\n";
  for (const char* const split :
       {"prepare: 2, kernels: [{on: gpu, B: 3, H: 32, L: 10}]",
        "launch: 1, kernels: [{on: copy, C: 5}], finish: 0, priority: 9, split_overhead: 3",
        "prepare: 2, launch: 1, kernels: [{on: gpu, B: 3, H: 32, L: 10, priority: high}, {on: copy, C: 5}, {on: gpu, time: 9}], await: 2, "
        "between: 4, finish: 6, split_overhead: 1"}) {
    CAPTURE(split);
    const std::string file = fmt::format("{}{}{}", head, split, tail);
    const std::string written = rta::io::format_task_set(rta::io::parse_task_set(file, "set.yaml").task_set);
    CHECK(checker::lines_of(checker::read_task_set(file)) == checker::lines_of(checker::read_task_set(written)));
  }
  const auto refused = [&](const std::string& split) {
    CHECK_THROWS_AS(static_cast<void>(checker::read_task_set(head + split + tail)), std::exception);
  };
  refused("prepare: 2, kernels: []");
  refused("prepare: 2, C: 3, kernels: [{on: copy, C: 5}]");
  refused("prepare: 2, kernels: [{on: cpu, C: 5}]");
  refused("prepare: 2, kernels: [{on: copy, C: 5, sequential: true}]");
}

}  // namespace
