// What no theorem gives: bounds beside a kernel without one, overloads, and certificates that say something else than their file.
#include <doctest/doctest.h>

#include <string>

#include "claims.hpp"

namespace {

using rta::test::by_hand;
using rta::test::first_refused;
using rta::test::of_single_nodes;
using rta::test::processors;
using rta::test::verdict;

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

// 3 blocks of 512 threads fit on an SM: on a million of SMs all 400 run at once, for 1 ms; on the 8 of `a` 24 do.
TEST_CASE("a certificate gives a partition no other SMs than the file") {
  const std::string part = "kind: green}";
  const std::string file = "platform: {g: {device: orin, partitions: {a: {sms: 8, " + part + ", b: {sms: 8, " + part +
                           "}}}\ntasks: [{name: t, T: 10 ms, on: g/a, B: 400, H: 512, L: 1 ms}]\n";
  const std::string given = by_hand(file, "release offsets\nverdict unbounded\n");
  CHECK(first_refused(file, given).find("assume") == std::string::npos);
  std::string assumed = given;
  assumed.insert(assumed.find("pool 0"), "assume 0 sms 1000000\n");
  CHECK_THROWS_WITH_AS((void)first_refused(file, assumed), "certificate:3: a partition has the SMs that the file gives it",
                       checker::BadInput);
}

}  // namespace
