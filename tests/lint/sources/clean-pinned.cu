#include <cuda_runtime.h>
#include <vector>
template <class T>
struct PinnedAllocator;
float* pinned = nullptr;
float* registered = nullptr;
// rta: start-up
void prepare() {
  cudaHostAlloc((void**)&pinned, 64, cudaHostAllocDefault);
  registered = new float[16];
  cudaHostRegister(registered, 64, cudaHostRegisterDefault);
}
// rta: job
void frame(float* d, float* unknown, const std::vector<float, PinnedAllocator<float>>& v, cudaStream_t s) {
  cudaMemcpyAsync(d, pinned, 64, cudaMemcpyHostToDevice, s);
  cudaMemcpyAsync(d, registered, 64, cudaMemcpyHostToDevice, s);
  cudaMemcpyAsync(d, unknown, 64, cudaMemcpyHostToDevice, s);
  cudaMemcpyAsync(d, v.data(), 64, cudaMemcpyHostToDevice, s);
}
