#include <cuda_runtime.h>
// rta: job
void frame() {
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);  // expect: creation@3
  cudaStreamDestroy(s);                                  // expect: creation@3
  cudaEvent_t e;
  cudaEventCreateWithFlags(&e, cudaEventDisableTiming);  // expect: creation@3
  cudaEventDestroy(e);                                   // expect: creation@3
}
