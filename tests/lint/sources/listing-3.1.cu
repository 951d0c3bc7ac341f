#include <cuda_runtime.h>
bool check(cudaError_t);
struct State {
  int* smids;
  cudaStream_t stream;
};
// rta: job
int reset(State* state, size_t size) {
  if (!check(cudaMemsetAsync(  // expect: async-without-stream@14
          state->smids, 0, size))) {
    return 0;
  }
  if (!check(cudaMemsetAsync(state->smids, 0, size, state->stream))) return 0;
  return 1;
}
