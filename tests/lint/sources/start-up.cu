#include <cuda_runtime.h>
float* buffer = nullptr;
// rta: start-up
void prepare() { cudaMalloc(&buffer, 1024); }
void helper() { cudaMalloc(&buffer, 1024); }  // only start-up calls it
int main() {
  // rta: start-up begin
  prepare();
  helper();
  cudaDeviceSynchronize();
  // rta: start-up end
  cudaFree(buffer);  // expect: free@3
}
