#include <cuda_runtime.h>
// rta: jobs camera
// rta: allow
// rta: allow free
// rta: allow frees because
// rta: start-up now
// rta: job end camera
// rta: job begin camera
int unused;
/* expect(-8): bad-mark@1
   expect(-8): bad-mark@1
   expect(-8): bad-mark@1
   expect(-8): bad-mark@1
   expect(-8): bad-mark@1
   expect(-8): bad-mark@1
   expect(-8): bad-mark@1 */
// rta: job
// expect(-1): bad-mark@1
