#include <cuda_runtime.h>
// rta: job
void frame(void* p) {
  const auto drop = [&] {
    cudaFree(p);  // expect: free@5
  };
  drop();
}
