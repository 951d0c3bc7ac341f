#include <cuda_runtime.h>
// rta: job
void frame(cudaEvent_t e, cudaStream_t s) {
  cudaEventRecord(e);            // expect: null-stream@3
  cudaEventRecord(e, s);
  cudaStreamWaitEvent(0, e, 0);  // expect: null-stream@3
  cudaStreamWaitEvent(s, e, 0);
}
