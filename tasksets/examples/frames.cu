// A program to be recorded (docs/guide-record.md): 100 frames a second, each blurred, its gradient taken and counted, on two streams.
// Build: nvcc -std=c++17 -O2 -arch=native -o frames tasksets/examples/frames.cu
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace {

constexpr int width = 1920;
constexpr int pixels = width * 1080;
constexpr int bins = 256;
constexpr unsigned threads = 256;
constexpr unsigned blocks = (pixels + threads - 1) / threads;

__global__ void blur(const float* in, float* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= pixels) return;
  float sum = 0;
  for (int d = -32; d <= 32; ++d) sum += in[min(max(i + d, 0), pixels - 1)];
  out[i] = sum / 65;
}

__global__ void gradient(const float* in, float* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= pixels) return;
  const float x = in[min(i + 1, pixels - 1)] - in[max(i - 1, 0)];
  const float y = in[min(i + width, pixels - 1)] - in[max(i - width, 0)];
  out[i] = sqrtf(x * x + y * y);
}

__global__ void histogram(const float* in, unsigned* counts) {
  __shared__ unsigned local[bins];
  for (unsigned b = threadIdx.x; b < bins; b += blockDim.x) local[b] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += gridDim.x * blockDim.x)
    atomicAdd(&local[static_cast<unsigned>(in[i] * (bins - 1)) % bins], 1U);
  __syncthreads();
  for (unsigned b = threadIdx.x; b < bins; b += blockDim.x) atomicAdd(&counts[b], local[b]);
}

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "frames: %s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}
#define CHECK(call) check(call, #call)

}  // namespace

int main(int argc, char** argv) {
  const int frames = argc > 1 ? std::atoi(argv[1]) : 200;
  float *picture, *in, *smooth, *edges;
  unsigned *counts, *found;
  CHECK(cudaMallocHost(&picture, pixels * sizeof(float)));
  CHECK(cudaMallocHost(&found, bins * sizeof(unsigned)));
  CHECK(cudaMalloc(&in, pixels * sizeof(float)));
  CHECK(cudaMalloc(&smooth, pixels * sizeof(float)));
  CHECK(cudaMalloc(&edges, pixels * sizeof(float)));
  CHECK(cudaMalloc(&counts, bins * sizeof(unsigned)));
  cudaStream_t left, right;
  CHECK(cudaStreamCreateWithFlags(&left, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&right, cudaStreamNonBlocking));
  cudaEvent_t blurred, done;
  CHECK(cudaEventCreateWithFlags(&blurred, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming | cudaEventBlockingSync));
  for (int i = 0; i < pixels; ++i) picture[i] = static_cast<float>(i % 251) / 251;

  auto next = std::chrono::steady_clock::now();
  for (int f = 0; f < frames; ++f) {
    std::this_thread::sleep_until(next += std::chrono::milliseconds(10));
    nvtxRangePushA("frame");
    CHECK(cudaMemcpyAsync(in, picture, pixels * sizeof(float), cudaMemcpyHostToDevice, left));
    CHECK(cudaMemsetAsync(counts, 0, bins * sizeof(unsigned), left));
    blur<<<blocks, threads, 0, left>>>(in, smooth);
    CHECK(cudaEventRecord(blurred, left));
    CHECK(cudaStreamWaitEvent(right, blurred, 0));
    gradient<<<blocks, threads, 0, right>>>(smooth, edges);
    histogram<<<264, threads, 0, right>>>(edges, counts);
    CHECK(cudaMemcpyAsync(found, counts, bins * sizeof(unsigned), cudaMemcpyDeviceToHost, right));
    CHECK(cudaEventRecord(done, right));
    CHECK(cudaEventSynchronize(done));
    nvtxRangePop();
  }
  std::printf("%d frames\n", frames);
}
