// What holds a stream of the fake CUDA (tests/validation/fake) back: an operation that waits for the word.
#ifndef RTS_STREAM_GATE_H
#define RTS_STREAM_GATE_H

#include <cuda_runtime.h>

#include <thread>

using rts_wait_value = bool (*)();

static inline rts_wait_value rts_gate_function() {
  return [] { return true; };
}

static inline bool rts_gate_hold(rts_wait_value function, cudaStream_t stream, void* word_on_device, uint32_t value) {
  const uint32_t* word = static_cast<const uint32_t*>(word_on_device);
  fake::Device::instance().put(stream, [=] {
    while (static_cast<int32_t>(__atomic_load_n(word, __ATOMIC_SEQ_CST) - value) < 0) std::this_thread::yield();
  });
  return function();
}

#endif
