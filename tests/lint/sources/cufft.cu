#include <cuda_runtime.h>
#include <cufft.h>
// rta: job
void frame(cufftHandle plan, cufftComplex* x) {
  cufftExecC2C(plan, x, x, CUFFT_FORWARD);  // expect: library-stream@3 launch@3
  cufftHandle fresh;
  cufftPlan1d(&fresh, 64, CUFFT_C2C, 1);  // expect: creation@3
}
