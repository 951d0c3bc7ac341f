#include <cuda_runtime.h>
__global__ void child() {}
__global__ void parent() {
  child<<<1, 1>>>();  // expect: device-launch@3
}
__device__ void helper() { child<<<1, 1>>>(); }  // expect: device-launch@28
// rta: job
void frame() {}
