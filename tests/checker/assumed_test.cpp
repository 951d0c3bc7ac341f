// What the checker says a run must do, and the file does not say.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "claims.hpp"

namespace {

using rta::test::by_hand;
using rta::test::of_single_nodes;
using rta::test::on_completion;
using rta::test::processors;

using Lines = std::vector<std::string>;

Lines assumed(const std::string& file, const std::string& statements) {
  const checker::Outcome outcome = checker::check(file, by_hand(file, statements));
  for (const checker::Verdict& verdict : outcome.verdicts) {
    CAPTURE(verdict.statement);
    CAPTURE(verdict.why);
    CHECK(verdict.verified);
  }
  return outcome.assumptions;
}

/// 1 before 1 on one processor without preemption, under this scheduler, and a less urgent stranger of 5.
std::string two_before(const std::string& scheduler) {
  return "platform: {cpu: {processors: 1, scheduler: " + scheduler +
         ", preemptive: false}}\ntime_unit: ns\ndags:\n"
         "  - {name: d, T: 100, D: 50, nodes: {u: {on: cpu, C: 1}, v: {on: cpu, C: 1}}, edges: [\"u -> v\"]}\n"
         "  - {name: e, T: 100, nodes: {w: {on: cpu, C: 5}}}\n";
}

const std::string queued_first = "pool cpu: a processor that ends a node queues what this makes ready before it takes its next";

}  // namespace

// m = 2, (C, T) = (4, 8), (6, 8). G-EDF: Y = T; G-FL: 8 - 4/2 = 6 and 8 - 6/2 = 5.
TEST_CASE("priority points that the scheduler does not give are assumed") {
  const auto lines = [](const std::string& scheduler, const std::string& first, const std::string& second) {
    return assumed(processors(2, scheduler, {{4, 8}, {6, 8}}),
                   of_single_nodes("release offsets\nbase 0 T1 0 2\n", {{20, first, "base 0"}, {20, second, "base 0"}}));
  };
  CHECK(lines("G-EDF", "8", "8") == Lines{"release offsets"});
  CHECK(lines("G-EDF", "8", "4") == Lines{"release offsets", "priority point of t1/t1 is 4 ns"});
  CHECK(lines("G-FL", "6", "5") == Lines{"release offsets"});
  CHECK(lines("G-FL", "8", "5") == Lines{"release offsets", "priority point of t0/t0 is 8 ns"});
  CHECK(lines("LP", "8", "8") == Lines{"release offsets", "priority point of t0/t0 is 8 ns", "priority point of t1/t1 is 8 ns"});
  CHECK(lines("FIFO", "0", "0") == Lines{"release offsets"});
}

// A kernel of one block alone in a partition of 3 of 7 SMs: T6a's 2 x 1 + ... is no matter here, 10 by T10n.
TEST_CASE("what a partition has for itself is assumed; no more SMs than the GPU has may be given away") {
  const auto file = [](const std::string& partitions) {
    return "platform: {g: {sms: 7, threads: 4, blocks: 1, " + partitions +
           "}}\ntime_unit: ns\ntasks:\n  - {name: k, on: g/b, T: 100, B: 1, H: 4, L: 10}\n";
  };
  const std::string two = "partitions: {a: {sms: 4, kind: mps}, b: {sms: 3, kind: mps}}";
  CHECK(checker::lines_of(checker::read_task_set(file(two)))[1] == "pool 1 g/b gpu 3 4 1 - - 1 1 0 1 1");
  CHECK(
      assumed(file(two), "release completion\nweights 0 1 only 1 1\ncounted 1 0\nbound 0 0 0 10 - T10n\nend 0 10\nverdict schedulable\n") ==
      Lines{"release completion",
            "pool g/b: all work of GPU g runs in partitions without an SM in common, blocks of this one on its own SMs only, its kernels "
            "from a "
            "queue of their own; their times were measured in it, with the other partitions at work"});
  CHECK(checker::lines_of(checker::read_task_set(file("partitions: {a: {sms: 4, kind: mps}}, rest: b")))[1] ==
        "pool 1 g/b gpu 3 4 1 - - 1 1 0 1 1");
  for (const std::string wrong :
       {"partitions: {a: {sms: 4, kind: mps}, b: {sms: 4, kind: mps}}", "partitions: {a: {sms: 7, kind: mps}}, rest: b",
        "partitions: {a: {sms: 4, kind: mps}, b: {sms: 3, kind: green}}",
        "partitions: {b: {sms: 3, kind: mps}}, sharing: {slice: 1, switch: 1}", "partitions: {b: {limit: 50, kind: mps}}", "rest: b",
        "partitions: {}"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS((void)checker::read_task_set(file(wrong)), checker::BadInput);
  }
}

// Without a D the point is T - J: a scheduler may as well take T for D.
TEST_CASE("a priority point that is the period less the jitter is assumed") {
  const std::string file =
      "platform: {cpu: {processors: 1, scheduler: G-EDF}}\ntime_unit: ns\n"
      "dags: [{name: d, T: 100, jitter: 40, nodes: {u: {on: cpu, C: 2}}}, {name: e, T: 100, D: 60, jitter: 40, nodes: {v: {on: cpu, C: "
      "3}}}]\n";
  CHECK(assumed(file, on_completion("", {{0, 0, 5, "60", "T10n"}, {1, 0, 5, "60", "T10n"}})) ==
        Lines{"release completion", "priority point of d/u is 60 ns"});
}

// One processor, 2 -> 3 in one DAG: on completion the DAG's D for both; at offsets T each, the second from 5 on.
TEST_CASE("offsets, cuts and the release are assumed") {
  const std::string file =
      "platform: {cpu: {processors: 1, scheduler: G-EDF}}\ntime_unit: ns\n"
      "dags: [{name: d, T: 100, D: 50, nodes: {u: {on: cpu, C: 2}, v: {on: cpu, C: 3}}, edges: [\"u -> v\"]}]\n";
  CHECK(assumed(file, on_completion("", {{0, 0, 2, "50", "T10n"}, {0, 1, 5, "50", "T10n"}})) == Lines{"release completion"});
  const std::string bounds = "bound 0 0 0 5 100 T1n\nbound 0 1 5 5 100 T1n\nend 0 10\nverdict schedulable\n";
  CHECK(assumed(file, "release offsets\n" + bounds) == Lines{"release offsets", "offset of d/v is 5 ns"});
  const std::string on_segments = "bound 0 0 0 5 50 T10n\nbound 0 1 5 5 50 T10n\nend 0 10\nverdict schedulable\n";
  CHECK(assumed(file, "release segments\nsegments 0 0 1\n" + on_segments) ==
        Lines{"release segments", "cut between d/u and d/v", "offset of d/v is 5 ns"});
  const std::string::size_type edge = file.find("\"u -> v\"");
  std::string with_cut = file;
  with_cut.replace(edge, 8, "{from: u, to: v, cut: true}");
  CHECK(assumed(with_cut, "release segments\nsegments 0 0 1\n" + on_segments) == Lines{"release segments", "offset of d/v is 5 ns"});
}

TEST_CASE("T10d without preemption, and by what an end makes ready: the processor queues it first") {
  // T11b: u and v pay 5 each; T10d: 1 + 1 + 5 for both, as one piece may have started before u alone.
  const std::string fixed = two_before("FP");
  const auto with = [&](const std::string& rule) {
    return on_completion("", {{0, 0, 6, "-", "T11"}, {0, 1, 12, "-", rule}, {1, 0, 7, "-", "T11"}});
  };
  CHECK(assumed(fixed, with("T10d")) == Lines{"release completion", queued_first});
  CHECK(assumed(fixed, with("T11")) == Lines{"release completion"});
}

// d outranks e: S = 100 + 12 + 100 + 7 = 219, MRT leaves out the 12.
TEST_CASE("a chain whose stage of several nodes outranks the next: the processor queues what an end makes ready first") {
  const std::string file = two_before("FP") + "chains: [{name: c, stages: [d, e]}]\n";
  const auto with = [&](const std::string& latencies) {
    std::string text = on_completion("", {{0, 0, 6, "-", "T11"}, {0, 1, 12, "-", "T11"}, {1, 0, 7, "-", "T11"}});
    return text.insert(text.find("verdict"), "latencies 0 " + latencies + "\n");
  };
  CHECK(assumed(file, with("207 107 119 219")) == Lines{"release completion", queued_first});
  CHECK(assumed(file, on_completion("", {{0, 0, 6, "-", "T11"}, {0, 1, 12, "-", "T11"}, {1, 0, 7, "-", "T11"}})) ==
        Lines{"release completion"});
}

// B = 8 blocks of 512 on 2 SMs take less than 4 ms, whatever registers are short: with 1 ms before them they are a group of 5 ms.
TEST_CASE("what bounds of kernels rest on that groups await is assumed") {
  const auto lines = [](const std::string& gpu, const std::string& on) {
    const std::string file = "platform: {cpu: {processors: 4}, g: {" + gpu +
                             "}}\ndags:\n  - {name: d, T: 10 ms, nodes: {x: {on: cpu, C: 1 ms, group: g1}, y: {on: " + on +
                             ", B: 8, H: 512, L: 1 ms, registers: 64, group: g1}}, edges: [x -> y]}\n";
    return assumed(file,
                   "release offsets\ngranularity coarse\nbase 0 T1 0 1\nbase 1 T27 1\nbound 0 0 0 5000000 10000000 base 0\n"
                   "end 0 5000000\nawaited 0 1 4000000 base 1\nverdict schedulable\n");
  };
  const Lines cut = lines("sms: 4, threads: 1536, partitions: {a: {sms: 2, kind: mps}}", "g/a");
  CHECK(std::any_of(cut.begin(), cut.end(), [](const std::string& line) { return line.find("pool g/a: all work of GPU g") == 0; }));
  const Lines whole = lines("sms: 2, threads: 1536, registers: 65536", "g");
  CHECK(std::any_of(whole.begin(), whole.end(), [](const std::string& line) { return line.find("pool g: an SM has its registers") == 0; }));
}
