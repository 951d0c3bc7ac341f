#include <cuda_runtime.h>
__managed__ int counter;  // expect: managed-memory@1
// rta: start-up
void prepare() {
  float* p = nullptr;
  cudaMallocManaged(&p, 64);  // expect: managed-memory@3
}
// rta: job
void frame() {}
