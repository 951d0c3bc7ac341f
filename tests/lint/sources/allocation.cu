#include <cuda_runtime.h>
// rta: job
void frame() {
  float* p = nullptr;
  cudaMalloc(&p, 1024);                     // expect: allocation@3
  cudaMallocHost((void**)&p, 1024);         // expect: allocation@3
  cudaHostAlloc((void**)&p, 1024, 0);       // expect: allocation@3
  cudaHostRegister(p, 1024, 0);             // expect: allocation@3
  cudaMallocAsync((void**)&p, 1024, cudaStreamPerThread);  // expect: allocation@3 blocking-stream@37
  cudaFreeAsync(p, cudaStreamPerThread);  // expect: allocation@3 blocking-stream@20
}
