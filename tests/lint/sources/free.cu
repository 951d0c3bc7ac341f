#include <cuda_runtime.h>
// rta: job
void frame(void* p, void* h, cudaArray_t a) {
  cudaFree(p);       // expect: free@3
  cudaFreeHost(h);   // expect: free@3
  cudaFreeArray(a);  // expect: free@3
}
