#include <cuda_runtime.h>
#include <NvInfer.h>
// rta: job
void frame(nvinfer1::IExecutionContext* context, void** bindings, cudaStream_t s) {
  context->enqueueV3(s);  // expect: launch@12
  context->enqueueV3(0);                       // expect: null-stream@12 launch@12
  context->enqueueV2(bindings, nullptr, nullptr);  // expect: null-stream@12 launch@12
  context->executeV2(bindings);                // expect: library-stream@12 launch@12
}
