#include <cuda_runtime.h>
__global__ void kernel() {}
__cluster_dims__(2, 1, 1) __global__ void pair() {}  // expect: cooperative-launch@1
void begin() {
  cudaFuncSetAttribute((const void*)kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);  // expect: cooperative-launch@45
}
// rta: job
void frame(void** args, cudaStream_t s) {
  cudaLaunchCooperativeKernel((void*)kernel, dim3(1), dim3(32), args, 0, s);  // expect: cooperative-launch@3
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeCooperative;  // expect: cooperative-launch@18
  attribute.id = cudaLaunchAttributeClusterDimension;  // expect: cooperative-launch@18
}
