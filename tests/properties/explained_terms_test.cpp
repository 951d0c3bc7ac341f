// The terms that `--explain` lists sum to the numbers that it puts into its formulas (T1c, T6c, T8, T10j, T10g).
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/io/task_set_file.hpp"
#include "support/random_system.hpp"

namespace {

using namespace rta;
using namespace rta::analysis;
using Lines = std::vector<std::string>;

struct Seen {
  int T1c = 0;
  int T6c = 0;
  int T8 = 0;  // by count
  int T10j = 0;
  int T10j_kernels = 0;
  int T10j_resident = 0;
  int T10g = 0;
};

std::optional<std::smatch> match(const std::string& line, const char* pattern) {
  std::smatch found;
  if (std::regex_search(line, found, std::regex(pattern))) return found;
  return std::nullopt;
}

/// Of the indented lines from `first` on that end in `= n`, or that stand for more such lines.
double sum_of_terms(const Lines& lines, std::size_t first) {
  double sum = 0;
  for (std::size_t i = first; i < lines.size() && lines[i].starts_with("  "); ++i) {
    const auto term = match(lines[i], R"((= |more such lines: )(-?\d+)$)");
    if (!term) break;
    sum += std::stod((*term)[2]);
  }
  return sum;
}

void check_counted(const Lines& lines, std::size_t i, const std::smatch& header) {
  CAPTURE(lines[i]);
  const double sum = std::stod(header[1]);
  CHECK(sum_of_terms(lines, i + 1) == sum);
  CHECK((header[2] == "=" ? sum == std::stod(header[3]) : sum < std::stod(header[3])));
}

void check_lambda(const Lines& lines, std::size_t i, const std::smatch& header) {
  CAPTURE(lines[i]);
  CHECK(std::stod(header[1]) * std::stod(header[2]) + sum_of_terms(lines, i + 2) == std::stod(header[3]));
}

double capacity_of(const std::string& line) {
  if (const auto product = match(line, R"(capacity \((\d+) x (\d+)\)$)")) return std::stod((*product)[1]) * std::stod((*product)[2]);
  const auto plain = match(line, R"(capacity (\d+)$)");
  REQUIRE(plain);
  return std::stod((*plain)[1]);
}

/// Lines of T10j or T10g: their sums over the capacity are what the bound adds up, each term rounded up.
void check_late(const Lines& lines, std::size_t first, Seen& seen) {
  const double capacity = capacity_of(lines[first]);
  (lines[first].starts_with("T10g") ? seen.T10g : seen.T10j) += 1;
  for (std::size_t i = first; i < lines.size(); ++i) {
    CAPTURE(lines[i]);
    if (const auto carry = match(lines[i], R"(^carry/capacity = ([\d.]+) ns)")) {
      const double shown = std::stod((*carry)[1]);
      const auto longest = match(lines[i + 1], R"(longest pieces of .*: (\d+)$)");
      const auto kernels = match(lines[i + 1], R"(lambda = (\d+) ns, V = .*: (\d+)$)");
      const auto resident = match(lines[i + 1], R"(\(a\) \(g-1\) K \+ K', .*: (\d+)$)");
      REQUIRE((longest || kernels || resident));
      if (resident) ++seen.T10j_resident;
      if (longest) CHECK(sum_of_terms(lines, i + 2) == std::stod((*longest)[1]));
      if (kernels) ++seen.T10j_kernels;
      const double sum = std::stod(longest ? (*longest)[1] : kernels ? (*kernels)[2] : (*resident)[1]) / capacity;
      CHECK(sum <= shown + 1);
      CHECK(sum >= shown - 2);
    }
    if (const auto work = match(lines[i], R"(^work/capacity = ([\d.]+) ns)")) {
      const double sum = sum_of_terms(lines, i + 2) / capacity;
      CHECK(std::abs(sum - std::stod((*work)[1])) <= 20);
    }
  }
}

void check_lines(const Lines& lines, Seen& seen) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (const auto carry = match(lines[i], R"(^carry: .*C_i each, (\d+) (=|<=) ([\d.]+) ns:$)")) {
      check_counted(lines, i, *carry);
      ++seen.T1c;
    }
    if (const auto carry = match(lines[i], R"(^carried over: .*longest items of .*, (\d+) (=|<=) (\d+) ns:$)")) {
      check_counted(lines, i, *carry);
      ++seen.T8;
    }
    if (const auto released = match(lines[i], R"(^released: .* = (\d+) ns:$)")) {
      CHECK(sum_of_terms(lines, i + 1) == std::stod((*released)[1]));
    }
    if (const auto lambda = match(lines[i], R"(^  lambda = .*: (\d+) x (\d+) \+ sum of .* = (\d+)( <= \d+)?$)")) {
      check_lambda(lines, i, *lambda);
      ++seen.T6c;
    }
    if (lines[i].starts_with("T10j:") || lines[i].starts_with("T10g:")) check_late(lines, i, seen);
  }
}

}  // namespace

TEST_CASE("The terms of explained carries and demands sum to what the formulas are given") {
  Seen seen;
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    CAPTURE(seed);
    const auto set =
        std::make_shared<const TaskSet>(test::random_system(seed, {.sequential = true, .priorities = true, .non_preemptive = true}));
    CAPTURE(io::format_task_set(*set));
    for (const Release release : {Release::offsets, Release::completion, Release::segments}) {
      CAPTURE(to_string(release));
      Options options;
      options.release = release;
      options.most_periods = 50;
      const Proof proof = analyze(set, options).proof;
      for (const Dag& dag : proof.task_set->dags()) {
        for (const Node& node : dag.nodes()) check_lines(explain(proof, dag.name() + "/" + node.name).lines, seen);
      }
    }
  }
  MESSAGE("T1c ", seen.T1c, ", T6c ", seen.T6c, ", T10j ", seen.T10j, " (kernels ", seen.T10j_kernels, ", (a) ", seen.T10j_resident,
          "), T10g ", seen.T10g);
  CHECK(seen.T1c > 0);
  CHECK(seen.T6c > 0);
  CHECK(seen.T10j > 0);
  CHECK(seen.T10j_kernels > 0);
  CHECK(seen.T10j_resident > 0);
  CHECK(seen.T10g > 0);
}

TEST_CASE("T8's carry by count is listed item by item") {
  // U = 100/400 + 200/100 = 2.25: two workers may be left with items. One of a's, as ceil(204/400) = 1, and one of b's: 110 ns.
  const auto set = std::make_shared<const TaskSet>(io::parse_task_set(R"(
platform:
  pool: {workers: 3}
dags:
  - {name: a, T: 400 ns, nodes: {x: {on: pool, B: 1, L: 100 ns}}}
  - {name: b, T: 100 ns, nodes: {y: {on: pool, B: 20, L: 10 ns}}}
)",
                                                                      "test.yaml")
                                                       .task_set);
  Options options;
  options.release = Release::offsets;
  const Proof proof = analyze(set, options).proof;
  const Lines lines = explain(proof, "a/x").lines;
  Seen seen;
  check_lines(lines, seen);
  CHECK(seen.T8 == 1);
  const auto has = [&](const std::string& line) { return std::ranges::find(lines, line) != lines.end(); };
  // (110 + 300 - 100)/3 + 100
  CHECK(proof.dags[0].bound->R == Time(204));
  CHECK(has("carried over: the ceil(U) - 1 = 2 longest items of ceil((R_i + J_i)/T_i) jobs, 110 = 110 ns:"));
  CHECK(has("  a (x): ceil(204/400) = 1, 1 piece, 1 x 100 = 100"));
  CHECK(has("  b (y): ceil(144/100) = 2, 40 pieces, 1 of them, 1 x 10 = 10"));
}
