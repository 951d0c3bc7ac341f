#include <cuda_runtime.h>
// rta: job caméra
void frame(void* p) {
  /* größer */ cudaFree(p);  // expect: free@16
}
