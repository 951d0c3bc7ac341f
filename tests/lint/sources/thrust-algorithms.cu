#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/sort.h>
#include <vector>
struct Pool {};
// rta: job
void frame(float* d, int n, cudaStream_t s, Pool pool, std::vector<float>& host, thrust::device_vector<float>& v) {
  thrust::sort(v.begin(), v.end());                                // expect: null-stream@11 allocation@11 launch@11
  thrust::sort(thrust::device, v.begin(), v.end());                // expect: null-stream@11 allocation@11 launch@11
  thrust::sort(thrust::cuda::par.on(s), d, d + n);                 // expect: active-wait@11 allocation@11 launch@11
  thrust::sort(thrust::cuda::par.on(0), d, d + n);                 // expect: null-stream@11 allocation@11 launch@11
  thrust::sort(thrust::cuda::par_nosync.on(s), d, d + n);          // expect: allocation@11 launch@11
  thrust::sort(thrust::cuda::par_nosync(pool).on(s), d, d + n);  // expect: launch@11
  thrust::fill(thrust::cuda::par_nosync.on(s), d, d + n, 0.f);  // expect: launch@11
  float sum = thrust::reduce(thrust::cuda::par_nosync(pool).on(s), d, d + n);  // expect: active-wait@23 launch@23
  auto policy = thrust::cuda::par_nosync.on(s);
  thrust::transform(policy, d, d + n, d, [] __device__(float x) { return -x; });  // expect: launch@11
  thrust::copy(v.begin(), v.end(), host.begin());                  // expect: null-stream@11 launch@11
  thrust::sort(host.begin(), host.end());
  thrust::sort(thrust::host, host.begin(), host.end());
  sum += v[0];                                                     // expect: sync-copy@10
  const float* first = thrust::raw_pointer_cast(&v[0]);
  auto made = thrust::make_counting_iterator(0);
  (void)first, (void)made, (void)sum;
}
