#include <cuda_runtime.h>
#include <array>
#include <cstdlib>
#include <vector>
struct Frame {
  std::vector<float> pixels;
};
// rta: job
void frame(float* d, Frame& f, const std::vector<float>& v, cudaStream_t s) {
  float local[16] = {};
  int flag = 1;
  std::array<float, 4> four{};
  float* heap = new float[16];
  auto* c = static_cast<float*>(std::malloc(64));
  cudaMemcpyAsync(d, local, 64, cudaMemcpyHostToDevice, s);            // expect: pageable-copy@3
  cudaMemcpyAsync(d, &flag, 4, cudaMemcpyHostToDevice, s);             // expect: pageable-copy@3
  cudaMemcpyAsync(four.data(), d, 16, cudaMemcpyDeviceToHost, s);      // expect: pageable-copy@3
  cudaMemcpyAsync(d, heap + 4, 16, cudaMemcpyHostToDevice, s);         // expect: pageable-copy@3
  cudaMemcpyAsync(c, d, 16, cudaMemcpyDeviceToHost, s);                // expect: pageable-copy@3
  cudaMemcpyAsync(d, v.data(), 16, cudaMemcpyHostToDevice, s);         // expect: pageable-copy@3
  cudaMemcpyAsync(d, &f.pixels[0], 16, cudaMemcpyHostToDevice, s);     // expect: pageable-copy@3
  cudaMemcpyAsync(d, "text", 4, cudaMemcpyHostToDevice, s);            // expect: pageable-copy@3
}
