// CUDA errors with their place and name; none is ever ignored.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace common {

inline void require(cudaError_t status, const char* call, const char* file, int line) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s:%d: %s: %s (%s)\n", file, line, call, cudaGetErrorString(status), cudaGetErrorName(status));
  std::fflush(nullptr);
  std::_Exit(2);  // threads still run: no destructor may touch what they use
}

}  // namespace common

#define CUDA_CALL(call) ::common::require((call), #call, __FILE__, __LINE__)
