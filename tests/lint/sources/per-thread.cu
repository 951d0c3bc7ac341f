#define CUDA_API_PER_THREAD_DEFAULT_STREAM
#include <cuda_runtime.h>
__global__ void kernel() {}
// rta: job
void frame(void* p) {
  kernel<<<1, 1>>>();  // expect: launch@3
  cudaMemsetAsync(p, 0, 4);
  cudaMemsetAsync(p, 0, 4, cudaStreamLegacy);  // expect: null-stream@3
}
