// The same client as C++ with CUDA streams, and the run time's part for them, on the fake CUDA.
#include "static/stream_cuda.c"  // NOLINT(bugprone-suspicious-include)
#include "stm_sample.c"          // NOLINT(bugprone-suspicious-include)
