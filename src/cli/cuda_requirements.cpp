#include "cuda_requirements.hpp"

#include "rta/validation/machine.hpp"

namespace rta::cli {

std::string missing_for_cuda(const std::string& instead) {
  std::string missing;
  if (validation::find_nvcc().empty())
    missing +=
        "rta: nvcc is missing: install the CUDA Toolkit, 11.8 or later (Debian: nvidia-cuda-toolkit; else "
        "developer.nvidia.com/cuda-downloads), or set NVCC to it\n";
  if (!validation::has_gpu())
    missing +=
        "rta: no NVIDIA GPU is visible here (no /dev/nvidia0): load its driver (Debian: nvidia-driver), or write the program with '" +
        instead + "' and build and run it on the machine that has the GPU\n";
  return missing;
}

}  // namespace rta::cli
