#include <cuda_runtime.h>
#include <cublas_v2.h>
// rta: job
void frame() {
  cublasHandle_t h;
  cublasCreate(&h);   // expect: creation@3
  cublasDestroy(h);   // expect: creation@3
}
