#include <cuda_runtime.h>
__global__ void kernel() {}
// rta: job
void frame(void* p) {
  kernel<<<1, 1, 0, cudaStreamLegacy>>>();             // expect: null-stream@3 launch@3
  kernel<<<1, 1, 0, (cudaStream_t)0>>>();              // expect: null-stream@3 launch@3
  kernel<<<1, 1, 0, static_cast<cudaStream_t>(0)>>>();  // expect: null-stream@3 launch@3
  kernel<<<1, 1, 0, cudaStream_t{}>>>();               // expect: null-stream@3 launch@3
  cudaMemsetAsync(p, 0, 4, NULL);                      // expect: null-stream@3
  cudaMemsetAsync(p, 0, 4, {});                        // expect: null-stream@3
  kernel<<<1, 1, 0, cudaStreamPerThread>>>();          // expect: launch@3 blocking-stream@21
}
