// Certificates of static orders, with the numbers of docs/theory/static.md.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "certified.hpp"

namespace {

using rta::test::by_hand;
using rta::test::first_refused;

std::string refused(const std::string& file, const std::string& statements) {
  return first_refused(file, by_hand(file, "release static\n" + statements + "verdict schedulable\n"));
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

/// a: C = 3 every 4, b: C = 2 every 8, on one processor.
const std::string full_load =
    "platform: {cpu: {processors: 1}}\ntime_unit: ns\ntasks:\n  - {name: a, on: cpu, C: 3, T: 4, D: 4}\n  - {name: b, on: cpu, C: 2, T: 8, "
    "D: 8}\n";

std::string jobs(int first, int other, int second) {
  return fmt::format("order 8\njob 0 0 0 0 {}\njob 1 0 0 0 {}\njob 0 0 1 0 {}\n", first, other, second);
}
std::string bounds(int a, int b) { return fmt::format("bound 0 0 0 {} - T15\nend 0 {}\nbound 1 0 0 {} - T15\nend 1 {}\n", a, a, b, b); }

/// Two SMs of 2048 G-threads, blocks of 1024: W = 2048.
std::string two_kernels(int B, int C) {
  return fmt::format(
      "platform: {{gpu: {{sms: 2, threads: 2048, blocks: 32}}}}\ntime_unit: ns\ntasks:\n"
      "  - {{name: a, on: gpu, T: 100, D: 100, B: {}, H: 1024, L: 10}}\n  - {{name: b, on: gpu, T: 100, D: 100, B: {}, H: 1024, L: 10}}\n",
      B, C);
}
std::string kernel_bounds(int a, int b, const char* rule) {
  return fmt::format("bound 0 0 0 {} - {}\nend 0 {}\nbound 1 0 0 {} - {}\nend 1 {}\n", a, rule, a, b, rule, b);
}

}  // namespace

// a 0-3, b 3-5, a 5-8: R = 8 - 4 and 5.
TEST_CASE("T15: ends along the order, and R from each frame's release") {
  CHECK(refused(full_load, jobs(3, 5, 8) + bounds(4, 5)) == "");
  CHECK(has(refused(full_load, jobs(2, 5, 8) + bounds(4, 5)), "the theorem gives no less than 3"));
  CHECK(has(refused(full_load, jobs(3, 4, 8) + bounds(4, 5)), "the theorem gives no less than 5"));
  CHECK(has(refused(full_load, jobs(3, 5, 7) + bounds(4, 5)), "the theorem gives no less than 8"));
  CHECK(has(refused(full_load, jobs(3, 5, 9) + bounds(5, 5)), "it ends after the hyperperiod"));
  CHECK(has(refused(full_load, jobs(3, 5, 8) + bounds(3, 5)), "the theorem gives no less than 4"));
  CHECK(has(refused(full_load, jobs(3, 5, 8) + bounds(4, 4)), "the theorem gives no less than 5"));
}

TEST_CASE("every job of the hyperperiod stands in the order, on a processor that there is") {
  CHECK(has(refused(full_load, "order 8\njob 0 0 0 0 3\njob 1 0 0 0 5\n" + bounds(4, 5)), "some job of the hyperperiod"));
  CHECK(has(refused(full_load, "order 12\n" + jobs(3, 5, 8).substr(8) + bounds(4, 5)), "no multiple of a period"));
  CHECK(has(refused(full_load, "order 8\njob 0 0 0 1 3\njob 1 0 0 0 2\njob 0 0 1 0 8\n" + bounds(4, 5)), "no such instance"));
  CHECK(has(refused(full_load, jobs(3, 5, 8) + "bound 0 0 0 4 - T15w\nend 0 4\nbound 1 0 0 5 - T15\nend 1 5\n"), "another theorem"));
  CHECK(has(refused(full_load, bounds(4, 5)), "there is no order"));
  CHECK_THROWS_AS(static_cast<void>(refused(full_load, jobs(3, 5, 8) + "job 0 0 0 0 3\n" + bounds(4, 5))), checker::BadInput);
}

TEST_CASE("what a job waits for stands before it") {
  const std::string file =
      "platform: {cpu: {processors: 2}}\ntime_unit: ns\ndags:\n  - {name: d, T: 20, D: 20, nodes: {a: {on: cpu, C: 3}, b: {on: cpu, C: "
      "4}}, edges: [a -> "
      "b]}\n";
  const std::string ends = "bound 0 0 0 3 - T15\nbound 0 1 0 7 - T15\nend 0 7\n";
  CHECK(refused(file, "order 20\njob 0 0 0 0 3\njob 0 1 0 1 7\n" + ends) == "");
  CHECK(has(refused(file, "order 20\njob 0 1 0 1 7\njob 0 0 0 0 3\n" + ends), "does not stand before it"));
  CHECK(has(refused(file, "order 20\njob 0 0 0 0 3\njob 0 1 0 1 6\n" + ends), "the theorem gives no less than 7"));
}

// Capacity 2 x 2048, room 4096 + 1024 - 1 = 5119: kernels of 3 and 1 blocks may overlap, 3 x 1024 + 1024; of 3 and 2 not.
TEST_CASE("T15w: units that kernels hold and pass on") {
  const std::string shared = "order 100\nshared 0 4096 weights 1024\njob 0 0 0 0 10 weight 1024\n";
  const std::string both = kernel_bounds(10, 10, "T15w");
  CHECK(refused(two_kernels(3, 1), shared + "job 1 0 0 0 10 weight 1024\n" + both) == "");
  CHECK(has(refused(two_kernels(3, 2), shared + "job 1 0 0 0 10 weight 1024\n" + both), "there is no room"));
  const std::string later = kernel_bounds(10, 20, "T15w");
  CHECK(refused(two_kernels(3, 2), shared + "job 1 0 0 0 20 weight 1024 units 0 0 0 1\n" + later) == "");
  CHECK(has(refused(two_kernels(3, 2), shared + "job 1 0 0 0 19 weight 1024 units 0 0 0 1\n" + later), "no less than 20"));
  CHECK(has(refused(two_kernels(3, 2), shared + "job 1 0 0 0 20 weight 1024 units 0 0 0 3073\n" + later), "units that are not left"));
  CHECK(has(
      refused(two_kernels(3, 1), "order 100\nshared 0 4097 weights 1024\njob 0 0 0 0 10 weight 1024\njob 1 0 0 0 10 weight 1024\n" + both),
      "a blocking configuration weighs less"));
}

// 5 blocks, 4 of which the GPU holds at once: ceil(5/4) 10 = 20, with all of the room.
TEST_CASE("T15w: a kernel that runs alone takes all units") {
  const std::string alone = "order 100\nshared 0 4096 weights 1024\njob 0 0 0 0 10 weight 1024\n";
  CHECK(refused(two_kernels(3, 5), alone + "job 1 0 0 0 30 units 0 0 0 3072\n" + kernel_bounds(10, 30, "T15w")) == "");
  CHECK(has(refused(two_kernels(3, 5), alone + "job 1 0 0 0 30 units 0 0 0 3071\n" + kernel_bounds(10, 30, "T15w")), "there is no room"));
  CHECK(has(refused(two_kernels(3, 5), alone + "job 1 0 0 0 29 units 0 0 0 3072\n" + kernel_bounds(10, 29, "T15w")), "no less than 30"));
}

// Both kernels of one order on the GPU, which nothing shares: 10, 10 + 20.
TEST_CASE("T15: one kernel at a time") {
  const std::string both = kernel_bounds(10, 30, "T15");
  CHECK(refused(two_kernels(3, 5), "order 100\njob 0 0 0 0 10\njob 1 0 0 0 30\n" + both) == "");
  CHECK(has(refused(two_kernels(3, 5), "order 100\njob 0 0 0 0 10\njob 1 0 0 0 29\n" + both), "no less than 30"));
  CHECK(has(refused(two_kernels(3, 5), "order 100\njob 0 0 0 0 10 weight 1\njob 1 0 0 0 30\n" + both), "do not share"));
}

// g = 1, weight 1/2 each: 1; a: 1 + 4 + 1/2 x 4 x 2 + 1/2 x 3 x 2 = 12; b: 1 + 3 + 1/2 x 3 + 1/2 x 4 x 3 = 11.5; both, then 2: 14.
TEST_CASE("T15g: kernels of two streams") {
  const std::string file =
      "platform: {cpu: {processors: 2}, gpu: {sms: 1, threads: 2, blocks: 2, warp: 1}}\ntime_unit: ns\ndags:\n"
      "  - {name: d, T: 50, D: 50, nodes: {s: {on: cpu, C: 1}, a: {on: gpu, B: 3, H: 1, L: 4}, b: {on: gpu, B: 2, H: 1, L: 3}, "
      "e: {on: cpu, C: 2}}, edges: [s -> a -> e, s -> b -> e]}\n";
  const auto text = [](int a, int b, int e) {
    return fmt::format(
        "order 50\nshared 1 2 streams\njob 0 0 0 0 1\njob 0 1 0 0 {} weight 1\njob 0 2 0 0 {} weight 1\njob 0 3 0 0 {}\n"
        "bound 0 0 0 1 - T15g\nbound 0 1 0 {} - T15g\nbound 0 2 0 {} - T15g\nbound 0 3 0 {} - T15g\nend 0 {}\n",
        a, b, e, a, b, e, e);
  };
  CHECK(refused(file, text(12, 12, 14)) == "");
  CHECK(has(refused(file, text(11, 12, 14)), "no less than 12"));
  CHECK(has(refused(file, text(12, 11, 14)), "no less than 12"));
  CHECK(has(refused(file, text(12, 12, 13)), "no less than 14"));
  // Nothing is divided by a capacity of 0, nor by one below.
  for (const char* capacity : {"0", "-2"}) {
    std::string statements = text(12, 12, 14);
    statements.replace(statements.find("shared 1 2"), 10, fmt::format("shared 1 {}", capacity));
    CHECK(has(refused(file, statements), "above 0"));
  }
}
