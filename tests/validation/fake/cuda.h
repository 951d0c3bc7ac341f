// What generated programs use of CUDA's driver interface, on the fake device: green contexts. In the environment, FAKE_MORE_SMS: as many
// SMs each has more than was asked for; FAKE_PARTITIONS_OVERLAP: blocks run on SMs of other green contexts, too. What a split gave is not
// split again: NVIDIA has that undefined.
#pragma once

#include <cuda_runtime.h>

enum CUresult { CUDA_SUCCESS, CUDA_ERROR_INVALID_VALUE };
enum CUdevResourceType { CU_DEV_RESOURCE_TYPE_INVALID, CU_DEV_RESOURCE_TYPE_SM };
enum : unsigned { CU_GREEN_CTX_DEFAULT_STREAM = 1, CU_STREAM_NON_BLOCKING = 1 };
using CUdevice = int;
using CUstream = cudaStream_t;
struct CUdevResource {
  CUdevResourceType type;
  struct {
    unsigned smCount;
  } sm;
  unsigned first;
  bool of_split;
};
using CUdevResourceDesc = const CUdevResource*;
using CUgreenCtx = const CUdevResource*;

inline CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  *device = ordinal;
  return CUDA_SUCCESS;
}
inline CUresult cuDeviceGetDevResource(CUdevice, CUdevResource* resource, CUdevResourceType type) {
  *resource = {type, {fake::sms}, 0, false};
  return CUDA_SUCCESS;
}
inline CUresult cuDevSmResourceSplitByCount(CUdevResource* result, unsigned* groups, const CUdevResource* input, CUdevResource* remaining,
                                            unsigned, unsigned least) {
  const char* more = std::getenv("FAKE_MORE_SMS");
  const unsigned given = least + (more == nullptr ? 0 : static_cast<unsigned>(std::atoi(more)));
  if (*groups != 1 || given > input->sm.smCount || input->of_split) return CUDA_ERROR_INVALID_VALUE;
  const CUdevResource from = *input;
  *result = {from.type, {given}, from.first, true};
  *remaining = {from.type, {from.sm.smCount - given}, from.first + given, true};
  return CUDA_SUCCESS;
}
inline CUresult cuDevResourceGenerateDesc(CUdevResourceDesc* description, CUdevResource* resources, unsigned) {
  *description = new CUdevResource(*resources);
  return CUDA_SUCCESS;
}
inline CUresult cuGreenCtxCreate(CUgreenCtx* context, CUdevResourceDesc description, CUdevice, unsigned) {
  *context = description;
  return CUDA_SUCCESS;
}
inline CUresult cuGreenCtxGetDevResource(CUgreenCtx context, CUdevResource* resource, CUdevResourceType type) {
  *resource = {type, context->sm, context->first, false};
  return CUDA_SUCCESS;
}
inline CUresult cuGreenCtxStreamCreate(CUstream* stream, CUgreenCtx context, unsigned flags, int priority) {
  if (cudaStreamCreateWithPriority(stream, flags, priority) != cudaSuccess) return CUDA_ERROR_INVALID_VALUE;
  if (std::getenv("FAKE_PARTITIONS_OVERLAP") == nullptr) (*stream)->confine(context->first, context->sm.smCount);
  return CUDA_SUCCESS;
}

enum cudaDriverEntryPointQueryResult { cudaDriverEntryPointSuccess, cudaDriverEntryPointSymbolNotFound };
enum : unsigned long long { cudaEnableDefault };
/// As a driver does: no function for a version before the one that brought it.
inline cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** address, unsigned version, unsigned long long,
                                                    cudaDriverEntryPointQueryResult* found) {
  const struct {
    const char* name;
    unsigned since;
    void* address;
  } all[] = {{"cuDeviceGet", 2000, reinterpret_cast<void*>(&cuDeviceGet)},
             {"cuDeviceGetDevResource", 12040, reinterpret_cast<void*>(&cuDeviceGetDevResource)},
             {"cuDevSmResourceSplitByCount", 12040, reinterpret_cast<void*>(&cuDevSmResourceSplitByCount)},
             {"cuDevResourceGenerateDesc", 12040, reinterpret_cast<void*>(&cuDevResourceGenerateDesc)},
             {"cuGreenCtxCreate", 12040, reinterpret_cast<void*>(&cuGreenCtxCreate)},
             {"cuGreenCtxGetDevResource", 12040, reinterpret_cast<void*>(&cuGreenCtxGetDevResource)},
             {"cuGreenCtxStreamCreate", 12050, reinterpret_cast<void*>(&cuGreenCtxStreamCreate)}};
  *found = cudaDriverEntryPointSymbolNotFound;
  for (const auto& one : all) {
    if (std::strcmp(one.name, name) != 0 || one.since > version) continue;
    *address = one.address;
    *found = cudaDriverEntryPointSuccess;
  }
  return cudaSuccess;
}
