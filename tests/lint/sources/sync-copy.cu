#include <cuda_runtime.h>
// rta: job
void frame(float* to, const float* from) {
  cudaMemcpy(to, from, 4, cudaMemcpyHostToDevice);             // expect: sync-copy@3
  cudaMemcpy2D(to, 4, from, 4, 4, 1, cudaMemcpyDeviceToHost);  // expect: sync-copy@3
}
