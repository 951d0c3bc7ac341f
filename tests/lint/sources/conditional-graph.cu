#include <cuda_runtime.h>
__global__ void decide(cudaGraphConditionalHandle handle) {
  cudaGraphSetConditional(handle, 1);  // expect: conditional-graph@3
}
void start_up(cudaGraph_t graph, cudaGraphNodeParams* node) {
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalHandleCreate(&handle, graph, 1, 0);  // expect: conditional-graph@3
  node->type = cudaGraphNodeTypeConditional;  // expect: conditional-graph@16
}
// rta: job
void frame() {}
