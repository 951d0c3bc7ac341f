#include <cuda_runtime.h>
void think();
// rta: job
void frame(cudaEvent_t e, cudaStream_t s) {
  while (cudaEventQuery(e) == cudaErrorNotReady) think();  // expect: active-wait@10
  for (int i = 0; cudaStreamQuery(s) != cudaSuccess; ++i) think();  // expect: active-wait@19
  for (;;) {
    if (cudaEventQuery(e) == cudaSuccess) break;  // expect: active-wait@9
  }
  if (cudaEventQuery(e) == cudaSuccess) think();
}
