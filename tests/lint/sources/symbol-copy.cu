#include <cuda_runtime.h>
__constant__ float table[16];
// rta: job
void frame(const float* from, cudaStream_t s) {
  cudaMemcpyToSymbol(table, from, sizeof table);  // expect: sync-copy@3
  cudaMemcpyToSymbolAsync(table, from, 4, 0, cudaMemcpyHostToDevice, s);
  cudaMemcpyToSymbolAsync(table, from, 4);  // expect: async-without-stream@3
}
