#include <cuda_runtime.h>
#include <cuda.h>
void frame() {
  // rta: job begin camera
  cuCtxSynchronize();  // expect: device-sync@3
  // rta: job end camera
  cuCtxSynchronize();
}
