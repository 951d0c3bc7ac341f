// C1, docs/theory/contention.md: what certificates say of durations that were measured alone, and that nothing of it is believed.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "certified.hpp"
#include "rta/analysis/option_table.hpp"

namespace {

using namespace rta;
using namespace rta::test;

std::string slowed_file(const std::string& T, const std::string& more = "") {
  return "platform:\n  gpu: {sms: 2, threads: 64, interference: {classes: [L2, DRAM], other-sm: {L2: [0.46, 2.32], DRAM: [0.71, 1.74]}" +
         more + "}}\ndags:\n  - name: d\n    T: " + T +
         "\n    nodes:\n      k1: {on: gpu, B: 1, H: 64, L: {alone: 10 us}, class: L2}\n"
         "      k2: {on: gpu, B: 1, H: 64, L: {alone: 10 us}, class: DRAM}\n    edges: [k1 -> k2]\n"
         "  - name: e\n    T: 1 ms\n    nodes:\n      k3: {on: gpu, B: 1, H: 64, L: 90 us, class: DRAM}\n";
}

Certified slowed(const std::string& file, const std::string& release = "completion") {
  return certified(io::parse_task_set(file, "set.yaml").task_set, analysis::options_of({{"release", release}}));
}

std::string put(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE_MESSAGE(at != std::string::npos, from << " in\n" << text);
  return text.replace(at, from.size(), to);
}

std::string without_line(const std::string& text, const std::string& begin) {
  const auto at = text.find(begin);
  REQUIRE(at != std::string::npos);
  return text.substr(0, at) + text.substr(text.find('\n', at) + 1);
}

}  // namespace

TEST_CASE("a certificate carries durations in company, and the checker computes them anew") {
  // k1 and k2 meet k3 alone: 10 x 3.32 and 10 x 2.74.
  const Certified made = slowed(slowed_file("200 us"));
  const std::string& text = made.certificate.text;
  CHECK(made.certificate.uncertified.empty());
  CHECK(first_refused(made.file, text) == "");
  CHECK(text.find("company 0 0 33200 2124800 -\ncompany 0 1 27400 1753600 -\ninside 0 0 ") != std::string::npos);
  const auto with_L = [&](const std::string& L) {
    return put(put(text, "company 0 0 33200 2124800", "company 0 0 " + L), "node 0 0 k1 0 1 64 2124800 33200",
               "node 0 0 k1 0 1 64 " + L.substr(L.find(' ') + 1) + " " + L.substr(0, L.find(' ')));
  };
  CHECK(first_refused(made.file, with_L("33199 2124736")) ==
        "company 0 0 33199 2124736 -: a block beside its company is no less than 33200");
  CHECK(first_refused(made.file, with_L("33200 2124799")) ==
        "company 0 0 33200 2124799 -: the work of a block beside its company is no less than 2124800");
}

TEST_CASE("company that is there for a time counts by what is stated of its stay, and that by its bound") {
  // k3 is there once, for 10 us: 10 + 2.32/3.32 x 10 and 10 + 1.74/2.74 x 10.
  const Certified made = slowed(put(slowed_file("200 us"), "L: 90 us", "L: 10 us"));
  const std::string& text = made.certificate.text;
  CHECK(made.certificate.uncertified.empty());
  CHECK(first_refused(made.file, text) == "");
  CHECK(text.find("company 0 0 16988 1087232 -\ncompany 0 1 16351 1046464 -\n") != std::string::npos);
  const std::string shorter = put(put(text, "company 0 0 16988 1087232", "company 0 0 16987 1087168"), "node 0 0 k1 0 1 64 1087232 16988",
                                  "node 0 0 k1 0 1 64 1087168 16987");
  CHECK(first_refused(made.file, shorter) == "company 0 0 16987 1087168 -: a block beside its company is no less than 16988");
  CHECK(first_refused(made.file, put(put(text, "company 0 0 16988 1087232", "company 0 0 16988 1087231"),
                                     "node 0 0 k1 0 1 64 1087232 16988", "node 0 0 k1 0 1 64 1087231 16988"))
            .find("the work of a block beside its company is no less than 1087232") != std::string::npos);
  CHECK(first_refused(made.file, without_line(text, "stay 1 0 ")).find("a block beside its company is no less than 33200") !=
        std::string::npos);
  const auto line = text.substr(text.find("stay 1 0 0 "));
  const std::string stay = line.substr(0, line.find('\n'));
  CHECK(first_refused(made.file, put(text, stay, "stay 1 0 0 1")).find("its bound is later") != std::string::npos);
  CHECK(first_refused(made.file, put(text, stay, fmt::format("stay 1 0 1 {}", 1 + std::stoll(stay.substr(11)))))
            .find("it may start earlier") != std::string::npos);
  // Two jobs of it: 10 + 2.32/3.32 x 20.
  CHECK(first_refused(made.file, put(text, stay, "stay 1 0 0 1000000")).find("a block beside its company is no less than 23976") !=
        std::string::npos);
}

TEST_CASE("where copies and CPU nodes count the checker takes no company to be there for a time") {
  const std::string columns = ", beside: {copies: [0, 0], cpu: [0, 0]}";
  const Certified made = slowed(put(slowed_file("200 us"), "L: 90 us", "L: 10 us"));
  const Certified all_the_time = slowed(put(slowed_file("200 us", columns), "L: 90 us", "L: 10 us"));
  CHECK(first_refused(all_the_time.file, put(made.certificate.text, checker::sha256(made.file), checker::sha256(all_the_time.file)))
            .find("a block beside its company is no less than 33200") != std::string::npos);
  CHECK(first_refused(all_the_time.file, all_the_time.certificate.text) == "");
  CHECK(all_the_time.certificate.text.find("company 0 0 33200 2124800 -\n") != std::string::npos);
  CHECK(all_the_time.certificate.text.find("stay ") == std::string::npos);
}

TEST_CASE("without what keeps kernels apart they count as company") {
  const Certified made = slowed(slowed_file("200 us"));
  const std::string& text = made.certificate.text;
  // k1 beside another job's k1, too: 10 (1 + .46 + 2.32).
  CHECK(first_refused(made.file, without_line(text, "inside 0 0 ")).find("a block beside its company is no less than 37800") !=
        std::string::npos);
  const auto line = text.substr(text.find("inside 0 1 "));
  const std::string F = line.substr(11, line.find(' ', 11) - 11);
  CHECK(first_refused(made.file, put(text, "inside 0 1 " + F, "inside 0 1 1")).find("its bound is later") != std::string::npos);
  CHECK(first_refused(made.file, put(text, "inside 0 1 " + F + " 200000", "inside 0 1 " + F + " 200001"))
            .find("two releases may be closer") != std::string::npos);
  CHECK(first_refused(made.file, put(text, "inside 0 1 " + F + " 200000", "inside 0 1 200001 200000"))
            .find("it may be unfinished at the next release") != std::string::npos);
}

TEST_CASE("bounds from durations alone are not verified") {
  // What would hold without company, stated of the same file.
  const Certified made = slowed(slowed_file("200 us"));
  const std::string text = without_line(made.certificate.text, "company 0 0 ");
  bool told = false;
  for (const auto& verdict : checker::check(made.file, text).verdicts) {
    if (verdict.statement == "company 0 0") {
      CHECK_FALSE(verdict.verified);
      CHECK(verdict.why == "the certificate does not say how long this kernel takes beside its company");
      told = true;
    }
  }
  CHECK(told);
}

TEST_CASE("assumptions, other releases and whole kernels") {
  for (const char* const release : {"offsets", "early", "segments"}) {
    CAPTURE(release);
    const Certified made = slowed(slowed_file("200 us"), release);
    CHECK(first_refused(made.file, made.certificate.text) == "");
  }
  // A latency that came after the durations in company would not be lengthened.
  const Certified made = slowed(slowed_file("200 us"));
  const std::string late = put(made.certificate.text, "pool 0 ", "assume 0 latency 5\npool 0 ");
  CHECK_THROWS_WITH_AS(static_cast<void>(checker::check(made.file, late)), doctest::Contains("an assumption stands before"),
                       checker::BadInput);
  const Certified timed =
      slowed(put(put(slowed_file("400 us"), "B: 1, H: 64, L: {alone: 10 us}", "B: 4, H: 64, L: {alone: 10 us}, time: {alone: 15 us}"),
                 "B: 1, H: 64, L: {alone: 10 us}", "B: 1, H: 64, L: {alone: 10 us}"));
  CHECK(first_refused(timed.file, timed.certificate.text) == "");
  CHECK(timed.certificate.text.find("company 0 0 33200 2124800 49800") != std::string::npos);
  const Certified static_one = certified(io::parse_task_set(put(slowed_file("500 us"), "T: 1 ms", "T: 500 us"), "set.yaml").task_set,
                                         static_order::CompileOptions{});
  CHECK(first_refused(static_one.file, static_one.certificate.text) == "");
}

TEST_CASE("kernels known by their duration alone, in company") {
  const Certified made = certified(io::parse_task_set(R"(platform:
  cpu: {processors: 2, scheduler: FIFO}
  gpu: {sms: 4, threads: 1024, interference: {classes: [x, y], other-sm: {x: [0, 0.5], y: [1, 2]}}}
dags:
  - {name: d, T: 33 ms, nodes: {a: {on: cpu, C: 1 ms}, k: {on: gpu, time: {alone: 1 ms}, class: x}}, edges: [a -> k]}
tasks: [{name: t, T: 10 ms, on: gpu, B: 4, H: 256, L: {alone: 200 us}, class: y}]
)",
                                                      "set.yaml")
                                       .task_set);
  CHECK(made.certificate.text.find("company 0 1 1500000 ") != std::string::npos);  // 1 ms (1 + .5)
  CHECK(first_refused(made.file, made.certificate.text) == "");
  CHECK(made.certificate.uncertified.empty());
}

TEST_CASE("windows on one clock keep kernels apart only where both are proven") {
  const auto file = [](const std::string& phase, const std::string& T = "75 us") {
    return "platform:\n  gpu: {sms: 2, threads: 64, interference: {classes: [L2, DRAM], other-sm: {L2: [0.46, 2.32], DRAM: [0.71, "
           "1.74]}}}\n"
           "dags:\n  - {name: a, T: 100 us, periodic: true, phase: 0 ms, nodes: {k: {on: gpu, B: 1, H: 64, L: {alone: 10 us}, class: "
           "L2}}}\n"
           "  - {name: b, periodic: true, T: " +
           T + ", phase: " + phase + ", nodes: {k: {on: gpu, B: 1, H: 64, L: {alone: 10 us}, class: DRAM}}}\n";
  };
  for (const char* const release : {"completion", "offsets", "segments", "early"}) {
    CAPTURE(release);
    const Certified made = slowed(file("50 us", "100 us"), release);
    CHECK(first_refused(made.file, made.certificate.text) == "");
    CHECK(made.certificate.text.find("company 0 0 10000 640000 -\n") != std::string::npos);
    CHECK(made.certificate.text.find("window 1 0 0 1") != std::string::npos);  // bounds differ
  }
  const Certified made = slowed(file("12 us"));
  const std::string& text = made.certificate.text;
  const std::string beside = "a block beside its company is no less than 33200";
  CHECK(first_refused(made.file, without_line(text, "window 1 0 ")).find(beside) != std::string::npos);
  CHECK(first_refused(made.file, put(text, "window 1 0 0 10001", "window 1 0 0 10000")).find("its bound is later") != std::string::npos);
  CHECK(first_refused(made.file, put(text, "window 1 0 0 10001", "window 1 0 1 10001")).find("it may start earlier") != std::string::npos);
  // 13.001, and the next of the other comes 13 after it.
  CHECK(first_refused(made.file, put(text, "window 1 0 0 10001", "window 1 0 0 13001")).find(beside) != std::string::npos);
  // 9 us after the other: certified as company.
  const Certified together = slowed(file("9 us"));
  CHECK(first_refused(together.file, together.certificate.text) == "");
  CHECK(together.certificate.text.find("window ") == std::string::npos);
}

TEST_CASE("copies and CPU nodes beside kernels: the checker reads their columns, and who can meet whom, by itself") {
  const auto file = [](const std::string& T, const std::string& cpu = "FIFO") {
    return "platform:\n  cpu: {processors: 1, scheduler: " + cpu +
           "}\n  copy: {engines: 2}\n"
           "  gpu: {sms: 2, threads: 64, interference: {classes: [L2, DRAM], other-sm: {L2: [0, 0.25], DRAM: [0, 0]}, beside: {copies: "
           "[0.4, 1], cpu: [0.5, 2]}}}\ndags:\n  - name: d\n    T: " +
           T +
           "\n    nodes:\n      up: {on: copy, C: 10 us, direction: h2d}\n      k: {on: gpu, B: 1, H: 64, L: {alone: 10 us}, class: L2}\n"
           "      c: {on: cpu, C: 10 us}\n    edges: [up -> k, k -> c]\n";
  };
  const Certified made = slowed(file("40 us"));
  const std::string& text = made.certificate.text;
  CHECK(made.certificate.uncertified.empty());
  CHECK(first_refused(made.file, text) == "");
  CHECK(text.find("company 0 1 10000 640000 -\ninside 0 0 ") != std::string::npos);
  // Another job's copy, or CPU node, that is not known to be over.
  CHECK(first_refused(made.file, without_line(text, "inside 0 0 ")).find("a block beside its company is no less than 14000") !=
        std::string::npos);
  CHECK(first_refused(made.file, without_line(text, "inside 0 2 ")).find("a block beside its company is no less than 15000") !=
        std::string::npos);
  CHECK(first_refused(made.file, without_line(text, "inside 0 1 ")).find("a block beside its company is no less than 19000") !=
        std::string::npos);
  // What is claimed of the file with smaller columns is not of this one.
  const Certified beside =
      slowed(put(file("40 us"), "cpu: [0.5, 2]", "cpu: [0, 0]") + "  - {name: e, T: 1 ms, nodes: {c: {on: cpu, C: 1 us}}}\n");
  CHECK(first_refused(beside.file, beside.certificate.text) == "");
  const std::string larger = put(beside.file, "cpu: [0, 0]", "cpu: [0.5, 2]");
  const std::string of_it = put(beside.certificate.text, checker::sha256(beside.file), checker::sha256(larger));
  CHECK(first_refused(larger, of_it).find("a block beside its company is no less than 15000") != std::string::npos);
  for (const char* const release : {"completion", "offsets", "early", "segments"}) {
    CAPTURE(release);
    const Certified other = slowed(file("200 us") + "  - {name: e, T: 1 ms, nodes: {c: {on: cpu, C: 1 us}}}\n", release);
    CHECK(first_refused(other.file, other.certificate.text) == "");
    CHECK(other.certificate.text.find("company 0 1 15000 ") != std::string::npos);
  }
}
