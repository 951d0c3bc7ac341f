#include <cuda_runtime.h>
// No mark at all: everything is a job.
int main() {
  float* p = nullptr;
  cudaMalloc(&p, 1024);  // expect: allocation@3
  cudaFree(p);           // expect: free@3
}
