#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>
void frame(void* p) {
  cudaFree(p);
  nvtxRangePushA("rta: job camera");
  cudaFree(p);  // expect: free@3
  nvtxRangePushA("anything");
  cudaFree(p);  // expect: free@3
  nvtxRangePop();
  cudaFree(p);  // expect: free@3
  nvtxRangePop();
  cudaFree(p);
  nvtxRangeId_t id = nvtxRangeStartA("rta: job lidar");
  cudaFree(p);  // expect: free@3
  nvtxRangeEnd(id);
  cudaFree(p);
}
