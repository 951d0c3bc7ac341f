// The calls of NVIDIA's System Task Manager, as far as they are public, over rta_static.h: programs written for it compile unchanged.
// What fails is said on standard error, and by what the call returns. Without CUDA, define STM_WITHOUT_CUDA: the calls with streams are
// then stmRegisterHostSubmitter and stmRegisterHostResource.
#ifndef RTA_STATIC_STM_H
#define RTA_STATIC_STM_H

#include <stdio.h>

#include "rta_static.h"
#ifndef STM_WITHOUT_CUDA
#include "rta_static_cuda.h"
#endif

typedef enum stmErrorCode_t {
  STM_SUCCESS = RTA_STATIC_OK,
  STM_BAD_PARAMETER = RTA_STATIC_MISUSE,
  STM_REFUSED = RTA_STATIC_REFUSED,
  STM_ENDED_EARLY = RTA_STATIC_ENDED,
  STM_MASTER_LOST = RTA_STATIC_LOST,
  STM_RUNNABLE_STUCK = RTA_STATIC_STUCK,
  STM_SYSTEM_ERROR = RTA_STATIC_SYSTEM
} stmErrorCode_t;

typedef void (*stmRunnable_t)(void* userdata);

static inline stmErrorCode_t stmSaid(rta_static_status status) {
  if (status != RTA_STATIC_OK) fprintf(stderr, "%s\n", rta_static_error());
  return (stmErrorCode_t)status;
}

/// Blocks until the master answers. Where it does not, later calls fail.
static inline void stmClientInit(const char* clientName) { (void)stmSaid(rta_static_init(clientName)); }
static inline void stmClientExit(void) { rta_static_close(); }

static inline stmErrorCode_t stmRegisterCpuRunnable(stmRunnable_t func, const char* const runnableId, void* userdata) {
  return stmSaid(rta_static_register_runnable(runnableId, func, userdata));
}

/// Blocks until the run ends: by a signal to the master, by stmExitScheduler, or after the master's number of frames.
static inline stmErrorCode_t stmEnterScheduler(void) { return stmSaid(rta_static_enter()); }
/// From any thread of a client: ends the run of all.
static inline void stmExitScheduler(void) { rta_static_exit(); }

typedef void (*stmHostSubmitter_t)(rta_static_host_stream* stream, void* userdata);

static inline void stmCallHostSubmitter(void* stream, void (*function)(void), void* userdata) {
  ((stmHostSubmitter_t)function)((rta_static_host_stream*)stream, userdata);
}
static inline stmErrorCode_t stmRegisterHostSubmitter(stmHostSubmitter_t func, const char* const runnableId, void* userdata) {
  return stmSaid(rta_static_register_submitter_of(runnableId, stmCallHostSubmitter, (void (*)(void))func, userdata));
}
static inline stmErrorCode_t stmRegisterHostResource(const char* resourceName, rta_static_host_stream* stream) {
  return stmSaid(rta_static_register_stream(resourceName, &rta_static_host_engine, stream));
}

#ifndef STM_WITHOUT_CUDA
typedef void (*stmCudaSubmitter_t)(cudaStream_t stream, void* userdata);

static inline void stmCallCudaSubmitter(void* stream, void (*function)(void), void* userdata) {
  ((stmCudaSubmitter_t)function)((cudaStream_t)stream, userdata);
}
static inline stmErrorCode_t stmRegisterCudaSubmitter(stmCudaSubmitter_t func, const char* const runnableId, void* userdata) {
  return stmSaid(rta_static_register_submitter_of(runnableId, stmCallCudaSubmitter, (void (*)(void))func, userdata));
}
static inline stmErrorCode_t stmRegisterCudaResource(const char* resourceName, cudaStream_t stream) {
  return stmSaid(rta_static_register_stream(resourceName, &rta_static_cuda_engine, stream));
}
#endif

#endif
