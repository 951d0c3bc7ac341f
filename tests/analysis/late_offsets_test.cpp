// Bounds at offsets by nominal periods and J: the examples of docs/theory/jitter.md, and the choice between them and T - J.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "analysis/explain/kernel_lines.hpp"
#include "rta/analysis/analyze.hpp"
#include "rta/analysis/cpu/gel.hpp"
#include "rta/analysis/queue/workers.hpp"
#include "rta/io/task_set_file.hpp"
#include "support/build.hpp"
#include "support/kernels.hpp"

namespace {

using namespace rta;
using analysis::Theorem;
namespace gel = analysis::gel;
namespace fifo = analysis::fifo;

std::vector<Time> times(std::initializer_list<std::int64_t> ns) {
  std::vector<Time> all;
  for (const std::int64_t t : ns) all.emplace_back(t);
  return all;
}

gel::Task task(std::int64_t C, std::int64_t T, std::int64_t Y, std::int64_t J) { return {Time(C), Time(T), Time(Y), Time(J)}; }

analysis::Analysis at_offsets(const std::string& file, analysis::Options options = {}) {
  if (!options.release) options.release = Release::offsets;
  return analysis::analyze(std::make_shared<const TaskSet>(io::parse_task_set(file, "set.yaml").task_set), options);
}

bool has_line(const std::vector<std::string>& lines, const std::string& wanted) {
  return std::ranges::any_of(lines, [&](const std::string& line) { return line.find(wanted) != std::string::npos; });
}

constexpr const char* full =
    "platform: {cpu: {processors: 1, scheduler: FIFO}}\ntime_unit: ns\ntasks:\n  - {name: late, on: cpu, T: 10, jitter: 4, C: 5}\n"
    "  - {name: other, on: cpu, T: 10, C: 5}\n";

}  // namespace

// V = 5 (1 + 4/10) + 5 = 12. A = 10, 15, 20, 25 at x = 0, 6, 10, 16.
TEST_CASE("T1 and T1e with late releases at full load: 12 and 10") {
  const std::array tasks{task(5, 10, 0, 4), task(5, 10, 0, 0)};
  CHECK(gel::response_bounds(tasks, 1)->R == times({12, 12}));
  CHECK(gel::response_bounds(tasks, 1, gel::Refinement::demand)->R == times({10, 10}));
}

// Y' = 4, 0, carry 6, V = 4 (1 - 0/8) = 4 and 6. T1r: 4 + (6 + 6 + 9 - 4)/2 = 12.5 and 6 + (6 + 6 + 4 - 6)/2.
TEST_CASE("T1 and T1r with late releases: 14 and 11, 12.5 and 11") {
  const std::array tasks{task(4, 8, 8, 4), task(6, 8, 4, 0)};
  CHECK(gel::response_bounds(tasks, 2)->R == times({14, 11}));
  const auto refined = gel::response_bounds(tasks, 2, gel::Refinement::response);
  CHECK(refined->R[0] <= Time(13));
  CHECK(refined->R[1] <= Time(11));
}

// n = ceil((R_1 + min(R_2, 8) + J)/10): (2 + 5 + 3)/10 is one, (2 + 5 + 4)/10 two, and so is (5 + 7 + 3)/10.
TEST_CASE("T1n with late releases: 2 and 5; 2 and 7 with J = 4") {
  CHECK(gel::bounds_from_proven(std::array{task(2, 10, 0, 3), task(3, 10, 8, 0)}, 1, times({5, 8})) == times({2, 7}));
  CHECK(gel::bounds_from_proven(std::array{task(2, 10, 0, 3), task(3, 10, 8, 0)}, 1, times({2, 8})) == times({2, 5}));
  CHECK(gel::bounds_from_proven(std::array{task(2, 10, 0, 4), task(3, 10, 8, 0)}, 1, times({2, 8})) == times({2, 7}));
}

// Q = 6 + 6, N = one piece of 4, as ceil((4 + 4)/8) = 1: carry 10; D = 6 + 4: 6 + (10 + 10 - 6)/2. The first: 4 + (6 + 15 - 4)/2 = 12.5.
TEST_CASE("T1b with late releases: 13 and 13") {
  CHECK(gel::non_preemptive_bounds(std::array{task(4, 8, 8, 4), task(6, 8, 4, 0)}, 2, gel::Refinement::carry)->R == times({13, 13}));
}

// 3 (1 + 3/6) + 3 = 7.5.
TEST_CASE("T8 with late releases: 7.5 for two copies that fill an engine") {
  const std::array<analysis::workers::Task, 2> copies{{{Time(6), 1, Time(3), Time(3)}, {Time(6), 1, Time(3), {}}}};
  CHECK(analysis::workers::response_bounds(copies, 1)->R == times({8, 8}));
}

// 4 (1 + 4/8) + 2, no carry.
TEST_CASE("T6 with late releases: 8 for two kernels that fill a GPU, explained") {
  std::vector<fifo::Task> tasks{test::kernel_of_length(4, 8, 1, 1), test::kernel_of_length(2, 4, 1, 1)};
  tasks[0].J = Time(4);
  const GpuPool gpu = test::gpu_with(1, 1, 1);
  const auto bounds = fifo::gpu_bounds(tasks, gpu);
  REQUIRE(bounds);
  CHECK(*bounds->R[0] == Time(8));
  CHECK(*bounds->R[1] == Time(8));
  const auto lines = fifo::explain(tasks, gpu, *bounds, 0, {}, {});
  CHECK(has_line(lines, "R_k = (carry + sum w_i L_i B_i (1 + J_i/T_i) - w_k L_k) / g + L_k"));
  CHECK(has_line(lines, "released at once: 8, of jobs up to J_i late:"));
  CHECK(has_line(lines, "4 (1 + 4/8) = 6"));
}

TEST_CASE("At offsets a pool that T - J overloads has bounds by nominal periods, and says how") {
  analysis::Options options;
  options.explain = {"late"};
  const auto proven = at_offsets(full, options);
  REQUIRE(proven.proof.dags[0].bound);
  CHECK(proven.proof.dags[0].bound->R == Time(10));
  CHECK(proven.proof.pools[0].utilization == doctest::Approx(1));
  CHECK(has_line(proven.explanations.front().lines, "(floor((x - Y'_i + J_i)/T_i) + 1) C_i"));
}

// 2 (1 + 3/5) = 3.2 by nominal periods, 2 with T - J = 2: one ends when the next comes.
TEST_CASE("Each node has the lesser of both bounds") {
  const auto proven = at_offsets(
      "platform: {cpu: {processors: 1, scheduler: FIFO}}\ntime_unit: ns\ntasks:\n  - {name: late, on: cpu, T: 5, jitter: 3, C: 2}\n");
  REQUIRE(proven.proof.dags[0].bound);
  CHECK(proven.proof.dags[0].bound->R == Time(2));
}

TEST_CASE("Nodes that may be released before their offsets keep T - J, and so do T3 and T4") {
  analysis::Options options;
  options.release = Release::early;
  CHECK_FALSE(at_offsets(full, options).proof.dags[0].bound);
  options.release = Release::offsets;
  options.refinement = gel::Refinement::early;
  CHECK_FALSE(at_offsets(full, options).proof.dags[0].bound);
  std::string sequential = full;
  sequential.replace(sequential.find("C: 5"), 4, "C: 5, sequential: true");
  sequential.replace(sequential.rfind("C: 5"), 4, "C: 5, sequential: true");
  options = {};
  options.cpu_bound = analysis::CpuBound::T3;
  CHECK_FALSE(at_offsets(sequential, options).proof.dags[0].bound);
  CHECK_FALSE(at_offsets(sequential).proof.dags[0].bound);  // R + J = 14 > T
}

// T14j (a): ((15 - 10) + 10) x 4 + 6 = 66; with T - J = 20 the load is twice that of the slices.
TEST_CASE("T14j with late releases: 66 at the full load of the slices") {
  const auto proven = at_offsets(
      "platform: {gpu: {sms: 1, threads: 1, blocks: 1, warp: 1, sharing: {slice: 2, switch: 2}}}\ntime_unit: ns\ntasks:\n"
      "  - {name: a, on: gpu, T: 40, jitter: 20, B: 1, H: 1, L: 10, process: p}\n"
      "  - {name: b, on: gpu, T: 100000, B: 1, H: 1, L: 1, process: q}\n");
  REQUIRE(proven.proof.dags[0].bound);
  CHECK(proven.proof.dags[0].bound->R == Time(66));
  CHECK(proven.proof.dags[0].nodes[0].bound->basis.theorem == Theorem::T14j);
}
