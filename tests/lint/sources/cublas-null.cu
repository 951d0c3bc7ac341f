#include <cuda_runtime.h>
#include <cublas_v2.h>
// rta: job
void frame(cublasHandle_t h, int n, float* x, float* y) {
  const float a = 1;
  cublasSetStream(h, 0);              // expect: null-stream@3
  cublasSaxpy(h, n, &a, x, 1, y, 1);  // expect: library-stream@3 launch@3
  cublasSetVector(n, 4, x, 1, y, 1);  // expect: sync-copy@3
}
