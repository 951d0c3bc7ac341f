#include <cuda_runtime.h>
// rta: job
void frame() {
#if defined(A)
  if (true) {
#else
  if (false) {
#endif
  }
}
void elsewhere(void* p) { cudaFree(p); }
