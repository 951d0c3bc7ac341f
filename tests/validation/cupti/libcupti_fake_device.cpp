// Stands in for libcupti.so on the fake device (../fake): makes records of what that device tells, and delivers them when it is asked to
// flush.
#include <cupti.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "../fake/fake/activity.hpp"
#include "record/cupti_types.hpp"
#include "records.hpp"

namespace {

using namespace stand_in;
using fake::Activity;

constexpr std::uint32_t context_number = 1;
constexpr std::uint32_t null_stream = 7;

CUpti_BuffersCallbackRequestFunc request = nullptr;
CUpti_BuffersCallbackCompleteFunc complete = nullptr;

/// Never freed: threads of the device may outlast the program's static objects.
struct State {
  std::mutex lock;
  std::vector<Bytes> records;
  std::set<std::string> names;
  std::vector<const char*> calls;  // by number
  std::map<std::string, std::uint32_t> numbers;

  const char* kept(const char* name) { return names.insert(name).first->c_str(); }
  std::uint32_t number_of(const char* name) {
    const auto [at, is_new] = numbers.try_emplace(name, static_cast<std::uint32_t>(calls.size()));
    if (is_new) calls.push_back(kept(name));
    return at->second;
  }
};
State& state() {
  static auto* const all = new State;
  return *all;
}

template <class Record>
void keep(const Record& record) {
  Bytes bytes;
  put(bytes, record);
  state().records.push_back(std::move(bytes));
}

void keep_platform() {
  auto device = zeros<record::Device>(CUPTI_ACTIVITY_KIND_DEVICE);
  device.name = "a \"fake\" GPU";
  device.computeCapabilityMajor = 9;
  device.numMultiprocessors = 4;
  device.maxWarpsPerMultiprocessor = 64;
  device.numThreadsPerWarp = 32;
  device.maxThreadsPerBlock = 1024;
  device.maxBlocksPerMultiprocessor = 32;
  device.maxSharedMemoryPerMultiprocessor = 228 << 10U;
  device.maxSharedMemoryPerBlock = 48 << 10U;
  device.maxRegistersPerMultiprocessor = 65536;
  device.numMemcpyEngines = 2;
  device.coreClockRate = 1'000'000;
  keep(device);
  auto context = zeros<record::Context>(CUPTI_ACTIVITY_KIND_CONTEXT);
  context.contextId = context_number;
  context.nullStreamId = null_stream;
  keep(context);
}

/// What ran on the device has.
template <class Record>
Record ran(CUpti_ActivityKind kind, const Activity& is) {
  auto record = zeros<Record>(kind);
  record.start = is.start;
  record.end = is.end;
  record.contextId = context_number;
  record.streamId = is.stream;
  record.correlationId = is.correlation;
  return record;
}

void keep_kernel(const Activity& is) {
  auto record = ran<record::Kernel>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, is);
  record.name = state().kept(is.name);
  record.gridX = static_cast<std::int32_t>(is.grid[0]);
  record.gridY = static_cast<std::int32_t>(is.grid[1]);
  record.gridZ = static_cast<std::int32_t>(is.grid[2]);
  record.blockX = static_cast<std::int32_t>(is.block[0]);
  record.blockY = static_cast<std::int32_t>(is.block[1]);
  record.blockZ = static_cast<std::int32_t>(is.block[2]);
  record.registersPerThread = 24;
  record.dynamicSharedMemory = static_cast<std::int32_t>(is.bytes);
  keep(record);
}

void keep_copy(const Activity& is) {
  auto record = ran<record::Memcpy>(CUPTI_ACTIVITY_KIND_MEMCPY, is);
  record.copyKind = is.to_device ? CUPTI_ACTIVITY_MEMCPY_KIND_HTOD : CUPTI_ACTIVITY_MEMCPY_KIND_DTOH;
  record.srcKind = is.to_device ? CUPTI_ACTIVITY_MEMORY_KIND_PINNED : CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  record.dstKind = is.to_device ? CUPTI_ACTIVITY_MEMORY_KIND_DEVICE : CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
  record.flags = CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC;
  record.bytes = is.bytes;
  keep(record);
}

void keep_memset(const Activity& is) {
  auto record = ran<record::Memset>(CUPTI_ACTIVITY_KIND_MEMSET, is);
  record.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  record.flags = CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC;
  record.bytes = is.bytes;
  keep(record);
}

void keep_call(const Activity& is) {
  auto record = zeros<record::Call>(CUPTI_ACTIVITY_KIND_RUNTIME);
  record.cbid = state().number_of(is.name);
  record.processId = static_cast<std::uint32_t>(getpid());
  record.threadId = static_cast<std::uint32_t>(gettid());
  record.correlationId = is.correlation;
  record.start = is.start;
  record.end = is.end;
  keep(record);
}

void keep_event(const Activity& is) {
  auto record = zeros<record::Event>(CUPTI_ACTIVITY_KIND_CUDA_EVENT);
  record.contextId = context_number;
  record.streamId = is.stream;
  record.eventId = is.event;
  record.correlationId = is.correlation;
  if constexpr (record::tells_recordings_of_events) record.cudaEventSyncId = is.recording;
  keep(record);
}

void keep_wait(const Activity& is) {
  auto record = zeros<record::Synchronization>(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
  const bool of_event = is.kind == Activity::Kind::wait_event;
  const bool of_stream = is.stream != 0;
  record.type = of_event && of_stream ? CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT
                : of_event            ? CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE
                : of_stream           ? CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE
                                      : CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE;
  record.contextId = context_number;
  record.streamId = of_stream ? is.stream : CUPTI_SYNCHRONIZATION_INVALID_VALUE;
  record.cudaEventId = of_event ? is.event : CUPTI_SYNCHRONIZATION_INVALID_VALUE;
  if constexpr (record::tells_recordings_of_events)
    record.cudaEventSyncId = of_event ? is.recording : static_cast<std::uint64_t>(CUPTI_SYNCHRONIZATION_INVALID_VALUE);
  record.correlationId = is.correlation;
  record.start = is.start;
  record.end = is.end;
  keep(record);
}

void keep_stream(const Activity& is) {
  auto record = zeros<record::Stream>(CUPTI_ACTIVITY_KIND_STREAM);
  record.contextId = context_number;
  record.streamId = is.stream;
  record.priority = static_cast<std::uint32_t>(is.priority);
  record.flag = CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING;
  keep(record);
}

void keep_range(const Activity& is) {
  const bool begins = is.kind == Activity::Kind::range;
  auto record = zeros<record::Marker>(CUPTI_ACTIVITY_KIND_MARKER);
  record.flags = begins ? CUPTI_ACTIVITY_FLAG_MARKER_START : CUPTI_ACTIVITY_FLAG_MARKER_END;
  record.id = is.correlation;
  record.timestamp = is.start;
  record.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
  record.objectId.pt.threadId = static_cast<std::uint32_t>(gettid());
  record.name = begins ? state().kept(is.name) : nullptr;
  keep(record);
}

}  // namespace

extern "C" {

void fake_device_activity(const Activity* is) {
  const std::lock_guard<std::mutex> guard(state().lock);
  switch (is->kind) {
    case Activity::Kind::call: keep_call(*is); break;
    case Activity::Kind::stream: keep_stream(*is); break;
    case Activity::Kind::kernel: keep_kernel(*is); break;
    case Activity::Kind::copy: keep_copy(*is); break;
    case Activity::Kind::memset: keep_memset(*is); break;
    case Activity::Kind::event: keep_event(*is); break;
    case Activity::Kind::wait_event:
    case Activity::Kind::wait: keep_wait(*is); break;
    case Activity::Kind::range:
    case Activity::Kind::range_end: keep_range(*is); break;
  }
}

CUptiResult cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc /*clock*/) { return CUPTI_SUCCESS; }
CUptiResult cuptiSetThreadIdType(CUpti_ActivityThreadIdType /*type*/) { return CUPTI_SUCCESS; }
CUptiResult cuptiActivityFlushPeriod(std::uint32_t /*time*/) { return CUPTI_SUCCESS; }
CUptiResult cuptiActivityEnable(CUpti_ActivityKind /*kind*/) { return CUPTI_SUCCESS; }

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc of_requests, CUpti_BuffersCallbackCompleteFunc of_completions) {
  request = of_requests;
  complete = of_completions;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityFlushAll(std::uint32_t /*flag*/) {
  const std::lock_guard<std::mutex> guard(state().lock);
  keep_platform();
  std::vector<Bytes>& records = state().records;
  for (std::size_t at = 0; at < records.size();) {
    std::uint8_t* buffer = nullptr;
    std::size_t size = 0, most = 0, filled = 0;
    request(&buffer, &size, &most);
    for (; at < records.size() && filled + records[at].size() <= size; ++at) {
      std::copy(records[at].begin(), records[at].end(), buffer + filled);
      filled += records[at].size();
    }
    complete(nullptr, 0, buffer, size, filled);
  }
  records.clear();
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(std::uint8_t* buffer, std::size_t valid, CUpti_Activity** record) {
  return next_record(buffer, valid, record);
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext /*context*/, std::uint32_t /*stream*/, std::size_t* dropped) {
  *dropped = 0;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain /*domain*/, std::uint32_t cbid, const char** name) {
  *name = state().calls.at(cbid);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetResultString(CUptiResult /*result*/, const char** text) {
  *text = "an error";
  return CUPTI_SUCCESS;
}

}  // extern "C"
