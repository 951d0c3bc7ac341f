#include <cuda_runtime.h>
#include <cublas_v2.h>
struct Net {
  cublasHandle_t with, without;
};
// rta: start-up
void prepare(Net& net, cudaStream_t s) {
  cublasCreate(&net.with);
  cublasCreate(&net.without);
  cublasSetStream(net.with, s);
}
// rta: job
void frame(Net& net, int n, float* x, float* y) {
  const float a = 1;
  cublasSaxpy(net.with, n, &a, x, 1, y, 1);  // expect: launch@3
  cublasSaxpy(net.without, n, &a, x, 1, y, 1);  // expect: library-stream@3 launch@3
  cublasSetMathMode(net.without, CUBLAS_DEFAULT_MATH);
}
