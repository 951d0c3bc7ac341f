#include <cub/cub.cuh>
#include <cuda_runtime.h>
// rta: job
void frame(float* d, float* out, int n, void* tmp, size_t bytes, cudaStream_t s) {
  cub::DeviceReduce::Sum(nullptr, bytes, d, out, n);
  void* memory = nullptr;
  cub::DeviceReduce::Sum(memory, bytes, d, out, n);
  cudaMalloc(&memory, bytes);                                 // expect: allocation@3
  cub::DeviceReduce::Sum(memory, bytes, d, out, n);           // expect: null-stream@22 launch@22
  cub::DeviceReduce::Sum(tmp, bytes, d, out, n);           // expect: null-stream@22 launch@22
  cub::DeviceReduce::Sum(tmp, bytes, d, out, n, s);  // expect: launch@22
  cub::DeviceScan::InclusiveSum(tmp, bytes, d, out, n, 0);  // expect: null-stream@20 launch@20
  cub::DeviceScan::InclusiveSum(tmp, bytes, d, out, 64);    // expect: null-stream@20 launch@20
}
