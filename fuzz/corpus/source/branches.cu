#include <cuda_runtime.h>
#ifdef FAST
void frame(void* p) {
#else
void frame(void* p, int) {
#endif
  // rta: job begin
  cudaFree(p);  // expect: free@3
#if 0
  cudaFree(p);
#elif 1
  cudaFreeHost(p);  // expect: free@3
#else
  cudaFree(p);
#endif
  // rta: job end
}
void elsewhere(void* p) { cudaFree(p); }
