// Partitions of a device's SMs, a green context each (CUDA 12.4 on). The driver's functions are asked for by name, so that programs without
// partitions need no newer driver, and none is linked.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "cuda_call.cuh"

#if CUDART_VERSION >= 12040
#include <cuda.h>
#endif

namespace common {

#if CUDART_VERSION >= 12040

using GreenContext = CUgreenCtx;

class GreenContexts {
 public:
  explicit GreenContexts(int device) {
    load("cuDeviceGet", device_get_);
    load("cuDeviceGetDevResource", get_);
    load("cuDevSmResourceSplitByCount", split_);
    load("cuDevResourceGenerateDesc", describe_);
    load("cuGreenCtxCreate", create_);
    load("cuGreenCtxGetDevResource", get_of_);
    load("cuGreenCtxStreamCreate", create_stream_);
    require(device_get_(&device_, device), "cuDeviceGet");
    require(get_(device_, &left_, CU_DEV_RESOURCE_TYPE_SM), "cuDeviceGetDevResource");
  }

  /// Of SMs that no other has; with `rest` of all that are left. Ends the program where the device gives another number of them.
  [[nodiscard]] GreenContext make(unsigned sms, bool rest, const std::string& pool) {
    CUdevResource part = left_;
    if (!rest) {
      if (left_of_split_) left_ = resource_of(context_of(left_));
      unsigned groups = 1;
      CUdevResource remaining{};
      require(split_(&part, &groups, &left_, &remaining, 0, sms), "cuDevSmResourceSplitByCount");
      left_ = remaining;
      left_of_split_ = true;
    }
    if (part.sm.smCount != sms) {
      gpu_failed("pool '" + pool + "': the device makes a green context of " + std::to_string(part.sm.smCount) + " SMs of " +
                 std::to_string(sms));
    }
    return context_of(part);
  }

  [[nodiscard]] cudaStream_t stream(GreenContext context, int priority) const {
    CUstream stream{};
    require(create_stream_(&stream, context, CU_STREAM_NON_BLOCKING, priority), "cuGreenCtxStreamCreate");
    return stream;
  }

 private:
  [[nodiscard]] GreenContext context_of(CUdevResource part) const {
    CUdevResourceDesc description{};
    require(describe_(&description, &part, 1), "cuDevResourceGenerateDesc");
    GreenContext context{};
    require(create_(&context, description, device_, CU_GREEN_CTX_DEFAULT_STREAM), "cuGreenCtxCreate");
    return context;
  }

  /// What a split gave can be split again only as a green context's, in which nothing runs.
  [[nodiscard]] CUdevResource resource_of(GreenContext context) const {
    CUdevResource resource{};
    require(get_of_(context, &resource, CU_DEV_RESOURCE_TYPE_SM), "cuGreenCtxGetDevResource");
    return resource;
  }

  static void require(CUresult status, const char* call) {
    if (status != CUDA_SUCCESS) gpu_failed(std::string(call) + ": error " + std::to_string(static_cast<int>(status)) + " of the driver");
  }

  template <class Function>
  static void load(const char* name, Function& function) {
    void* address = nullptr;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
    const cudaError_t status = cudaGetDriverEntryPointByVersion(name, &address, 12040, cudaEnableDefault, &found);
#else
    const cudaError_t status = cudaGetDriverEntryPoint(name, &address, cudaEnableDefault, &found);
#endif
    if (status != cudaSuccess || found != cudaDriverEntryPointSuccess || address == nullptr)
      gpu_failed(std::string("partitions are green contexts, which need a driver of CUDA 12.4 or later: this one has no ") + name);
    function = reinterpret_cast<Function>(address);
  }

  decltype(&cuDeviceGet) device_get_ = nullptr;
  decltype(&cuDeviceGetDevResource) get_ = nullptr;
  decltype(&cuDevSmResourceSplitByCount) split_ = nullptr;
  decltype(&cuDevResourceGenerateDesc) describe_ = nullptr;
  decltype(&cuGreenCtxCreate) create_ = nullptr;
  decltype(&cuGreenCtxGetDevResource) get_of_ = nullptr;
  decltype(&cuGreenCtxStreamCreate) create_stream_ = nullptr;
  CUdevice device_{};
  CUdevResource left_{};
  bool left_of_split_ = false;
};

#else

using GreenContext = void*;

class GreenContexts {
 public:
  explicit GreenContexts(int) { gpu_failed("partitions are green contexts, which need CUDA 12.4 or later: build with a newer toolkit"); }
  [[nodiscard]] GreenContext make(unsigned, bool, const std::string&) { return nullptr; }
  [[nodiscard]] cudaStream_t stream(GreenContext, int) const { return nullptr; }
};

#endif

}  // namespace common
