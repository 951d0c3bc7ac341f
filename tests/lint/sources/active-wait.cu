#include <cuda_runtime.h>
cudaEvent_t spins, sleeps;
// rta: start-up
void prepare() {
  cudaEventCreate(&spins);
  cudaEventCreateWithFlags(&sleeps, cudaEventBlockingSync | cudaEventDisableTiming);
}
// rta: job
void frame(cudaStream_t s) {
  cudaStreamSynchronize(s);       // expect: active-wait@3
  cudaEventSynchronize(spins);    // expect: active-wait@3
  cudaEventSynchronize(sleeps);
}
