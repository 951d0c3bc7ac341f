#include <cuda_runtime.h>
#include <thrust/device_vector.h>
// rta: job
void frame() {
  thrust::device_vector<int> v(16);  // expect: allocation@11
}
