// Certificates of T35, with numbers of docs/theory/periodic.md.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "certified.hpp"

namespace {

using rta::test::by_hand;
using rta::test::first_refused;

/// One FP server without preemption: a, b and c of the page.
constexpr const char* three = R"(platform: {cpu: {processors: 1, scheduler: FP, preemptive: false}}
time_unit: ns
tasks:
  - {name: a, on: cpu, C: {max: 3, min: 1}, T: 10, phase: 0, periodic: true, priority: 2}
  - {name: b, on: cpu, C: {max: 4, min: 2}, T: 10, phase: 1, jitter: 1, periodic: true, priority: 1}
  - {name: c, on: cpu, C: 2, T: 10, phase: 2, periodic: true, priority: 3}
)";

std::string refused(const char* file, const std::vector<int>& ends, const std::vector<int>& R, const char* release = "completion") {
  std::string text = fmt::format("release {}\n", release);
  for (std::size_t d = 0; d < ends.size(); ++d) text += fmt::format("windows {} 0 {}\n", d, ends[d]);
  for (std::size_t d = 0; d < R.size(); ++d) text += fmt::format("bound {} 0 0 {} - T35\nend {} {}\n", d, R[d], d, R[d]);
  return first_refused(file, by_hand(file, text + "verdict schedulable\n"));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("T35's certificate holds with the ends of the page, and with no earlier ones") {
  CHECK(refused(three, {3, 8, 6}, {3, 8, 6}) == "");
  CHECK(refused(three, {4, 9, 6}, {4, 9, 6}) == "");  // later ones are true, too
  CHECK(refused(three, {2, 8, 6}, {3, 8, 6}) == "windows 0 0 2: a job may end later: 3 ns after its nominal release or more");
  CHECK(refused(three, {3, 7, 6}, {3, 8, 6}) == "windows 1 0 7: a job may end later: 8 ns after its nominal release or more");
  CHECK(refused(three, {3, 8, 5}, {3, 8, 6}) == "windows 2 0 5: a job may end later: 6 ns after its nominal release or more");
  CHECK(refused(three, {3, 8, 6}, {3, 8, 5}) == "bound 2 0 0 5 - T35: the theorem gives no less than 6");
  CHECK(refused(three, {3, 8, 6}, {3, 8, 6}, "offsets") == "windows 0 0 3: the theorem is for nodes on completion");
}

TEST_CASE("T35's certificate needs periodic DAGs, and an end for each job of a hyperperiod") {
  const std::string sporadic = replaced(three, "phase: 1, jitter: 1, periodic: true", "phase: 1, jitter: 1");
  CHECK(refused(sporadic.c_str(), {3, 8, 6}, {3, 8, 6}) == "windows 0 0 3: the theorem is for periodic DAGs");
  const std::string faster = replaced(three, "C: 2, T: 10", "C: 2, T: 5");
  CHECK(refused(faster.c_str(), {3, 8, 6}, {3, 8, 6}) == "windows 0 0 3: some node has no bound, or no end for each job of a hyperperiod");
  // What the least times are matters: from 0 on.
  const std::string file = three;
  const std::string text = by_hand(file, "release completion\nverdict unbounded\n");
  CHECK(text.find("node 0 0 a 0 3 least 1 priority 2\n") != std::string::npos);
  CHECK(text.find("dag 1 b 9 - jitter 1 phase 1 periodic\n") != std::string::npos);
}

TEST_CASE("What rta certifies of periodic DAGs is verified, on every kind of pool") {
  constexpr const char* text = R"(platform:
  fp: {processors: 2, scheduler: FP, preemptive: false}
  edf: {processors: 2, scheduler: G-EDF}
  fl: {processors: 2, scheduler: G-FL, preemptive: false}
  fifo: {processors: 1, scheduler: FIFO}
  copies: {engines: 2}
  threads: {workers: 3, dispatch_overhead: 10 us}
  gpu: {sms: 2, threads: 2048}
dags:
  - name: camera
    T: 30 ms
    phase: 2 ms
    jitter: 1 ms
    periodic: true
    nodes:
      a: {on: fp, C: {max: 2 ms, min: 1 ms}, priority: 2}
      up: {on: copies, C: {max: 1 ms, min: 500 us}, direction: h2d}
      k: {on: gpu, B: 4, H: 512, L: {max: 1 ms, min: 300 us}}
      down: {on: copies, C: 1 ms, direction: d2h}
      items: {on: threads, B: 8, L: {max: 400 us, min: 100 us}}
      b: {on: edf, C: 3 ms, sequential: true}
    edges: [a -> up -> k -> down -> items -> b]
  - name: lidar
    T: 20 ms
    phase: 0 ms
    periodic: true
    nodes:
      a: {on: fp, C: {max: 4 ms, min: 1 ms}, priority: 1}
      c: {on: fl, C: 3 ms}
      d: {on: fl, C: {max: 5 ms, min: 2 ms}}
      e: {on: fifo, C: 2 ms}
      f: {on: edf, C: 6 ms}
    edges: ["a -> [c, d]", "c -> e", "d -> e -> f"]
  - name: radar
    T: 60 ms
    phase: 70 ms
    periodic: true
    nodes:
      a: {on: fp, C: 3 ms, priority: 3}
      items: {on: threads, B: 5, L: 1 ms}
      e: {on: fifo, C: 7 ms}
      b: {on: edf, C: {max: 4 ms, min: 3 ms}}
    edges: [a -> items -> e -> b]
)";
  const auto set = rta::io::parse_task_set(text, "set.yaml").task_set;
  const auto made = rta::test::certified(set);
  CHECK(made.proof.release == rta::Release::completion);
  CHECK(made.certificate.uncertified.empty());
  CHECK(first_refused(made.file, made.certificate.text) == "");
  CHECK(made.certificate.text.find("windows 0 0 ") != std::string::npos);
  CHECK(made.certificate.text.find(" T35\n") != std::string::npos);
}
