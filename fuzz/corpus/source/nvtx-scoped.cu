#include <cuda_runtime.h>
#include <nvtx3/nvtx3.hpp>
void frame(void* p) {
  {
    nvtx3::scoped_range range{"rta: job camera"};
    cudaFree(p);  // expect: free@5
  }
  cudaFree(p);
}
