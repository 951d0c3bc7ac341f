#include <cuda_runtime.h>
void loop(bool running, void* p) {
  // rta: job camera
  while (running) {
    cudaFree(p);  // expect: free@5
  }
  cudaFree(p);
}
