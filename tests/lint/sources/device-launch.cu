#include <cuda_runtime.h>
__global__ void child() {}
__global__ void parent() {
  child<<<1, 1>>>();  // expect: device-launch@3
}
__device__ void helper() { child<<<1, 1>>>(); }  // expect: device-launch@28
__global__ void of_graph(cudaGraphExec_t graph) {
  cudaGraphLaunch(graph, cudaStreamGraphTailLaunch);  // expect: device-launch@26
}
void start_up(cudaGraphExec_t* graph, cudaGraph_t of) {
  cudaGraphInstantiate(graph, of, cudaGraphInstantiateFlagDeviceLaunch);  // expect: device-launch@35
}
// rta: job
void frame() {}
