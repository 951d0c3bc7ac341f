// Certificates written by hand with the numbers of docs/theory: each bound is verified as it stands there, and refused 1 ns lower.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "certified.hpp"

namespace {

using rta::test::by_hand;
using rta::test::first_refused;

constexpr const char* verdict = "verdict schedulable\n";

/// `head` and bounds `bound D V PHI R Y RULE`, with R of the DAGs of one node as their ends.
struct Claimed {
  int R;
  std::string Y, rule;
};

std::string of_single_nodes(const std::string& head, const std::vector<Claimed>& claims) {
  std::string text = head;
  for (std::size_t d = 0; d < claims.size(); ++d) {
    text += "bound " + std::to_string(d) + " 0 0 " + std::to_string(claims[d].R) + " " + claims[d].Y + " " + claims[d].rule + "\n";
    text += "end " + std::to_string(d) + " " + std::to_string(claims[d].R) + "\n";
  }
  return text + verdict;
}

/// Each claim is verified, and refused when it is 1 ns lower while the others stay.
void check_least(const std::string& file, const std::string& head, const std::vector<Claimed>& claims) {
  CHECK(first_refused(file, by_hand(file, of_single_nodes(head, claims))) == "");
  for (std::size_t i = 0; i < claims.size(); ++i) {
    auto lower = claims;
    --lower[i].R;
    CAPTURE(i);
    CHECK(first_refused(file, by_hand(file, of_single_nodes(head, lower))).find("the theorem gives no less than") != std::string::npos);
  }
}

std::string processors(int m, const std::string& scheduler, const std::vector<std::pair<int, int>>& C_T, const std::string& more = "") {
  std::string file = "platform: {cpu: {processors: " + std::to_string(m) + ", scheduler: " + scheduler + "}}\ntime_unit: ns\ntasks:\n";
  for (std::size_t i = 0; i < C_T.size(); ++i) {
    file += "  - {name: t" + std::to_string(i) + ", on: cpu, C: " + std::to_string(C_T[i].first) + ", T: " + std::to_string(C_T[i].second) +
            more + "}\n";
  }
  return file;
}

TEST_CASE("T1: m = 2, (C,T,Y) = (4,8,8), (6,8,4): 13 and 10") {
  check_least(processors(2, "G-EDF", {{4, 8}, {6, 8}}), "release offsets\nbase 0 T1 0 2\n", {{13, "8", "base 0"}, {10, "4", "base 0"}});
}

TEST_CASE("T1 needs c >= U") {
  const std::string file = processors(2, "G-EDF", {{4, 8}, {6, 8}});
  const auto text = of_single_nodes("release offsets\nbase 0 T1 0 1\n", {{13, "8", "base 0"}, {10, "4", "base 0"}});
  CHECK(first_refused(file, by_hand(file, text)).find("U <= c <= m does not hold") != std::string::npos);
}

TEST_CASE("T1e: m = 2, (2,4,4), (3,6,6), (4,8,8) with a demand of 3: 5, 7, 10; a demand of 2 is refused") {
  const std::string file = processors(2, "G-EDF", {{2, 4}, {3, 6}, {4, 8}});
  check_least(file, "release offsets\nbase 0 T1e 0 2 3\n", {{5, "4", "base 0"}, {7, "6", "base 0"}, {10, "8", "base 0"}});
  const auto low = of_single_nodes("release offsets\nbase 0 T1e 0 2 2\n", {{5, "4", "base 0"}, {7, "6", "base 0"}, {10, "8", "base 0"}});
  CHECK(first_refused(file, by_hand(file, low)).find("the demand is above") != std::string::npos);
}

TEST_CASE("T1c: m = 3, FIFO, (8,40) and five times (1,2): a carry of 9 gives 38/3, the others 8") {
  // 2 pieces: 8 and 1, for ceil(R/T) = 1 of 8 and plenty of 1. R_1 = 22/3 + 16/3 -> 13, the others 22/3 + 2/3 = 8.
  const Claimed other{8, "0", "base 0"};
  check_least(processors(3, "FIFO", {{8, 40}, {1, 2}, {1, 2}, {1, 2}, {1, 2}, {1, 2}}), "release offsets\nbase 0 T1c 0 3\n",
              {{13, "0", "base 0"}, other, other, other, other, other});
}

TEST_CASE("T1r: m = 2, (4,8,8), (6,8,4): 12 and 10, and not for early releases") {
  const std::string file = processors(2, "LP", {{4, 8}, {6, 8}});
  const std::vector<Claimed> claims{{12, "8", "base 0"}, {10, "4", "base 0"}};
  check_least(file, "release offsets\nbase 0 T1r 0 2\n", claims);
  CHECK(first_refused(file, by_hand(file, of_single_nodes("release early\nbase 0 T1r 0 2\n", claims))).find("no early releases") !=
        std::string::npos);
  CHECK(first_refused(file, by_hand(file, of_single_nodes("release offsets\nbase 0 T1r 0 1\n", claims))).find("U <= c <= m") !=
        std::string::npos);
}

TEST_CASE("T1re: m = 2, (4,8,8), (6,8,4): 10 and 9; m = 1, (1,2,2), (4,10,10): 1 and 9") {
  check_least(processors(2, "LP", {{4, 8}, {6, 8}}), "release offsets\nbase 0 T1re 0 2\n", {{10, "8", "base 0"}, {9, "4", "base 0"}});
  const std::string file = processors(1, "G-EDF", {{1, 2}, {4, 10}});
  check_least(file, "release offsets\nbase 0 T1re 0 1\n", {{1, "2", "base 0"}, {9, "10", "base 0"}});
  const auto early = of_single_nodes("release early\nbase 0 T1re 0 1\n", {{1, "2", "base 0"}, {9, "10", "base 0"}});
  CHECK(first_refused(file, by_hand(file, early)).find("no early releases") != std::string::npos);
}

TEST_CASE("T1re: U = c, to the end of the hyperperiod") {
  // m = 1, (2,4,0) and (3,6,3): task 1: n_1 2 + n_2 3 - x is 2 at 0, 2 at 3, 3 at 4, 1 at 8, 3 at 9: 2 + (0 + 3 - 2) = 3. Task 2: at x = 0
  // 2 + 3, at 1 4 + 3 - 1 = 6: 6.
  check_least(processors(1, "LP", {{2, 4}, {3, 6}}), "release offsets\nbase 0 T1re 0 1\n", {{3, "0", "base 0"}, {6, "3", "base 0"}});
}

TEST_CASE("T1n: m = 1, (2,10,0), (3,10,8): 2 and 5") {
  check_least(processors(1, "LP", {{2, 10}, {3, 10}}), "release offsets\n", {{2, "0", "T1n"}, {5, "8", "T1n"}});
}

TEST_CASE("T3: m = 2, (2,4,4), (3,6,6), (4,8,8) with s = 28/3: 6, 9, 11; a smaller s is refused") {
  // Y' + x + C: 0 + 11/3 + 2, 2 + 19/6 + 3, 4 + 8/3 + 4.
  const std::string file = processors(2, "G-EDF", {{2, 4}, {3, 6}, {4, 8}}, ", sequential: true");
  const std::vector<Claimed> claims{{6, "4", "base 0"}, {9, "6", "base 0"}, {11, "8", "base 0"}};
  check_least(file, "release offsets\nbase 0 T3 0 1 28/3\n", claims);
  const auto low = of_single_nodes("release offsets\nbase 0 T3 0 1 279/30\n", claims);
  CHECK(first_refused(file, by_hand(file, low)).find("s >= G(s) + S does not hold") != std::string::npos);
}

TEST_CASE("T4: m = 3, (3,4), (4,8), (5,6), (2,4): 11, 16, 15, 10") {
  check_least(processors(3, "G-EDF", {{3, 4}, {4, 8}, {5, 6}, {2, 4}}, ", sequential: true"), "release offsets\nbase 0 T4 0 2\n",
              {{11, "4", "base 0"}, {16, "8", "base 0"}, {15, "6", "base 0"}, {10, "4", "base 0"}});
}

/// Example 4.3, with times in thousandths: L = 3000 and 1000, T = 5000 and 8000.
constexpr const char* example_4_3 =
    "platform: {gpu: {sms: 2, threads: 2048}}\ntime_unit: ns\ntasks:\n"
    "  - {name: a, on: gpu, T: 5000, B: 2, H: 1024, L: 3000}\n"
    "  - {name: b, on: gpu, T: 8000, B: 6, H: 512, L: 1000}\n";

TEST_CASE("T5: example 4.3: 8 and 6 5/6") {
  check_least(example_4_3, "release offsets\nbase 0 T5 0\n", {{8000, "-", "base 0"}, {6834, "-", "base 0"}});
}

TEST_CASE("T6a: example 4.3 with 1536 G-threads in use: 6.5 and 5 1/3") {
  // Classes: 512, then 1024 G-threads.
  check_least(example_4_3, "release offsets\nweights 0 0 only 1536 1 1\nbase 0 T6a 0 0 light\n",
              {{6500, "-", "base 0"}, {5334, "-", "base 0"}});
}

TEST_CASE("T6b: example 4.3 with weights 1/2 and 1/2: 6 and 4.5") {
  check_least(example_4_3, "release offsets\nweights 0 0 only 2048 2 1\nbase 0 T6b 0 0 light\n",
              {{6000, "-", "base 0"}, {4500, "-", "base 0"}});
}

TEST_CASE("weights that a blocking configuration does not reach are refused") {
  // One block of 1024 and one of 512 block 1024: 1536 G-threads are in use, no more.
  const auto text =
      of_single_nodes("release offsets\nweights 0 0 only 1537 1 1\nbase 0 T6a 0 0 light\n", {{6500, "-", "base 0"}, {5334, "-", "base 0"}});
  CHECK(first_refused(example_4_3, by_hand(example_4_3, text)).find("a blocking configuration weighs less than 1") != std::string::npos);
}

TEST_CASE("T8: two workers, items of 4 (B = 2, T = 20) and 2 (B = 3, T = 10): U = 1, no carry: 9 and 8") {
  // 8 + 6 released: (14 - 4)/2 + 4 and (14 - 2)/2 + 2.
  const std::string file =
      "platform: {w: {workers: 2}}\ntime_unit: ns\ntasks:\n  - {name: a, on: w, T: 20, B: 2, L: 4}\n  - {name: b, on: w, T: 10, B: 3, L: "
      "2}\n";
  check_least(file, "release offsets\nbase 0 T8 0 0 1 all\n", {{9, "-", "base 0"}, {8, "-", "base 0"}});
}

std::string chains(const std::string& pool, int dags, int T, const std::string& lengths) {
  std::string file = "platform: {cpu: {" + pool + "}}\ntime_unit: ns\ndags:\n";
  for (int d = 0; d < dags; ++d) {
    file += "  - {name: d" + std::to_string(d) + ", T: " + std::to_string(T) + ", nodes: {" + lengths + "}, edges: [a -> b -> c]}\n";
  }
  return file;
}

std::string of_chains(int dags, const std::vector<int>& F, const std::string& Y, const std::string& rule) {
  std::string text = "release completion\n";
  for (int d = 0; d < dags; ++d) {
    for (std::size_t v = 0; v < F.size(); ++v) {
      text += fmt::format("bound {} {} 0 {} {} {}\n", d, v, F[v], Y, rule);
    }
    text += "end " + std::to_string(d) + " " + std::to_string(F.back()) + "\n";
  }
  return text + verdict;
}

constexpr const char* one_two_three = "a: {on: cpu, C: 1}, b: {on: cpu, C: 2}, c: {on: cpu, C: 3}";

TEST_CASE("T10n: two chains of 1, 2, 3, T = 20, on one FIFO processor: 7, 12, 17, and nothing lower") {
  const std::string file = chains("processors: 1, scheduler: FIFO", 2, 20, one_two_three);
  CHECK(first_refused(file, by_hand(file, of_chains(2, {7, 12, 17}, "-", "T10n"))) == "");
  for (const std::vector<int>& F : {std::vector<int>{6, 12, 17}, {7, 11, 17}, {7, 12, 16}}) {
    CHECK(first_refused(file, by_hand(file, of_chains(2, F, "-", "T10n"))).find("the theorem gives no less than") != std::string::npos);
  }
}

TEST_CASE("T10: the same chains: 18 on one processor, 9 on two") {
  const std::string one = chains("processors: 1, scheduler: FIFO", 2, 20, one_two_three);
  CHECK(first_refused(one, by_hand(one, of_chains(2, {18, 18, 18}, "-", "T10"))) == "");
  const std::string two = chains("processors: 2, scheduler: FIFO", 2, 20, one_two_three);
  CHECK(first_refused(two, by_hand(two, of_chains(2, {9, 9, 9}, "-", "T10"))) == "");
}

TEST_CASE("T10j: two chains of 2.5 + 2.5, T = 10, one FIFO processor: 20 and 40, and nothing lower") {
  std::string file = chains("processors: 1, scheduler: FIFO", 2, 100, "a: {on: cpu, C: 25}, b: {on: cpu, C: 25}, c: {on: cpu, C: 0}");
  CHECK(first_refused(file, by_hand(file, of_chains(2, {200, 400, 600}, "-", "T10j"))) == "");
  CHECK(first_refused(file, by_hand(file, of_chains(2, {199, 400, 600}, "-", "T10j"))).find("the theorem gives") != std::string::npos);
  CHECK(first_refused(file, by_hand(file, of_chains(2, {200, 399, 600}, "-", "T10j"))).find("the theorem gives") != std::string::npos);
}

TEST_CASE("T10g: m = 2, single nodes (4,8,8), (6,8,4): 11.5 and 8 by T10n") {
  const std::string file = processors(2, "G-EDF", {{8, 16}, {12, 16}});  // in halves
  check_least(file, "release completion\n", {{23, "16", "T10g"}, {16, "8", "T10n"}});
}

/// One bound a node: DAG, node, R, Y, rule.
struct OfNode {
  int d, v, R;
  std::string Y, rule;
};

std::string on_completion(const std::string& head, const std::vector<OfNode>& bounds) {
  std::string text = "release completion\n" + head;
  std::map<int, int> end;
  for (const OfNode& b : bounds) {
    text += fmt::format("bound {} {} 0 {} {} {}\n", b.d, b.v, b.R, b.Y, b.rule);
    end[b.d] = std::max(end[b.d], b.R);
  }
  for (const auto& [d, R] : end) text += fmt::format("end {} {}\n", d, R);
  return text + verdict;
}

/// Each bound is verified, and refused when it is 1 ns lower while the others stay.
void check_each(const std::string& file, const std::string& head, const std::vector<OfNode>& bounds) {
  CHECK(first_refused(file, by_hand(file, on_completion(head, bounds))) == "");
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    auto lower = bounds;
    --lower[i].R;
    CAPTURE(i);
    CHECK(first_refused(file, by_hand(file, on_completion(head, lower))) != "");
  }
}

/// FIFO pools p and q of one server, as in docs/theory/path.md, T10a; `edges` of d, which ends b by `b` and c by 9.
void check_aligned(const std::string& edges, int b, int by_T10a, int by_T10n) {
  const std::string file =
      "platform: {p: {processors: 1, scheduler: FIFO}, q: {processors: 1, scheduler: FIFO}}\ntime_unit: ns\ndags:\n"
      "  - {name: k, T: 100, nodes: {a: {on: p, C: 1}, b: {on: q, C: 1}}, edges: [a -> b]}\n"
      "  - {name: d, T: 10, nodes: {a: {on: p, C: 1}, b: {on: q, C: 3}, c: {on: q, C: 3}}, edges: [" +
      edges + "]}\n";
  std::vector<OfNode> bounds{
      {0, 0, 2, "-", "T10n"}, {0, 1, by_T10a, "-", "T10a"}, {1, 0, 2, "-", "T10n"}, {1, 1, b, "-", "T10n"}, {1, 2, 9, "-", "T10n"}};
  check_each(file, "", bounds);
  bounds[1].rule = "T10n";
  CHECK(first_refused(file, by_hand(file, on_completion("", bounds))).find(fmt::format("the theorem gives no less than {}", by_T10n)) !=
        std::string::npos);
}

TEST_CASE("T10a: jobs of d count on p for 0 <= x < 2, on q for -2 <= x < 9: 10 where T10n has 15") {
  check_aligned("a -> b, a -> c", 9, 10, 15);
}

TEST_CASE("T10a, turns: of two nodes in a row on q one counts: 6 where T10n has 12") { check_aligned("a -> b -> c", 6, 6, 12); }

/// m processors, one server; times of docs/theory/path.md, T10v.
std::string overlapping(int m) {
  return fmt::format(
      "platform: {{p: {{processors: {}, scheduler: LP}}, q: {{workers: 1}}}}\ntime_unit: ns\ndags:\n"
      "  - {{name: k, T: 1000, nodes: {{a: {{on: p, C: 12}}, b: {{on: q, B: 1, L: 1}}}}, edges: [a -> b]}}\n"
      "  - {{name: d, T: 1000, nodes: {{a: {{on: p, C: 12}}, b: {{on: q, B: 1, L: 4}}}}, edges: [a -> b]}}\n",
      m);
}
const std::vector<OfNode> overlapped{{0, 0, 15, "0", "T10n"}, {0, 1, 18, "-", "T10v"}, {1, 0, 15, "0", "T10n"}, {1, 1, 19, "-", "T10v"}};

TEST_CASE("T10v: m = 4, 12 on p, then 1 or 4 on q: 15, then 18 and 19") {
  check_each(overlapping(4), "strands 0 0 1 0 0 1 1\nstrands 1 0 0 0 0 1 1\n", overlapped);
}

TEST_CASE("T10v: without strands nothing is taken off, and 20 is T10a's") {
  const std::string file = overlapping(4);
  CHECK(
      first_refused(file, by_hand(file, on_completion("strands 1 0 0 0 0 1 1\n", overlapped))).find("the theorem gives no less than 20") !=
      std::string::npos);
}

TEST_CASE("T10v: more strands than m - 1, those of the DAG itself, or of jobs that are not early are refused") {
  const std::string file = overlapping(4);
  const auto why = [&](const std::string& strands) { return first_refused(file, by_hand(file, on_completion(strands, overlapped))); };
  CHECK(why("strands 0 0 1 0 0 1 4\n").find("more strands are given out") != std::string::npos);
  CHECK(why("strands 0 0 1 0 0 4 1\n").find("more strands are given out") != std::string::npos);
  CHECK(why("strands 0 0 0 0 0 1 1\n").find("given out twice, or of the DAG itself") != std::string::npos);
  CHECK(why("strands 0 0 1 0 0 1 1 1 0 0 1 1\n").find("given out twice") != std::string::npos);
  CHECK(why("strands 0 0 1 0 -1 1 1\n").find("are not early") != std::string::npos);
  CHECK(why("strands 0 0 1 0 0 0 1\n").find("given no strand") != std::string::npos);
}

TEST_CASE("T10v: two strands of two nodes each, m = 3: 8 + 5 + 8 + 8 - 16/3, and with a root of 12 only one loses") {
  // k: 12 on p, 1 on q; d: three nodes of 4, and two times 6 on p, then 4 on q. In thirds of the time, all times three: 71 of 23 2/3.
  const auto file = [](const std::string& nodes, const std::string& edges) {
    return "platform: {p: {processors: 3, scheduler: LP}, q: {workers: 1}}\ntime_unit: ns\ndags:\n"
           "  - {name: k, T: 9000, nodes: {a: {on: p, C: 36}, b: {on: q, B: 1, L: 3}}, edges: [a -> b]}\n"
           "  - {name: d, T: 9000, nodes: {" +
           nodes + "}, edges: [" + edges + "]}\n";
  };
  const std::string strands = "strands 0 0 1 0 0 1 2\n";
  // p: (36 - 12) + 12 + 24 x 3/3 = 24 + 12 + 24 = 60; q: 3 + 24; less 2 (36 - 12)/3 = 16: 71.
  const std::string two = file(
      "u: {on: p, C: 12}, v: {on: p, C: 12}, w: {on: p, C: 12}, x: {on: p, C: 18}, y: {on: p, C: 18}, "
      "m: {on: q, B: 1, L: 12}, n: {on: q, B: 1, L: 12}",
      "x -> m, y -> n");
  std::vector<OfNode> bounds{{0, 0, 60, "0", "T10n"}, {0, 1, 71, "-", "T10v"}};
  for (int v = 0; v < 5; ++v) bounds.push_back({1, v, 60, "0", "T10n"});
  for (int v = 5; v < 7; ++v) bounds.push_back({1, v, 87, "-", "T10n"});
  CHECK(first_refused(two, by_hand(two, on_completion(strands, bounds))) == "");
  bounds[1].R = 70;
  CHECK(first_refused(two, by_hand(two, on_completion(strands, bounds))).find("no less than 71") != std::string::npos);
  // With a root of 36 in place of the nodes of 18: 24 + 12 + 24 = 60 on p; q: 3 + 24 - (24 + 0)/3: 79.
  const std::string root = file(
      "u: {on: p, C: 12}, v: {on: p, C: 12}, w: {on: p, C: 12}, x: {on: p, C: 36}, m: {on: q, B: 1, L: 12}, "
      "n: {on: q, B: 1, L: 12}",
      "'x -> [m, n]'");
  bounds = {{0, 0, 60, "0", "T10n"}, {0, 1, 79, "-", "T10v"}};
  for (int v = 0; v < 4; ++v) bounds.push_back({1, v, 60, "0", "T10n"});
  for (int v = 4; v < 6; ++v) bounds.push_back({1, v, 87, "-", "T10n"});
  CHECK(first_refused(root, by_hand(root, on_completion(strands, bounds))) == "");
  bounds[1].R = 78;
  CHECK(first_refused(root, by_hand(root, on_completion(strands, bounds))).find("no less than 79") != std::string::npos);
}

TEST_CASE("T10c: two full processors, a (3) -> b (3) and x (2), T = 4: what is left is W = 6 + 2 + 6: 7, 10, 8, where T10n gives more") {
  // a: 3 - 3/2 + (14 - 3)/2, b: 2 (3 - 3/2) + 14/2, x: 2 - 1 + 14/2.
  const std::string file =
      "platform: {cpu: {processors: 2, scheduler: G-EDF}}\ntime_unit: ns\ndags:\n"
      "  - {name: d, T: 4, nodes: {a: {on: cpu, C: 3}, b: {on: cpu, C: 3}}, edges: [a -> b]}\n"
      "  - {name: e, T: 4, nodes: {x: {on: cpu, C: 2}}}\n";
  std::vector<OfNode> bounds{{0, 0, 7, "4", "T10c"}, {0, 1, 10, "4", "T10c"}, {1, 0, 8, "4", "T10c"}};
  check_each(file, "", bounds);
  // x: 1 + (3 ceil((7 + 0)/4) + 3 ceil(10/4) + 2 ceil(8/4))/2 = 1 + 19/2.
  bounds[2].rule = "T10n";
  CHECK(first_refused(file, by_hand(file, on_completion("", bounds))).find("the theorem gives no less than 11") != std::string::npos);
}

TEST_CASE("T10c: of a DAG that also visits another pool, what is left goes by the age of its latest job") {
  // As above, but 1 on a server follows x. W = 6 + 6 + G: with F_x = 11 jobs of x released less than 3 before leave 2 ceil(11/4), and 2 x
  // 3/4 comes: 7.5; less than 4 before, 2 ceil(8/4) + 2. x: 1 + 19.5/2, a: 3/2 + 16.5/2, b: 3 + 19.5/2, y: 1 + 19.5/2 + 1 + 4 + 2.
  const std::string file =
      "platform: {cpu: {processors: 2, scheduler: G-EDF}, q: {processors: 1, scheduler: FIFO}}\ntime_unit: ns\ndags:\n"
      "  - {name: d, T: 4, nodes: {a: {on: cpu, C: 3}, b: {on: cpu, C: 3}}, edges: [a -> b]}\n"
      "  - {name: e, T: 4, nodes: {x: {on: cpu, C: 2}, y: {on: q, C: 1}}, edges: [x -> y]}\n";
  check_each(file, "", {{0, 0, 10, "4", "T10c"}, {0, 1, 13, "4", "T10c"}, {1, 0, 11, "4", "T10c"}, {1, 1, 18, "-", "T10c"}});
}

TEST_CASE("T10c: (2, 4) with points 0 and 8 on one processor: 2 and 2 + 2 (1 + 8/4) = 8, where T10n counts a job more") {
  const std::string file = processors(1, "LP", {{2, 4}, {2, 4}});
  std::vector<OfNode> bounds{{0, 0, 2, "0", "T10c"}, {1, 0, 8, "8", "T10c"}};
  check_each(file, "", bounds);
  bounds[1].rule = "T10n";
  CHECK(first_refused(file, by_hand(file, on_completion("", bounds))).find("the theorem gives no less than 10") != std::string::npos);
}

TEST_CASE("T10c says nothing of a pool that is asked for more than it has") {
  // W would be 5 whatever F is; T10n: 250 x 5.
  const std::string file = processors(1, "G-EDF", {{3, 4}, {2, 4}});
  CHECK(first_refused(file, by_hand(file, on_completion("", {{0, 0, 1000, "4", "T10c"}, {1, 0, 1000, "4", "T10c"}})))
            .find("no less than 1250") != std::string::npos);
}

TEST_CASE("T11: (2, 10) above (4, 20): 2 and 6; (1, 4), (2, 6), (3, 13): 1, 3, 13") {
  check_each(
      "platform: {cpu: {processors: 1, scheduler: FP}}\ntime_unit: ns\ntasks:\n"
      "  - {name: a, on: cpu, C: 2, T: 10, priority: 9}\n  - {name: b, on: cpu, C: 4, T: 20, priority: 3}\n",
      "", {{0, 0, 2, "-", "T11"}, {1, 0, 6, "-", "T11"}});
  // Deadline monotonic.
  check_each(processors(1, "FP", {{3, 13}, {1, 4}, {2, 6}}), "", {{0, 0, 13, "-", "T11"}, {1, 0, 1, "-", "T11"}, {2, 0, 3, "-", "T11"}});
}

TEST_CASE("T11: equals (2, 9) and (3, 9): 5 and 5 by ready time, 8 and 7 in any order") {
  const auto file = [](const std::string& equals) {
    return "platform: {cpu: {processors: 1, scheduler: FP, equals: " + equals +
           "}}\ntime_unit: ns\ntasks:\n"
           "  - {name: a, on: cpu, C: 2, T: 9, priority: 1}\n  - {name: b, on: cpu, C: 3, T: 9, priority: 1}\n";
  };
  check_each(file("fifo"), "", {{0, 0, 5, "-", "T11"}, {1, 0, 5, "-", "T11"}});
  check_each(file("any"), "", {{0, 0, 8, "-", "T11"}, {1, 0, 7, "-", "T11"}});
}

TEST_CASE("T11: a path pays for what is as urgent as its least urgent node: 4 by a, 5 by b") {
  const std::string file =
      "platform: {cpu: {processors: 1, scheduler: FP}, more: {processors: 1, scheduler: FIFO}}\ntime_unit: ns\ndags:\n"
      "  - {name: d, T: 100, nodes: {a: {on: cpu, C: 1, priority: 1}, b: {on: more, C: 4}, v: {on: cpu, C: 1, priority: 5}}, "
      "edges: [a -> v, b -> v]}\n"
      "  - {name: s, T: 100, nodes: {s: {on: cpu, C: 2, priority: 3}}}\n";
  check_each(file, "", {{0, 0, 3, "-", "T11"}, {0, 1, 4, "-", "T10n"}, {0, 2, 5, "-", "T11"}, {1, 0, 3, "-", "T11"}});
}

TEST_CASE("T11b: 1 (urgent), 2 elsewhere, 1 (urgent), and a less urgent stranger of 5: 6, 8, 14 and 7") {
  const std::string file =
      "platform: {cpu: {processors: 1, scheduler: FP, preemptive: false}, more: {processors: 1, scheduler: FIFO}}\ntime_unit: ns\ndags:\n"
      "  - {name: d, T: 30, nodes: {a: {on: cpu, C: 1, priority: 2}, b: {on: more, C: 2}, c: {on: cpu, C: 1, priority: 2}}, "
      "edges: [a -> b -> c]}\n"
      "  - {name: s, T: 40, nodes: {s: {on: cpu, C: 5, priority: 1}}}\n";
  check_each(file, "", {{0, 0, 6, "-", "T11"}, {0, 1, 8, "-", "T11"}, {0, 2, 14, "-", "T11"}, {1, 0, 7, "-", "T11"}});
}

TEST_CASE("T11b: a (3, less urgent) before b (1), and c (4, less urgent) beside them: 7, 12 and 8") {
  const std::string file =
      "platform: {cpu: {processors: 1, scheduler: FP, preemptive: false}}\ntime_unit: ns\ndags:\n"
      "  - {name: d, T: 100, nodes: {a: {on: cpu, C: 3, priority: 1}, b: {on: cpu, C: 1, priority: 2}, c: {on: cpu, C: 4, priority: 1}}, "
      "edges: [a -> b]}\n";
  check_each(file, "", {{0, 0, 7, "-", "T11"}, {0, 1, 12, "-", "T11"}, {0, 2, 8, "-", "T11"}});
}

/// A kernel of one block of 32 G-threads, L = 1, on a high-priority stream, and a low one, on so many SMs for 32 B G-threads each.
std::string two_kernels(int sms, int threads, int L, int B) {
  return fmt::format(
      "platform: {{gpu: {{sms: {}, threads: {}}}}}\ntime_unit: ns\ntasks:\n"
      "  - {{name: high, on: gpu, T: 50, B: 1, H: 32, L: 1, priority: high}}\n  - {{name: low, on: gpu, T: 60, B: {}, H: 32, L: {}}}\n",
      sms, threads, B, L);
}

TEST_CASE("T11g: one block at a time, (1, 1) above (10, 1): 11 and 11; weights have to be for whichever kernel waits") {
  const std::string file = two_kernels(1, 32, 10, 1);
  const std::vector<OfNode> bounds{{0, 0, 11, "-", "T11g"}, {1, 0, 11, "-", "T11g"}};
  check_each(file, "weights 0 0 low 32 1\ncounted 0 0\n", bounds);
  for (const char* level : {"only", "high"}) {
    const auto text = on_completion(fmt::format("weights 0 0 {} 32 1\ncounted 0 0\n", level), bounds);
    CHECK(first_refused(file, by_hand(file, text)).find("the weights are of another GPU, or not for all of its kernels") !=
          std::string::npos);
  }
  auto others = bounds;
  others[1].rule = "T10j";
  CHECK(first_refused(file, by_hand(file, on_completion("weights 0 0 low 32 1\ncounted 0 0\n", others))).find("T10j needs a FIFO pool") !=
        std::string::npos);
  others[1].rule = "T10p";
  CHECK(first_refused(file, by_hand(file, on_completion("weights 0 0 low 32 1\ncounted 0 0\n", others))).find("for preemptive pools") !=
        std::string::npos);
}

TEST_CASE("T11g: two SMs for four blocks: 12 blocks of 10 fill them, 11 and 23.875; 3 weigh 3.75, 4.75 and 12.625") {
  const std::string head = "weights 0 0 low 128 1\ncounted 0 0\n";
  check_each(two_kernels(2, 128, 10, 12), head, {{0, 0, 11, "-", "T11g"}, {1, 0, 24, "-", "T11g"}});
  check_each(two_kernels(2, 128, 10, 3), head, {{0, 0, 5, "-", "T11g"}, {1, 0, 13, "-", "T11g"}});
}

TEST_CASE("T11g: equals wait in one FIFO, on several SMs, too") {
  // Two SMs for one block each. High: (1, 1) finds a low block on both: K = 10, 11. Low ones of (10, 2), T = 30, in pairs: 10 + (1 + 40 -
  // 10)/2 = 25.5; in any order ceil((26 + 26)/30) = 2 of the other would count: 10 + (1 + 20 + 40 - 10)/2 = 35.5.
  const std::string file =
      "platform: {gpu: {sms: 2, threads: 32}}\ntime_unit: ns\ntasks:\n  - {name: a, on: gpu, T: 90, B: 1, H: 32, L: 1, priority: high}\n"
      "  - {name: b, on: gpu, T: 30, B: 2, H: 32, L: 10}\n  - {name: c, on: gpu, T: 90, B: 2, H: 32, L: 10}\n";
  check_each(file, "weights 0 0 low 32 1\ncounted 0 0\n", {{0, 0, 11, "-", "T11g"}, {1, 0, 26, "-", "T11g"}, {2, 0, 26, "-", "T11g"}});
}

TEST_CASE("T11g: 1 (high), 2 on a processor, 1 (high), and a low stranger of 5: 6, 8, 14 and 7; in one DAG 7, 12 and 8") {
  const std::string head = "weights 0 1 low 32 1\ncounted 1 0\n";
  const auto file = [](const std::string& dags) {
    return "platform: {cpu: {processors: 1, scheduler: FIFO}, gpu: {sms: 1, threads: 32}}\ntime_unit: ns\ndags:\n" + dags;
  };
  check_each(file("  - {name: d, T: 30, nodes: {a: {on: gpu, B: 1, H: 32, L: 1, priority: high}, b: {on: cpu, C: 2}, "
                  "c: {on: gpu, B: 1, H: 32, L: 1, priority: high}}, edges: [a -> b -> c]}\n"
                  "  - {name: s, T: 40, nodes: {s: {on: gpu, B: 1, H: 32, L: 5}}}\n"),
             head, {{0, 0, 6, "-", "T11g"}, {0, 1, 8, "-", "T11g"}, {0, 2, 14, "-", "T11g"}, {1, 0, 7, "-", "T11g"}});
  check_each(file("  - {name: d, T: 100, nodes: {a: {on: gpu, B: 1, H: 32, L: 3}, b: {on: gpu, B: 1, H: 32, L: 1, priority: high}, "
                  "c: {on: gpu, B: 1, H: 32, L: 4}}, edges: [a -> b]}\n"),
             head, {{0, 0, 7, "-", "T11g"}, {0, 1, 12, "-", "T11g"}, {0, 2, 8, "-", "T11g"}});
}

/// Single nodes on processors under FP: C, T and priority each.
std::string by_priority(int m, const std::string& equals, const std::vector<std::array<int, 3>>& tasks) {
  std::string file = fmt::format("platform: {{cpu: {{processors: {}, scheduler: FP, equals: {}}}}}\ntime_unit: ns\ntasks:\n", m, equals);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const auto& [C, T, priority] = tasks[i];
    file += fmt::format("  - {{name: t{}, on: cpu, C: {}, T: {}, priority: {}}}\n", i, C, T, priority);
  }
  return file;
}

TEST_CASE("T11j: (3, 8) above (4, 20) on one processor: 3 and 7, where T11 has 10; a busy interval of 6 is too short") {
  const std::string file = by_priority(1, "fifo", {{3, 8, 2}, {4, 20, 1}});
  std::vector<OfNode> bounds{{0, 0, 3, "-", "T11j 3"}, {1, 0, 7, "-", "T11j 7"}};
  check_each(file, "", bounds);
  bounds[1].rule = "T11";  // 4 + 3 ceil((3 + 7)/8)
  CHECK(first_refused(file, by_hand(file, on_completion("", bounds))).find("the theorem gives no less than 10") != std::string::npos);
  bounds[1] = {1, 0, 6, "-", "T11j 6"};
  CHECK(first_refused(file, by_hand(file, on_completion("", bounds))).find("more is ready within the busy interval") != std::string::npos);
}

TEST_CASE("T11j: (26, 70) above (62, 100): 118 by the fifth of seven jobs of a busy interval; none may be left out") {
  // z = 62 (1 + x/100) + 26 ceil(z/70), up to 694 <= 700; 518 - 400.
  const std::string file = by_priority(1, "fifo", {{26, 70, 2}, {62, 100, 1}});
  std::vector<OfNode> bounds{{0, 0, 26, "-", "T11j 26"}, {1, 0, 118, "-", "T11j 114 202 316 404 518 606 694"}};
  check_each(file, "", bounds);
  const auto why = [&](const std::string& rule, int R) {
    bounds[1].rule = rule;
    bounds[1].R = R;
    return first_refused(file, by_hand(file, on_completion("", bounds)));
  };
  CHECK(why("T11j 114 202 316 404 518 606", 118).find("the busy interval may be longer") != std::string::npos);
  CHECK(why("T11j 114", 114).find("the busy interval may be longer") != std::string::npos);
  CHECK(why("T11j 114 202 316 404 517 606 694", 117).find("more is ready within the busy interval") != std::string::npos);
}

TEST_CASE("T11j: twice (2, 4) above twice (4, 8) on two processors, full: (4 + 2)/2 = 3, (4 + 12 + 4)/(2 - 1) = 20; (5, 8) is too much") {
  const auto bounds = [](int low) {
    return std::vector<OfNode>{{0, 0, 3, "-", "T11j"}, {1, 0, 3, "-", "T11j"}, {2, 0, low, "-", "T11j"}, {3, 0, low, "-", "T11j"}};
  };
  check_each(by_priority(2, "fifo", {{2, 4, 2}, {2, 4, 2}, {4, 8, 1}, {4, 8, 1}}), "", bounds(20));
  const std::string over = by_priority(2, "fifo", {{2, 4, 2}, {2, 4, 2}, {4, 8, 1}, {5, 8, 1}});
  CHECK(first_refused(over, by_hand(over, on_completion("", bounds(1000)))).find("T11j needs U <= m") != std::string::npos);
}

TEST_CASE(
    "T11j: ready times differ: 3 elsewhere, 2 on processors, T = 10, above (6, 40): 5 and 10 on one, 5 and 9 on two, 6 in any order") {
  const auto file = [](int m, const std::string& equals) {
    return fmt::format(
        "platform: {{cpu: {{processors: {}, scheduler: FP, equals: {}}}, more: {{processors: 1, scheduler: FIFO}}}}\ntime_unit: ns\ndags:\n"
        "  - {{name: d, T: 10, nodes: {{a: {{on: more, C: 3}}, b: {{on: cpu, C: 2, priority: 2}}}}, edges: [a -> b]}}\n"
        "  - {{name: s, T: 40, nodes: {{s: {{on: cpu, C: 6, priority: 1}}}}}}\n",
        m, equals);
  };
  // 6 + 2 ceil((10 + 3)/10) = 10.
  check_each(file(1, "fifo"), "", {{0, 0, 3, "-", "T10n"}, {0, 1, 5, "-", "T11j 2"}, {1, 0, 10, "-", "T11j 10"}});
  // 3 + (2 + 2)/2; (2 (1 + 3/10) + 6 + 6)/(2 - 1/5) = 8 1/9.
  check_each(file(2, "fifo"), "", {{0, 0, 3, "-", "T10n"}, {0, 1, 5, "-", "T11j"}, {1, 0, 9, "-", "T11j"}});
  // 3 + (2 (1 + 3/10) + 2)/(2 - 1/5) = 5 5/9; 14.6/(2 - 1/5 - 3/20) = 8.8.
  check_each(file(2, "any"), "", {{0, 0, 3, "-", "T10n"}, {0, 1, 6, "-", "T11j"}, {1, 0, 9, "-", "T11j"}});
}

TEST_CASE("T11j: equals (2, 4) and (4, 9): 6 and 6 by ready time, 8 and 8 in any order") {
  // At x = 0 both have 6, at x = 4 two jobs of the first and one of the second: 8, and nothing comes before 8.
  const std::vector<std::array<int, 3>> tasks{{2, 4, 1}, {4, 9, 1}};
  check_each(by_priority(1, "fifo", tasks), "", {{0, 0, 6, "-", "T11j 6 8"}, {1, 0, 6, "-", "T11j 6 8"}});
  check_each(by_priority(1, "any", tasks), "", {{0, 0, 8, "-", "T11j 8"}, {1, 0, 8, "-", "T11j 8"}});
  const std::string any = by_priority(1, "any", tasks);
  CHECK(first_refused(any, by_hand(any, on_completion("", {{0, 0, 6, "-", "T11j 6 8"}, {1, 0, 8, "-", "T11j 8"}}))) != "");
}

TEST_CASE("T11j is not for pools without preemption, and has no busy intervals on two processors") {
  std::string file = by_priority(2, "fifo", {{3, 8, 2}, {4, 20, 1}});
  const auto why = [&](const std::string& rule) {
    return first_refused(file, by_hand(file, on_completion("", {{0, 0, 30, "-", "T11"}, {1, 0, 30, "-", rule}})));
  };
  CHECK(why("T11j 7").find("busy intervals are for one processor") != std::string::npos);
  file.replace(file.find("scheduler"), 0, "preemptive: false, ");
  CHECK(why("T11j").find("T11j needs a preemptive pool") != std::string::npos);
}

/// One after another, with these numbers of the latencies 1 ns lower.
void check_latencies(const std::string& file, const std::string& before, const std::vector<int>& least) {
  const auto why = [&](const std::vector<int>& claimed) {
    const std::string line = fmt::format("latencies 0 {}\n", fmt::join(claimed, " "));
    return first_refused(file, by_hand(file, before + line + verdict));
  };
  CHECK(why(least) == "");
  for (std::size_t i = 0; i < least.size(); ++i) {
    std::vector<int> lower = least;
    --lower[i];
    CHECK(why(lower).find("the theorem gives no less than " + std::to_string(least[i])) != std::string::npos);
  }
}

TEST_CASE("T13: (T, F) = (10, 2) above (20, 8) on one processor: MRT 38, MRRT 28, MRDA 20, MDA 40; as urgent as it, 40 and 30") {
  const auto file = [](int priority) {
    return fmt::format(
        "platform: {{cpu: {{processors: 1, scheduler: FP}}}}\ntime_unit: ns\ntasks:\n"
        "  - {{name: a, on: cpu, C: 2, T: 10, priority: 2}}\n  - {{name: b, on: cpu, C: 4, T: 20, priority: {}}}\n"
        "chains:\n  - {{name: c, stages: [a, b/b], reaction: 40, age: 40}}\n",
        priority);
  };
  const std::string bounds = "release completion\nbound 0 0 0 {} - T11\nend 0 {}\nbound 1 0 0 8 - T11\nend 1 8\n";
  check_latencies(file(1), fmt::format(fmt::runtime(bounds), 2, 2), {38, 28, 20, 40});
  // As urgent: F = 6 for the first, and S = 10 + 6 + 20 + 8 = 44, above the limits.
  const std::string equal = by_hand(file(2), fmt::format(fmt::runtime(bounds), 6, 6) + "latencies 0 44 34 24 44\n");
  CHECK(first_refused(file(2), equal + "verdict deadline-missed\n") == "");
  CHECK(first_refused(file(2), equal + verdict).find("the verdict does not follow") != std::string::npos);
}

TEST_CASE("T13: LET, (T, D) = (10, 8), (20, none): S = 58; a stage that ends after its D has no latencies") {
  const std::string file =
      "platform: {cpu: {processors: 2, scheduler: FIFO}}\ntime_unit: ns\ntasks:\n"
      "  - {name: a, on: cpu, C: 2, T: 10, D: 8}\n  - {name: b, on: cpu, C: 4, T: 20}\n"
      "chains:\n  - {name: c, stages: [a, b], communication: LET}\n";
  const std::string bounds = "release completion\nbound 0 0 0 {} - T10n\nend 0 {}\nbound 1 0 0 8 - T10n\nend 1 8\n";
  check_latencies(file, fmt::format(fmt::runtime(bounds), 8, 8), {58, 48, 38, 58});
  const std::string late = fmt::format(fmt::runtime(bounds), 9, 9) + "latencies 0 58 48 38 58\nverdict deadline-missed\n";
  CHECK(first_refused(file, by_hand(file, late)).find("after it should have published") != std::string::npos);
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

TEST_CASE("no bound holds on a pool with a sequential kernel that has none") {
  const std::string file =
      "platform: {w: {workers: 1}}\ntime_unit: ns\ntasks:\n  - {name: a, on: w, T: 20, B: 2, L: 4}\n"
      "  - {name: b, on: w, T: 10, B: 1, L: 2, sequential: true}\n";
  const std::string head = "release offsets\nbase 0 T8 0 0 1 all\nbound 0 0 0 10 - base 0\n";
  CHECK(first_refused(file, by_hand(file, head + "bound 1 0 0 10 - base 0\nverdict unbounded\n")) == "");
  CHECK(first_refused(file, by_hand(file, head + "verdict unbounded\n")).find("a sequential node may still run") != std::string::npos);
}

TEST_CASE("an overload is verified exactly: U = 1 is none, a nanosecond more is") {
  const std::string full = processors(1, "FIFO", {{5, 10}, {5, 10}});
  CHECK(first_refused(full, by_hand(full, "release offsets\noverload 0 0 1\nverdict unbounded\n")).find("U is not above") !=
        std::string::npos);
  const std::string over = processors(1, "FIFO", {{500, 1000}, {501, 1000}});
  CHECK(first_refused(over, by_hand(over, "release offsets\noverload 0 0 1\nverdict unbounded\n")) == "");
}

TEST_CASE("what the file does not say is refused, and so is what the certificate leaves out") {
  const std::string file = processors(1, "LP", {{2, 10}, {3, 10}});
  const auto good = by_hand(file, of_single_nodes("release offsets\n", {{2, "0", "T1n"}, {5, "8", "T1n"}}));
  REQUIRE(first_refused(file, good) == "");
  auto other = good;
  other.replace(other.find("node 0 0 t0 0 2"), 15, "node 0 0 t0 0 1");
  CHECK(first_refused(file, other).find("the file does not say so") != std::string::npos);
  auto less = good;
  less.erase(less.find("node 0 0 t0 0 2"), 16);
  CHECK(first_refused(file, less).find("the certificate does not state this") != std::string::npos);
  CHECK(first_refused(file + "\n", good).find("another file") != std::string::npos);
}

TEST_CASE("offsets that leave a predecessor no time are refused") {
  const std::string file =
      "platform: {cpu: {processors: 1}}\ntime_unit: ns\ndags:\n"
      "  - {name: d, T: 10, nodes: {a: {on: cpu, C: 1}, b: {on: cpu, C: 2}}, edges: [a -> b]}\n";
  const auto text = [](const std::string& offset, const std::string& end) {
    return "release offsets\nbase 0 T1 0 1\nbound 0 0 0 3 10 base 0\nbound 0 1 " + offset + " 3 10 base 0\nend 0 " + end + "\n" + verdict;
  };
  CHECK(first_refused(file, by_hand(file, text("3", "6"))) == "");
  CHECK(first_refused(file, by_hand(file, text("2", "6"))).find("released before a predecessor has ended") != std::string::npos);
  CHECK(first_refused(file, by_hand(file, text("3", "5"))).find("a node ends later") != std::string::npos);
}

}  // namespace
