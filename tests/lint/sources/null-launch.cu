#include <cuda_runtime.h>
__global__ void kernel(int* p) { *p = 1; }
// rta: job
void frame(int* p, cudaStream_t s) {
  kernel<<<1, 32>>>(p);           // expect: null-stream@3 launch@3
  kernel<<<1, 32, 0>>>(p);        // expect: null-stream@3 launch@3
  kernel<<<1, 32, 0, 0>>>(p);     // expect: null-stream@3 launch@3
  kernel<<<1, 32, 0, nullptr>>>(p);  // expect: null-stream@3 launch@3
  kernel<<<1, 32, 0, s>>>(p);     // expect: launch@3
}
