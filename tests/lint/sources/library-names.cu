#include <cub/cub.cuh>
#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/sort.h>
namespace t = thrust;
namespace c = ::cub;
using thrust::reduce;
struct Op { __device__ float operator()(float a, float b) const; };
struct Queue { void enqueueV2(int); };
template <class P> void sorted(P ep, float* a, float* b) { thrust::sort(ep, a, b); }
template <class It> void ordered(It first, It last) { thrust::fill(first, last, 0); }
// rta: job
void frame(float* d, int n, void* tmp, size_t bytes, float* out, cudaStream_t s, Op given, Queue& q, thrust::device_vector<float>& v,
           thrust::device_vector<float>& w) {
  t::sort(d, d + n);                                                            // expect: null-stream@6 allocation@6 launch@6
  reduce(thrust::device, d, d + n);                                             // expect: null-stream@3 allocation@3 launch@3
  c::DeviceReduce::Sum(tmp, bytes, d, out, n);                                  // expect: null-stream@20 launch@20
  Op op;
  cub::DeviceScan::InclusiveScan(tmp, bytes, d, out, n, op);                    // expect: null-stream@20 launch@20
  cub::DeviceScan::InclusiveScan(tmp, bytes, d, out, n, given);                 // expect: null-stream@20 launch@20
  cub::DeviceScan::InclusiveScan(tmp, bytes, d, out, n, cub::Max());            // expect: null-stream@20 launch@20
  cub::DeviceScan::InclusiveScan(tmp, bytes, d, out, n, Op{});                  // expect: null-stream@20 launch@20
  cub::DeviceScan::InclusiveScan(tmp, bytes, d, out, Op{}, n, s);  // expect: launch@20
  v.resize(2 * n);                                                              // expect: allocation@3 null-stream@3
  v.push_back(1);                                                               // expect: allocation@3 null-stream@3
  v.reserve(n);                                                                 // expect: allocation@3
  v = w;                                                                        // expect: allocation@3 null-stream@3
  sorted(thrust::cuda::par_nosync.on(s), d, d + n);                             // expect: allocation@3 launch@3
  ordered(d, d + n);                                                            // expect: null-stream@3 launch@3
  q.enqueueV2(5);
}
