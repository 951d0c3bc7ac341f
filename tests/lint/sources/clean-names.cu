#include <cuda_runtime.h>
namespace pool {
void cudaFree(void*) {}
}  // namespace pool
struct Arena {
  void cudaMalloc(void**, size_t) {}
  void (*hook)(void*) = nullptr;
};
int cudaFreeCount = 0;
// rta: job
void frame(Arena& arena, void* p, int my_cudaFree) {
  pool::cudaFree(p);
  arena.cudaMalloc(&p, 4);
  cudaFreeCount += my_cudaFree;
}
