// Launches on the fake device, in place of the runtime's.
#pragma once

#include <cstddef>

#include "common/cuda_call.cuh"
#include "fake/device.hpp"

namespace common {

template <class T>
struct Same {
  using Type = T;
};

template <class... Parameters>
void launch(void (*kernel)(Parameters...), std::size_t blocks, unsigned threads, std::size_t, cudaStream_t stream,
            typename Same<Parameters>::Type... arguments) {
  const std::uint64_t number = ++fake::launches;
  const char* failing = std::getenv("FAKE_FAILS_AT_LAUNCH");
  if (failing != nullptr && number == std::strtoull(failing, nullptr, 10)) CUDA_CALL(cudaErrorLaunchFailure);
  CUDA_CALL(fake::state());
  fake::Device::instance().put(stream, [=] { fake::run_blocks(blocks, threads, [=] { kernel(arguments...); }); });
}

}  // namespace common
