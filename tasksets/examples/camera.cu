// What `rta lint` finds in a careless program (docs/guide-lint.md).
#include <cuda_runtime.h>

struct Camera {
  cudaStream_t stream;
  cudaEvent_t done;
  float *input, *scratch, *host;
};

__global__ void detect(const float* input, float* scratch);

// rta: start-up
void begin(Camera& c) {
  cudaStreamCreate(&c.stream);
  cudaEventCreate(&c.done);
  cudaMalloc(&c.input, 4096);
}

void clear(Camera& c) {
  cudaMemset(c.scratch, 0, 4096);
}

// rta: job camera
void frame(Camera& c) {
  cudaMemcpyAsync(c.input, c.host, 4096, cudaMemcpyHostToDevice, c.stream);
  clear(c);
  detect<<<8, 256>>>(c.input, c.scratch);
  cudaEventRecord(c.done, c.stream);
  cudaEventSynchronize(c.done);
}
