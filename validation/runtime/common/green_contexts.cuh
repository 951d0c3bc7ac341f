// Partitions of a device's SMs, a green context each (CUDA 12.5 on). The driver's functions are asked for by name, so that programs without
// partitions need no newer driver, and none is linked.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "cuda_call.cuh"

#if CUDART_VERSION >= 12050
#include <cuda.h>
#endif

namespace common {

#if CUDART_VERSION >= 12050

using GreenContext = CUgreenCtx;

/// A green context and how many SMs it has.
struct Partition {
  GreenContext context;
  unsigned sms;
};

class GreenContexts {
 public:
  /// Ends the program where there are none.
  explicit GreenContexts(int device) {
    const std::string fault = open(device);
    if (!fault.empty()) gpu_failed(fault);
  }
  /// Why a device has none; empty: it has.
  [[nodiscard]] static std::string fault(int device) { return GreenContexts().open(device); }

  /// Of SMs that no other has; with `rest` of all that are left. Ends the program where the device gives another number of them.
  [[nodiscard]] GreenContext make(unsigned sms, bool rest, const std::string& pool) {
    const CUdevResource part = rest ? left_ : split(sms);
    if (part.sm.smCount != sms) {
      gpu_failed("pool '" + pool + "': the device makes a green context of " + std::to_string(part.sm.smCount) + " SMs of " +
                 std::to_string(sms));
    }
    return context_of(part);
  }
  /// Likewise, of as many SMs as the device gives whoever asks for `sms`.
  [[nodiscard]] Partition at_least(unsigned sms) {
    const CUdevResource part = split(sms);
    return {context_of(part), part.sm.smCount};
  }
  [[nodiscard]] Partition rest() const { return {context_of(left_), left_.sm.smCount}; }

  /// How many SMs who asks for `sms` of all would have, and how many would be left; makes nothing. No SMs: the device refuses.
  struct Given {
    unsigned sms;
    unsigned left;
  };
  [[nodiscard]] Given would_give(unsigned sms, unsigned flags) const {
    CUdevResource whole{};
    require(get_(device_, &whole, CU_DEV_RESOURCE_TYPE_SM), "cuDeviceGetDevResource");
    CUdevResource part{};
    CUdevResource remaining{};
    unsigned groups = 1;
    if (split_(&part, &groups, &whole, &remaining, flags, sms) != CUDA_SUCCESS || groups != 1) return {0, whole.sm.smCount};
    return {part.sm.smCount, remaining.sm.smCount};
  }

  [[nodiscard]] cudaStream_t stream(GreenContext context, int priority) const {
    CUstream stream{};
    require(create_stream_(&stream, context, CU_STREAM_NON_BLOCKING, priority), "cuGreenCtxStreamCreate");
    return stream;
  }

 private:
  GreenContexts() = default;

  std::string open(int device) {
    const std::string missing = load("cuDeviceGet", device_get_) + load("cuDeviceGetDevResource", get_) +
                                load("cuDevSmResourceSplitByCount", split_) + load("cuDevResourceGenerateDesc", describe_) +
                                load("cuGreenCtxCreate", create_) + load("cuGreenCtxGetDevResource", get_of_) +
                                load("cuGreenCtxStreamCreate", create_stream_);
    if (!missing.empty()) return "partitions are green contexts, which need a driver of CUDA 12.5 or later: this one has no" + missing;
    require(device_get_(&device_, device), "cuDeviceGet");
    if (get_(device_, &left_, CU_DEV_RESOURCE_TYPE_SM) != CUDA_SUCCESS) return "the driver does not say what SMs this device has to give";
    return "";
  }

  CUdevResource split(unsigned sms) {
    if (left_of_split_) left_ = resource_of(context_of(left_));
    unsigned groups = 1;
    CUdevResource part{};
    CUdevResource remaining{};
    require(split_(&part, &groups, &left_, &remaining, 0, sms), "cuDevSmResourceSplitByCount");
    left_ = remaining;
    left_of_split_ = true;
    return part;
  }

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

  /// " NAME" where the driver has no such function.
  template <class Function>
  static std::string load(const char* name, Function& function) {
    void* address = nullptr;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
    // 12.5: the first with all of them. A driver has no function for a version before the function's own.
    const cudaError_t status = cudaGetDriverEntryPointByVersion(name, &address, 12050, cudaEnableDefault, &found);
    if (status != cudaSuccess || found != cudaDriverEntryPointSuccess || address == nullptr) return std::string(" ") + name;
    function = reinterpret_cast<Function>(address);
    return "";
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

struct Partition {
  GreenContext context;
  unsigned sms;
};

class GreenContexts {
 public:
  explicit GreenContexts(int device) { gpu_failed(fault(device)); }
  [[nodiscard]] static std::string fault(int) {
    return "partitions are green contexts, which need CUDA 12.5 or later: build with a newer toolkit";
  }
  [[nodiscard]] GreenContext make(unsigned, bool, const std::string&) { return nullptr; }
  [[nodiscard]] Partition at_least(unsigned) { return {}; }
  [[nodiscard]] Partition rest() const { return {}; }
  struct Given {
    unsigned sms;
    unsigned left;
  };
  [[nodiscard]] Given would_give(unsigned, unsigned) const { return {}; }
  [[nodiscard]] cudaStream_t stream(GreenContext, int) const { return nullptr; }
};

#endif

}  // namespace common
