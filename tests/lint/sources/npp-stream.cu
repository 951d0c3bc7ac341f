#include <cuda_runtime.h>
#include <nppi.h>
// rta: start-up
void begin(cudaStream_t s) { nppSetStream(s); }
// rta: job
void frame(Npp32f* d, int n) { nppiSet_32f_C1R(0.f, d, 4, NppiSize{n, 1}); }  // expect: launch@32
