#include <cuda_runtime.h>
#include <cuda.h>
// rta: job
void frame(const char* image) {
  CUmodule module;
  cuModuleLoadData(&module, image);  // expect: creation@3
}
