// CUDA for clang's front end, included before everything else as nvcc includes its own: clang 14 does not know the device headers of
// toolkits as new as these, so types and calls come from the toolkit and what device code may call from clang's builtins.
#pragma once

// Clang's own header includes it before the standard headers that it wraps, too.
#include <cstdlib>

// Without __CUDACC__ the declarations for any host compiler; the other name makes __host__ and __device__ attributes nevertheless.
#define __CUDA_LIBDEVICE__ 1
#include <cuda_runtime.h>
#undef __CUDA_LIBDEVICE__
#define __CUDACC__ 1

#include <__clang_cuda_builtin_vars.h>

// What kernel<<<...>>> calls, on the host's side and the device's.
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared_memory = 0, void* stream = nullptr);
extern "C" cudaError_t cudaConfigureCall(dim3 grid, dim3 block, std::size_t shared_memory = 0, cudaStream_t stream = nullptr);

inline __device__ int min(int a, int b) { return b < a ? b : a; }
inline __device__ int max(int a, int b) { return a < b ? b : a; }
inline __device__ float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }

inline __device__ void __syncwarp() { __nvvm_bar_warp_sync(0xffffffffU); }
inline __device__ void __threadfence() { __nvvm_membar_gl(); }
inline __device__ void __threadfence_system() { __nvvm_membar_sys(); }
inline __device__ void __nanosleep(unsigned ns) { asm volatile("nanosleep.u32 %0;" ::"r"(ns)); }
inline __device__ long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }

inline __device__ unsigned __shfl_sync(unsigned lanes, unsigned value, int from) {
  return static_cast<unsigned>(__nvvm_shfl_sync_idx_i32(lanes, static_cast<int>(value), from, 31));
}
inline __device__ unsigned long long __shfl_sync(unsigned lanes, unsigned long long value, int from) {
  const unsigned low = __shfl_sync(lanes, static_cast<unsigned>(value), from);
  return static_cast<unsigned long long>(__shfl_sync(lanes, static_cast<unsigned>(value >> 32U), from)) << 32U | low;
}
inline __device__ uint4 __ldcv(const uint4* from) {
  uint4 value;
  asm volatile("ld.cv.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w) : "l"(from) : "memory");
  return value;
}

inline __device__ unsigned atomicAdd(unsigned* to, unsigned value) {
  return static_cast<unsigned>(__nvvm_atom_add_gen_i(reinterpret_cast<int*>(to), static_cast<int>(value)));
}
inline __device__ unsigned long long atomicAdd(unsigned long long* to, unsigned long long value) {
  return static_cast<unsigned long long>(__nvvm_atom_add_gen_ll(reinterpret_cast<long long*>(to), static_cast<long long>(value)));
}
inline __device__ unsigned atomicSub(unsigned* from, unsigned value) { return atomicAdd(from, 0U - value); }
inline __device__ unsigned atomicExch(unsigned* at, unsigned value) {
  return static_cast<unsigned>(__nvvm_atom_xchg_gen_i(reinterpret_cast<int*>(at), static_cast<int>(value)));
}

// What the toolkit's header has for CUDA compilers alone.
template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel* kernel, cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
template <class Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Kernel* kernel) {
  return cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel* kernel, int threads, std::size_t shared_memory) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void*>(kernel), threads, shared_memory);
}
