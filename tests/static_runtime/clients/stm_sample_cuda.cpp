// The same client as C++ with CUDA streams, and the run time's part for them, on the fake CUDA.
#include "static/stream_cuda.c"
#include "stm_sample.c"
