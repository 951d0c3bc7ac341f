// Bounds that are claimed together: what each is no less than, lest a job counts none of its own work. docs/certificates.md, "Lower
// limits".
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "claims.hpp"

namespace {

using rta::test::by_hand;
using rta::test::Claimed;
using rta::test::first_refused;
using rta::test::of_single_nodes;
using rta::test::on_completion;
using rta::test::processors;

std::string refused(const std::string& file, const std::string& head, const std::vector<Claimed>& claims) {
  return first_refused(file, by_hand(file, of_single_nodes(head, claims)));
}

bool is_below_C(const std::string& why) { return why.find("the bound is below C (L)") != std::string::npos; }

}  // namespace

// ceil(0/10) = 0 jobs of each: 8 + (0 - 8)/1 = 0 for all, where U = 2.4.
TEST_CASE("T1n: bounds of 0 for an overloaded processor") {
  const std::string file = processors(1, "G-EDF", {{8, 10}, {8, 10}, {8, 10}});
  const Claimed nothing{0, "10", "T1n"};
  CHECK(is_below_C(refused(file, "release offsets\n", {nothing, nothing, nothing})));
}

// The same with nominal releases: none in an interval of length 0.
TEST_CASE("T1n late: bounds of 0") {
  const std::string file =
      "platform: {cpu: {processors: 1, scheduler: G-EDF}}\ntime_unit: ns\ntasks:\n"
      "  - {name: a, on: cpu, C: 8, T: 10, jitter: 2}\n  - {name: b, on: cpu, C: 8, T: 10, jitter: 2}\n";
  CHECK(is_below_C(refused(file, "release offsets\n", {{0, "8", "T1n late"}, {0, "8", "T1n late"}})));
}

// m = 2, R = 5: ceil((5 + min(5 - 10, 0))/100) = 0 jobs of its own, 10 + (0 - 10)/2 = 5.
TEST_CASE("T1bn: half of C on two processors; 10 with its own job") {
  const std::string file =
      "platform: {cpu: {processors: 2, scheduler: G-EDF, preemptive: false}}\ntime_unit: ns\n"
      "tasks: [{name: a, on: cpu, C: 10, T: 100}]\n";
  CHECK(is_below_C(refused(file, "release offsets\n", {{5, "100", "T1bn"}})));
  CHECK(refused(file, "release offsets\n", {{10, "100", "T1bn"}}) == "");
}

// One SM, one block at a time, w = 1: 4 + (0 - 4)/1 = 0 for both. With their own jobs: 4 + (4 + 4 - 4)/1 = 8.
TEST_CASE("T6n: bounds of 0 on one SM") {
  const std::string file =
      "platform: {gpu: {sms: 1, threads: 4, blocks: 1}}\ntime_unit: ns\ntasks:\n"
      "  - {name: a, on: gpu, T: 10, B: 1, H: 4, L: 4}\n  - {name: b, on: gpu, T: 10, B: 1, H: 4, L: 4}\n";
  const std::string head = "release offsets\nweights 0 0 only 4 1\nbase 0 T6n 0 0\n";
  CHECK(is_below_C(refused(file, head, {{0, "-", "base 0"}, {0, "-", "base 0"}})));
  CHECK(refused(file, head, {{8, "-", "base 0"}, {8, "-", "base 0"}}) == "");
}

// m = 2; a and b: one piece of 10 in N, 1 + (1 + 1 - 1 + 10)/2 = 6.5, Y = 0. k: ceil((7 + 1)/8) = 1 job of each up to its start at 1, 10 +
// (1 + 1 + 10 - 10)/2 = 11. With preemption jobs of both at 0 and 8 keep it from ending before 12.
TEST_CASE("T1bn counts up to the start, and is for processors without preemption") {
  const auto file = [](const std::string& preemptive) {
    return "platform: {cpu: {processors: 2, scheduler: G-EDF, preemptive: " + preemptive +
           "}}\ntime_unit: ns\ntasks:\n  - {name: a, on: cpu, C: 1, T: 8}\n  - {name: b, on: cpu, C: 1, T: 8}\n"
           "  - {name: k, on: cpu, C: 10, T: 100}\n";
  };
  const std::vector<Claimed> claims{{7, "0", "T1bn"}, {7, "0", "T1bn"}, {11, "100", "T1bn"}};
  CHECK(refused(file("false"), "release offsets\n", claims) == "");
  CHECK(refused(file("true"), "release offsets\n", claims).find("T1bn is for jobs that run to their ends") != std::string::npos);
}

// v (5, on p) before w (0, alone on q), beside a stranger of 5 on p: w ends when v does, by T10j with A_w = R_v; so v may not end "before
// w". T10n: v and the stranger 10.
TEST_CASE("before: not where the successor's bound rests on the node's own") {
  const std::string file =
      "platform: {p: {processors: 1, scheduler: FIFO}, q: {processors: 1, scheduler: FIFO}}\ntime_unit: ns\ndags:\n"
      "  - {name: d, T: 100, nodes: {v: {on: p, C: 5}, w: {on: q, C: 0}}, edges: [\"v -> w\"]}\n"
      "  - {name: e, T: 100, nodes: {x: {on: p, C: 5}}}\n";
  const auto why = [&](int R, const char* of_v, const char* of_w) {
    return first_refused(file, by_hand(file, on_completion("", {{0, 0, R, "-", of_v}, {0, 1, R, "-", of_w}, {1, 0, 10, "-", "T10n"}})));
  };
  CHECK(why(5, "before 1", "T10j").find("the successor's bound rests on this one") != std::string::npos);
  CHECK(why(10, "T10n", "T10j") == "");
  CHECK(why(10, "before 1", "T10n") == "");
  CHECK(why(9, "before 1", "T10n").find("the theorem gives no less than 10") != std::string::npos);
}
