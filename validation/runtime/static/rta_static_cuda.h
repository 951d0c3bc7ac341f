// Streams of CUDA for static schedules. Link stream_cuda.c and the CUDA runtime.
#ifndef RTA_STATIC_CUDA_H
#define RTA_STATIC_CUDA_H

#include <cuda_runtime.h>

#include "rta_static.h"

#ifdef __cplusplus
extern "C" {
#endif

/// For rta_static_register_stream, with a cudaStream_t as the stream. The device that is current when the stream is registered must be the
/// stream's.
extern const struct rta_static_engine rta_static_cuda_engine;

#ifdef __cplusplus
}
#endif

#endif
