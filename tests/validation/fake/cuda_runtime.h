// What the runtime calls of CUDA, on the fake device. In the environment, FAKE_BROKEN: the device cannot be used; FAKE_BLOCKS_PER_SM: the
// most of an SM; FAKE_FIRST_USE_MS: what the first operation of a stream takes longer;
// FAKE_BLOCKS_AT_ONCE: how many blocks of a kernel run side by side. Faults, each at the launch of that number:
// FAKE_FAILS_AT_LAUNCH: that kernel is not launched; FAKE_LOST_AT_LAUNCH: the device answers no more; FAKE_CLOCK_JUMPS_AT_LAUNCH: its clock
// is 200 ms further from then on.
#pragma once

#include <cmath>
#include <cstdlib>
#include <utility>

#include "fake/device.hpp"

#define CUDART_VERSION 12050

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CUDA's
#define __global__
#define __device__
#define __host__
#define __shared__ static thread_local

inline void __syncthreads() {
  if (fake::Block::current() != nullptr) fake::Block::current()->wait();
}
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
inline int min(int a, int b) { return b < a ? b : a; }
inline int max(int a, int b) { return a < b ? b : a; }
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
  cudaErrorUnknown,
  cudaErrorNotSupported
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum cudaFuncAttribute {
  cudaFuncAttributePreferredSharedMemoryCarveout,
  cudaFuncAttributeMaxDynamicSharedMemorySize,
  cudaFuncAttributeNonPortableClusterSizeAllowed
};
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
  cudaDevAttrL2CacheSize,
  cudaDevAttrClusterLaunch,
  cudaDevAttrCooperativeLaunch
};

inline const char* cudaGetErrorString(cudaError_t status) {
  switch (status) {
    case cudaErrorNoDevice: return "the fake device is broken";
    case cudaErrorLaunchFailure: return "the fake launch failed";
    case cudaErrorUnknown: return "the fake device is lost";
    case cudaErrorNotSupported: return "the fake device has none";
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
inline Activity of_event(const Call& call, Activity::Kind kind, std::uint32_t stream, const Event& event) {
  Activity is = call.asks(kind, stream);
  is.event = event.number;
  is.recording = event.asked.load();
  return is;
}
/// It began with its call.
inline void waited(Activity is) {
  is.end = Recording::now();
  Recording::put(is);
}
}  // namespace fake
namespace fake {
inline cudaError_t& last_error() {
  static thread_local cudaError_t error = cudaSuccess;
  return error;
}
}  // namespace fake
inline cudaError_t cudaGetLastError() { return std::exchange(fake::last_error(), cudaSuccess); }

namespace fake {

/// What `kernel<<<grid, block, shared_memory, stream>>>` is here, to be called with the arguments.
template <class Kernel>
auto configured(const char* name, Kernel kernel, dim3 grid, dim3 block, std::size_t shared_memory = 0,
                cudaStream_t stream = cudaStreamLegacy) {
  return [=](auto... arguments) {
    const Call call("cudaLaunchKernel");
    const std::uint64_t number = ++launches;
    const char* failing = std::getenv("FAKE_FAILS_AT_LAUNCH");
    const bool fails = failing != nullptr && number == std::strtoull(failing, nullptr, 10);
    const cudaError_t error = fails ? cudaErrorLaunchFailure : state();
    if (error != cudaSuccess) {  // stays until it is asked for
      last_error() = error;
      return;
    }
    Device& device = Device::instance();
    Activity is = call.asks(Activity::Kind::kernel, device.stream(stream).number());
    is.name = name;
    is.bytes = shared_memory;
    const unsigned sizes[] = {grid.x, grid.y, grid.z, block.x, block.y, block.z};
    for (int i = 0; i < 3; ++i) {
      is.grid[i] = sizes[i];
      is.block[i] = sizes[i + 3];
    }
    device.put_recorded(stream, is, [=] { run_grid(grid, block, [=] { kernel(arguments...); }); });
  };
}

}  // namespace fake

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
  static const int values[] = {fake::sms, 32,      2048,      1024,      32, 228 << 10U, 227 << 10U, 1024, 65536,
                               65536,     2,       1'000'000, 1'000'000, 1,  1,          0,          0,    cudaComputeModeDefault,
                               1,         1 << 16, 0,         0};
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
  *version = 12050;
  return cudaSuccess;
}
inline cudaError_t cudaDriverGetVersion(int* version) { return cudaRuntimeGetVersion(version); }
inline cudaError_t cudaDeviceSynchronize() {
  const fake::Call call("cudaDeviceSynchronize");
  fake::Device::instance().wait();
  fake::waited(call.asks(fake::Activity::Kind::wait, 0));
  return fake::state();
}

/// A number that no level has is an error here; CUDA takes the nearest.
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int priority) {
  int lowest = 0;
  int highest = 0;
  cudaDeviceGetStreamPriorityRange(&lowest, &highest);
  if (priority > lowest || priority < highest) return cudaErrorUnknown;
  const fake::Call call("cudaStreamCreateWithPriority");
  *stream = fake::Device::instance().make_stream();
  fake::Activity made = call.asks(fake::Activity::Kind::stream, (*stream)->number());
  made.priority = priority;
  fake::Recording::put(made);
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
  const fake::Call call("cudaStreamSynchronize");
  fake::Stream& is = fake::Device::instance().stream(stream);
  is.wait();
  fake::waited(call.asks(fake::Activity::Kind::wait, is.number()));
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
  const fake::Call call("cudaEventRecord");
  event->asked.fetch_add(1);
  fake::Recording::put(fake::of_event(call, fake::Activity::Kind::event, fake::Device::instance().stream(stream).number(), *event));
  fake::Device::instance().put(stream, [=] {
    event->at.store(fake::global_time());
    event->done.fetch_add(1);
  });
  return fake::state();
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  const fake::Call call("cudaStreamWaitEvent");
  fake::Device::instance().put(stream, [=] { event->wait(); });
  fake::waited(fake::of_event(call, fake::Activity::Kind::wait_event, fake::Device::instance().stream(stream).number(), *event));
  return fake::state();
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  const fake::Call call("cudaEventSynchronize");
  event->wait();
  fake::waited(fake::of_event(call, fake::Activity::Kind::wait_event, 0, *event));
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
template <class T>
cudaError_t cudaMalloc(T** memory, std::size_t bytes) {
  return cudaMalloc(reinterpret_cast<void**>(memory), bytes);
}
template <class T>
cudaError_t cudaMallocHost(T** memory, std::size_t bytes) {
  return cudaMallocHost(reinterpret_cast<void**>(memory), bytes);
}
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
  const fake::Call call("cudaMemsetAsync");
  fake::Device& device = fake::Device::instance();
  fake::Activity is = call.asks(fake::Activity::Kind::memset, device.stream(stream).number());
  is.bytes = bytes;
  device.put_recorded(stream, is, [=] { std::memset(memory, value, bytes); });
  return fake::state();
}
inline cudaError_t cudaMemset(void* memory, int value, std::size_t bytes) {
  return cudaMemsetAsync(memory, value, bytes, cudaStreamLegacy);
}
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  const fake::Call call("cudaMemcpyAsync");
  fake::Device& device = fake::Device::instance();
  fake::Activity is = call.asks(fake::Activity::Kind::copy, device.stream(stream).number());
  is.bytes = bytes;
  is.to_device = kind == cudaMemcpyHostToDevice;
  device.put_recorded(stream, is, [=] { fake::Device::copy(to, from, bytes); });
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

// What the fake device has not.

enum cudaLaunchAttributeID { cudaLaunchAttributeClusterDimension, cudaLaunchAttributeProgrammaticStreamSerialization };
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  struct {
    struct {
      unsigned x, y, z;
    } clusterDim;
    int programmaticStreamSerializationAllowed;
  } val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  std::size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned numAttrs;
};
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void*, void**) { return cudaErrorNotSupported; }
inline cudaError_t cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**, std::size_t, cudaStream_t) { return cudaErrorNotSupported; }
inline cudaError_t cudaOccupancyMaxActiveClusters(int*, const void*, const cudaLaunchConfig_t*) { return cudaErrorNotSupported; }

struct FakeGraph;
using cudaGraph_t = FakeGraph*;
using cudaGraphExec_t = FakeGraph*;
enum cudaStreamCaptureMode { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal };
inline cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) { return cudaErrorNotSupported; }
inline cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t*) { return cudaErrorNotSupported; }
inline cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t*, cudaGraph_t, unsigned long long) { return cudaErrorNotSupported; }
inline cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t) { return cudaErrorNotSupported; }
