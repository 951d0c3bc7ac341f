#include "analysis/gpu/block_sizes.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "support/kernels.hpp"

using namespace rta;
using namespace rta::analysis::fifo;
using rta::test::gpu_with;
using rta::test::kernel_of_length;

// Two blocks of 768 leave 512 of 2048 G-threads unused. 4 x 768 = 3072 G-threads are also 12 x 256, 6 x 512 or 3 x 1024: nothing unused.
TEST_CASE("block sizes that fill an SM are better than 768") {
  const std::vector<Task> tasks{kernel_of_length(1000, 10'000, 4, 768)};
  const auto sizes = better_block_sizes(tasks, gpu_with(2));
  CHECK(sizes.capacity == doctest::Approx(2 * 1536));
  REQUIRE(sizes.better[0].size() == 3);
  for (const BlockSize& size : sizes.better[0]) {
    CHECK(size.B * size.H == 3072);
    CHECK(size.H % 256 == 0);
    CHECK(size.capacity_alone == doctest::Approx(2 * 2048));
    CHECK(size.capacity_together == doctest::Approx(2 * 2048));
  }
  CHECK(better_block_sizes(tasks, gpu_with(2), 1).better[0].size() == 1);
}

// Two tasks with blocks of 768: each alone still leaves the other to waste room.
TEST_CASE("tasks of the same block size are worth changing together") {
  const std::vector<Task> tasks{kernel_of_length(1000, 10'000, 4, 768), kernel_of_length(1000, 10'000, 4, 768)};
  const auto sizes = better_block_sizes(tasks, gpu_with(1));
  REQUIRE(!sizes.better[0].empty());
  CHECK(sizes.better[0].front().capacity_together == doctest::Approx(2048));
  CHECK(sizes.better[0].front().capacity_alone < 2047);
  CHECK(sizes.better[0].front().H == sizes.better[1].front().H);
  CHECK(sizes.groups[sizes.better[0].front().group] == std::vector<std::size_t>{0, 1});
}

// As copies of one node they change together, so nothing is left to gain by others.
TEST_CASE("copies of a node change together") {
  const std::vector<Task> tasks{kernel_of_length(1000, 10'000, 4, 768), kernel_of_length(1000, 10'000, 4, 768)};
  const auto sizes = better_block_sizes(tasks, gpu_with(1), 3, std::vector<std::size_t>{0, 0});
  REQUIRE(sizes.better[1].size() == 3);
  CHECK(sizes.better[1].front().capacity_alone == doctest::Approx(2048));
  CHECK(sizes.better[1].front().capacity_alone == doctest::Approx(sizes.better[1].front().capacity_together));
}

// 3 x 768 = 2304 = 9 x 256 G-threads are no multiple of 512: the task of one block of 768 stays where the other takes 512.
TEST_CASE("only tasks whose G-threads the size divides change with the group") {
  const std::vector<Task> tasks{kernel_of_length(1000, 10'000, 4, 768), kernel_of_length(1000, 10'000, 3, 768)};
  const auto sizes = better_block_sizes(tasks, gpu_with(1), 10);
  bool both = false;
  bool first_alone = false;
  for (const BlockSize& size : sizes.better[0]) {
    const auto& group = sizes.groups[size.group];
    both = both || (size.H == 256 && group == std::vector<std::size_t>{0, 1});
    if (size.H % 512 != 0) continue;
    first_alone = true;
    CHECK(group == std::vector<std::size_t>{0});
    CHECK(size.capacity_alone == doctest::Approx(size.capacity_together));
  }
  CHECK(both);
  CHECK(first_alone);
}

// 32 slots: blocks of 32 use 1024 of 2048 G-threads; 64 at least fill the SM. 24 KiB per block of 256 go with the G-threads: no size helps.
TEST_CASE("slots and shared memory") {
  std::vector<Task> tasks{kernel_of_length(1000, 10'000, 64, 32)};
  GpuPool gpu = gpu_with(1);
  gpu.allocation.warp = 32;
  gpu.sm.threads_per_block = 1024;
  const auto sizes = better_block_sizes(tasks, gpu);
  CHECK(sizes.capacity == doctest::Approx(1024));
  REQUIRE(sizes.better[0].size() == 3);
  CHECK(sizes.better[0][0].H == 64);
  CHECK(sizes.better[0][0].B == 32);
  CHECK(sizes.better[0][0].capacity_alone == doctest::Approx(2048));

  tasks = {kernel_of_length(1000, 10'000, 8, 256)};
  tasks[0].shared_memory = 32 * 1024;
  gpu.sm.shared_memory = 64 * 1024;
  const auto shared = better_block_sizes(tasks, gpu);
  CHECK(shared.capacity == doctest::Approx(512));
  CHECK(shared.better[0].empty());
}

TEST_CASE("nothing to improve") {
  CHECK(better_block_sizes({}, gpu_with(1)).better.empty());
  CHECK(better_block_sizes(std::vector<Task>{kernel_of_length(1000, 10'000, 8, 256)}, gpu_with(1)).better[0].empty());
}
