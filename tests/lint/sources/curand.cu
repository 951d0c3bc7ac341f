#include <cuda_runtime.h>
#include <curand.h>
curandGenerator_t quick, slow;
void prepare(cudaStream_t s) { curandSetStream(quick, s); }
// rta: job
void frame(float* x) {
  curandGenerateUniform(quick, x, 64);  // expect: launch@3
  curandGenerateUniform(slow, x, 64);  // expect: library-stream@3 launch@3
}
