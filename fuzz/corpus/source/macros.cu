#include <cuda_runtime.h>
#define WAIT cudaDeviceSynchronize()
#define RELEASE(p) \
  do {             \
    cudaFree(p);   \
    p = nullptr;   \
  } while (false)
#define CHECK(call)                   \
  do {                                \
    if ((call) != cudaSuccess) return; \
  } while (false)
// rta: job
void frame(void* p) {
  WAIT;                     // expect: device-sync@3
  RELEASE(p);               // expect: free@3
  CHECK(cudaMalloc(&p, 4));  // expect: allocation@9
}
