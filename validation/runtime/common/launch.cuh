// Kernels are launched here and nowhere else, each with its parameters' types, and an error is known at once.
#pragma once

#include <cstddef>

#include "cuda_call.cuh"

namespace common {

template <class T>
struct Same {
  using Type = T;
};

/// Arguments are converted to the kernel's parameters.
template <class... Parameters>
void launch(void (*kernel)(Parameters...), std::size_t blocks, unsigned threads, std::size_t shared_memory, cudaStream_t stream,
            typename Same<Parameters>::Type... arguments) {
  void* pointers[] = {&arguments...};
  CUDA_CALL(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(static_cast<unsigned>(blocks)), dim3(threads), pointers,
                             shared_memory, stream));
}

}  // namespace common
