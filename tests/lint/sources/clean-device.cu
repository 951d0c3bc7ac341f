#include <cuda_runtime.h>
__device__ void work(int* p) {
  // Names of the host's functions mean nothing here.
  int cudaFree = 0;
  *p = cudaFree;
}
__global__ void kernel(int* p) {
  work(p);
  __syncthreads();
}
// rta: job
void frame() {}
