// The kernel of every GPU node: each block holds its SM's resources for L by %globaltimer and records when and where it ran.
#pragma once

#include <cstdint>
#include <vector>

#include "cuda_call.cuh"
#include "gpu_clock.cuh"

namespace common {

/// One block's record; lies in pinned host memory that the GPU writes to, so that no copy engine is used.
struct alignas(32) BlockTimes {
  unsigned long long start;
  unsigned long long end;
  unsigned sm;
  unsigned reserved;
};

/// Two aligned words of 16 bytes, since each store is a transfer over the bus.
__device__ inline void write_times(BlockTimes& record, std::uint64_t start, std::uint64_t end) {
  reinterpret_cast<uint4*>(&record)[1] = make_uint4(sm_number(), 0, 0, 0);
  reinterpret_cast<ulonglong2*>(&record)[0] = make_ulonglong2(start, end);
}

/// `Live` values stay in registers over the whole block, so that it occupies about `Live` registers per thread more. `seed`: Live words.
template <int Live>
__global__ void spin(unsigned long long length, BlockTimes* times, const unsigned* seed) {
  const std::uint64_t start = global_time();
  unsigned live[Live > 0 ? Live : 1];
  if (Live > 0) {
#pragma unroll
    for (int k = 0; k < Live; ++k) live[k] = static_cast<const volatile unsigned*>(seed)[k];
  }
  if (threadIdx.x == 0) {
    std::uint64_t end = global_time();
    while (end - start < length) end = global_time();
    if (times != nullptr) write_times(times[blockIdx.x], start, end);
  }
  __syncthreads();
  if (Live > 0) {
    unsigned sum = 0;
#pragma unroll
    for (int k = 0; k < Live; ++k) sum = sum * 31 + live[k];
    // Never so with the seeds in use, but the compiler cannot know.
    if (sum == 0xdeadbeef && times != nullptr) times[blockIdx.x].reserved = sum;
  }
}

using SpinFunction = void (*)(unsigned long long, BlockTimes*, const unsigned*);

struct SpinKernel {
  SpinFunction function;
  int registers;  // per thread, as compiled
};

/// Hardware hands out registers in units of 256 per warp: 8 per thread.
inline unsigned allocated_registers(unsigned per_thread) { return (per_thread + 7) / 8 * 8; }

/// Of `kernels`, the one that is allocated as many registers as one that uses `registers` per thread; where there is none, the one with
/// the most below. 0: the one with the fewest.
inline SpinKernel spin_kernel_with(unsigned registers, const std::vector<SpinFunction>& kernels) {
  SpinKernel chosen{nullptr, 0};
  for (const SpinFunction kernel : kernels) {
    cudaFuncAttributes attributes{};
    CUDA_CALL(cudaFuncGetAttributes(&attributes, kernel));
    const unsigned has = allocated_registers(static_cast<unsigned>(attributes.numRegs));
    if (chosen.function == nullptr || (has <= allocated_registers(registers) && attributes.numRegs > chosen.registers))
      chosen = {kernel, attributes.numRegs};
  }
  return chosen;
}
inline constexpr int most_seed_words = 256;

}  // namespace common
