// What holds a CUDA stream back until the host says so: a stream memory operation of the driver, which occupies no SM and works between
// processes that share the GPU. Tests on a fake CUDA replace this file.
#ifndef RTS_STREAM_GATE_H
#define RTS_STREAM_GATE_H

#include <cuda.h>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef CUresult(CUDAAPI* rts_wait_value)(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags);

/// The driver's function, which is not in the runtime library; null where there is none.
static inline rts_wait_value rts_gate_function(void) {
  rts_wait_value function = NULL;
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
  if (driver == NULL) return NULL;
  void* symbol = dlsym(driver, "cuStreamWaitValue32_v2");
  if (symbol == NULL) symbol = dlsym(driver, "cuStreamWaitValue32");
  memcpy(&function, &symbol, sizeof function);
  return function;
}

/// What is put into the stream from now on waits until the word, in mapped host memory, has reached the value. False: refused.
static inline bool rts_gate_hold(rts_wait_value function, cudaStream_t stream, void* word_on_device, uint32_t value) {
  return function(stream, (CUdeviceptr)(uintptr_t)word_on_device, value, CU_STREAM_WAIT_VALUE_GEQ) == CUDA_SUCCESS;
}

#endif
