#include <cuda_runtime.h>
__global__ void kernel() {}
// rta: job
void frame(void* p) {
  cudaStream_t none = nullptr;
  const cudaStream_t zero{};
  kernel<<<1, 1, 0, none>>>();     // expect: null-stream@3 launch@3
  cudaMemsetAsync(p, 0, 4, zero);  // expect: null-stream@3
  cudaStream_t later = 0;
  later = cudaStreamPerThread;  // expect: blocking-stream@11
  cudaMemsetAsync(p, 0, 4, later);
}
