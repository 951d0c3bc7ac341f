// Certificates of T36, with numbers of docs/theory/periodic.md.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "certified.hpp"

namespace {

using rta::test::by_hand;
using rta::test::first_refused;

/// Two FP servers without preemption: s -> {u, v}, and w of the page.
constexpr const char* two = R"(platform: {cpu: {processors: 2, scheduler: FP, preemptive: false}}
time_unit: ns
dags:
  - name: d
    T: 20
    phase: 0
    periodic: true
    nodes:
      s: {on: cpu, C: {max: 2, min: 1}, priority: 2}
      u: {on: cpu, C: {max: 2, min: 2}, priority: 2}
      v: {on: cpu, C: {max: 3, min: 2}, priority: 2}
    edges: ["s -> [u, v]"]
  - name: w
    T: 20
    phase: 1
    periodic: true
    nodes: {w: {on: cpu, C: {max: 4, min: 2}, priority: 1}}
)";

/// No node has a bound of another theorem.
std::string refused(const char* file, const std::vector<std::vector<int>>& ends, const char* release = "completion") {
  std::string text = fmt::format("release {}\n", release);
  for (std::size_t d = 0; d < ends.size(); ++d) {
    for (std::size_t v = 0; v < ends[d].size(); ++v) text += fmt::format("reached {} {} {}\n", d, v, ends[d][v]);
  }
  for (std::size_t d = 0; d < ends.size(); ++d) text += fmt::format("end {} {}\n", d, *std::max_element(ends[d].begin(), ends[d].end()));
  return first_refused(file, by_hand(file, text + "verdict schedulable\n"));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("T36's certificate holds with the ends of the page, and with no earlier ones") {
  CHECK(refused(two, {{2, 7, 7}, {6}}) == "");
  CHECK(refused(two, {{3, 9, 8}, {7}}) == "");  // later ones are true, too
  CHECK(refused(two, {{2, 7, 7}, {5}}) == "reached 1 0 5: job 0 may end as late as 6 ns after its nominal release");
  CHECK(refused(two, {{2, 6, 7}, {6}}) == "reached 0 1 6: job 0 may end as late as 7 ns after its nominal release");
  CHECK(refused(two, {{1, 7, 7}, {6}}) == "reached 0 0 1: job 0 may end as late as 2 ns after its nominal release");
  CHECK(refused(two, {{2, 7, 7}, {6}}, "offsets") == "reached 0 0 2: the theorem is for nodes on completion");
}

TEST_CASE("The ends of DAGs follow from T36's") {
  const std::string text = "release completion\nreached 0 0 2\nreached 0 1 7\nreached 0 2 7\nreached 1 0 6\n";
  CHECK(first_refused(two, by_hand(two, text + "end 0 7\nend 1 6\nverdict schedulable\n")) == "");
  CHECK(first_refused(two, by_hand(two, text + "end 0 6\nend 1 6\nverdict schedulable\n")) == "end 0 6: a node ends later");
  CHECK(first_refused(two, by_hand(two, text + "end 0 7\nverdict unbounded\n")) == "");
}

TEST_CASE("T36's certificate needs periodic DAGs, an end of each job, points, and ends where nobody follows") {
  const std::string sporadic = replaced(two, "phase: 1\n    periodic: true", "phase: 1");
  CHECK(refused(sporadic.c_str(), {{2, 7, 7}, {6}}) == "reached 0 0 2: the theorem is for periodic DAGs");
  const std::string faster = replaced(two, "name: w\n    T: 20", "name: w\n    T: 10");
  CHECK(refused(faster.c_str(), {{2, 7, 7}, {6}}) == "reached 1 0 6: an end for each job of a hyperperiod is expected");
  const std::string preemptive = replaced(two, "preemptive: false", "preemptive: true");
  CHECK(refused(preemptive.c_str(), {{2, 7, 7}, {6}}) == "reached 0 0 2: a node whose dispatches are not followed has no bound");
  std::string edf = two;
  for (const char* priority : {", priority: 2", ", priority: 2", ", priority: 2", ", priority: 1"}) edf = replaced(edf, priority, "");
  edf = replaced(edf, "scheduler: FP", "scheduler: G-EDF");
  CHECK(refused(edf.c_str(), {{2, 7, 7}, {6}}) == "reached 0 0 2: a node has no priority point");
}

TEST_CASE("Kernels in turn are followed where the certificate says so") {
  // docs/theory/periodic.md, "A kernel beside another".
  const std::string text = R"(platform:
  gpu: {sms: 4, threads: 1024}
  cpu: {processors: 1, scheduler: FP, preemptive: false}
time_unit: ns
dags:
  - {name: k, T: 12, phase: 0, periodic: true, nodes: {k: {on: gpu, time: {max: 3, min: 3}}}}
  - name: h
    T: 12
    phase: 1
    periodic: true
    nodes: {h: {on: gpu, time: {max: 3, min: 1}}, y: {on: cpu, C: {max: 3, min: 3}, priority: 1}}
    edges: ["h -> y"]
  - {name: z, T: 12, phase: 3, periodic: true, nodes: {z: {on: cpu, C: {max: 1, min: 1}, priority: 2}}}
)";
  const auto refused_with = [&](const std::string& set, const std::string& z) {
    return first_refused(set, by_hand(set, "release completion\nfollow 0\nreached 0 0 3\nreached 1 0 5\nreached 1 1 8\nreached 2 0 " + z +
                                               "\nend 0 3\nend 1 8\nend 2 " + z + "\nverdict schedulable\n"));
  };
  CHECK(refused_with(text, "4") == "");
  CHECK(refused_with(text, "3") == "reached 2 0 3: job 0 may end as late as 4 ns after its nominal release");
  const std::string later = replaced(text, "time: {max: 3, min: 1}", "time: {max: 3, min: 1}, priority: high");
  CHECK(refused_with(later, "4") == "follow 0: the kernels of the GPU do not run in turn");
  CHECK(first_refused(text, by_hand(text, "release completion\nfollow 1\nverdict unbounded\n")) ==
        "follow 1: a GPU, or workers with jobs of several items, is expected");
  CHECK(first_refused(text, by_hand(text, "release completion\nreached 0 0 3\nverdict unbounded\n")) ==
        "reached 0 0 3: a node whose dispatches are not followed has no bound");
}

TEST_CASE("Items in rows are followed where the certificate says so") {
  const std::string text = R"(platform: {w: {workers: 2}}
time_unit: ns
dags:
  - {name: a, T: 20, phase: 0, periodic: true, nodes: {a: {on: w, B: 3, L: {max: 2, min: 1}}}}
  - {name: b, T: 20, phase: 1, periodic: true, nodes: {b: {on: w, B: 2, L: {max: 3, min: 3}}}}
)";
  const auto refused_with = [&](const std::string& set, int b) {
    return first_refused(set, by_hand(set, fmt::format("release completion\nfollow 0\nreached 0 0 4\nreached 1 0 {}\nend 0 4\nend 1 {}\n"
                                                       "verdict schedulable\n",
                                                       b, b)));
  };
  CHECK(refused_with(text, 6) == "");
  CHECK(refused_with(text, 5) == "reached 1 0 5: job 0 may end as late as 6 ns after its nominal release");
  CHECK(refused_with(replaced(text, "B: 3", "B: 1001"), 6) == "follow 0: a job has too many items to follow");
}

TEST_CASE("States that never come again are given up") {
  const std::string overloaded = replaced(two, "T: 20", "T: 2");
  CHECK(refused(replaced(overloaded, "phase: 1", "phase: 1").c_str(), {{2, 7, 7}, {6}}).find("there are too many orders to follow") !=
        std::string::npos);
}
