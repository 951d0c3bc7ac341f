// Blocks that are measured, and blocks beside them: what each class of them does.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/gpu_device.cuh"
#include "common/spin.cuh"

namespace interference {

using namespace common;

// As many blocks share an SM as its threads allow: registers must not be too many for that. Older compilers cannot be told so.
#if defined(__NVCC__) && (__CUDACC_VER_MAJOR__ > 12 || (__CUDACC_VER_MAJOR__ == 12 && __CUDACC_VER_MINOR__ >= 4))
#define AT_MOST_32_REGISTERS __maxnreg__(32)
#else
#define AT_MOST_32_REGISTERS
#endif

constexpr unsigned threads = 1024;    // of each block that has an SM of its own: many, so that many accesses are under way
constexpr unsigned stride = threads;  // lines from one access of a thread to its next
constexpr unsigned places = 4;        // blocks on an SM, where they share one

/// What a block works on. Level 2 and DRAM: words beyond the cache of its SM, as many as stay in the cache of level 2 or far more.
enum class Work : unsigned { registers, level_2, dram };
constexpr Work works[] = {Work::registers, Work::level_2, Work::dram};
constexpr unsigned work_count = 3;
inline const char* name_of(Work work) { return work == Work::registers ? "registers" : work == Work::level_2 ? "L2" : "DRAM"; }

constexpr unsigned words_of_line = 32;

struct Data {
  unsigned* words;
  std::size_t count;
};

/// `rounds` accesses per thread, each to a line of 128 bytes, from one of them on.
__device__ inline unsigned work_on(Work work, Data data, std::size_t first_line, unsigned rounds) {
  unsigned sum = threadIdx.x;
#pragma unroll 1
  for (unsigned r = 0; r < rounds; ++r) {
    if (work == Work::registers) {
      for (int k = 0; k < 64; ++k) sum = sum * sum + 1013904223U;  // which no compiler makes one step of
    } else {
      volatile unsigned* word = data.words + (first_line + static_cast<std::size_t>(r) * stride + threadIdx.x) * words_of_line % data.count;
      sum += *word;
      *word = sum;
    }
  }
  return sum;
}

constexpr unsigned every_sm = ~0U;

/// Classes of blocks, two bits each: the nth block has the nth of `count`, and so on in turn.
struct Classes {
  unsigned bits = 0;
  unsigned count = 0;
  void add(Work work) { bits |= static_cast<unsigned>(work) << 2 * count++; }
};

struct Disturbance {
  Classes classes;
  Data cached, large;
  unsigned blocks, threads;
  unsigned advance;  // lines that a block goes on with each round; 0: it works on the same again and again
  unsigned on_sm;    // only blocks there work, and take their class in the order in which they come; or every_sm
  unsigned time;     // which disturbance of the program this is, from 1 on
  unsigned limit;    // ms
};

/// Works until the host says `stop`, or for about `limit` ms. `present`: one number per block. One thread of a block looks, and seldom, and
/// tells the others by writing `time` to `ended`: reading the host's memory is slow, and when all do it nothing else gets through to the
/// cache of level 2. `roles`: 4 times `time` and the class; 3: none. `arrived`: how many blocks have come to that SM; of these `present`
/// is 2.
__global__ void AT_MOST_32_REGISTERS disturb(Disturbance is, const volatile unsigned* stop, volatile unsigned* present,
                                             volatile unsigned* ended, volatile unsigned* roles, volatile unsigned* begun,
                                             unsigned* arrived) {
  const auto ms = [] { return static_cast<unsigned>(global_time() >> 20U); };
  if (threadIdx.x == 0) {
    unsigned role = 3;
    if (is.on_sm == every_sm) role = is.classes.bits >> 2 * (blockIdx.x % is.classes.count) & 3U;
    const bool there = is.on_sm == sm_number();
    if (there) role = is.classes.bits >> 2 * (atomicAdd(arrived, 1U) % is.classes.count) & 3U;
    begun[blockIdx.x] = ms();  // in memory: no thread is to keep a register for it
    roles[blockIdx.x] = 4 * is.time + role;
    present[blockIdx.x] = there ? 2 : 1;
  }
  unsigned role = roles[blockIdx.x];
  while (role / 4 != is.time) role = roles[blockIdx.x];
  role %= 4;
  const Data data = role == static_cast<unsigned>(Work::dram) ? is.large : is.cached;
  std::size_t line = (blockIdx.x + 1) * (data.count / words_of_line / (is.blocks + 1));
  // A line for each block: what all of them ask for again and again may not lie in one part of the cache.
  volatile unsigned* const end = ended + std::size_t{words_of_line} * blockIdx.x;
  unsigned sum = 0;
  for (unsigned round = 1; *end != is.time; ++round) {
    if (role == 3) {
      __nanosleep(100'000);
    } else {
      sum += work_on(static_cast<Work>(role), data, line, 64);
    }
    line += is.advance;
    const bool looks = threadIdx.x == 0 && round % 16 == 0;
    if (looks && (*stop != 0 || ms() - begun[blockIdx.x] > is.limit)) *end = is.time;
  }
  if (sum == 0xdeadbeef) present[blockIdx.x] = 3;  // the compiler cannot leave the work out
}

/// One block with a fixed amount of work.
__global__ void work_once(Work work, Data data, std::size_t first_line, unsigned rounds, BlockTimes* times) {
  __syncthreads();
  const std::uint64_t start = global_time();
  const unsigned sum = work_on(work, data, first_line, rounds);
  __syncthreads();
  if (threadIdx.x == 0) write_times(*times, start, global_time());
  if (sum == 0xdeadbeef) times->reserved = sum;
}

/// The block on `sm` has a fixed amount of work; others, one for each other SM, only hold a place there until it has ended, or for a
/// second. `done`: set to `time` at the end.
__global__ void work_on_one_sm(Work work, Data data, std::size_t first_line, unsigned rounds, unsigned sm, volatile unsigned* done,
                               unsigned time, BlockTimes* times) {
  const std::uint64_t begun = global_time();
  if (sm_number() != sm) {
    while (threadIdx.x == 0 && *done != time && global_time() - begun < 1'000'000'000) __nanosleep(5'000);
    return;
  }
  __syncthreads();
  const std::uint64_t start = global_time();
  const unsigned sum = work_on(work, data, first_line, rounds);
  __syncthreads();
  if (threadIdx.x == 0) {
    write_times(*times, start, global_time());
    *done = time;
  }
  if (sum == 0xdeadbeef) times->reserved = sum;
}

}  // namespace interference
