// What the runtime calls of CUDA, on the fake device. In the environment, FAKE_BROKEN: the device cannot be used; FAKE_BLOCKS_PER_SM: the
// most of an SM; FAKE_FIRST_USE_MS: what the first operation of a stream takes longer;
// FAKE_BLOCKS_AT_ONCE: how many blocks of a kernel run side by side. Faults, each at the launch of that number:
// FAKE_FAILS_AT_LAUNCH: that kernel is not launched; FAKE_LOST_AT_LAUNCH: the device answers no more; FAKE_CLOCK_JUMPS_AT_LAUNCH: its clock
// is 200 ms further from then on.
#pragma once

#include <cstdlib>

#include "fake/device.hpp"

#define CUDART_VERSION 12040

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CUDA's
#define __global__
#define __device__
#define __host__

inline void __syncthreads() {}
inline void __threadfence_system() { std::atomic_thread_fence(std::memory_order_seq_cst); }
inline void __threadfence() { __threadfence_system(); }
/// A warp is one thread.
inline constexpr int warpSize = 1;
inline void __syncwarp() {}
template <class T>
T __shfl_sync(unsigned, T value, int) {
  return value;
}
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(16) ulonglong2 {
  unsigned long long x, y;
};
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
inline ulonglong2 make_ulonglong2(unsigned long long x, unsigned long long y) { return {x, y}; }
inline uint4 __ldcv(const uint4* from) { return *from; }
inline void __nanosleep(unsigned) { std::this_thread::yield(); }
// NOLINTEND(bugprone-reserved-identifier)
template <class T>
T atomicAdd(T* to, T value) {
  return __atomic_fetch_add(to, value, __ATOMIC_SEQ_CST);
}
template <class T>
T atomicSub(T* from, T value) {
  return __atomic_fetch_sub(from, value, __ATOMIC_SEQ_CST);
}
template <class T>
T atomicExch(T* at, T value) {
  return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);
}
inline long long clock64() { return static_cast<long long>(fake::global_time()); }  // 1 GHz

struct cudaUUID_t {
  char bytes[16];
};
struct cudaDeviceProp {
  char name[256];
  cudaUUID_t uuid;
  int major, minor;
  std::size_t totalGlobalMem, sharedMemPerBlockOptin;
  int multiProcessorCount, maxThreadsPerMultiProcessor;
};
struct cudaFuncAttributes {
  int numRegs;
};

enum cudaError_t {
  cudaSuccess,
  cudaErrorNoDevice,
  cudaErrorInvalidValue,
  cudaErrorNotReady,
  cudaErrorSetOnActiveProcess,
  cudaErrorLaunchFailure,
  cudaErrorUnknown
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum cudaFuncAttribute { cudaFuncAttributePreferredSharedMemoryCarveout, cudaFuncAttributeMaxDynamicSharedMemorySize };
enum { cudaComputeModeDefault, cudaComputeModeExclusive, cudaComputeModeProhibited };
enum : unsigned {
  cudaStreamDefault = 0,
  cudaStreamNonBlocking = 1,
  cudaHostAllocDefault = 0,
  cudaHostAllocMapped = 2,
  cudaEventDefault = 0,
  cudaEventBlockingSync = 1,
  cudaEventDisableTiming = 2,
  cudaDeviceScheduleBlockingSync = 4,
  cudaDeviceMapHost = 8
};
enum cudaDeviceAttr {
  cudaDevAttrMultiProcessorCount,
  cudaDevAttrWarpSize,
  cudaDevAttrMaxThreadsPerMultiProcessor,
  cudaDevAttrMaxThreadsPerBlock,
  cudaDevAttrMaxBlocksPerMultiprocessor,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor,
  cudaDevAttrMaxSharedMemoryPerBlockOptin,
  cudaDevAttrReservedSharedMemoryPerBlock,
  cudaDevAttrMaxRegistersPerMultiprocessor,
  cudaDevAttrMaxRegistersPerBlock,
  cudaDevAttrAsyncEngineCount,
  cudaDevAttrClockRate,
  cudaDevAttrMemoryClockRate,
  cudaDevAttrConcurrentKernels,
  cudaDevAttrComputePreemptionSupported,
  cudaDevAttrIntegrated,
  cudaDevAttrKernelExecTimeout,
  cudaDevAttrComputeMode,
  cudaDevAttrMemoryPoolsSupported,
  cudaDevAttrL2CacheSize
};

inline const char* cudaGetErrorString(cudaError_t status) {
  switch (status) {
    case cudaErrorNoDevice: return "the fake device is broken";
    case cudaErrorLaunchFailure: return "the fake launch failed";
    case cudaErrorUnknown: return "the fake device is lost";
    default: return "an error";
  }
}
inline const char* cudaGetErrorName(cudaError_t status) {
  switch (status) {
    case cudaErrorNoDevice: return "cudaErrorNoDevice";
    case cudaErrorLaunchFailure: return "cudaErrorLaunchFailure";
    case cudaErrorUnknown: return "cudaErrorUnknown";
    default: return "cudaError";
  }
}
namespace fake {
inline cudaError_t state() { return lost() ? cudaErrorUnknown : cudaSuccess; }
}  // namespace fake
inline cudaError_t cudaGetLastError() { return cudaSuccess; }

inline cudaError_t cudaGetDeviceCount(int* count) {
  *count = 2;
  return std::getenv("FAKE_BROKEN") == nullptr ? cudaSuccess : cudaErrorNoDevice;
}
inline cudaError_t cudaSetDevice(int) { return cudaSuccess; }
inline cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
inline cudaError_t cudaSetDeviceFlags(unsigned) { return cudaErrorSetOnActiveProcess; }
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* is, int) {
  *is = {"a \"fake\" GPU", {"0123456789abcde"}, 9, 0, 1U << 30U, 200 << 10U, fake::sms, 2048};
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int) {
  static const int values[] = {fake::sms, 32,     2048,      1024,      32, 228 << 10U, 227 << 10U, 1024, 65536,
                               65536,     2,      1'000'000, 1'000'000, 1,  1,          0,          0,    cudaComputeModeDefault,
                               1,         1 << 16};
  *value = values[which];
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetStreamPriorityRange(int* lowest, int* highest) {
  const char* levels = std::getenv("FAKE_PRIORITY_LEVELS");
  *lowest = 0;
  *highest = levels == nullptr ? -5 : 1 - std::atoi(levels);
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetPCIBusId(char* text, int, int) {
  std::strcpy(text, "0000:00:00.0");
  return cudaSuccess;
}
inline cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = 12040;
  return cudaSuccess;
}
inline cudaError_t cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }
inline cudaError_t cudaDeviceSynchronize() {
  fake::Device::instance().wait();
  return fake::state();
}

/// A number that no level has is an error here; CUDA takes the nearest.
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int priority) {
  int lowest = 0;
  int highest = 0;
  cudaDeviceGetStreamPriorityRange(&lowest, &highest);
  if (priority > lowest || priority < highest) return cudaErrorUnknown;
  *stream = fake::Device::instance().make_stream();
  return cudaSuccess;
}
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}
inline cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithPriority(stream, 0, 0); }
inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  fake::Device::instance().destroy_stream(stream);
  return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  fake::Device::instance().stream(stream).wait();
  return fake::state();
}
inline cudaError_t cudaStreamQuery(cudaStream_t stream) {
  if (fake::lost()) return cudaErrorUnknown;
  return fake::Device::instance().stream(stream).idle() ? cudaSuccess : cudaErrorNotReady;
}

inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  *event = new fake::Event;
  return cudaSuccess;
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, 0); }
inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  event->asked.fetch_add(1);
  fake::Device::instance().put(stream, [=] {
    event->at.store(fake::global_time());
    event->done.fetch_add(1);
  });
  return fake::state();
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  fake::Device::instance().put(stream, [=] { event->wait(); });
  return fake::state();
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  event->wait();
  return fake::state();
}
inline cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t from, cudaEvent_t to) {
  *ms = static_cast<float>(to->at.load() - from->at.load()) / 1e6F;
  return cudaSuccess;
}

inline cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  return fake::state();
}
inline cudaError_t cudaFree(void* memory) {
  std::free(memory);
  return cudaSuccess;
}
inline cudaError_t cudaMallocHost(void** memory, std::size_t bytes) { return cudaMalloc(memory, bytes); }
inline cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) { return cudaMalloc(memory, bytes); }
inline cudaError_t cudaHostGetDevicePointer(void** on_device, void* on_host, unsigned) {
  *on_device = on_host;
  return cudaSuccess;
}
inline cudaError_t cudaFreeHost(void* memory) { return cudaFree(memory); }
inline cudaError_t cudaMallocAsync(void** memory, std::size_t bytes, cudaStream_t) { return cudaMalloc(memory, bytes); }
inline cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream) {
  fake::Device::instance().put(stream, [=] { std::free(memory); });
  return cudaSuccess;
}
inline cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream) {
  fake::Device::instance().put(stream, [=] { std::memset(memory, value, bytes); });
  return fake::state();
}
inline cudaError_t cudaMemset(void* memory, int value, std::size_t bytes) {
  return cudaMemsetAsync(memory, value, bytes, cudaStreamLegacy);
}
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t stream) {
  fake::Device::instance().put(stream, [=] { fake::Device::copy(to, from, bytes); });
  return fake::state();
}
inline cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  cudaMemcpyAsync(to, from, bytes, kind, cudaStreamLegacy);
  return cudaStreamSynchronize(cudaStreamLegacy);
}

template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel*, cudaFuncAttribute, int) {
  return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Kernel*) {
  attributes->numRegs = 24;
  return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel*, int threads, std::size_t shared_memory) {
  const int by_memory = static_cast<int>((228U << 10U) / (shared_memory + 1024));  // 1 KiB of each block is the system's
  const char* most = std::getenv("FAKE_BLOCKS_PER_SM");
  *blocks = threads > 1024 ? 0 : std::min({most == nullptr ? 32 : std::atoi(most), 2048 / threads, by_memory});
  return cudaSuccess;
}
