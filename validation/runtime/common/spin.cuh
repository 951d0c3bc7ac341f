// The kernel of every GPU node: each block holds its SM's resources for L by %globaltimer and records when and where it ran.
#pragma once

#include <cstdint>

#include "cuda_call.cuh"
#include "gpu_clock.cuh"

namespace common {

/// One block's record; lies in pinned host memory that the GPU writes to, so that no copy engine is used.
struct BlockTimes {
  unsigned long long start;
  unsigned long long end;
  unsigned sm;
  unsigned reserved;
};

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
    if (times != nullptr) {
      BlockTimes& record = times[blockIdx.x];
      record.start = start;
      record.end = end;
      record.sm = sm_number();
    }
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

/// The kernel that uses the most registers without passing `limit` (0: the one that uses the fewest).
inline SpinKernel choose_spin_kernel(unsigned limit) {
  const SpinFunction kernels[] = {spin<0>, spin<16>, spin<32>, spin<48>, spin<64>, spin<96>, spin<128>, spin<192>};
  SpinKernel chosen{nullptr, 0};
  for (const SpinFunction kernel : kernels) {
    cudaFuncAttributes attributes{};
    CUDA_CALL(cudaFuncGetAttributes(&attributes, kernel));
    if (chosen.function == nullptr || (attributes.numRegs <= static_cast<int>(limit) && attributes.numRegs > chosen.registers)) {
      chosen = {kernel, attributes.numRegs};
    }
  }
  return chosen;
}
inline constexpr int most_seed_words = 256;

}  // namespace common
