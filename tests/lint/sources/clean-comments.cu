#include <cuda_runtime.h>
// rta: job
void frame() {
  // cudaDeviceSynchronize();
  /* cudaFree(p); // */ int a = 0;
  // A backslash continues this comment: \
  cudaDeviceSynchronize();
  /* kernel<<<1, 1>>>(); */
  const char* text = "cudaFree(p); // rta: job begin";
  const char* quoted = "\"; cudaFree(p); \"";
  const char c = '"';
  const char d = '\'';
  const char* raw = R"(cudaFree(p); ")";
  const char* delimited = R"x(cudaDeviceSynchronize(); )" cudaFree(p); )x";
  const int million = 1'000'000;
  (void)a, (void)text, (void)quoted, (void)c, (void)d, (void)raw, (void)delimited, (void)million;
}
