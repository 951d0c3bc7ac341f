#include "rta/analysis/gpu/configuration.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <vector>

#include "rta/model/error.hpp"

using namespace rta;
using namespace rta::analysis::fifo;

namespace {

Amounts amounts(std::uint64_t threads, std::uint64_t slots, std::uint64_t shared_memory = 0, std::uint64_t registers = 0) {
  Amounts a;
  a[Resource::threads] = threads;
  a[Resource::block_slots] = slots;
  a[Resource::shared_memory] = shared_memory;
  a[Resource::registers] = registers;
  return a;
}

struct Extremes {
  std::optional<Wide> least_blocking;
  Wide most = 0;
  Wide most_non_blocking = 0;
};

// Every configuration, one by one.
class Enumeration {
 public:
  Enumeration(const Amounts& capacity, const std::vector<Amounts>& demand, const std::vector<bool>& may_wait,
              const std::vector<Wide>& value)
      : capacity_(capacity), demand_(demand), may_wait_(may_wait), value_(value), x_(demand.size()) {
    visit(0);
  }
  Extremes extremes;

 private:
  [[nodiscard]] bool fits(const Configuration& x) const {
    return std::all_of(all_resources.begin(), all_resources.end(), [&](Resource r) {
      std::uint64_t used = 0;
      for (std::size_t c = 0; c < x.size(); ++c) used += x[c] * demand_[c][r];
      return used <= capacity_[r];
    });
  }
  void visit(std::size_t c) {
    if (!fits(x_)) return;
    if (c == x_.size()) {
      Wide value = 0;
      for (std::size_t i = 0; i < c; ++i) value += value_[i] * static_cast<Wide>(x_[i]);
      bool blocking = false;
      for (std::size_t k = 0; k < c; ++k) {
        Configuration more = x_;
        ++more[k];
        blocking = blocking || (may_wait_[k] && !fits(more));
      }
      extremes.most = std::max(extremes.most, value);
      if (blocking) extremes.least_blocking = std::min(extremes.least_blocking.value_or(value), value);
      if (!blocking) extremes.most_non_blocking = std::max(extremes.most_non_blocking, value);
      return;
    }
    for (x_[c] = 0; fits(x_); ++x_[c]) visit(c + 1);
    x_[c] = 0;
  }

  const Amounts& capacity_;
  const std::vector<Amounts>& demand_;
  const std::vector<bool>& may_wait_;
  const std::vector<Wide>& value_;
  Configuration x_;
};

}  // namespace

// 1024 and 768 on 2048 G-threads: more than 1024 must be in use. 2 x 768 is the least; T5 knows 2048 - 1024 + 256 = 1280.
TEST_CASE("least occupancy of a blocking configuration, G-threads only") {
  const Sm sm(amounts(2048, 32), {amounts(768, 1), amounts(1024, 1)});
  CHECK(sm.binding().size() == 1);
  const std::vector<Wide> threads{768, 1024};
  const auto least = sm.least_blocking<Wide>(threads);
  REQUIRE(least);
  CHECK(least->value == 1536);
  CHECK(least->configuration == Configuration{2, 0});
  CHECK(least->binds == Resource::threads);
  CHECK(least->blocked == 1);
  // K: 2 x 1024 or 2 x 768; K': up to 1024 G-threads, one block of either.
  CHECK(sm.most<Wide>(threads) == 2048);
  CHECK(sm.most_non_blocking<Wide>(threads) == 1024);
}

TEST_CASE("32 blocks of 32 fill the slots; 48 KiB of 64 KiB leave no room for 17 KiB") {
  const Sm small(amounts(2048, 32), {amounts(32, 1)});
  const std::vector<Wide> one{32};
  CHECK(small.least_blocking<Wide>(one)->value == 1024);
  CHECK(small.least_blocking<Wide>(one)->binds == Resource::block_slots);
  const Sm shared(amounts(2048, 32, 65536), {amounts(64, 1, 48 * 1024), amounts(128, 1, 17 * 1024)});
  const std::vector<Wide> threads{64, 128};
  const auto least = shared.least_blocking<Wide>(threads);
  CHECK(least->value == 64);
  CHECK(least->configuration == Configuration{1, 0});
  CHECK(least->binds == Resource::shared_memory);
}

// An unlimited resource has the largest 64-bit capacity and no demand: it never binds, and nothing overflows.
TEST_CASE("unlimited resources never bind; huge capacities are handled in coarse units") {
  const std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
  const Sm sm(amounts(2048, 32, unlimited, unlimited), {amounts(256, 1)});
  CHECK(sm.binding().size() == 1);
  // 4e9 G-threads, of which 3,699,999,999 must be exceeded: 13 blocks of 3 x 10^8 + 1 do it, value 13000, or 12 and 14 million blocks of 7.
  const Sm huge(amounts(4'000'000'000, 1'000'000), {amounts(300'000'001, 1), amounts(7, 1)});
  const std::vector<Wide> value{1000, 1};
  const auto least = huge.least_blocking<Wide>(value);
  REQUIRE(least);
  // Slots bind at a million blocks. In 8192 coarse units a block of 7 counts as one: too small, never too large.
  CHECK(least->value <= 13000);
  CHECK(least->value >= 8192);
  CHECK(huge.most<Wide>(value) >= 13000 + 999'987);
}

TEST_CASE("what an SM cannot hold, and sets in which nothing waits, are refused") {
  CHECK_THROWS_AS(Sm(amounts(64, 32), {amounts(65, 1)}), Defect);
  CHECK_THROWS_AS(Sm(amounts(64, 0), {amounts(64, 1)}), Defect);
  CHECK_THROWS_AS(Sm(amounts(64, 8), {amounts(0, 1)}), Defect);
  CHECK_THROWS_AS(Sm(amounts(64, 8), {amounts(1, 1)}, {false}), Defect);
  CHECK_THROWS_AS(Sm(amounts(64, 8), {}), Defect);
  const Sm sm(amounts(64, 8), {amounts(1, 1)});
  CHECK_THROWS_AS(static_cast<void>(sm.least_blocking<Wide>(std::vector<Wide>{Wide{1} << 125})), Overflow);
}

TEST_CASE("equal demands are one class") {
  const std::vector<Amounts> demand{amounts(64, 1), amounts(32, 1), amounts(64, 1), amounts(64, 1, 8)};
  const DemandClasses classes = classify(demand);
  CHECK(classes.demand.size() == 3);
  CHECK(classes.of == std::vector<std::uint32_t>{1, 0, 1, 2});
}

TEST_CASE("dynamic programs against the enumeration of every configuration, on small SMs") {
  std::mt19937 random(20240901);
  const auto in = [&](int low, int high) { return static_cast<std::uint64_t>(std::uniform_int_distribution<int>(low, high)(random)); };
  int several_bind = 0, partly_waiting = 0;
  for (int round = 0; round < 4000; ++round) {
    const Amounts capacity = amounts(in(1, 12), in(1, 6), in(0, 10), in(0, 10));
    std::vector<Amounts> demand(in(1, 3));
    std::vector<Wide> value;
    std::vector<double> steering;
    for (Amounts& d : demand) {
      d = amounts(in(1, static_cast<int>(capacity[Resource::threads])), 1, in(0, static_cast<int>(capacity[Resource::shared_memory])),
                  in(0, static_cast<int>(capacity[Resource::registers])));
      value.push_back(static_cast<Wide>(in(0, 20)));
      steering.push_back(static_cast<double>(value.back()));
    }
    std::vector<bool> may_wait(demand.size(), true);
    if (demand.size() > 1 && in(0, 2) == 0) may_wait[in(0, static_cast<int>(demand.size()) - 1)] = false;
    const bool all_wait = std::find(may_wait.begin(), may_wait.end(), false) == may_wait.end();
    const Sm sm(capacity, demand, may_wait);
    const Extremes exact = Enumeration(capacity, demand, may_wait, value).extremes;
    CAPTURE(round);
    const auto least = sm.least_blocking<Wide>(value);
    REQUIRE(least.has_value() == exact.least_blocking.has_value());
    if (all_wait) {
      CHECK(least->value == *exact.least_blocking);
    } else {
      CHECK(least->value <= *exact.least_blocking);
      ++partly_waiting;
    }
    CHECK(static_cast<double>(least->value) == sm.least_blocking<double>(steering)->value);
    CHECK(sm.most<Wide>(value) >= exact.most);
    CHECK(sm.most_non_blocking<Wide>(value) >= exact.most_non_blocking);
    if (sm.binding().size() == 1) {
      CHECK(sm.most<Wide>(value) == exact.most);
      if (all_wait) CHECK(sm.most_non_blocking<Wide>(value) == exact.most_non_blocking);
    } else {
      ++several_bind;
    }
    Wide sum = 0;
    for (std::size_t c = 0; c < demand.size(); ++c) sum += static_cast<Wide>(least->configuration[c]) * value[c];
    CHECK(sum == least->value);
  }
  CHECK(several_bind > 1000);
  CHECK(partly_waiting > 300);
}

// 65536 registers in four parts of 16384. Warps of 96 x 32 = 3072: five in each part. A block of 7 warps waits where six of them find room
// at most: 6 x 3072 registers are free for these, and up to 3072 - 1024 more in each part (all amounts are multiples of 1024):
// 18432 + 4 x 2048 = 26624. So 27648 are needed.
TEST_CASE("what must be free for a block to start wherever its warps find room") {
  GpuPool gpu;
  gpu.sm.registers = 65536;
  gpu.allocation = {32, 1, 0, 256, 4};
  const std::vector<Amounts> one{block_demand(224, 0, 96, gpu)};
  CHECK(one[0][Resource::registers] == 21504);
  CHECK(needed_to_start(one, gpu)[0][Resource::registers] == 27648);
  // More than 65536 - 27648 = 37888 in use: two blocks, where one amount would let three in.
  const Sm sm(gpu, one);
  CHECK(sm.least_blocking<Wide>(std::vector<Wide>{1}, Resource::registers)->value == 2);
  CHECK(Sm(sm_capacity(gpu), one).least_blocking<Wide>(std::vector<Wide>{1}, Resource::registers)->value == 3);
  // Warps of 2048 fill a part, and none is lost.
  const std::vector<Amounts> even{block_demand(224, 0, 64, gpu)};
  CHECK(needed_to_start(even, gpu) == even);
  // 32 warps of 2048 are all: three parts may have been free, and all but 2048 of the fourth.
  CHECK(needed_to_start(std::vector{block_demand(1024, 0, 64, gpu)}, gpu)[0][Resource::registers] == 65536);
  // Beside blocks of 1024 a warp of 2048 may find 1024 in each part: 6 x 2048 + 4 x 1024 + 1024.
  const std::vector<Amounts> both{block_demand(224, 0, 64, gpu), block_demand(32, 0, 32, gpu)};
  CHECK(needed_to_start(both, gpu)[0][Resource::registers] == 17408);
  CHECK(needed_to_start(both, gpu)[1][Resource::registers] == 1024);
}

TEST_CASE("what must be free, against every way in which registers may be free") {
  std::mt19937 random(37);
  const auto in = [&](int low, int high) { return static_cast<std::uint64_t>(std::uniform_int_distribution<int>(low, high)(random)); };
  int loose = 0;
  for (int round = 0; round < 3000; ++round) {
    GpuPool gpu;
    const std::uint64_t parts = in(0, 1) == 0 ? 2 : 4, unit = in(1, 3), units = in(1, parts == 2 ? 12 : 6);
    const std::uint64_t part = unit * units, per_warp = unit * in(1, static_cast<int>(units));
    const std::uint64_t warps = in(1, static_cast<int>(parts * (part / per_warp)));
    gpu.sm.registers = parts * part + in(0, static_cast<int>(parts) - 1);
    gpu.allocation.register_parts = static_cast<std::uint32_t>(parts);
    std::uint64_t most_free = 0;
    std::vector<std::uint64_t> free(parts, 0);
    while (true) {
      std::uint64_t all = 0, room = 0;
      for (const std::uint64_t f : free) {
        all += f;
        room += f / per_warp;
      }
      if (room < warps) most_free = std::max(most_free, all);
      std::size_t p = 0;
      while (p < parts && free[p] == part) free[p++] = 0;
      if (p == parts) break;
      free[p] += unit;
    }
    // In use is all else of the parts: at least that much blocks, and no less does.
    const std::uint64_t needed = registers_to_start(warps, per_warp, unit, gpu);
    const std::uint64_t least_in_use = parts * part - most_free;
    CAPTURE(round);
    REQUIRE(needed <= *gpu.sm.registers);
    CHECK(least_in_use + needed > *gpu.sm.registers);
    if (needed == warps * per_warp) continue;
    ++loose;
    CHECK(least_in_use - unit + needed <= *gpu.sm.registers);
  }
  CHECK(loose > 500);
}
