#include <cuda_runtime.h>
void done(void*);
// rta: job
void frame(cudaStream_t s) {
  cudaLaunchHostFunc(s, done, nullptr);  // expect: host-function@3
}
