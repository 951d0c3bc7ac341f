#include <cuda_runtime.h>
int main() {
  cudaStream_t s;
  // rta: start-up begin
  cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync);
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  // rta: start-up end
  cudaStreamSynchronize(s);
}
