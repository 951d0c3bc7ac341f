#include <cuda_runtime.h>
void upload(float* d, const float* h, cudaStream_t stream = 0) { cudaMemcpyAsync(d, h, 4, cudaMemcpyHostToDevice, stream); }
void show(float* d, cudaStream_t stream = cudaStreamPerThread) { cudaMemsetAsync(d, 0, 4, stream); }  // expect: blocking-stream@43
// rta: job
void frame(float* d, const float* h, cudaStream_t s) {
  upload(d, h);  // expect: null-stream@3
  upload(d, h, nullptr);  // expect: null-stream@3
  upload(d, h, s);
  show(d);
}
