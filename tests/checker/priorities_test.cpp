// T7, T11, T11b, T11g and T11j: certificates written by hand with the numbers of docs/theory.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "claims.hpp"

namespace {

using rta::test::by_hand;
using rta::test::check_each;
using rta::test::check_least;
using rta::test::Claimed;
using rta::test::first_refused;
using rta::test::of_single_nodes;
using rta::test::OfNode;
using rta::test::on_completion;
using rta::test::processors;

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

TEST_CASE("T7: three priorities, (2, 10), (3, 20), (5, 40): 7, 11.75 and 12.69; weights and carries are of the kernel's priority") {
  const std::string file =
      "platform: {gpu: {sms: 1, threads: 32}}\ntime_unit: ns\ntasks:\n  - {name: a, on: gpu, T: 10, B: 1, H: 32, L: 2, priority: 5}\n"
      "  - {name: b, on: gpu, T: 20, B: 1, H: 32, L: 3, priority: 3}\n  - {name: c, on: gpu, T: 40, B: 1, H: 32, L: 5}\n";
  const auto head = [](const std::string& middle, const std::string& carry) {
    return "release offsets\nweights 0 0 5 32 1\nweights 1 0 " + middle +
           " 32 1\nweights 2 0 low 32 1\nbase 0 T7 0 0 all-resident\nbase 1 T7 0 1 " + carry + "\nbase 2 T7 0 2 resident\n";
  };
  const std::vector<Claimed> claims{{7, "-", "base 0"}, {12, "-", "base 1"}, {13, "-", "base 2"}};
  check_least(file, head("3", "all-resident"), claims);
  const auto refused = [&](const std::string& middle, const std::string& carry) {
    return first_refused(file, by_hand(file, of_single_nodes(head(middle, carry), claims)));
  };
  CHECK(refused("5", "all-resident").find("the weights are not for this priority") != std::string::npos);
  CHECK(refused("low", "resident").find("the weights are not for this priority") != std::string::npos);
  CHECK(refused("only", "resident").find("the weights are not for these priorities") != std::string::npos);
  CHECK_THROWS_WITH_AS(static_cast<void>(refused("3", "resident")), "certificate:15: this carry is not for this priority",
                       checker::BadInput);
  CHECK_THROWS_WITH_AS(static_cast<void>(refused("3", "light")), "certificate:15: this carry is not for this priority", checker::BadInput);
}

TEST_CASE("T11g: three priorities, one block at a time, 1 above 2 above 10: 11, 13 and 13; weights are of the lowest") {
  const std::string file =
      "platform: {gpu: {sms: 1, threads: 32}}\ntime_unit: ns\ntasks:\n  - {name: a, on: gpu, T: 50, B: 1, H: 32, L: 1, priority: 5}\n"
      "  - {name: b, on: gpu, T: 60, B: 1, H: 32, L: 2, priority: 3}\n  - {name: c, on: gpu, T: 70, B: 1, H: 32, L: 10, priority: high}\n";
  const std::vector<OfNode> bounds{{0, 0, 11, "-", "T11g"}, {1, 0, 13, "-", "T11g"}, {2, 0, 13, "-", "T11g"}};
  check_each(file, "weights 0 0 high 32 1\ncounted 0 0\n", bounds);
  for (const char* level : {"only", "low", "3", "5"}) {
    CAPTURE(level);
    const auto text = on_completion(fmt::format("weights 0 0 {} 32 1\ncounted 0 0\n", level), bounds);
    CHECK(first_refused(file, by_hand(file, text)).find("the weights are of another GPU, or not for all of its kernels") !=
          std::string::npos);
  }
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

}  // namespace
