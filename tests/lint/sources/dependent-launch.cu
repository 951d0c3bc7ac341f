#include <cuda_runtime.h>
__global__ void first() {
  cudaTriggerProgrammaticLaunchCompletion();  // expect: dependent-launch@3
}
__global__ void second() {
  cudaGridDependencySynchronize();  // expect: dependent-launch@3
}
void start_up() {
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
}
// rta: job
void frame() {
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;  // expect: dependent-launch@18
  attribute.id = cudaLaunchAttributeProgrammaticEvent;  // expect: dependent-launch@18
}
