#include <cuda_runtime.h>
// rta: job
void frame(void* p, cudaStream_t s) {
  cudaMemset(p, 0, 4);  // expect: sync-memset@3
  cudaMemsetAsync(p, 0, 4, s);
  cudaMemset2D(p, 4, 0, 4, 1);  // expect: sync-memset@3
}
