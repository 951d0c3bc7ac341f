// A large task set is read in parts on all cores: the same task set as in one piece, the same warnings, and the same errors.
#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "io/task_set_tree.hpp"
#include "rta/io/diagnostic.hpp"
#include "support/large_file.hpp"

namespace {

using namespace rta::io;

struct Outcome {
  std::optional<rta::TaskSet> task_set;
  std::string said;
};

Outcome read(const std::string& text, std::size_t least, std::size_t part) {
  try {
    ReadResult result = parse_task_set(text, "f.yaml", BareC::block, least, part);
    std::string said = result.bare_C ? "bare C\n" : "";
    for (const Diagnostic& warning : result.warnings) said += warning.text() + "\n";
    return {std::move(result.task_set), said};
  } catch (const InputError& error) {
    return {std::nullopt, error.what()};
  }
}

// Whether there is a task set.
bool reads_the_same(const std::string& text, std::size_t part) {
  const Outcome whole = read(text, std::numeric_limits<std::size_t>::max(), 1);
  const Outcome in_parts = read(text, 0, part);
  REQUIRE_EQ(in_parts.said, whole.said);
  REQUIRE_EQ(in_parts.task_set.has_value(), whole.task_set.has_value());
  if (whole.task_set) REQUIRE(*in_parts.task_set == *whole.task_set);
  return whole.task_set.has_value();
}

const std::string platform = R"(platform:
  cpu: {processors: 4, scheduler: FP}
  edf: {processors: 2, scheduler: G-EDF}
  gpu: {sms: 2, threads: 1024, sharing: {slice: 1 ms, switch: 10 us}}
  other: {device: orin}
  copy: {engines: 2}
)";

const std::string lists = R"(dags:
  - name: a
    T: 10 ms
    priority: 3
    nodes:
      v: {on: cpu, C: 1 ms}
      w: {on: gpu, B: 8, H: 100, C: 5 ms}
    edges:
      - v -> w
  - {name: b, T: 20 ms, T_max: 30 ms, nodes: {v: {on: edf, C: 30 ms}}}
  - name: c
    T: 30 Hz
    copies: 3
    process: q
    nodes:
      v: {on: cpu, C: 1 ms, priority: 4, process: r}
      w: {on: gpu, B: 8, H: 128, L: 5 us}
      x: {on: copy, C: 1 us, direction: h2d}
    edges:
      - v -> [w, x]
  - {name: d, T: 10 ms, jitter: 1 ms, nodes: {v: {on: gpu, B: 2, H: 32, L: 1 us}}}
  - {name: e, T: 10 ms, nodes: {v: {on: other, B: 2, H: 33, C: 1 us}}}
tasks:
  - {name: t, T: 5 ms, on: edf, C: 1 ms, process: q}
  - {name: u, T: 5 ms, on: edf, C: 7 ms}
)";

TEST_CASE("a task set that is read in parts") {
  for (const std::size_t part : {1U, 50U, 200U, 1000U}) {
    CHECK(reads_the_same(platform + lists, part));
    CHECK(reads_the_same(lists + platform, part));
    CHECK(reads_the_same(rta::test::large_file(30, 6), part));
    CHECK(reads_the_same(rta::test::large_file(30, 6) + "chains:\n  - {name: k, stages: [dag3, dag28]}\n", part));
  }
}

TEST_CASE("what concerns several parts is found") {
  std::string large = rta::test::large_file(40, 4);
  const auto refused = [&](const std::string& text, std::string_view why) {
    CAPTURE(why);
    CHECK_NE(read(text, 0, 100).said.find(why), std::string::npos);
    CHECK_FALSE(reads_the_same(text, 100));
  };
  const std::string again = "  - {name: dag7, T: 1 s, nodes: {v: {on: cpu, C: 1 ms}}}\n";
  refused(large + again, "is given twice (first at line ");
  refused(large + again + "  - {name: dag8, T: 1 s, nodes: {v: {on: nowhere, C: 1 ms}}}\n", "is no pool of the platform");
  refused(large + "  - {name: many, T: 1 s, copies: 999999, nodes: {v: {on: cpu, C: 1 ms}}}\n", "more than 1000000 nodes");
  std::string half = large;
  for (const std::string_view name : {"half", "more"}) {
    half.append("  - {name: ").append(name).append(", T: 1 s, copies: 500000, nodes: {v: {on: cpu, C: 1 ms}}}\n");
  }
  refused(half, "more than 1000000 nodes");
  refused(large + "dags:\n  - {name: x}\n", "'dags' is given twice");
  refused("time_unit: h\n" + large, "time_unit");
  refused(platform + lists + "  - {name: f, T: 1 ms, on: cpu, C: 1 us}\n", "'priority' is missing");
  refused(large + "  - {name: x: y}\n", "not YAML");
  std::string wrong;
  for (int d = 0; d < 60; ++d) wrong += "  - {name: w" + std::to_string(d) + ", T: 1 s, nodes: {v: {on: cpu}}}\n";
  refused(large + wrong, "40 more errors");
}

TEST_CASE("of many warnings the first are said, and how many there are") {
  std::string text = "platform:\n  gpu: {device: orin}\ndags:\n";
  for (int d = 0; d < 1500; ++d) {
    text += "  - {name: d" + std::to_string(d) + ", T: 1 s, nodes: {v: {on: gpu, B: 1, H: 33, L: 1 us}}}\n";
  }
  CHECK(reads_the_same(text, 300));
  CHECK_NE(read(text, 0, 300).said.find("1480 more warnings"), std::string::npos);
}

TEST_CASE("task sets with random changes") {
  constexpr std::array<std::string_view, 36> pieces{"a",
                                                    "b",
                                                    "name: a",
                                                    "cpu",
                                                    "edf",
                                                    "gpu",
                                                    "other",
                                                    "p0",
                                                    "p",
                                                    "nowhere",
                                                    "0",
                                                    "1",
                                                    "10 ms",
                                                    "1 us",
                                                    "copies: 9",
                                                    "priority: 2, ",
                                                    "process: z",
                                                    "D: 1 ms, ",
                                                    "jitter: ",
                                                    "T_max: ",
                                                    "per: block, ",
                                                    "v -> w",
                                                    "w -> v",
                                                    "\n",
                                                    "  ",
                                                    "{",
                                                    "}",
                                                    ", ",
                                                    "x: ",
                                                    "C: ",
                                                    "L: ",
                                                    "# c\n",
                                                    "time: 1 ms",
                                                    "\n  - name: a\n",
                                                    "\"",
                                                    "sequential: true, "};
  std::mt19937_64 random(3);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  std::size_t sets = 0, refused = 0;
  for (int i = 0; i < 6000; ++i) {
    std::string text = i % 3 == 0 ? lists + platform : platform + lists;
    for (std::size_t changes = below(4); changes > 0; --changes) {
      const std::size_t at = below(text.size());
      if (below(3) == 0) {  // a line again or left out
        const std::size_t begin = text.rfind('\n', at) + 1;
        const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
        const std::string line = text.substr(begin, end - begin);
        text.replace(begin, below(2) == 0 ? line.size() : 0, below(2) == 0 ? line : std::string());
      } else {
        text.replace(at, below(3) * below(4), pieces[below(pieces.size())]);
      }
    }
    CAPTURE(text);
    const bool is_set = reads_the_same(text, 1 + below(300));
    sets += static_cast<std::size_t>(is_set);
    refused += static_cast<std::size_t>(!is_set);
  }
  CHECK_GT(sets, 1000);
  CHECK_GT(refused, 1000);
}

}  // namespace
