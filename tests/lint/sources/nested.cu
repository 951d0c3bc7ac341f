#include <cuda_runtime.h>
void frame(void* p) {
  // rta: job begin outer
  cudaFree(p);  // expect: free@3
  // rta: start-up
  if (p == nullptr) {
    cudaMalloc(&p, 4);
  }
  cudaFree(p);  // expect: free@3
  // rta: job end outer
}
