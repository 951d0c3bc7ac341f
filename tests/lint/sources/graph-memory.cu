#include <cuda_runtime.h>
// rta: job
void frame(cudaGraph_t graph, cudaGraphExec_t exec, cudaGraphNode_t* node, cudaMemAllocNodeParams* parameters, cudaMemPool_t pool,
           cudaStream_t s) {
  cudaGraphAddMemAllocNode(node, graph, nullptr, 0, parameters);  // expect: allocation@3
  cudaGraphUpload(exec, s);                                       // expect: creation@3
  cudaMemPoolTrimTo(pool, 0);                                     // expect: free@3
  cudaStreamSynchronize(cudaStreamPerThread);                     // expect: active-wait@3 blocking-stream@25
}
