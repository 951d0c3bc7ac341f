#include <cuda.h>
#include <stdlib.h>
void start_up() {
  setenv("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "50", 1);  // expect: client-limit@3
  setenv("CUDA_MPS_PIPE_DIRECTORY", "/tmp/mps", 1);
  CUexecAffinityParam affinity;
  affinity.type = CU_EXEC_AFFINITY_TYPE_SM_COUNT;  // expect: client-limit@19
}
// rta: job
void frame() {}
