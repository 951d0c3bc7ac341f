#include <cuda_runtime.h>
#include <nppi.h>
// rta: job
void frame(Npp32f* d, int n, NppStreamContext context) {
  nppiSet_32f_C1R(0.f, d, 4, NppiSize{n, 1});               // expect: library-stream@3 launch@3
  nppiSet_32f_C1R_Ctx(0.f, d, 4, NppiSize{n, 1}, context);  // expect: launch@3
  int step = 0;
  Npp32f* image = nppiMalloc_32f_C1(n, n, &step);           // expect: allocation@19
  int size = 0;
  nppiGraphcutGetSize(NppiSize{n, n}, &size);
  nppiFree(image);                                          // expect: free@3
}
