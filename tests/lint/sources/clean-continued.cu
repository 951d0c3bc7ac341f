#include <cuda_runtime.h>
#define QUIET(x) \
  ((void)(x))
// rta: job
void fra\
me(int a, int b) {
  QUIET(a <<
        b);
  QUIET(a < b);
  auto less = a <b; auto more = a> b;
  QUIET(less), QUIET(more);
}
