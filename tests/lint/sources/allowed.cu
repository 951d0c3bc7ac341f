#include <cuda_runtime.h>
// rta: job
void frame(void* p) {
  cudaFree(p);  // rta: allow free the last frame only
  // rta: allow free,allocation grows once
  if (p != nullptr) {
    cudaFree(p);
    cudaMalloc(&p, 4);
    cudaMemset(p, 0, 4);  // expect: sync-memset@5
  }
  cudaFree(p);  // expect: free@3
  // rta: allow free nothing to free here
  int n = 0;  // expect(-1): unused-allow@3
  (void)n;
}
void helper(void* p) {
  cudaFree(p);  // rta: allow free the pool keeps it
}
// rta: job
void other(void* p) { helper(p); }
