// Certificates of GPUs that processes share by time slices, with the numbers of docs/theory/time-slices.md.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "certified.hpp"

namespace {

using rta::test::by_hand;
using rta::test::first_refused;

/// One SM of one slot that two processes share; `theta` goes by twice in a gap, a slice of the other once.
std::string gpu(int S, int theta) {
  return fmt::format(
      "platform: {{gpu: {{sms: 1, threads: 1, blocks: 1, warp: 1, sharing: {{slice: {}, switch: {}}}}}, cpu: {{processors: 1, scheduler: "
      "FIFO}}}}\ntime_unit: ns\n",
      S, theta);
}

/// A kernel of 10 of the one process, T, and one of 1 of the other, which has no bound here.
std::string alone(int S, int theta, int T) {
  return gpu(S, theta) + fmt::format(
                             "tasks:\n  - {{name: a, on: gpu, T: {}, B: 1, H: 1, L: 10, process: p}}\n"
                             "  - {{name: b, on: gpu, T: 100000, B: 1, H: 1, L: 1, process: q}}\n",
                             T);
}

std::string refused(const std::string& file, const std::string& statements, const char* verdict) {
  return first_refused(file, by_hand(file, statements + "verdict " + verdict + "\n"));
}

constexpr const char* too_low = "the theorem gives no less than";

}  // namespace

// S = 2, theta = 2: G = 2 + 2 x 2 = 6.
TEST_CASE("the pool of a context says S and G") {
  const auto lines = checker::lines_of(checker::read_task_set(alone(2, 2, 1000)));
  CHECK(lines[0] == "pool 0 gpu/p gpu 1 1 1 - - 1 1 0 1 1 slices 2 6");
  CHECK(lines[1] == "pool 1 gpu/q gpu 1 1 1 - - 1 1 0 1 1 slices 2 6");
}

// (b) 10 x 1/100 x 4 + 6/100 = 0.46, (0.46 + 10 - 10) x 4 + 10 x 4 + 6 = 47.84; (a) 0 x 4 + 10 x 4 + 6 = 46.
TEST_CASE("T14j at offsets: 47.84 by what is light, 46 by what is resident") {
  const std::string file = alone(2, 2, 1000);
  const auto text = [](int R, const char* carry) {
    return fmt::format("release offsets\nweights 0 0 only 1 1\nbase 0 T14j 0 0 {}\nbound 0 0 0 {} - base 0\nend 0 {}\n", carry, R, R);
  };
  CHECK(refused(file, text(48, "light"), "unbounded") == "");
  CHECK(refused(file, text(47, "light"), "unbounded").find(too_low) != std::string::npos);
  CHECK(refused(file, text(46, "resident"), "unbounded") == "");
  CHECK(refused(file, text(45, "resident"), "unbounded").find(too_low) != std::string::npos);
  CHECK(refused(file, text(86, "all-resident"), "unbounded").find("no such carry for T14j") != std::string::npos);
}

// U_w = 1/4 = alpha at T = 40: (b) (10 x 1/4 x 4 + 6/4) x 4 + 40 + 6 = 92. At 39 it is more.
TEST_CASE("T14j up to U_w = alpha, and no further") {
  const char* const text = "release offsets\nweights 0 0 only 1 1\nbase 0 T14j 0 0 light\nbound 0 0 0 92 - base 0\nend 0 92\n";
  CHECK(refused(alone(2, 2, 40), text, "unbounded") == "");
  CHECK(refused(alone(2, 2, 39), text, "unbounded").find("U_w <= g S/(S + G) does not hold") != std::string::npos);
}

TEST_CASE("no theorem but T14j is for a GPU with slices, and T14j for no other") {
  const char* const plain = "release offsets\nweights 0 0 only 1 1\nbase 0 T6a 0 0 light\nbound 0 0 0 48 - base 0\nend 0 48\n";
  CHECK(refused(alone(2, 2, 1000), plain, "unbounded").find("share by time slices") != std::string::npos);
  const std::string whole =
      "platform: {gpu: {sms: 1, threads: 1, blocks: 1, warp: 1}}\ntime_unit: ns\ntasks:\n  - {name: a, on: gpu, T: 1000, B: 1, H: 1, L: "
      "10}\n";
  const char* const sliced = "release offsets\nweights 0 0 only 1 1\nbase 0 T14j 0 0 light\nbound 0 0 0 48 - base 0\nend 0 48\n";
  CHECK(refused(whole, sliced, "schedulable").find("share by time slices") != std::string::npos);
}

TEST_CASE("a GPU with slices that nobody uses is in the way of no theorem") {
  const std::string file =
      "platform: {gpu: {sms: 1, threads: 1, blocks: 1, warp: 1, sharing: {slice: 2, switch: 2}}, cpu: {processors: 2, scheduler: FIFO}}\n"
      "time_unit: ns\ndags:\n"
      "  - {name: d, T: 34, process: p, nodes: {a: {on: cpu, C: 3}, b: {on: cpu, C: 2}, c: {on: cpu, C: 2}}, edges: [a -> b, a -> c]}\n"
      "  - {name: e, T: 17, process: q, nodes: {x: {on: cpu, C: 2}, y: {on: cpu, C: 8}}}\n";
  rta::analysis::Options options;
  options.release = rta::Release::completion;
  options.fitting = rta::analysis::Fitting::all;
  const auto made = rta::test::certified(rta::io::parse_task_set(file, "set.yaml").task_set, options);
  CHECK(made.certificate.text.find("T10w") != std::string::npos);
  CHECK(first_refused(made.file, made.certificate.text) == "");
}

/// The first process's DAG and its bounds on completion.
std::string on_completion(const std::string& bounds, int end) {
  return fmt::format("release completion\nweights 0 0 only 1 1\ncounted 0 0\n{}end 0 {}\n", bounds, end);
}

// S = 1, G = 1 + 2 theta; theta = 2 gives 5, the example has 6: 10 + 10 x 5 = 60 here.
TEST_CASE("T14: a kernel of 10 alone, S = 1, G = 5: 60; T14j: 65") {
  const std::string file = alone(1, 2, 1000);
  CHECK(refused(file, on_completion("bound 0 0 0 60 - T14\n", 60), "unbounded") == "");
  CHECK(refused(file, on_completion("bound 0 0 0 59 - T14\n", 59), "unbounded").find(too_low) != std::string::npos);
  CHECK(refused(file, on_completion("bound 0 0 0 60 - T10n\n", 60), "unbounded").find("time slices") != std::string::npos);
  // (a) 0 x 6 + 10 x 6 + 5 = 65, (b) (10 x 1/100 x 6 + 5/100) x 6 + 10 x 6 + 5 = 68.9
  CHECK(refused(file, on_completion("bound 0 0 0 65 - T14j\n", 65), "unbounded") == "");
  CHECK(refused(file, on_completion("bound 0 0 0 64 - T14j\n", 64), "unbounded").find(too_low) != std::string::npos);
}

// Two kernels of 5 with a CPU node of 2 between them, S = 2: theta = 0 gives G = 2. 5 + 3 x 2 = 11, 13 and 12 + (2 - 1 + 5) x 2 = 24.
TEST_CASE("T14: two kernels and a CPU node between them") {
  const auto file = [](int first) {
    return gpu(2, 0) + fmt::format(
                           "dags:\n  - {{name: d, T: 1000, process: p, nodes: {{a: {{on: gpu, B: 1, H: 1, L: {}}}, c: {{on: cpu, C: 2}}, "
                           "b: {{on: gpu, B: 1, H: 1, L: 5}}}}, edges: [a -> c -> b]}}\n"
                           "  - {{name: e, T: 100000, process: q, nodes: {{x: {{on: gpu, B: 1, H: 1, L: 1}}}}}}\n",
                           first);
  };
  const auto text = [](int a, const char* of_a, int c, const char* of_c, int b) {
    return on_completion(fmt::format("bound 0 0 0 {} - {}\nbound 0 1 0 {} - {}\nbound 0 2 0 {} - T14\n", a, of_a, c, of_c, b), b);
  };
  CHECK(refused(file(5), text(11, "T14", 13, "T14", 24), "unbounded") == "");
  CHECK(refused(file(5), text(10, "T14", 13, "T14", 24), "unbounded").find(too_low) != std::string::npos);
  CHECK(refused(file(5), text(11, "T14", 12, "T14", 24), "unbounded").find(too_low) != std::string::npos);
  CHECK(refused(file(5), text(11, "T14", 13, "T14", 23), "unbounded").find(too_low) != std::string::npos);
  CHECK(refused(file(5), text(11, "T14", 13, "T10a", 24), "unbounded").find("time slices") != std::string::npos);
  CHECK(refused(file(5), text(24, "before 1", 24, "before 2", 24), "unbounded") == "");
  // The first of length 0 may find a slice that is just over: 0 + 1 x 2 = 2, 4, and 7 + (2 + 2) x 2 = 15.
  CHECK(refused(file(0), text(2, "T14", 4, "T14", 15), "unbounded") == "");
  CHECK(refused(file(0), text(1, "T14", 4, "T14", 15), "unbounded").find(too_low) != std::string::npos);
  CHECK(refused(file(0), text(2, "T14", 4, "T14", 14), "unbounded").find(too_low) != std::string::npos);
}

TEST_CASE("kernels of two priorities on a GPU with slices have no rule") {
  const std::string file = gpu(2, 2) +
                           "tasks:\n  - {name: a, on: gpu, T: 1000, B: 1, H: 1, L: 10, process: p}\n"
                           "  - {name: b, on: gpu, T: 1000, B: 1, H: 1, L: 1, priority: high, process: p}\n"
                           "  - {name: x, on: gpu, T: 100000, B: 1, H: 1, L: 1, process: q}\n";
  const char* const text = "release offsets\nweights 0 0 low 1 1\nbase 0 T14j 0 0 light\nbound 0 0 0 100 - base 0\nend 0 100\n";
  CHECK(refused(file, text, "unbounded").find("T14j is for one FIFO") != std::string::npos);
}
