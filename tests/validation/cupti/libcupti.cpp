// Stands in for libcupti.so: delivers a fixed set of records through buffers, as CUPTI does, when it is asked to flush. Times are ns after
// $RTA_RECORD_ORIGIN. $FAKE_CUPTI changes what it does: `busy` refuses to record kernels, `silent` delivers nothing.
#include <cupti.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "record/cupti_types.hpp"
#include "records.hpp"

namespace {

using namespace stand_in;

CUpti_BuffersCallbackRequestFunc request = nullptr;
CUpti_BuffersCallbackCompleteFunc complete = nullptr;

bool is(const char* what) {
  const char* const given = std::getenv("FAKE_CUPTI");
  return given != nullptr && std::string(given) == what;
}

std::uint64_t at(std::uint64_t time) { return std::strtoull(std::getenv("RTA_RECORD_ORIGIN"), nullptr, 10) + time; }

record::Marker marker(unsigned flags, std::uint32_t id, std::uint64_t time, const char* name) {
  auto r = zeros<record::Marker>(CUPTI_ACTIVITY_KIND_MARKER);
  r.flags = static_cast<CUpti_ActivityFlag>(flags);
  r.id = id;
  r.timestamp = at(time);
  r.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
  r.objectId.pt.threadId = 72;
  r.name = name;
  return r;
}

record::Call call(CUpti_ActivityKind kind, std::uint32_t cbid, std::uint32_t correlation, std::uint64_t start, std::uint64_t end) {
  auto r = zeros<record::Call>(kind);
  r.cbid = cbid;
  r.processId = 71;
  r.threadId = 72;
  r.correlationId = correlation;
  r.start = at(start);
  r.end = at(end);
  return r;
}

record::Kernel kernel(std::uint32_t stream, std::uint32_t correlation, std::uint64_t start, std::uint64_t end) {
  auto r = zeros<record::Kernel>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  r.name = "_Z6detectPKf";
  r.start = start == 0 ? 0 : at(start);
  r.end = end == 0 ? 0 : at(end);
  r.contextId = 1;
  r.streamId = stream;
  r.correlationId = correlation;
  r.gridX = 8;
  r.gridY = 2;
  r.gridZ = 1;
  r.blockX = 256;
  r.blockY = 1;
  r.blockZ = 1;
  r.registersPerThread = 40;
  r.staticSharedMemory = 16;
  r.dynamicSharedMemory = 1024;
  return r;
}

void put_platform(Bytes& all) {
  auto device = zeros<record::Device>(CUPTI_ACTIVITY_KIND_DEVICE);
  device.name = "NVIDIA \"Fake\" \xFF";
  device.computeCapabilityMajor = 9;
  device.numMultiprocessors = 132;
  device.maxWarpsPerMultiprocessor = 64;
  device.numThreadsPerWarp = 32;
  device.maxThreadsPerBlock = 1024;
  device.maxBlocksPerMultiprocessor = 32;
  device.maxSharedMemoryPerMultiprocessor = 233472;
  device.maxSharedMemoryPerBlock = 49152;
  device.maxRegistersPerMultiprocessor = 65536;
  device.numMemcpyEngines = 3;
  device.coreClockRate = 1980000;
  device.uuid.bytes[0] = static_cast<char>(0xab);
  put(all, device);
  auto context = zeros<record::Context>(CUPTI_ACTIVITY_KIND_CONTEXT);
  context.contextId = 1;
  context.nullStreamId = 7;
  put(all, context);
  auto stream = zeros<record::Stream>(CUPTI_ACTIVITY_KIND_STREAM);
  stream.contextId = 1;
  stream.streamId = 13;
  stream.priority = static_cast<std::uint32_t>(-5);
  stream.flag = CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING;
  put(all, stream);
}

void put_job(Bytes& all) {
  put(all, marker(CUPTI_ACTIVITY_FLAG_MARKER_START, 1, 100, "rta: job camera"));
  put(all, marker(CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS, 2, 105, "here"));
  put(all, call(CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyAsync_v3020, 31, 110, 120));
  auto copy = zeros<record::Memcpy>(CUPTI_ACTIVITY_KIND_MEMCPY);
  copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD;
  copy.srcKind = CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
  copy.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  copy.flags = CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC;
  copy.bytes = 4096;
  copy.start = at(115);
  copy.end = at(140);
  copy.contextId = 1;
  copy.streamId = 13;
  copy.correlationId = 31;
  put(all, copy);
  put(all, call(CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000, 32, 121, 125));
  put(all, kernel(13, 32, 140, 190));
  put(all, call(CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, 33, 126, 130));
  put(all, kernel(7, 33, 190, 230));  // on the NULL stream
  put(all, kernel(7, 34, 0, 0));      // without times
  auto memset = zeros<record::Memset>(CUPTI_ACTIVITY_KIND_MEMSET);
  memset.bytes = 64;
  memset.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  memset.flags = CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC;
  memset.start = at(230);
  memset.end = at(231);
  memset.contextId = 1;
  memset.streamId = 13;
  memset.correlationId = 35;
  memset.graphId = 3;
  memset.graphNodeId = 0x300000001;
  put(all, memset);
}

void put_end(Bytes& all) {
  auto event = zeros<record::Event>(CUPTI_ACTIVITY_KIND_CUDA_EVENT);
  event.contextId = 1;
  event.streamId = 13;
  event.eventId = 4;
  event.correlationId = 36;
  put(all, event);
  auto wait = zeros<record::Synchronization>(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
  wait.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE;
  wait.contextId = 1;
  wait.streamId = CUPTI_SYNCHRONIZATION_INVALID_VALUE;
  wait.cudaEventId = 4;
  wait.correlationId = 37;
  wait.start = at(240);
  wait.end = at(250);
  put(all, wait);
  auto overhead = zeros<record::Overhead>(CUPTI_ACTIVITY_KIND_OVERHEAD);
  overhead.overheadKind = CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH;
  overhead.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
  overhead.objectId.pt.threadId = 73;
  overhead.start = at(300);
  overhead.end = at(320);
  put(all, overhead);
  put(all, marker(CUPTI_ACTIVITY_FLAG_MARKER_END, 1, 260, nullptr));
  put(all, marker(CUPTI_ACTIVITY_FLAG_MARKER_START, 9, 270, "open"));
}

void deliver(const Bytes& all) {
  std::uint8_t* buffer = nullptr;
  std::size_t size = 0, most = 0;
  request(&buffer, &size, &most);
  if (buffer == nullptr || size < all.size()) std::abort();
  std::memcpy(buffer, all.data(), all.size());
  complete(nullptr, 0, buffer, size, all.size());
}

}  // namespace

extern "C" {

CUptiResult cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc /*clock*/) { return CUPTI_SUCCESS; }
CUptiResult cuptiSetThreadIdType(CUpti_ActivityThreadIdType /*type*/) { return CUPTI_SUCCESS; }
CUptiResult cuptiActivityFlushPeriod(std::uint32_t /*time*/) { return CUPTI_SUCCESS; }

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc of_requests, CUpti_BuffersCallbackCompleteFunc of_completions) {
  request = of_requests;
  complete = of_completions;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
  if (kind == CUPTI_ACTIVITY_KIND_KERNEL) std::abort();  // it would make kernels run one by one
  return is("busy") && kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL ? CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED : CUPTI_SUCCESS;
}

CUptiResult cuptiActivityFlushAll(std::uint32_t /*flag*/) {
  if (is("silent")) return CUPTI_SUCCESS;
  Bytes first, second;
  put_platform(first);
  put_job(first);
  put_end(second);
  deliver(first);
  deliver(second);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t valid, CUpti_Activity** record) {
  return next_record(buffer, valid, record);
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext /*context*/, std::uint32_t /*stream*/, std::size_t* dropped) {
  *dropped = 2;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, std::uint32_t cbid, const char** name) {
  if (domain == CUPTI_CB_DOMAIN_DRIVER_API && cbid == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel) {
    *name = "cuLaunchKernel_ptsz";
  } else if (domain == CUPTI_CB_DOMAIN_RUNTIME_API && cbid == CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000) {
    *name = "cudaLaunchKernel_v7000";
  } else {
    return CUPTI_ERROR_INVALID_PARAMETER;
  }
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetResultString(CUptiResult result, const char** text) {
  *text = result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED ? "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED" : "other";
  return CUPTI_SUCCESS;
}

}  // extern "C"
