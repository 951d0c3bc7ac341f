#include <cuda_runtime.h>
// rta: job camera
void frame() {
  cudaDeviceSynchronize();  // expect: device-sync@3
}
void elsewhere() { cudaDeviceSynchronize(); }
