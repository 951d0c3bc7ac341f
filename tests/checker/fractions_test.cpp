// Bounds in parts of a nanosecond: docs/theory/path.md, "What that costs".
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "certified.hpp"
#include "rta/analysis/explain.hpp"
#include "rta/analysis/option_table.hpp"
#include "rta/analysis/why.hpp"
#include "support/random_system.hpp"
#include "support/runs_against_bounds.hpp"

namespace {

using namespace rta;
using namespace rta::test;

/// k of 1 -> 3, d of 2, on three processors under one priority.
std::string two_dags(const std::string& T) {
  return "platform:\n  cpu: {processors: 3, scheduler: FP, equals: fifo}\ndags:\n"
         "  - {name: k, T: 10 ms, priority: 1, nodes: {a: {on: cpu, C: 1 ms}, b: {on: cpu, C: 3 ms}}, edges: [a -> b]}\n"
         "  - {name: d, T: " +
         T + ", priority: 1, nodes: {v: {on: cpu, C: 2 ms}}}\n";
}

/// T10w, which sums in whole ns, would be less.
analysis::Options counted(const analysis::GivenOptions& given) {
  analysis::Options options = analysis::options_of(given);
  options.fitting = analysis::Fitting::open;
  return options;
}

Certified on_completion(const std::string& text) {
  return certified(io::parse_task_set(text, "set.yaml").task_set, counted({{"release", "completion"}}));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

TEST_CASE("ends in thirds of a ns, which together are a period: by hand") {
  // F_a = 2/3 + (1 + 2)/3 = 5/3, F_v = 4/3 + (2 + 1 + 3)/3 = 10/3, and n = ceil((10/3 + 5/3)/5) = 1: F_b = 2/3 + 2 + (1 + 3 + 2)/3 = 14/3.
  const Certified made = on_completion(two_dags("5 ms"));
  CHECK(made.proof.dags[0].bound->R == Time(4'666'667));
  CHECK(made.proof.dags[0].nodes[0].bound->R == Time(1'666'667));
  CHECK(made.proof.dags[1].bound->R == Time(3'333'334));
  CHECK(first_refused(made.file, made.certificate.text) == "");
  CHECK(made.certificate.text.find("bound 0 1 0 14000000/3 - T11\n") != std::string::npos);
  for (const char* less : {"13999999/3", "13999997/3", "4666666"}) {
    CHECK(first_refused(made.file, replaced(made.certificate.text, "14000000/3", less)) != "");
  }
  // The parts of a ns sum to the bound.
  Time sum;
  for (const auto& part : analysis::why(made.proof, 0).parts) sum += part.length;
  CHECK(sum == Time(4'666'667));
}

TEST_CASE("where no end passes a period by being rounded up, or times are not round, bounds are in whole ns") {
  for (const char* T : {"5000001 ns", "6 ms", "4999999 ns"}) {
    CAPTURE(T);
    const Certified made = on_completion(two_dags(T));
    CHECK(made.certificate.text.find("/3") == std::string::npos);
    CHECK(first_refused(made.file, made.certificate.text) == "");
  }
  // A period that is 1 ns shorter lets a job more count, in any unit.
  CHECK(on_completion(two_dags("4999999 ns")).proof.dags[0].bound->R == Time(5'333'334));
}

TEST_CASE("a fraction is for the rules on completion and on segments, with a denominator from 1 to a million") {
  const Certified made = on_completion(two_dags("5 ms"));
  for (const char* no_number :
       {"14000000/", "14000000/0", "14000000/-3", "14000000/1000001", "1/2/3", "99999999999999999999999999999999999999999999/3"}) {
    CAPTURE(no_number);
    CHECK_THROWS_AS((void)checker::check(made.file, replaced(made.certificate.text, "14000000/3", no_number)), checker::BadInput);
  }
  const Certified offsets = certified(io::parse_task_set("platform:\n  cpu: {processors: 2, scheduler: G-EDF}\ndags:\n"
                                                         "  - {name: d, T: 5 ms, nodes: {v: {on: cpu, C: 2 ms}}}\n",
                                                         "set.yaml")
                                          .task_set,
                                      counted({{"release", "offsets"}}));
  CHECK(first_refused(offsets.file, offsets.certificate.text) == "");
  const std::string bound = "bound 0 0 0 " + std::to_string(offsets.proof.dags[0].nodes[0].bound->R.count());
  CHECK(first_refused(offsets.file, replaced(offsets.certificate.text, bound, bound + "/1")) == "");
  CHECK(first_refused(offsets.file, replaced(offsets.certificate.text, bound, bound + "0/10")).find("a fraction") != std::string::npos);
}

/// Whole ms on pools whose sizes divide no ms: the systems in which a step is crossed most.
std::string round_set(std::uint64_t seed) {
  Dice dice(seed);
  const std::int64_t pools = dice.between(1, 3);
  std::string text = "platform:\n";
  for (std::int64_t p = 0; p < pools; ++p) {
    text += fmt::format("  p{}: {{processors: {}, scheduler: {}}}\n", p, dice.pick(std::vector<std::string>{"3", "3", "6", "7"}),
                        dice.pick(std::vector<std::string>{"G-EDF", "FP", "FP", "FP, equals: fifo"}));
  }
  text += "dags:\n";
  const std::int64_t dags = dice.between(2, 4);
  for (std::int64_t d = 0; d < dags; ++d) {
    const std::int64_t nodes = dice.between(1, 4);
    std::string list;
    std::string edges;
    for (std::int64_t v = 0; v < nodes; ++v) {
      list += fmt::format("{}n{}: {{on: p{}, C: {} ms}}", v == 0 ? "" : ", ", v, dice.between(0, pools - 1), dice.between(1, 3));
      for (std::int64_t u = 0; u < v; ++u) {
        if (dice.one_in(3)) edges += fmt::format("{}n{} -> n{}", edges.empty() ? "" : ", ", u, v);
      }
    }
    const std::string T = dice.pick(std::vector<std::string>{"5", "6", "10", "15", "20", "30"});
    text += fmt::format("  - {{name: d{}, T: {} ms, nodes: {{{}}}, edges: [{}]}}\n", d, T, list, edges);
  }
  return text;
}

TEST_CASE("law: no schedule ends later than bounds in parts of a ns, and all are certified") {
  std::uint64_t in_parts = 0;
  Compared compared;
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    const auto set = io::parse_task_set(round_set(seed), "set.yaml").task_set;
    const analysis::GivenOptions how{{"release", seed % 6 == 0 ? "segments" : "completion"}};
    const Certified made = certified(set, counted(how));
    const auto in_parts_of_ns = [](const analysis::Evidence& of) {
      const auto* path = std::get_if<analysis::PathEvidence>(&of);
      return path != nullptr && path->bounds.unit > 1;
    };
    if (std::ranges::none_of(made.proof.evidence, in_parts_of_ns)) continue;
    ++in_parts;
    CAPTURE(seed);
    CHECK(first_refused(made.file, made.certificate.text) == "");
    Dice dice(seed);
    for (int run = 0; run < 10; ++run) CHECK(broken_in_proof(dice, made.proof, how, compared).value_or("") == "");
  }
  CHECK(in_parts > 25);
  CHECK(compared.nodes > 2'000);
}

}  // namespace
