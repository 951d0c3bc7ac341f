#include <cuda_runtime.h>
// rta: job
void frame() {}
// Streams outlive start-up: they count everywhere.
void prepare() {
  cudaStream_t a, b, c, d;
  cudaStreamCreate(&a);                                    // expect: blocking-stream@3
  cudaStreamCreateWithFlags(&b, cudaStreamDefault);        // expect: blocking-stream@3
  cudaStreamCreateWithPriority(&c, 0, -1);                 // expect: blocking-stream@3
  cudaStreamCreateWithFlags(&d, cudaStreamNonBlocking);
}
