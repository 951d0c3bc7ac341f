// T1 to T8: certificates written by hand with the numbers of docs/theory.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "claims.hpp"

namespace {

using rta::test::by_hand;
using rta::test::check_least;
using rta::test::Claimed;
using rta::test::first_refused;
using rta::test::of_single_nodes;
using rta::test::processors;

TEST_CASE("T1: m = 2, (C,T,Y) = (4,8,8), (6,8,4): 13 and 10") {
  check_least(processors(2, "G-EDF", {{4, 8}, {6, 8}}), "release offsets\nbase 0 T1 0 2\n", {{13, "8", "base 0"}, {10, "4", "base 0"}});
}

// min Y = 9, sum V = 8 + 1 + (20 + 19 + 14) (1 - 44/53) + 13 (1 - 4/13) = 27, and carry 2 x 20: (40 + 2 C + 27)/3 after Y - 9.
TEST_CASE("T1: fractions whose sum is whole, 9 + 53 x 9/53 + 9, are not rounded up one by one: 23 = (40 + 2 + 27)/3") {
  check_least(
      processors(3, "G-EDF", {{8, 9}, {1, 9}, {20, 53}, {19, 53}, {14, 53}, {13, 13}}), "release offsets\nbase 0 T1 0 3\n",
      {{28, "9", "base 0"}, {23, "9", "base 0"}, {80, "53", "base 0"}, {79, "53", "base 0"}, {76, "53", "base 0"}, {35, "13", "base 0"}});
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

TEST_CASE("T1b and T1be: m = 2, (4,8,8), (6,8,4) without preemption: 12 and 12, 10 and 11; not for early releases") {
  const std::string file = processors(2, "LP, preemptive: false", {{4, 8}, {6, 8}});
  const std::vector<Claimed> claims{{12, "8", "base 0"}, {12, "4", "base 0"}};
  check_least(file, "release offsets\nbase 0 T1b 0 2\n", claims);
  check_least(file, "release offsets\nbase 0 T1be 0 2\n", {{10, "8", "base 0"}, {11, "4", "base 0"}});
  const auto refused = [&](const std::string& head) { return first_refused(file, by_hand(file, of_single_nodes(head, claims))); };
  CHECK(refused("release early\nbase 0 T1b 0 2\n").find("no early releases") != std::string::npos);
  CHECK(refused("release offsets\nbase 0 T1b 0 1\n").find("U <= c <= m") != std::string::npos);
  CHECK(refused("release offsets\nbase 0 T1r 0 2\n").find("needs preemption") != std::string::npos);
}

TEST_CASE("T1bn: m = 1, (1,10,5), (8,20,20) without preemption: 9 and 9") {
  const std::string file = processors(1, "LP, preemptive: false", {{1, 10}, {8, 20}});
  check_least(file, "release offsets\nbase 0 T1be 0 1\n", {{9, "5", "base 0"}, {9, "20", "T1bn"}});
  const auto early = of_single_nodes("release early\n", {{9, "5", "T1bn"}, {9, "20", "T1bn"}});
  CHECK(first_refused(file, by_hand(file, early)).find("no early releases") != std::string::npos);
}

TEST_CASE("T3b: m = 2, (5,5,5), (4,5,6) without preemption with s = 13: 9 and 10; a smaller s is refused") {
  const std::string file = processors(2, "LP, preemptive: false", {{5, 5}, {4, 5}}, ", sequential: true");
  const std::vector<Claimed> claims{{9, "5", "base 0"}, {10, "6", "base 0"}};
  check_least(file, "release offsets\nbase 0 T3b 0 1 13\n", claims);
  const auto low = of_single_nodes("release offsets\nbase 0 T3b 0 1 129/10\n", claims);
  CHECK(first_refused(file, by_hand(file, low)).find("s >= G(s) + S does not hold") != std::string::npos);
  const auto preempted = of_single_nodes("release offsets\nbase 0 T3 0 1 13\n", claims);
  CHECK(first_refused(file, by_hand(file, preempted)).find("needs preemption") != std::string::npos);
}

TEST_CASE("Under FIFO T3 and T3b are for R <= T: 91 of 95, but not 92 of 90") {
  // The least s are 424/3 and 1000/7; R = 40 + (s - 40)/2.
  const std::string more = ", sequential: true";
  for (const char* const theorem : {"T3", "T3b"}) {
    const std::string head = std::string("release offsets\nbase 0 ") + theorem + " 0 1 ";
    const auto statements = [&](const std::string& s, int R) {
      return of_single_nodes(head + s + "\n", {{R, "0", "base 0"}, {R, "0", "base 0"}, {R, "0", "base 0"}});
    };
    const std::string fits = processors(2, "FIFO", {{40, 95}, {40, 95}, {40, 95}}, more);
    CHECK(first_refused(fits, by_hand(fits, statements("142", 91))) == "");
    const std::string waits = processors(2, "FIFO", {{40, 90}, {40, 90}, {40, 90}}, more);
    CHECK(first_refused(waits, by_hand(waits, statements("143", 92))).find("a sequential node may still run") != std::string::npos);
    const std::string by_release = processors(2, "LP", {{40, 90}, {40, 90}, {40, 90}}, more);
    CHECK(first_refused(by_release, by_hand(by_release, statements("143", 92))) == "");
  }
}

TEST_CASE("Under FIFO nodes that are released early have no predecessors") {
  // 20 + 30 each; two nodes beside each other, or one after the other.
  const auto file = [](const std::string& scheduler, const std::string& edges) {
    return "platform: {cpu: {processors: 1, scheduler: " + scheduler +
           "}}\ntime_unit: ns\ndags:\n  - {name: d, T: 100, nodes: {a: {on: cpu, C: 20}, b: {on: cpu, C: 30}}" + edges + "}\n";
  };
  const auto statements = [](int offset) {
    return "release early\nbase 0 T1e 0 1 50\nbound 0 0 0 50 0 base 0\nbound 0 1 " + std::to_string(offset) + " 50 0 base 0\nend 0 " +
           std::to_string(offset + 50) + "\nverdict schedulable\n";
  };
  const std::string sources = file("FIFO", "");
  CHECK(first_refused(sources, by_hand(sources, statements(0))) == "");
  const std::string chain = file("FIFO", ", edges: [a -> b]");
  CHECK(first_refused(chain, by_hand(chain, statements(50))).find("may be ready before its offset") != std::string::npos);
  const std::string by_release = file("LP", ", edges: [a -> b]");
  CHECK(first_refused(by_release, by_hand(by_release, statements(50))) == "");
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

}  // namespace
