#include <cuda_runtime.h>
#include <cuda.h>
// rta: job
void frame(CUdeviceptr p, void* h) {
  cuMemFree(p);       // expect: free@3
  cuMemFreeHost(h);   // expect: free@3
  if (cuMemFree_v2(p) != CUDA_SUCCESS) return;  // expect: free@7
}
