// How much longer a block takes while blocks on other SMs use the memory that it uses, too: what L must allow for, since no bound adds it.
// A block works on an SM of its own, alone and beside one block on every other SM. Prints JSON. With --quick: few repetitions.
// Build: nvcc -std=c++17 -O2 -arch=native -Xcompiler -pthread -Ivalidation/runtime -o interference validation/interference.cu
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "common/cuda_memory.cuh"
#include "common/gpu_device.cuh"
#include "common/spin.cuh"
#include "common/trace_file.hpp"

namespace {

using namespace common;

constexpr unsigned threads = 1024;  // of each block: many, so that many accesses are under way

/// What a block works on. Level 2 and DRAM: words beyond the cache of its SM, as many as stay in the cache of level 2 or far more.
enum class Work : unsigned { registers, level_2, dram };
constexpr Work works[] = {Work::registers, Work::level_2, Work::dram};
const char* name_of(Work work) { return work == Work::registers ? "registers" : work == Work::level_2 ? "L2" : "DRAM"; }

struct Data {
  unsigned* words;
  std::size_t count;
};

/// `rounds` accesses per thread, each to a line of 128 bytes, from one of them on.
__device__ inline unsigned work_on(Work work, Data data, std::size_t first_line, unsigned rounds) {
  constexpr std::size_t line = 32;  // words
  unsigned sum = threadIdx.x;
#pragma unroll 1
  for (unsigned r = 0; r < rounds; ++r) {
    if (work == Work::registers) {
      for (int k = 0; k < 64; ++k) sum = sum * 1664525U + 1013904223U;
    } else {
      volatile unsigned* word = data.words + (first_line + static_cast<std::size_t>(r) * threads + threadIdx.x) * line % data.count;
      sum += *word;
      *word = sum;
    }
  }
  return sum;
}

/// Works until the host says `stop`, or for about `limit` ms. `present`: one number per block. One thread of a block looks, and seldom, and
/// tells the others by writing `time` to `ended`: reading the host's memory is slow, and when all do it nothing else gets through to the
/// cache of level 2.
__global__ void disturb(Work work, Data data, std::size_t lines_per_block, const volatile unsigned* stop, volatile unsigned* present,
                        volatile unsigned* ended, unsigned time, unsigned limit) {
  const auto ms = [] { return static_cast<unsigned>(global_time() >> 20U); };
  const unsigned since = ms();
  if (threadIdx.x == 0) present[blockIdx.x] = 1;
  unsigned sum = 0;
  for (unsigned round = 1; ended[blockIdx.x] != time; ++round) {
    sum += work_on(work, data, (blockIdx.x + 1) * lines_per_block, 64);
    const bool looks = threadIdx.x == 0 && round % 16 == 0;
    if (looks && (*stop != 0 || ms() - since > limit)) ended[blockIdx.x] = time;
  }
  if (sum == 0xdeadbeef) present[blockIdx.x] = 2;  // the compiler cannot leave the work out
}

/// One block with a fixed amount of work.
__global__ void work_once(Work work, Data data, unsigned rounds, BlockTimes* times) {
  __syncthreads();
  const std::uint64_t start = global_time();
  const unsigned sum = work_on(work, data, 0, rounds);
  __syncthreads();
  if (threadIdx.x == 0) write_times(*times, start, global_time());
  if (sum == 0xdeadbeef) times->reserved = sum;
}

struct Summary {
  std::int64_t median, p99, max;
};

class Interference {
 public:
  Interference(const GpuDevice& device, unsigned repetitions)
      : device_(device),
        repetitions_(repetitions),
        others_(static_cast<unsigned>(device.properties().multiProcessorCount) - 1),
        shared_memory_(device.properties().sharedMemPerBlockOptin) {
    int cache = 0;
    CUDA_CALL(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, device.index()));
    const std::size_t words = std::max<std::size_t>(static_cast<std::size_t>(cache), std::size_t{1} << 16) / sizeof(unsigned);
    cached_ = {on_device<unsigned>(words / 4), words / 4};
    large_ = {on_device<unsigned>(8 * words), 8 * words};
    times_ = on_host<BlockTimes>(1);
    stop_ = on_host<unsigned>(1);
    present_ = on_host<unsigned>(others_ + 1);
    ended_ = on_device<unsigned>(others_ + 1);
    CUDA_CALL(cudaStreamCreateWithFlags(&beside_, cudaStreamNonBlocking));
    // So much shared memory that an SM holds one block.
    const auto all = static_cast<int>(shared_memory_);
    CUDA_CALL(cudaFuncSetAttribute(disturb, cudaFuncAttributeMaxDynamicSharedMemorySize, all));
    CUDA_CALL(cudaFuncSetAttribute(work_once, cudaFuncAttributeMaxDynamicSharedMemorySize, all));
    for (const Work work : works) rounds_[static_cast<unsigned>(work)] = rounds_of_a_millisecond(work);
  }

  [[nodiscard]] unsigned others() const { return others_; }

  /// Of a block with `work`; `beside`: what blocks on all other SMs do, null: there are none.
  Summary measure(Work work, const Work* beside) {
    if (beside != nullptr) begin(*beside);
    std::vector<std::int64_t> took;
    for (unsigned i = 0; i < repetitions_ + 3; ++i) {
      const std::int64_t ns = once(work, rounds_[static_cast<unsigned>(work)]);
      if (i >= 3) took.push_back(ns);  // the first bring clocks and caches up
    }
    if (beside != nullptr) end();
    std::sort(took.begin(), took.end());
    return {took[took.size() / 2], took[(took.size() * 99 + 99) / 100 - 1], took.back()};
  }

 private:
  [[nodiscard]] Data data_of(Work work) const { return work == Work::dram ? large_ : cached_; }

  std::int64_t once(Work work, unsigned rounds) {
    launch(work_once, 1, threads, shared_memory_, device_.service_stream(), work, data_of(work), rounds, times_);
    CUDA_CALL(cudaStreamSynchronize(device_.service_stream()));
    const volatile BlockTimes* times = times_;
    return static_cast<std::int64_t>(times->end - times->start);
  }
  unsigned rounds_of_a_millisecond(Work work) {
    constexpr unsigned trial = 256;
    once(work, trial);
    const std::int64_t took = std::max<std::int64_t>(once(work, trial), 1);
    return static_cast<unsigned>(std::max<std::int64_t>(1'000'000 * trial / took, 16));
  }

  void begin(Work work) {
    *static_cast<volatile unsigned*>(stop_) = 0;
    std::fill_n(present_, others_ + 1, 0U);
    constexpr unsigned limit = 30'000;
    if (others_ > 0) {
      const Data data = data_of(work);
      launch(disturb, others_, threads, shared_memory_, beside_, work, data, data.count / 32 / (others_ + 1), stop_, present_, ended_,
             ++times_disturbed_, limit);
    }
    const std::int64_t until = now() + 2'000'000'000;
    for (unsigned b = 0; b < others_; ++b) {
      while (static_cast<const volatile unsigned*>(present_)[b] == 0) {
        if (now() > until) gpu_failed("the blocks beside did not start within 2 s: something else holds SMs");
      }
    }
  }
  void end() {
    *static_cast<volatile unsigned*>(stop_) = 1;
    CUDA_CALL(cudaStreamSynchronize(beside_));
  }

  const GpuDevice& device_;
  unsigned repetitions_;
  unsigned others_;
  std::size_t shared_memory_;
  Data cached_{};
  Data large_{};
  unsigned rounds_[3] = {};
  BlockTimes* times_ = nullptr;
  unsigned* stop_ = nullptr;
  unsigned* present_ = nullptr;
  unsigned* ended_ = nullptr;  // block -> when it last ended, counted by `times_disturbed_`
  unsigned times_disturbed_ = 0;
  cudaStream_t beside_ = nullptr;
};

void print(Work work, const char* beside, const Summary& is, std::int64_t alone, bool last) {
  std::printf("    {\"kernel\": \"%s\", \"beside\": \"%s\", \"median_ns\": %" PRId64 ", \"p99_ns\": %" PRId64 ", \"max_ns\": %" PRId64
              ", \"growth_percent\": %.1f}%s\n",
              name_of(work), beside, is.median, is.p99, is.max,
              100.0 * static_cast<double>(is.p99 - alone) / static_cast<double>(std::max<std::int64_t>(alone, 1)), last ? "" : ",");
}

}  // namespace

int main(int argc, char** argv) {
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  const bool quick = argc == 2 && std::string(argv[1]) == "--quick";
  if (argc > 2 || (argc == 2 && !quick)) {
    std::fprintf(stderr, "Usage: interference [--quick]\n");
    return 2;
  }
  const GpuDevice device(0);
  Interference interference(device, quick ? 5 : 200);
  std::printf("{\n  \"device\": %s, \"blocks_beside\": %u,\n  \"cases\": [\n", json_string(device.properties().name).c_str(),
              interference.others());
  for (const Work work : works) {
    const Summary alone = interference.measure(work, nullptr);
    print(work, "none", alone, alone.p99, false);
    for (const Work& beside : works) {
      print(work, name_of(beside), interference.measure(work, &beside), alone.p99, work == Work::dram && beside == Work::dram);
    }
  }
  std::printf("  ]\n}\n");
  return 0;
}
