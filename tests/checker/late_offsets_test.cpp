// Certificates at offsets by nominal periods, with the numbers of docs/theory/jitter.md.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "claims.hpp"
#include "law.hpp"

namespace {

using rta::test::by_hand;
using rta::test::check_least;
using rta::test::Claimed;
using rta::test::first_refused;
using rta::test::of_single_nodes;

struct Given {
  int C, T, J;
};

std::string processors(int m, const std::string& scheduler, const std::vector<Given>& tasks, const std::string& more = "") {
  std::string file = fmt::format("platform: {{cpu: {{processors: {}, scheduler: {}{}}}}}\ntime_unit: ns\ntasks:\n", m, scheduler, more);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    file += fmt::format("  - {{name: t{}, on: cpu, C: {}, T: {}, jitter: {}}}\n", i, tasks[i].C, tasks[i].T, tasks[i].J);
  }
  return file;
}

std::string refused(const std::string& file, const std::string& head, const std::vector<Claimed>& claims) {
  return first_refused(file, by_hand(file, of_single_nodes(head, claims)));
}

const std::vector<Given> full{{5, 10, 4}, {5, 10, 0}};
const std::vector<Given> two{{4, 8, 4}, {6, 8, 0}};

}  // namespace

TEST_CASE("T1 and T1e with late releases, at full load: 12, and 10 by the exact demand") {
  const std::string file = processors(1, "FIFO", full);
  const std::vector<Claimed> exact{{10, "0", "base 0"}, {10, "0", "base 0"}};
  check_least(file, "release offsets\nbase 0 T1 0 1 late\n", {{12, "0", "base 0"}, {12, "0", "base 0"}});
  check_least(file, "release offsets\nbase 0 T1e 0 1 10 late\n", exact);
  CHECK(refused(file, "release offsets\nbase 0 T1e 0 1 9 late\n", exact).find("the demand is above") != std::string::npos);
  CHECK(refused(file, "release offsets\nbase 0 T1e 0 1 10\n", exact).find("U <= c <= m does not hold") != std::string::npos);
  CHECK(refused(file, "release early\nbase 0 T1e 0 1 10 late\n", exact).find("released at their offsets") != std::string::npos);
}

TEST_CASE("T1 and T1r with late releases: 14 and 11, 13 and 11; on time 13 and 10") {
  const std::string file = processors(2, "LP", two);
  check_least(file, "release offsets\nbase 0 T1 0 2 late\n", {{14, "8", "base 0"}, {11, "4", "base 0"}});
  check_least(file, "release offsets\nbase 0 T1r 0 2 late\n", {{13, "8", "base 0"}, {11, "4", "base 0"}});
  check_least(file, "release offsets\nbase 0 T1c 0 2 late\n", {{14, "8", "base 0"}, {11, "4", "base 0"}});
  CHECK(refused(file, "release offsets\nbase 0 T1 0 2 late\n", {{13, "8", "base 0"}, {10, "4", "base 0"}}) != "");
}

TEST_CASE("T1n with late releases: 2 and 5") {
  const std::string file = processors(1, "LP", {{2, 10, 3}, {3, 10, 0}});
  check_least(file, "release offsets\n", {{2, "0", "T1n late"}, {5, "8", "T1n late"}});
}

// With J = 4 in place of 3, R_2 = 3 + 2 ceil((2 + 5 + 4)/10).
TEST_CASE("T1n counts J") {
  const std::string file = processors(1, "LP", {{2, 10, 4}, {3, 10, 0}});
  CHECK(refused(file, "release offsets\n", {{2, "0", "T1n late"}, {5, "8", "T1n late"}}).find("no less than 7") != std::string::npos);
  check_least(file, "release offsets\n", {{2, "0", "T1n late"}, {7, "8", "T1n late"}});
}

TEST_CASE("T1b with late releases: 13 and 13") {
  const std::string file = processors(2, "LP", two, ", preemptive: false");
  check_least(file, "release offsets\nbase 0 T1b 0 2 late\n", {{13, "8", "base 0"}, {13, "4", "base 0"}});
}

TEST_CASE("T3 knows no late releases") {
  std::string file = "platform: {cpu: {processors: 2, scheduler: FIFO}}\ntime_unit: ns\ntasks:\n";
  for (const char* name : {"a", "b"}) file += fmt::format("  - {{name: {}, on: cpu, C: 5, T: 10, jitter: 1, sequential: true}}\n", name);
  const std::vector<Claimed> claims{{100, "0", "base 0"}, {100, "0", "base 0"}};
  CHECK(refused(file, "release offsets\nbase 0 T3 0 0 200 late\n", claims).find("T - J apart") != std::string::npos);
}

TEST_CASE("T8 with late releases: 7.5 for two copies that fill an engine") {
  const std::string file =
      "platform: {copy: {engines: 1}}\ntime_unit: ns\ntasks:\n  - {name: a, on: copy, C: 3, T: 6, jitter: 3}\n"
      "  - {name: b, on: copy, C: 3, T: 6}\n";
  check_least(file, "release offsets\nbase 0 T8 0 0 1 all late\n", {{8, "-", "base 0"}, {8, "-", "base 0"}});
  CHECK(refused(file, "release offsets\nbase 0 T8 0 0 1 all\n", {{8, "-", "base 0"}, {8, "-", "base 0"}}) != "");
}

TEST_CASE("T6 with late releases: 8 for two kernels that fill a GPU") {
  const std::string file =
      "platform: {gpu: {sms: 1, threads: 32}}\ntime_unit: ns\ntasks:\n  - {name: a, on: gpu, T: 8, jitter: 4, B: 1, H: 32, L: 4}\n"
      "  - {name: b, on: gpu, T: 4, B: 1, H: 32, L: 2}\n";
  const std::string weights = "release offsets\nweights 0 0 only 32 1\n";
  const std::vector<Claimed> claims{{8, "-", "base 0"}, {8, "-", "base 0"}};
  check_least(file, weights + "base 0 T6a 0 0 light late\n", claims);
  CHECK(refused(file, weights + "base 0 T6a 0 0 light\n", claims).find("U_w <= g does not hold") != std::string::npos);
}

TEST_CASE("T14j with late releases: 66 at the full load of the slices") {
  const std::string file =
      "platform: {gpu: {sms: 1, threads: 1, blocks: 1, warp: 1, sharing: {slice: 2, switch: 2}}}\ntime_unit: ns\ntasks:\n"
      "  - {name: a, on: gpu, T: 40, jitter: 20, B: 1, H: 1, L: 10, process: p}\n"
      "  - {name: b, on: gpu, T: 100000, B: 1, H: 1, L: 1, process: q}\n";
  const auto text = [](int R, const char* late) {
    return fmt::format(
        "release offsets\nweights 0 0 only 1 1\nbase 0 T14j 0 0 resident{}\nbound 0 0 0 {} - base 0\nend 0 {}\nverdict unbounded\n", late,
        R, R);
  };
  CHECK(first_refused(file, by_hand(file, text(66, " late"))) == "");
  CHECK(first_refused(file, by_hand(file, text(65, " late"))).find("no less than 66") != std::string::npos);
  CHECK(first_refused(file, by_hand(file, text(66, ""))).find("U_w <= g S/(S + G) does not hold") != std::string::npos);
}

TEST_CASE("Overload is of nominal periods: 5/6 + 5/10 is none") {
  const std::string file = processors(1, "FIFO", full);
  const std::string head = "release offsets\noverload 0 0 1\n";
  CHECK(first_refused(file, by_hand(file, head + "verdict unbounded\n")).find("U is not above the capacity") != std::string::npos);
  const std::string more = processors(1, "FIFO", {{6, 10, 4}, {5, 10, 0}});
  CHECK(first_refused(more, by_hand(more, head + "verdict unbounded\n")) == "");
}

TEST_CASE("Certificates at offsets of random systems with late releases are verified, and refused where J is forgotten") {
  rta::test::Verified verified;
  std::size_t late = 0;
  std::size_t forgotten = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto drawn = rta::test::random_system(seed, {.priorities = seed % 2 == 0, .non_preemptive = seed % 3 == 0});
    const auto set = rta::test::with_late_releases(seed % 5 == 1 ? rta::test::with_slices(drawn, seed, false) : drawn, seed);
    if (!rta::test::is_writable(set)) continue;
    const std::vector<rta::analysis::GivenOptions> all{{{"release", "offsets"}},
                                                       {{"release", "offsets"}, {"refine", "none"}, {"gpu-bound", "T5"}},
                                                       {{"release", "offsets"}, {"refine", "demand"}, {"gpu-bound", "T6a"}},
                                                       {{"release", "offsets"}, {"refine", "carry"}},
                                                       {{"release", "early"}}};
    const auto made = rta::test::certified(set, rta::analysis::options_of(all[seed % all.size()]));
    rta::test::verify(made, fmt::format("seed {}", seed), verified);
    std::string text = made.certificate.text;
    if (text.find(" late\n") == std::string::npos) continue;
    ++late;
    for (auto at = text.find(" late\n"); at != std::string::npos; at = text.find(" late\n")) text.erase(at, 5);
    forgotten += first_refused(made.file, text).empty() ? 0 : 1;
  }
  MESSAGE(verified.text(), "; ", late, " with nominal periods");
  CHECK(verified.broken == "");
  CHECK(late > 50);
  CHECK(forgotten * 10 >= late * 9);
}
