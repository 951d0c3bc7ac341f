#include <cuda_runtime.h>
void give(float* p) { cudaFree(p); }
void give(int, int) {}
void maybe(float* p) { cudaFree(p); }
void maybe(int*) {}
// rta: job
void frame(float* p, int* q) {
  give(p);  // expect: free@3
  give(1, 2);
  maybe(p);  // clang: free@3
  maybe(q);
}
