// T10 and what refines it: certificates written by hand with the numbers of docs/theory.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <vector>

#include "claims.hpp"

namespace {

using rta::test::by_hand;
using rta::test::check_each;
using rta::test::check_least;
using rta::test::first_refused;
using rta::test::OfNode;
using rta::test::on_completion;
using rta::test::processors;
using rta::test::verdict;

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

// A block of 20 threads does 342 in L = 17.1, rounded up 18; two are on an SM at most, w = 20, and 114 of 160 are in use. Of whole blocks
// below that there are five, with 342 left each, as w may be 342/18: (5 x 342 + 3 x 342 - 342)/160 + 18 = 32.96. With w = 20 it is 33.53.
TEST_CASE("T10j: where L is rounded up, a block has no more than s left") {
  const std::string file =
      "platform: {gpu: {sms: 4, threads: 64, shared_memory: 18 B, warp: 4, shared_memory_unit: 4 B, shared_memory_reserved: 1 B, "
      "register_unit: 8}}\ndags:\n  - {name: d, T: 9 ns, nodes: {k: {on: gpu, B: 3, H: 20, C: 342 ns, per: block, shared_memory: 6 B}}}\n";
  const auto claim = [&](int R) {
    return by_hand(file, fmt::format("release completion\nweights 0 0 only 40 1\ncounted 0 0\nbound 0 0 0 {0} - T10j\nend 0 {0}\n", R) +
                             std::string(verdict));
  };
  CHECK(first_refused(file, claim(33)) == "");
  CHECK(first_refused(file, claim(32)).find("the theorem gives no less than") != std::string::npos);
}

// One SM of 4 G-threads; blocks of 3 with w = 1 and of 1 with w = 1/2, times in halves. Two G-threads in use block: K' = 1/2 x 2 = 1.
// F_0 = 1 + 10 - 8 + 8 = 11, F_1 = 1 + 10 - 1 + 2 = 12; with (b) for (a), V = 1/2, 4 in place of 1.
TEST_CASE("T10j: carry (a), and nothing lower") {
  const auto file = [](int sms) {
    return fmt::format(
        "platform: {{gpu: {{sms: {}, threads: 4, warp: 1}}}}\ntime_unit: ns\ntasks:\n"
        "  - {{name: a, on: gpu, B: 1, H: 3, L: 8, T: 16}}\n  - {{name: b, on: gpu, B: 2, H: 1, L: 2, T: 8}}\n",
        sms);
  };
  const std::string head = "release completion\nweights 0 0 only 6 3 2\ncounted 0 0\n";
  check_least(file(1), head, {{11, "-", "T10j"}, {12, "-", "T10j"}});
  // Of two SMs one may be full: K = 8 + 1 and (a) = 10, but (b) 4 as before: (4 + 10 - 8)/2 + 8 and (4 + 10 - 1)/2 + 2.
  check_least(file(2), head, {{11, "-", "T10j"}, {9, "-", "T10j"}});
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

TEST_CASE("T30: of d's jobs 1 counts on p, where it is ready with k, and two nodes of one on q: 9 where T10a has 10 and T10n 15") {
  check_aligned("a -> b, a -> c", 9, 9, 15);
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

TEST_CASE("T10c: the same with points 0 and 2: (6 + 6)/2 and (6 + 2 x 6 + 2 - 2 x 2)/2 = 8, where its second form has 13/2 and 17/2") {
  // For d, lim_x = -2: busy for x = 0, W = 6 + 6; x = 2, 6 + 6 + 2 - 4. a: 3/2 + (12 - 3)/2, b: 3 + 12/2. For e, lim_d = 2: 6 + 6 + 2;
  // x = 2: 6 + 12 + 2 - 4 = 16. x: 1 + 16/2.
  const std::string file =
      "platform: {cpu: {processors: 2, scheduler: LP}}\ntime_unit: ns\ndags:\n"
      "  - {name: d, T: 4, nodes: {a: {on: cpu, C: 3}, b: {on: cpu, C: 3}}, edges: [a -> b]}\n"
      "  - {name: e, T: 4, nodes: {x: {on: cpu, C: 2}}}\n";
  check_each(file, "", {{0, 0, 6, "0", "T10c"}, {0, 1, 9, "0", "T10c"}, {1, 0, 9, "2", "T10c"}});
}

TEST_CASE("T10c: of a DAG that also visits another pool, what is left counts node by node, each until its end") {
  // As above, but 1 on a server follows x. W = 6 + 6 + 2 (floor(10/4) + 1) = 18 with F_x = 10; busy for 2, 2 more and 4 less. x: 1 + 18/2,
  // a: 3/2 + 15/2, b: 3 + 18/2, y: 1 + 18/2 + 1 + 3 + 2.
  const std::string file =
      "platform: {cpu: {processors: 2, scheduler: G-EDF}, q: {processors: 1, scheduler: FIFO}}\ntime_unit: ns\ndags:\n"
      "  - {name: d, T: 4, nodes: {a: {on: cpu, C: 3}, b: {on: cpu, C: 3}}, edges: [a -> b]}\n"
      "  - {name: e, T: 4, nodes: {x: {on: cpu, C: 2}, y: {on: q, C: 1}}, edges: [x -> y]}\n";
  check_each(file, "", {{0, 0, 9, "4", "T10c"}, {0, 1, 12, "4", "T10c"}, {1, 0, 10, "4", "T10c"}, {1, 1, 16, "-", "T10c"}});
}

TEST_CASE("T10c: (2, 4) with points 0 and 2 on one processor: 2 and 4, where T10n counts a job more") {
  // For the first, busy for 0: 2; for 2: 2 + 2 - 2; for 4: 4 + 2 - 4.
  const std::string file = processors(1, "LP", {{2, 4}, {2, 4}});
  std::vector<OfNode> bounds{{0, 0, 2, "0", "T10c"}, {1, 0, 4, "2", "T10c"}};
  check_each(file, "", bounds);
  bounds[0].rule = "T10n";
  CHECK(first_refused(file, by_hand(file, on_completion("", bounds))).find("the theorem gives no less than 4") != std::string::npos);
}

// The periods' common multiple, 40068, is beyond what is looked at, so jobs count in fractions from there on; each task is a third of the
// processor. t0: lim = 87 and -54 to the others, 36 + 7 (1 + 87/21) + 53 (1 - 54/159) = 36 + 36 + 35. t1: 36 (1 - 87/108) + 7 +
// 53 (1 - 141/159). t2: 36 (1 + 54/108) + 7 (1 + 141/21) + 53.
TEST_CASE("T10c: thirds of one processor, points 72, -15 and 126: fractions of jobs sum to 107, 20 and 161, and to no more") {
  check_each(processors(1, "LP", {{36, 108}, {7, 21}, {53, 159}}), "",
             {{0, 0, 107, "72", "T10c"}, {1, 0, 20, "-15", "T10c"}, {2, 0, 161, "126", "T10c"}});
}

// k's last node: 1 + 30 + 1, e once, 4, and at either of its two visits a node of jobs of d of ages 0 and 10: 40. d's: 10, e's 4, k's job
// 2, its own earlier and later jobs one node at either visit: 18.
TEST_CASE("T10f: a stranger once, and at each visit what can be ready: 40 and 18, and nothing lower") {
  const std::string file =
      "platform: {p: {processors: 1, scheduler: FIFO}, x: {processors: 64, scheduler: FIFO}}\ntime_unit: ns\ndags:\n"
      "  - {name: k, T: 100, nodes: {a: {on: p, C: 1}, b: {on: x, C: 30}, c: {on: p, C: 1}}, edges: [a -> b -> c]}\n"
      "  - {name: e, T: 100, nodes: {a: {on: p, C: 4}}}\n"
      "  - {name: d, T: 10, nodes: {a: {on: p, C: 1}, b: {on: x, C: 8}, c: {on: p, C: 1}}, edges: [a -> b -> c]}\n";
  const auto claim = [&](int k, int d, const std::string& rule) {
    return by_hand(file, "release completion\nbound 0 0 0 7 - T23\nbound 0 1 0 37 - T23\n" + fmt::format("bound 0 2 0 {} - {}\n", k, rule) +
                             "bound 1 0 0 7 - T23\nbound 2 0 0 7 - T23\nbound 2 1 0 15 - T23\n" +
                             fmt::format("bound 2 2 0 {} - {}\nend 0 {}\nend 1 7\nend 2 {}\n", d, rule, k, d) + verdict);
  };
  CHECK(first_refused(file, claim(40, 18, "T10f")) == "");
  CHECK(first_refused(file, claim(39, 18, "T10f")).find("the theorem gives no less than 40") != std::string::npos);
  CHECK(first_refused(file, claim(40, 17, "T10f")).find("the theorem gives no less than 18") != std::string::npos);
  for (const char* rule : {"T10n", "T10a", "T10j", "T23"}) CHECK(first_refused(file, claim(40, 18, rule)) != "");
}

// d: 1 elsewhere, 3 on p; k: 2 on p; T = 5. v: W = 5 for x = 0 and x = 5. u: under FIFO k may be released 1 later: x = 4: 3 + 3 of d, of
// ages 0 and 5, as phi = 1, 2 + 2 of k, of ages -1 and 4, less 4. Under G-EDF W = 5 for it, too.
TEST_CASE("T39: one processor, fully loaded: 5 and 7, under G-EDF 5 and 6, and nothing lower") {
  const auto file = [](const char* scheduler) {
    return fmt::format(
        "platform: {{p: {{processors: 1, scheduler: {}}}, x: {{processors: 64, scheduler: FIFO}}}}\ntime_unit: ns\ndags:\n"
        "  - {{name: d, T: 5, nodes: {{g: {{on: x, C: 1}}, u: {{on: p, C: 3}}}}, edges: [g -> u]}}\n"
        "  - {{name: k, T: 5, nodes: {{v: {{on: p, C: 2}}}}}}\n",
        scheduler);
  };
  check_each(file("FIFO"), "", {{0, 0, 1, "-", "T10n"}, {0, 1, 7, "-", "T39 0 0"}, {1, 0, 5, "-", "T39 0 0"}});
  check_each(file("G-EDF"), "", {{0, 0, 1, "-", "T10n"}, {0, 1, 6, "5", "T39 0 0"}, {1, 0, 5, "5", "T39 0 0"}});
  const auto refused = [&](const std::string& rule) {
    return first_refused(
        file("FIFO"), by_hand(file("FIFO"), on_completion("", {{0, 0, 1, "-", "T10n"}, {0, 1, 7, "-", "T39 0 0"}, {1, 0, 5, "-", rule}})));
  };
  CHECK(refused("T39 0 0") == "");
  for (const char* rule : {"T39", "T10n", "T10a", "T39 0 0 0 0", "T39 1 0"}) CHECK(refused(rule) != "");
}

// m = 2, T = 6: d: 1 elsewhere, a (5) -> b (1) on p; k: 4 on p: U = 10/6, c = 2: a may have run just before, and b follows it: carry = D_a
// = 6. Under G-EDF with equal points, for k: x = 0: 6 + 6 + 4 = 16, as nothing is left of d by phi = 1 that is not new; x = 5: 6 + 12 + 4
// - 10.
TEST_CASE("T39: what ran just before counts with what follows it: 4 + (16 - 4)/2") {
  const std::string file =
      "platform: {p: {processors: 2, scheduler: G-EDF}, x: {processors: 64, scheduler: FIFO}}\ntime_unit: ns\ndags:\n"
      "  - {name: d, T: 6, nodes: {g: {on: x, C: 1}, a: {on: p, C: 5}, b: {on: p, C: 1}}, edges: [g -> a -> b]}\n"
      "  - {name: k, T: 6, nodes: {v: {on: p, C: 4}}}\n";
  check_each(file, "", {{0, 0, 1, "-", "T10n"}, {0, 1, 11, "6", "T39 0 0"}, {0, 2, 12, "6", "T39 0 0"}, {1, 0, 10, "6", "T39 0 0"}});
}

TEST_CASE("T23: an end as late as 9000000000000000000 ns is refused before all jobs that it overlaps are looked at") {
  const std::string file = processors(1, "FIFO", {{1, 20}, {1, 20}});
  const auto claim = [](const std::string& late) {
    return "release completion\nbound 0 0 0 " + late + " - T10n\nend 0 " + late + "\nbound 1 0 0 2 - T23\nend 1 2\n" + verdict;
  };
  CHECK(first_refused(file, by_hand(file, claim("2"))) == "");
  CHECK(first_refused(file, by_hand(file, claim("9000000000000000000"))).find("T23 would look at more jobs than it does") !=
        std::string::npos);
}

TEST_CASE("T10c says nothing of a pool that is asked for more than it has") {
  // W would be 5 whatever F is; T10n: 250 x 5.
  const std::string file = processors(1, "G-EDF", {{3, 4}, {2, 4}});
  CHECK(first_refused(file, by_hand(file, on_completion("", {{0, 0, 1000, "4", "T10c"}, {1, 0, 1000, "4", "T10c"}})))
            .find("no less than 1250") != std::string::npos);
}

}  // namespace
