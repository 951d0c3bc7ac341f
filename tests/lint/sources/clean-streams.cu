#include <cuda_runtime.h>
#include <vector>
__global__ void kernel(int) {}
struct Slot {
  cudaStream_t stream = nullptr;
  cudaEvent_t ended = nullptr;
};
std::vector<Slot> slots;
// rta: start-up
void prepare() {
  for (Slot& slot : slots) {
    cudaStreamCreateWithFlags(&slot.stream, cudaStreamNonBlocking);
    const unsigned flags = cudaEventBlockingSync | (true ? 0U : static_cast<unsigned>(cudaEventDisableTiming));
    cudaEventCreateWithFlags(&slot.ended, flags);
  }
}
// rta: job
void frame(int i, float* pinned, float* d) {
  cudaStream_t stream = slots[i].stream;
  cudaMemcpyAsync(d, pinned, 4, cudaMemcpyHostToDevice, stream);
  cudaEventRecord(slots[i].ended, stream);
  cudaEventSynchronize(slots[i].ended);
  cudaGetLastError();
}
