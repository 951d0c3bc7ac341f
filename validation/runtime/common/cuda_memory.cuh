// Memory that is zero: pinned on the host and mapped for the device, or on the device.
#pragma once

#include <algorithm>
#include <cstddef>

#include "cuda_call.cuh"

namespace common {

template <class T>
T* on_host(std::size_t count) {
  void* memory = nullptr;
  const std::size_t bytes = std::max<std::size_t>(count, 1) * sizeof(T);
  CUDA_CALL(cudaHostAlloc(&memory, bytes, cudaHostAllocMapped));
  std::fill_n(static_cast<char*>(memory), bytes, char{0});
  return static_cast<T*>(memory);
}

/// While nothing else runs: waits until the memory is zero.
template <class T>
T* on_device(std::size_t count) {
  void* memory = nullptr;
  const std::size_t bytes = std::max<std::size_t>(count, 1) * sizeof(T);
  CUDA_CALL(cudaMalloc(&memory, bytes));
  CUDA_CALL(cudaMemset(memory, 0, bytes));
  CUDA_CALL(cudaStreamSynchronize(cudaStreamLegacy));
  return static_cast<T*>(memory);
}

}  // namespace common
