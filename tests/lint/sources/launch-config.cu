#include <cuda_runtime.h>
__global__ void kernel(int) {}
// rta: job
void frame(cudaStream_t s) {
  cudaLaunchConfig_t without{};
  without.gridDim = dim3(1);
  without.blockDim = dim3(32);
  cudaLaunchKernelEx(&without, kernel, 1);  // expect: null-stream@3 launch@3
  cudaLaunchConfig_t with{};
  with.stream = s;
  cudaLaunchKernelEx(&with, kernel, 1);  // expect: launch@3
  cudaLaunchConfig_t zero{};
  zero.stream = 0;
  cudaLaunchKernelEx(&zero, kernel, 1);  // expect: null-stream@3 launch@3
}
