#include <cuda_runtime.h>
void release(void* p) { cudaFree(p); }
void both(void* p) { release(p); }
// rta: job
void frame(void* p) {
  both(p);  // expect: free@3
}
