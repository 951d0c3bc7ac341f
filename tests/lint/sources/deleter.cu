#include <cuda_runtime.h>
#include <memory>
// rta: job
void frame(float* raw) {
  std::shared_ptr<float> whole(raw, cudaFree);  // expect: free@37
  std::unique_ptr<float, decltype(&cudaFree)> other(nullptr, &cudaFree);  // expect: free@63
}
