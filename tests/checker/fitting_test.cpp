// Certificates of T10p, T10d, T10w and T10m, with the numbers of docs/theory/path.md.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "certified.hpp"
#include "rta/analysis/option_table.hpp"

namespace {

using rta::test::by_hand;
using rta::test::first_refused;

/// Of DAG d and node v: R, its rule.
struct Claim {
  int d, v, R;
  const char* rule;
};

std::string with(const std::string& head, const std::vector<Claim>& claims) {
  std::string text = "release completion\n" + head;
  std::vector<int> end;
  for (const Claim& c : claims) {
    text += fmt::format("bound {} {} 0 {} - {}\n", c.d, c.v, c.R, c.rule);
    end.resize(static_cast<std::size_t>(c.d) + 1);
    end.back() = std::max(end.back(), c.R);
  }
  for (std::size_t d = 0; d < end.size(); ++d) text += fmt::format("end {} {}\n", d, end[d]);
  return text + "verdict schedulable\n";
}

std::string refused(const std::string& file, const std::string& head, const std::vector<Claim>& claims) {
  return first_refused(file, by_hand(file, with(head, claims)));
}

void check_each(const std::string& file, const std::string& head, const std::vector<Claim>& claims) {
  CHECK(refused(file, head, claims) == "");
  for (std::size_t i = 0; i < claims.size(); ++i) {
    auto lower = claims;
    --lower[i].R;
    CAPTURE(i);
    CHECK(refused(file, head, lower) != "");
  }
}

constexpr const char* too_low = "the theorem gives no less than";

std::string two_chains(int m) {
  const std::string nodes = "nodes: {a: {on: cpu, C: 1}, b: {on: cpu, C: 2}, c: {on: cpu, C: 3}}, edges: [a -> b -> c]";
  return fmt::format("platform: {{cpu: {{processors: {}, scheduler: FIFO}}}}\ntime_unit: ns\ndags:\n", m) + "  - {name: one, T: 20, " +
         nodes + "}\n  - {name: two, T: 20, " + nodes + "}\n";
}

constexpr const char* one_lane_each = "lanes 0 0 0 0\nlanes 1 0 0 0\n";

std::string single(const std::vector<std::vector<int>>& C_T) {
  std::string file = "platform: {cpu: {processors: 1, scheduler: FP}}\ntime_unit: ns\ntasks:\n";
  for (std::size_t i = 0; i < C_T.size(); ++i) {
    file += fmt::format("  - {{name: t{}, on: cpu, C: {}, T: {}, priority: {}}}\n", i, C_T[i][0], C_T[i][1], 10 - i);
  }
  return file;
}

}  // namespace

// m = 2: a (5) -> b (2), then c (3) elsewhere; after b also d (1) on a third pool, then e (2) beside a and b. T10n counts e for c.
TEST_CASE("T10p: what follows all of a path's nodes on the pool does not count: 10 where T10n has 11") {
  const std::string file =
      "platform: {p: {processors: 2, scheduler: FIFO}, q: {processors: 1, scheduler: FIFO}, r: {processors: 1, scheduler: FIFO}}\n"
      "time_unit: ns\ndags:\n  - {name: d, T: 100, nodes: {a: {on: p, C: 5}, b: {on: p, C: 2}, c: {on: q, C: 3}, d: {on: r, C: 1}, "
      "e: {on: p, C: 2}}, edges: [a -> b -> c, b -> d -> e]}\n";
  const auto claims = [](int c, const char* rule) {
    return std::vector<Claim>{{0, 0, 5, "T10p"}, {0, 1, 7, "T10p"}, {0, 2, c, rule}, {0, 3, 8, "T10p"}, {0, 4, 10, "T10p"}};
  };
  check_each(file, "", claims(10, "T10p"));
  CHECK(refused(file, "", claims(10, "T10n")).find("no less than 11") != std::string::npos);
}

// m = 1: a (4) and, elsewhere, b (1), then c (2) on a's pool. To c no node is parallel.
TEST_CASE("T10p: the path by b waits for nothing: 6 where T10n has 7") {
  const std::string file =
      "platform: {p: {processors: 1, scheduler: FIFO}, q: {processors: 1, scheduler: FIFO}}\ntime_unit: ns\ndags:\n"
      "  - {name: d, T: 100, nodes: {a: {on: p, C: 4}, b: {on: q, C: 1}, c: {on: p, C: 2}}, edges: [a -> c, b -> c]}\n";
  check_each(file, "", {{0, 0, 4, "T10p"}, {0, 1, 1, "T10p"}, {0, 2, 6, "T10p"}});
  CHECK(refused(file, "", {{0, 0, 4, "T10p"}, {0, 1, 1, "T10p"}, {0, 2, 6, "T10n"}}).find("no less than 7") != std::string::npos);
}

TEST_CASE("T10p is for preemptive pools") {
  const std::string file =
      "platform: {cpu: {processors: 1, scheduler: FP, preemptive: false}}\ntime_unit: ns\ntasks:\n  - {name: a, on: cpu, T: 10, C: 2}\n";
  CHECK(refused(file, "", {{0, 0, 9, "T10p"}}).find("for preemptive pools") != std::string::npos);
}

// Of d's jobs, 8 each that end by 6, one does 8 beside k, two no more than 2 h((9 + 6 - 12)/2) = 6: 5 + 8/2 = 9.
TEST_CASE("T10d: under fixed priorities two DAGs on two processors: 6 and 9 where T11 has 13") {
  const std::string file =
      "platform: {cpu: {processors: 2, scheduler: FP}}\ntime_unit: ns\ndags:\n"
      "  - {name: d, T: 12, priority: 2, nodes: {a: {on: cpu, C: 4}, b: {on: cpu, C: 4}}, edges: []}\n"
      "  - {name: k, T: 20, priority: 1, nodes: {a: {on: cpu, C: 5}}, edges: []}\n";
  const std::string lanes = "lanes 0 0 1\nlanes 1 0\n";
  check_each(file, lanes, {{0, 0, 6, "T11"}, {0, 1, 6, "T11"}, {1, 0, 9, "T10d"}});
  CHECK(refused(file, "", {{0, 0, 6, "T11"}, {0, 1, 6, "T11"}, {1, 0, 9, "T11"}}).find(too_low) != std::string::npos);
}

// By its age d, 8 + (10 + I)/3 with I of none, has 3 x 2 left 3 before 11.5 and 10 at 4: t = 4.5, B(4) = 10 and h(9 - 4.5) = 11, 6 + 21/3.
TEST_CASE("T10d: of a job carried in no more is left than its age allows: 13 where all that fits has 14") {
  const std::string file =
      "platform: {cpu: {processors: 3, scheduler: FP}}\ntime_unit: ns\ndags:\n"
      "  - {name: d, T: 16, priority: 2, nodes: {a: {on: cpu, C: 4}, b: {on: cpu, C: 4}, c: {on: cpu, C: 1}, d: {on: cpu, C: 4}, "
      "e: {on: cpu, C: 1}, f: {on: cpu, C: 4}}, edges: [a -> c, a -> d, b -> e, b -> f]}\n"
      "  - {name: k, T: 20, priority: 1, nodes: {a: {on: cpu, C: 6}}, edges: []}\n";
  const auto at = [&](int k, const std::string& family) {
    return refused(file, "lanes 0 0 1 0 3 1 5\nlanes 1 0\n" + family,
                   {{0, 0, 7, "T11"},
                    {0, 1, 7, "T11"},
                    {0, 2, 10, "T11"},
                    {0, 3, 12, "T11"},
                    {0, 4, 10, "T11"},
                    {0, 5, 12, "T11"},
                    {1, 0, k, "T10d"}});
  };
  const std::string two_chains = "family 0 1 2 0 1 0 2\n";  // K_2 = 16
  CHECK(at(13, two_chains) == "");
  CHECK(at(12, two_chains) != "");
  CHECK(at(15, "") != "");  // K_1 alone: h(6) = 6 + 10, B(5.5) = 12, 6 + 28/3
  CHECK(at(16, "") == "");
}

// d: lim = -8, h(1) = 1 of k fits, 4 + (4 + 1)/2 = 6.5. k: lim = 8, 8 of d fit, 5 + 8/2 = 9.
TEST_CASE("T10d: under G-EDF two DAGs on two processors: 7 and 9") {
  const std::string file =
      "platform: {cpu: {processors: 2, scheduler: G-EDF}}\ntime_unit: ns\ndags:\n"
      "  - {name: d, T: 12, D: 12, nodes: {a: {on: cpu, C: 4}, b: {on: cpu, C: 4}}, edges: []}\n"
      "  - {name: k, T: 20, D: 20, nodes: {a: {on: cpu, C: 5}}, edges: []}\n";
  const auto at = [&](int d, int k) {
    return first_refused(
        file, by_hand(file, fmt::format("release completion\nlanes 0 0 1\nlanes 1 0\nbound 0 0 0 {0} 12 T10d\nbound 0 1 0 {0} 12 T10d\n"
                                        "bound 1 0 0 {1} 20 T10d\nend 0 {0}\nend 1 {1}\nverdict schedulable\n",
                                        d, k)));
  };
  CHECK(at(7, 9) == "");
  CHECK(at(6, 9) != "");
  CHECK(at(7, 8) != "");
}

// a (1) before b (2), and less urgent 10, 10, 8, 6: a waits for 20/2; of b's path one processor at least runs nothing less urgent: 3 +
// 20/2.
TEST_CASE("T10d: without preemption less urgent work blocks a path's nodes together") {
  const std::string file =
      "platform: {cpu: {processors: 2, scheduler: FP, preemptive: false}}\ntime_unit: ns\ndags:\n"
      "  - {name: k, T: 100, priority: 2, nodes: {a: {on: cpu, C: 1}, b: {on: cpu, C: 2}}, edges: [a -> b]}\n"
      "  - {name: w, T: 100, priority: 1, nodes: {a: {on: cpu, C: 10}}, edges: []}\n"
      "  - {name: x, T: 100, priority: 1, nodes: {a: {on: cpu, C: 10}}, edges: []}\n"
      "  - {name: y, T: 100, priority: 1, nodes: {a: {on: cpu, C: 8}}, edges: []}\n"
      "  - {name: z, T: 100, priority: 1, nodes: {a: {on: cpu, C: 6}}, edges: []}\n";
  const std::vector<Claim> claims{{0, 0, 11, "T11"}, {0, 1, 13, "T10d"}, {1, 0, 24, "T11"},
                                  {2, 0, 24, "T11"}, {3, 0, 23, "T10d"}, {4, 0, 22, "T11"}};
  check_each(file, "lanes 0 0 0\nlanes 1 0\nlanes 2 0\nlanes 3 0\nlanes 4 0\n", claims);
}

// Within [0, 12) all of 1 + 2 + 3 of the other chain fits once: 6 + 6. Its waiting of 6 ns is less than 12 + 1 halves of a ns.
TEST_CASE("T10w: two chains of 1, 2, 3 on one FIFO processor: 7, 9, 12") {
  const auto claims = [](int a, int b, int c) {
    return std::vector<Claim>{{0, 0, a, "T10n"}, {0, 1, b, "T10n"}, {0, 2, c, "T10w 0 0 0 13"},
                              {1, 0, 7, "T10n"}, {1, 1, 9, "T10n"}, {1, 2, 12, "T10w 0 0 0 13"}};
  };
  check_each(two_chains(1), one_lane_each, claims(7, 9, 12));
}

TEST_CASE("T10w: no cut but one that the waiting is below is taken") {
  const auto at = [](const char* rule) {
    return refused(
        two_chains(1), one_lane_each,
        {{0, 0, 7, "T10n"}, {0, 1, 9, "T10n"}, {0, 2, 12, rule}, {1, 0, 7, "T10n"}, {1, 1, 9, "T10n"}, {1, 2, 12, "T10w 0 0 0 13"}});
  };
  CHECK(at("T10w 0 0 0 13") == "");
  CHECK(at("T10w 0 0 0 12").find("paths may wait for as long as") != std::string::npos);
  CHECK(at("T10w 0 0 0 0").find("paths may wait for as long as") != std::string::npos);
  CHECK(at("T10w 0 0 0 -1").find("a cut is below 0") != std::string::npos);
  CHECK(at("T10w").find("no cut is given") != std::string::npos);
  CHECK(at("T10w 0 0 7 13").find("no cut is given") != std::string::npos);
  CHECK_THROWS_AS(static_cast<void>(at("T10w 0 0 0")), checker::BadInput);
}

TEST_CASE("T10w: the same on two processors never wait: 1, 3, 6") {
  const std::vector<Claim> claims{{0, 0, 1, "T10w 0 0 0 0"}, {0, 1, 3, "T10w 0 0 0 0"}, {0, 2, 6, "T10w 0 0 0 0"},
                                  {1, 0, 1, "T10w 0 0 0 0"}, {1, 1, 3, "T10w 0 0 0 0"}, {1, 2, 6, "T10w 0 0 0 0"}};
  check_each(two_chains(2), one_lane_each, claims);
}

TEST_CASE("T10w: nodes in lanes of their own may run side by side, which is taken to be so") {
  // Without lanes, three nodes of the other chain could run at once: two processors might wait.
  const std::vector<Claim> claims{{0, 0, 1, "T10w 0 0 0 0"}, {0, 1, 3, "T10w 0 0 0 0"}, {0, 2, 6, "T10w 0 0 0 0"},
                                  {1, 0, 1, "T10w 0 0 0 0"}, {1, 1, 3, "T10w 0 0 0 0"}, {1, 2, 6, "T10w 0 0 0 0"}};
  CHECK(refused(two_chains(2), "", claims).find("paths may wait for as long as") != std::string::npos);
}

TEST_CASE("T10w: nodes that may run side by side are not of one lane") {
  const std::string file =
      "platform: {cpu: {processors: 2, scheduler: FIFO}}\ntime_unit: ns\ndags:\n"
      "  - {name: d, T: 20, nodes: {a: {on: cpu, C: 1}, b: {on: cpu, C: 2}}}\n";
  const std::vector<Claim> claims{{0, 0, 2, "T10n"}, {0, 1, 3, "T10n"}};
  CHECK(refused(file, "lanes 0 0 1\n", claims) == "");
  CHECK(refused(file, "lanes 0 0 0\n", claims).find("neither before nor after") != std::string::npos);
  CHECK_THROWS_AS(static_cast<void>(refused(file, "lanes 0 0\n", claims)), checker::BadInput);
  CHECK_THROWS_AS(static_cast<void>(refused(file, "lanes 0 1 0\nlanes 0 0 1\n", claims)), checker::BadInput);
}

// Within 10, 1 fits at 0, 4, 8 and 2 at 0 and 6. (2, 4) above (4, 8): U = 1, where T11 has no solution.
TEST_CASE("T10w under fixed priorities: 1, 3, 10; 2 and 8") {
  check_each(single({{1, 4}, {2, 6}, {3, 13}}), "", {{0, 0, 1, "T11"}, {1, 0, 3, "T11"}, {2, 0, 10, "T10w 0 0 8 15"}});
  check_each(single({{2, 4}, {4, 8}}), "", {{0, 0, 2, "T11"}, {1, 0, 8, "T10w 0 0 9 9"}});
}

// A node of length 0 after 3, and a stranger of 2 on the processor: 3 + 2 is not enough, but 5 and a least unit.
TEST_CASE("T10w: a node of length 0 counts as the least unit of time") {
  const std::string file =
      "platform: {cpu: {processors: 1, scheduler: FIFO}}\ntime_unit: ns\ndags:\n"
      "  - {name: d, T: 50, nodes: {a: {on: cpu, C: 3}, z: {on: cpu, C: 0}}, edges: [a -> z]}\n"
      "  - {name: e, T: 50, nodes: {x: {on: cpu, C: 2}}}\n";
  const auto at = [&](int R) { return refused(file, "lanes 0 0 0\n", {{0, 0, 5, "T10n"}, {0, 1, R, "T10w 0 0 0 5"}, {1, 0, 5, "T10n"}}); };
  CHECK(at(6) == "");
  CHECK(at(5).find(too_low) != std::string::npos);
}

// m = 2: a1 (5) -> a2 (4), b1 (4) -> b2 (5), a1 -> n (1) -> b2.
TEST_CASE("T10m: two chains of 9 each and 1 beside them: 12 where T10n has 15") {
  const std::string file =
      "platform: {cpu: {processors: 2, scheduler: FIFO}}\ntime_unit: ns\ndags:\n  - {name: d, T: 100, nodes: {a1: {on: cpu, C: 5}, "
      "a2: {on: cpu, C: 4}, b1: {on: cpu, C: 4}, b2: {on: cpu, C: 5}, n: {on: cpu, C: 1}}, edges: [a1 -> a2, b1 -> b2, a1 -> n -> b2]}\n";
  const auto claims = [](const char* rule) {
    return std::vector<Claim>{
        {0, 0, 7, "T10n"}, {0, 1, 12, "T10m 1 0 0 1 0 2 1 3 1"}, {0, 2, 9, "T10n"}, {0, 3, 12, rule}, {0, 4, 10, "T10n"}};
  };
  check_each(file, "", claims("T10m 1 0 0 1 0 2 1 3 1"));
  // n and b2 beside a1; of what is before b2 alone a1, n and b2 weigh 11, b1 the rest, and a2 is beside them: 11 + 4.
  CHECK(refused(file, "", claims("T10n")).find("no less than 15") != std::string::npos);
  CHECK(refused(file, "", claims("T10m 0 0 0 4 0 3 0 2 1")).find("no less than 15") != std::string::npos);
  CHECK(refused(file, "", claims("T10m 1 0 0 2 0 3 0")).find("two nodes of a chain are neither") != std::string::npos);
  CHECK(refused(file, "", claims("T10m 1 0 0 0 1")).find("none of these, or in a chain already") != std::string::npos);
  CHECK(refused(file, "", claims("T10m 0 1 0 3 1")).find("none of these, or in a chain already") != std::string::npos);
  CHECK(refused(file, "", claims("T10m 1 0 0 2 1 4 2")).find("more than processors") != std::string::npos);
  CHECK(refused(file, "", claims("T10m 1")).find("there are no chains") != std::string::npos);
  CHECK_THROWS_AS(static_cast<void>(refused(file, "", claims("T10m"))), checker::BadInput);
  CHECK_THROWS_AS(static_cast<void>(refused(file, "", claims("T10m 1 0"))), checker::BadInput);
}

TEST_CASE("all bounds with --fitting are certified") {
  const auto set =
      rta::io::parse_task_set(
          "platform: {cpu: {processors: 2, scheduler: G-EDF}}\ntime_unit: ns\ndags:\n"
          "  - {name: one, T: 30, nodes: {a: {on: cpu, C: 4}, b: {on: cpu, C: 4}, c: {on: cpu, C: 1}}, edges: [a -> b, a -> c]}\n"
          "  - {name: two, T: 30, nodes: {a: {on: cpu, C: 4}, b: {on: cpu, C: 4}, c: {on: cpu, C: 3}}, edges: [a -> b, a -> c]}\n",
          "set.yaml")
          .task_set;
  const auto made = rta::test::certified(set, rta::analysis::options_of({{"release", "completion"}, {"fitting", "true"}}));
  CHECK(made.certificate.uncertified.empty());
  CHECK(made.certificate.text.find(" T10w 0 0 0 ") != std::string::npos);
  CHECK(first_refused(made.file, made.certificate.text) == "");
}
