#include <cuda_runtime.h>
// rta: job
void frame(cudaGraphExec_t g, cudaStream_t s) {
  cudaGraphLaunch(g, s);                   // expect: graph-launch@3
  cudaGraphLaunch(g, cudaStreamLegacy);    // expect: null-stream@3 graph-launch@3
}
