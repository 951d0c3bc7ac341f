// Launches on the fake device, in place of the runtime's.
#pragma once

#include <cstddef>

#include "fake/device.hpp"

namespace common {

template <class T>
struct Same {
  using Type = T;
};

template <class... Parameters>
void launch(void (*kernel)(Parameters...), std::size_t blocks, unsigned threads, std::size_t, cudaStream_t stream,
            typename Same<Parameters>::Type... arguments) {
  fake::Device::instance().put(stream, [=] { fake::run_blocks(blocks, threads, [=] { kernel(arguments...); }); });
}

}  // namespace common
