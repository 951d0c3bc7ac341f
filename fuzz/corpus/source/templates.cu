#include <cuda_runtime.h>
template <class A, class B = int>
struct Pair {
  static constexpr int size = 1;
};
template <class T>
__global__ void kernel(T*) {}
template <class T>
void drop(T* p) {
  cudaFree(p);
}
// rta: job
void frame(float* p, cudaStream_t s) {
  kernel<float><<<Pair<Pair<Pair<int>>>::size, 32>>>(p);  // expect: null-stream@3 launch@3
  kernel<float><<<1, 32, 0, s>>>(p);                      // expect: launch@3
  drop<float>(p);                                         // expect: free@3
  drop(p);                                                // expect: free@3
  if (1 < 2 && 3 > (2)) cudaFree(p);                      // expect: free@25
}
