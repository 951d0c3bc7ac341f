#include <cub/cub.cuh>
#include <cuda_runtime.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <vector>
using Sums = cub::DeviceReduce;
typedef cub::DeviceScan Scans;
using Floats = thrust::device_vector<float>;
template <class T> using On = thrust::device_vector<T>;
typedef thrust::device_vector<int> Ints;
thrust::device_vector<float> kept;
struct Filter {
  thrust::device_vector<float> taps;
  void run(float x);
};
struct Gauge {
  std::vector<float> taps;
  void run(float x) { taps.push_back(x); }
};
// rta: job
void Filter::run(float x) {
  taps.push_back(x);                                                       // expect: allocation@3 null-stream@3
  this->taps.resize(3);                                                    // expect: allocation@9 null-stream@9
  x = taps[0];                                                             // expect: sync-copy@7
}
// rta: job
void frame(float* d, float* out, int n, void* tmp, size_t bytes, Gauge& gauge, Floats& in, On<int>& counts, Ints& ids) {
  Sums::Sum(tmp, bytes, d, out, n);                                        // expect: null-stream@9 launch@9
  Scans::InclusiveSum(tmp, bytes, d, out, n);                              // expect: null-stream@10 launch@10
  gauge.run(1);
  kept.push_back(1);                                                       // expect: allocation@3 null-stream@3
  in.push_back(1);                                                         // expect: allocation@3 null-stream@3
  counts.push_back(1);                                                     // expect: allocation@3 null-stream@3
  ids.erase(ids.begin());                                                  // expect: allocation@3 null-stream@3
  Floats work(16);                                                         // expect: allocation@3
  thrust::device_vector<float> one(1), two(2);                             // expect: allocation@11
  two.insert(two.end(), 1.f);                                              // expect: allocation@3 null-stream@3
  float x = *two.begin();                                                  // expect: sync-copy@14
  x = x * *(one.begin() + n);                                              // expect: sync-copy@13
  thrust::host_vector<float> h(10), g(10);
  thrust::copy(h.begin(), h.end(), g.begin());
  h = two;                                                                 // expect: sync-copy@7
  thrust::host_vector<float> all = one;                                    // expect: sync-copy@36
  x = n * (work.end() - work.begin());
  (void)x, (void)all;
}
