#include <cuda_runtime.h>
__global__ void kernel() {}
// rta: job
void frame() {
  cudaFuncSetAttribute((const void*)kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 50);  // expect: reconfiguration@3
  cudaFuncSetAttribute((const void*)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20);  // expect: reconfiguration@3
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributePreferredSharedMemoryCarveout;  // expect: reconfiguration@18
}
