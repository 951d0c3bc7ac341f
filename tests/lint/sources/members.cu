#include <cuda_runtime.h>
namespace app {
class Task {
 public:
  void run();
  int state = 0;

 private:
  void* p_ = nullptr;
};
// rta: job task
void Task::run() {
  cudaFree(p_);  // expect: free@3
}
}  // namespace app
