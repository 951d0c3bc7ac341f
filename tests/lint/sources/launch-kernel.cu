#include <cuda_runtime.h>
#include <cuda.h>
// rta: job
void frame(const void* f, CUfunction g, void** args, cudaStream_t s) {
  cudaLaunchKernel(f, dim3(1), dim3(32), args, 0, s);   // expect: launch@3
  cudaLaunchKernel(f, dim3(1), dim3(32), args, 0, 0);   // expect: null-stream@3 launch@3
  cuLaunchKernel(g, 1, 1, 1, 32, 1, 1, 0, s, args, nullptr);  // expect: launch@3
  cuLaunchKernel(g, 1, 1, 1, 32, 1, 1, 0, CU_STREAM_LEGACY, args, nullptr);  // expect: null-stream@3 launch@3
}
