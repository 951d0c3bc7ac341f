#include <cuda_runtime.h>
class Buffer {
 public:
  explicit Buffer(size_t size) { cudaMalloc(&data_, size); }
  ~Buffer() { cudaFree(data_); }
  void clear() { cudaMemset(data_, 0, 4); }
  void* data() { return data_; }

 private:
  void* data_ = nullptr;
};
Buffer kept(64);
// rta: job
void frame() {
  Buffer own(64);  // expect: free@3 allocation@3
  kept.clear();    // expect: sync-memset@8
  kept.data();
}
