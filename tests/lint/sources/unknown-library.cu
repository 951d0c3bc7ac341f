#include <cuda_runtime.h>
#include <opencv2/cudaarithm.hpp>  // expect: unknown-library@11
#include <opencv2/core/cuda.hpp>   // expect: unknown-library@11
#include <cusolverSp.h>            // expect: unknown-library@11
#include <torch/torch.h>           // expect: unknown-library@11
#include <vector>
// rta: job
void frame() {}
