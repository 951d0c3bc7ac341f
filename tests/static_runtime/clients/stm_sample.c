// A client of the tutorial's graph, written against the public calls of the System Task Manager. `kernel` fills a buffer with the frame's
// number, `post_process` reads it. Prints how many frames it saw, and exits with 1 when one of them read something else.
#include <stdio.h>
#include <string.h>

#include "static/stm.h"

enum { size = 4096 };

static unsigned char buffer[size];
static int frame = 0;
static int wrong = 0;

#ifdef STM_WITHOUT_CUDA
static void kernel(void* userdata) {
  (void)userdata;
  memset(buffer, frame % 251, size);
}

static void submit(rta_static_host_stream* stream, void* userdata) {
  (void)userdata;
  ++frame;
  (void)rta_static_host_stream_submit(stream, kernel, NULL);
}
#else
static void submit(cudaStream_t stream, void* userdata) {
  (void)userdata;
  ++frame;
  (void)cudaMemsetAsync(buffer, frame % 251, size, stream);
}
#endif

static void post_process(void* userdata) {
  (void)userdata;
  for (int i = 0; i < size; ++i) wrong += buffer[i] != frame % 251;
}

int main(int argc, const char** argv) {
  (void)argc;
  (void)argv;
  stmClientInit("GpuX");
#ifdef STM_WITHOUT_CUDA
  rta_static_host_stream* stream = rta_static_host_stream_create();
  stmRegisterHostSubmitter(submit, "submit", NULL);
  stmRegisterHostResource("CUDA_STREAMX", stream);
#else
  cudaStream_t stream = NULL;
  if (cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) return 1;
  stmRegisterCudaSubmitter(submit, "submit", NULL);
  stmRegisterCudaResource("CUDA_STREAMX", stream);
#endif
  stmRegisterCpuRunnable(post_process, "post_process", NULL);
  const stmErrorCode_t ended = stmEnterScheduler();
  stmClientExit();
#ifdef STM_WITHOUT_CUDA
  rta_static_host_stream_destroy(stream);
#else
  cudaStreamDestroy(stream);
#endif
  printf("%d frames, %d wrong bytes\n", frame, wrong);
  return ended == STM_SUCCESS && wrong == 0 ? 0 : 1;
}
