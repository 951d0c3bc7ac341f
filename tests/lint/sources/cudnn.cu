#include <cuda_runtime.h>
#include <cudnn.h>
struct Layer {
  cudnnHandle_t handle;
  cudnnTensorDescriptor_t x;
};
// rta: job
void frame(Layer& l, const void* in, void* out, cudnnActivationDescriptor_t act) {
  const float one = 1, zero = 0;
  cudnnActivationForward(l.handle, act, &one, l.x, in, &zero, l.x, out);  // expect: library-stream@3 launch@3
}
