// CUDA errors with their place and name; none is ever ignored.
#pragma once

#include <cuda_runtime.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace common {

/// Takes an error over in place of the program's end, on the thread that met it; does not return.
using FailureHandler = void (*)(const std::string& what);
inline std::atomic<FailureHandler> failure_handler{nullptr};

/// The GPU does not do what it is asked.
[[noreturn]] inline void gpu_failed(const std::string& what) {
  if (const FailureHandler handler = failure_handler.load()) handler(what);
  std::fprintf(stderr, "%s\n", what.c_str());
  std::fflush(nullptr);
  std::_Exit(2);  // threads still run: no destructor may touch what they use
}

inline void require(cudaError_t status, const char* call, const char* file, int line) {
  if (status == cudaSuccess) return;
  gpu_failed(std::string(file) + ":" + std::to_string(line) + ": " + call + ": " + cudaGetErrorString(status) + " (" +
             cudaGetErrorName(status) + ")");
}

}  // namespace common

#define CUDA_CALL(call) ::common::require((call), #call, __FILE__, __LINE__)
