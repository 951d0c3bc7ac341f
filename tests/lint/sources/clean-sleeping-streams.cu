#include <cuda_runtime.h>
int main() {
  // rta: start-up begin
  cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync);
  // rta: start-up end
  cudaStreamSynchronize(cudaStreamPerThread);
}
