// Certificates of task sets whose releases are late: with T - J as the period, and T12; chains over them and with known phases.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "certified.hpp"

namespace {

using namespace rta;

// (2, T = 10, J = 6) and a DAG of 3 before 1 on one processor, as in docs/theory/jitter.md.
std::string file_of(const std::string& jitter) {
  return "platform: {cpu: {processors: 1, scheduler: FIFO}}\ntime_unit: ns\ndags:\n"
         "  - {name: late, T: 10" +
         jitter +
         ", nodes: {a: {on: cpu, C: 2}}}\n"
         "  - {name: chain, T: 30, nodes: {a: {on: cpu, C: 3}, b: {on: cpu, C: 1}}, edges: [a -> b]}\n";
}

/// `bounds` as statements, and the ends of the DAGs.
std::string certificate_with(const std::vector<std::string>& bounds, const std::vector<int>& ends, const std::string& more = "") {
  std::string text = "release completion\n";
  for (const std::string& bound : bounds) text += bound + "\n";
  for (std::size_t d = 0; d < ends.size(); ++d) text += fmt::format("end {} {}\n", d, ends[d]);
  return text + more + "verdict schedulable\n";
}

/// Each bound is verified, and refused when it is 1 ns lower while the others stay.
void check_each(const std::string& file, const std::vector<std::string>& bounds, const std::vector<int>& ends,
                const std::string& more = "") {
  CHECK(test::first_refused(file, test::by_hand(file, certificate_with(bounds, ends, more))) == "");
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    auto lower = bounds;
    const auto R = lower[i].rfind(" 0 ") + 3;
    const auto length = lower[i].find(' ', R) - R;
    lower[i].replace(R, length, std::to_string(std::stoi(lower[i].substr(R, length)) - 1));
    CAPTURE(lower[i]);
    CHECK(test::first_refused(file, test::by_hand(file, certificate_with(lower, ends, more))) != "");
  }
}

test::Certified released(Release release, const std::string& jitter) {
  analysis::Options options;
  options.release = release;
  return test::certified(io::parse_task_set(file_of(jitter), "set.yaml").task_set, options);
}

}  // namespace

TEST_CASE("At offsets bounds with jitter are certified, and those of the set without it are refused where they do not hold") {
  const auto late = released(Release::offsets, ", jitter: 6");
  CHECK(late.certificate.uncertified.empty());
  CHECK(test::first_refused(late.file, late.certificate.text) == "");
  const auto plain = released(Release::offsets, "");
  CHECK(test::first_refused(plain.file, plain.certificate.text) == "");
  // With J = 9 two releases may be 1 apart: 2 + 4/30 > 1. Nominal periods have bounds; what was proven without the jitter is refused.
  const auto nominal = released(Release::offsets, ", jitter: 9");
  REQUIRE(nominal.proof.dags[0].bound);
  CHECK(nominal.certificate.text.find(" late\n") != std::string::npos);
  CHECK(test::first_refused(nominal.file, nominal.certificate.text) == "");
  const std::string statements = plain.certificate.text.substr(plain.certificate.text.find("release "));
  CHECK(test::first_refused(nominal.file, test::by_hand(nominal.file, statements)) != "");
}

TEST_CASE("T12: 8 on one FIFO processor, and 7 and 10 of the other DAG") {
  const auto late = released(Release::completion, ", jitter: 8");  // 2/2 + 4/30 > 1 with the shorter period: T12 and T12j alone have bounds
  REQUIRE(late.proof.dags[1].bound);
  CHECK(late.certificate.uncertified.empty());
  CHECK(test::first_refused(late.file, late.certificate.text) == "");
  check_each(late.file, {"bound 0 0 0 8 - T12", "bound 1 0 0 7 - T12", "bound 1 1 0 10 - T12"}, {8, 10});
}

// A period of 4 in place of 10 and a jitter: 2 + 2 ceil(8/4) - 2 + 3 + 1 ... whichever is less is printed, and both hold.
TEST_CASE("Bounds with periods less the jitter are verified beside those of T12") {
  const std::string file = file_of(", jitter: 6");
  check_each(file, {"bound 0 0 0 8 - T12", "bound 1 0 0 7 - T10n", "bound 1 1 0 10 - T12"}, {8, 10});
}

TEST_CASE("T12 under fixed priorities: (2, T = 10, J = 8) above 5 before 2: 2, 9 and 13") {
  const std::string file =
      "platform: {cpu: {processors: 1, scheduler: FP}}\ntime_unit: ns\ndags:\n"
      "  - {name: late, T: 10, jitter: 8, priority: 2, nodes: {a: {on: cpu, C: 2}}}\n"
      "  - {name: chain, T: 40, priority: 1, nodes: {a: {on: cpu, C: 5}, b: {on: cpu, C: 2}}, edges: [a -> b]}\n";
  check_each(file, {"bound 0 0 0 2 - T12", "bound 1 0 0 9 - T12", "bound 1 1 0 13 - T12"}, {2, 13});
}

TEST_CASE("Without its jitter a DAG has a smaller bound by T12") {
  // The first DAG's own earlier job no longer counts: 2 + 3 + 1 = 6.
  const std::string plain = file_of("");
  CHECK(test::first_refused(
            plain, test::by_hand(plain, certificate_with({"bound 0 0 0 6 - T12", "bound 1 0 0 5 - T12", "bound 1 1 0 8 - T12"}, {6, 8}))) ==
        "");
  const std::string late = file_of(", jitter: 6");
  CHECK(test::first_refused(
            late, test::by_hand(late, certificate_with({"bound 0 0 0 6 - T12", "bound 1 0 0 5 - T12", "bound 1 1 0 8 - T12"}, {6, 8}))) !=
        "");
}

TEST_CASE("T12 without preemption: what blocks is counted by releases T - J apart") {
  const auto file = [](const std::string& scheduler, const std::string& first, const std::string& second) {
    return "platform: {cpu: {processors: 1, scheduler: " + scheduler + ", preemptive: false}}\ntime_unit: ns\ntasks:\n" +
           "  - {name: late, on: cpu, T: 10, jitter: 6, C: 2, " + first + "}\n  - {name: other, on: cpu, T: 40, C: 5, " + second + "}\n";
  };
  check_each(file("G-EDF", "D: 10", "D: 46"), {"bound 0 0 0 9 10 T12", "bound 1 0 0 11 46 T12"}, {9, 11});
  check_each(file("FP", "priority: 2", "priority: 1"), {"bound 0 0 0 9 - T12", "bound 1 0 0 11 - T12"}, {9, 11});
}

TEST_CASE("Under fixed priorities by deadline a late DAG ranks by T, not by T - J") {
  const std::string file =
      "platform: {cpu: {processors: 1, scheduler: FP}}\ntime_unit: ns\ntasks:\n"
      "  - {name: late, on: cpu, T: 30, jitter: 25, C: 1}\n  - {name: plain, on: cpu, T: 20, C: 2}\n";
  const auto made = test::certified(io::parse_task_set(file, "set.yaml").task_set);
  CHECK(made.certificate.text.find("node 1 0 plain 0 2 priority 2\n") != std::string::npos);
  CHECK(test::first_refused(made.file, made.certificate.text) == "");
}

// late: T_max = 10, J = 6, F = 8; chain: 30, 10: 10 + 6 + 8 + 30 + 10 = 64.
TEST_CASE("T13 over a late DAG: two of its releases in a row are up to T + J apart") {
  const std::string file = file_of(", jitter: 6") + "chains:\n  - {name: c, stages: [late, chain]}\n";
  const std::vector<std::string> bounds{"bound 0 0 0 8 - T12", "bound 1 0 0 7 - T12", "bound 1 1 0 10 - T12"};
  CHECK(test::first_refused(file, test::by_hand(file, certificate_with(bounds, {8, 10}, "latencies 0 64 48 34 64\n"))) == "");
  for (const char* low : {"63 48 34 64", "64 47 34 64", "64 48 33 64", "64 48 34 63"}) {
    CHECK(test::first_refused(file, test::by_hand(file, certificate_with(bounds, {8, 10}, fmt::format("latencies 0 {}\n", low))))
              .find("the theorem gives no less than") != std::string::npos);
  }
}

// (T, F, phi) = (10, 4, 0), (20, 6, 5): D = 15, S = 10 + 15 + 6 = 31, as in docs/theory/chains.md.
TEST_CASE("T13 with known phases: 31, and 40 without one of them") {
  const auto file = [](const char* phase) {
    return fmt::format(
        "platform: {{a: {{processors: 1, scheduler: FIFO}}, b: {{processors: 1, scheduler: FIFO}}}}\ntime_unit: ns\ntasks:\n"
        "  - {{name: camera, on: a, T: 10, phase: 0, C: 4}}\n  - {{name: brake, on: b, T: 20{}, C: 6}}\n"
        "chains:\n  - {{name: c, stages: [camera, brake]}}\n",
        phase);
  };
  const std::vector<std::string> bounds{"bound 0 0 0 4 - T10n", "bound 1 0 0 6 - T10n"};
  const auto refused = [&](const char* phase, const char* latencies) {
    const std::string text = fmt::format("latencies 0 {}\n", latencies);
    return test::first_refused(file(phase), test::by_hand(file(phase), certificate_with(bounds, {4, 6}, text)));
  };
  CHECK(refused(", phase: 5", "31 21 11 31") == "");
  CHECK(refused(", phase: 5", "30 21 11 31") != "");
  CHECK(refused(", phase: 4", "30 20 10 30") == "");
  CHECK(refused("", "31 21 11 31") != "");
  CHECK(refused("", "40 30 20 40") == "");
  const auto made = test::certified(io::parse_task_set(file(", phase: 5"), "set.yaml").task_set);
  CHECK(test::first_refused(made.file, made.certificate.text) == "");
}

TEST_CASE("T12 with kernels of two priorities: blocks by releases T - J apart, all else by T12: 11 and 12") {
  // (1, 1), T = 50, J = 30, above (10, 1), T = 60, J = 40: 1 + 10, as 20 apart holds one; 10 + ceil((11 + 12 + 30)/50).
  const std::string file =
      "platform: {gpu: {sms: 1, threads: 32}}\ntime_unit: ns\ntasks:\n"
      "  - {name: high, on: gpu, T: 50, jitter: 30, B: 1, H: 32, L: 1, priority: high}\n"
      "  - {name: low, on: gpu, T: 60, jitter: 40, B: 1, H: 32, L: 10}\n";
  const auto with = [&](int high, int low) {
    return test::by_hand(file, certificate_with({"weights 0 0 low 32 1", "counted 0 0", fmt::format("bound 0 0 0 {} - T12", high),
                                                 fmt::format("bound 1 0 0 {} - T12", low)},
                                                {high, low}));
  };
  CHECK(test::first_refused(file, with(11, 12)) == "");
  CHECK(test::first_refused(file, with(10, 12)).find("no less than 11") != std::string::npos);
  CHECK(test::first_refused(file, with(11, 11)).find("no less than 12") != std::string::npos);
}

// The examples of docs/theory/jitter.md.
TEST_CASE("T12j: on FIFO, GEL and FP pools of one processor") {
  const auto file = [](const std::string& scheduler, const std::string& first, const std::string& second) {
    return "platform: {cpu: {processors: 1, scheduler: " + scheduler + "}}\ntime_unit: ns\ndags:\n  - {name: late, " + first +
           "}}}\n  - {name: other, " + second + "}}}\n";
  };
  check_each(file("FIFO", "T: 10, jitter: 4, nodes: {a: {on: cpu, C: 5", "T: 10, nodes: {a: {on: cpu, C: 5"),
             {"bound 0 0 0 12 - T12j", "bound 1 0 0 12 - T12j"}, {12, 12});
  check_each(file("G-EDF", "T: 8, jitter: 4, D: 8, nodes: {a: {on: cpu, C: 3", "T: 8, D: 12, nodes: {a: {on: cpu, C: 4"),
             {"bound 0 0 0 7 8 T12j", "bound 1 0 0 10 12 T12j"}, {7, 10});
  const std::string fixed =
      file("FP", "T: 5, jitter: 3, priority: 2, nodes: {a: {on: cpu, C: 3", "T: 20, priority: 1, nodes: {a: {on: cpu, C: 4");
  check_each(fixed, {"bound 0 0 0 4 - T12j 3 6", "bound 1 0 0 16 - T12j 16"}, {4, 16});
  // As if its own jobs were 5 apart there would be no second start, and 3 would do; the linear form has 3 (1 + 3/5) = 4.8.
  CHECK(test::first_refused(fixed,
                            test::by_hand(fixed, certificate_with({"bound 0 0 0 4 - T12j 3", "bound 1 0 0 16 - T12j 16"}, {4, 16}))) != "");
  CHECK(test::first_refused(fixed, test::by_hand(fixed, certificate_with({"bound 0 0 0 4 - T12j", "bound 1 0 0 16 - T12j 16"}, {4, 16}))) !=
        "");
  CHECK(test::first_refused(fixed, test::by_hand(fixed, certificate_with({"bound 0 0 0 5 - T12j", "bound 1 0 0 16 - T12j 16"}, {5, 16}))) ==
        "");
}

namespace {

/// T10m's example below (1, T = 10, J = 8), in ns.
std::string two_chains_below(const std::string& jitter) {
  return "platform: {cpu: {processors: 2, scheduler: FP}}\ntime_unit: ns\ndags:\n"
         "  - {name: k, T: 100, priority: 1, nodes: {a1: {on: cpu, C: 5}, a2: {on: cpu, C: 4}, b1: {on: cpu, C: 4}, b2: {on: cpu, C: 5}, "
         "n: {on: cpu, C: 1}}, edges: [a1 -> a2, b1 -> b2, a1 -> n -> b2]}\n"
         "  - {name: late, T: 10" +
         jitter + ", priority: 2, nodes: {a: {on: cpu, C: 1}}}\n";
}

}  // namespace

TEST_CASE("T12w: FIFO 8, 7 and 8; under fixed priorities 2, 9 and 11") {
  check_each(file_of(", jitter: 6"), {"bound 0 0 0 8 - T12", "bound 1 0 0 7 - T12w 0 0 0 9", "bound 1 1 0 8 - T12w 0 0 0 9"}, {8, 8},
             "lanes 0 0\nlanes 1 0 0\n");
  const std::string file =
      "platform: {cpu: {processors: 1, scheduler: FP}}\ntime_unit: ns\ndags:\n"
      "  - {name: late, T: 10, jitter: 8, priority: 2, nodes: {a: {on: cpu, C: 2}}}\n"
      "  - {name: chain, T: 40, priority: 1, nodes: {a: {on: cpu, C: 5}, b: {on: cpu, C: 2}}, edges: [a -> b]}\n";
  check_each(file, {"bound 0 0 0 2 - T12", "bound 1 0 0 9 - T12w 0 0 1 9", "bound 1 1 0 11 - T12w 0 0 1 9"}, {2, 11},
             "lanes 0 0\nlanes 1 0 0\n");
}

TEST_CASE("T12w: cuts and bounds that hold without the jitter are refused") {
  // On time no more than one job of 2 meets [0, 6).
  const std::vector<std::string> on_time{"bound 0 0 0 6 - T12", "bound 1 0 0 5 - T12w 0 0 0 5", "bound 1 1 0 6 - T12w 0 0 0 5"};
  const auto refused = [&](const std::string& jitter, const std::vector<std::string>& bounds) {
    const std::string text = "lanes 0 0\nlanes 1 0 0\n";
    return test::first_refused(file_of(jitter), test::by_hand(file_of(jitter), certificate_with(bounds, {8, 8}, text)));
  };
  CHECK(refused("", on_time) == "");
  CHECK(refused(", jitter: 6", on_time) != "");
  const auto with_cut = [](const char* cut) {
    return std::vector<std::string>{"bound 0 0 0 8 - T12", "bound 1 0 0 7 - T12", std::string("bound 1 1 0 8 - T12w 0 0 0 ") + cut};
  };
  CHECK(refused(", jitter: 6", with_cut("9")) == "");
  CHECK(refused(", jitter: 6", with_cut("8")).find("paths may wait for as long as") != std::string::npos);
  // T10w counts with T - J = 4.
  CHECK(refused(", jitter: 6", {"bound 0 0 0 8 - T12", "bound 1 0 0 7 - T12", "bound 1 1 0 8 - T10w 0 0 0 9"}) != "");
}

TEST_CASE("T12m: two long chains below a late job, 15 where T12 has 17") {
  const std::vector<std::string> others{"bound 0 0 0 8 - T12", "bound 0 1 0 16 - T12", "bound 0 2 0 10 - T12"};
  const auto refused = [&](const std::string& jitter, int R, const std::string& rule) {
    std::vector<std::string> bounds = others;
    bounds.push_back(fmt::format("bound 0 3 0 {} - {}", R, rule));
    bounds.push_back("bound 0 4 0 11 - T12");
    bounds.push_back("bound 1 0 0 1 - T12");
    const std::string file = two_chains_below(jitter);
    return test::first_refused(file, test::by_hand(file, certificate_with(bounds, {17, 1}, "lanes 0 0 0 2 2 4\nlanes 1 0\n")));
  };
  CHECK(refused(", jitter: 8", 15, "T12m 1 0 0 1 0 2 1 3 1") == "");
  CHECK(refused(", jitter: 8", 14, "T12m 1 0 0 1 0 2 1 3 1").find("no less than 15") != std::string::npos);
  CHECK(refused(", jitter: 8", 16, "T12").find("no less than 17") != std::string::npos);
  CHECK(refused("", 14, "T12m 1 0 0 1 0 2 1 3 1") == "");  // on time two jobs meet [0, 14)
}

// In L = 9 no more than three jobs' 6 fit: 6 + 6/2.
TEST_CASE("T12d: two nodes of 1 beside each other, T = 4, J = 2, above 6: 9 where T12 has 10") {
  const auto file = [](const std::string& jitter) {
    return "platform: {cpu: {processors: 2, scheduler: FP}}\ntime_unit: ns\ndags:\n  - {name: d, T: 4" + jitter +
           ", priority: 2, nodes: {a: {on: cpu, C: 1}, b: {on: cpu, C: 1}}}\n"
           "  - {name: k, T: 40, priority: 1, nodes: {a: {on: cpu, C: 6}}}\n";
  };
  const auto refused = [&](int R, const char* rule) {
    const std::string late = file(", jitter: 2");
    return test::first_refused(
        late,
        test::by_hand(late, certificate_with({"bound 0 0 0 2 - T12d", "bound 0 1 0 2 - T12d", fmt::format("bound 1 0 0 {} - {}", R, rule)},
                                             {2, R}, "lanes 0 0 1\nlanes 1 0\n")));
  };
  CHECK(refused(9, "T12d") == "");
  CHECK(refused(8, "T12d").find("no less than") != std::string::npos);
  CHECK(refused(9, "T12").find("no less than 10") != std::string::npos);
  CHECK(refused(9, "T10d") != "");  // with T - J = 2
  const std::string blocks =
      "platform: {cpu: {processors: 1, scheduler: FP, preemptive: false}}\ntime_unit: ns\ntasks:\n"
      "  - {name: a, on: cpu, T: 10, jitter: 2, C: 2}\n";
  CHECK(test::first_refused(blocks, test::by_hand(blocks, certificate_with({"bound 0 0 0 9 - T12d"}, {9}))).find("for preemptive pools") !=
        std::string::npos);
}
