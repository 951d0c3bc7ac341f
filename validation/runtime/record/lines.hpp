// Records of CUPTI as lines of a trace (docs/guide-record.md). Members of records are packed: they are copied, never referred to.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>

#include "cupti_types.hpp"
#include "json_line.hpp"

namespace record {

/// What records do not say themselves.
struct Where {
  std::int64_t origin = 0;  // of the trace's clock
  std::uint32_t process = 0;
};

class Lines {
 public:
  explicit Lines(const Where& where) : where_(where) {}

  [[nodiscard]] std::string of(const Kernel& r) const {
    JsonLine line("kernel");
    line.add("name", r.name);
    add_origin(line, r, r.graphId, r.graphNodeId);
    add_interval(line, r.start, r.end);
    line.add("grid", extent(r.gridX, r.gridY, r.gridZ)).add("block", extent(r.blockX, r.blockY, r.blockZ));
    const std::array<std::uint32_t, 3> cluster{r.clusterX, r.clusterY, r.clusterZ};
    if (cluster != std::array<std::uint32_t, 3>{}) line.add("cluster", cluster);
    line.add("registers", std::uint32_t{r.registersPerThread}).add("static_shared", natural(r.staticSharedMemory));
    return line.add("dynamic_shared", natural(r.dynamicSharedMemory)).add("launch", launch_kind(r.launchType)).text();
  }

  [[nodiscard]] std::string of(const Memcpy& r) const {
    JsonLine line("memcpy");
    line.add("direction", direction(r.copyKind)).add("from", memory_kind(r.srcKind)).add("to", memory_kind(r.dstKind));
    line.add("bytes", std::uint64_t{r.bytes}).add("async", (r.flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC) != 0);
    add_origin(line, r, r.graphId, r.graphNodeId);
    return add_interval(line, r.start, r.end).text();
  }

  [[nodiscard]] std::string of(const Memset& r) const {
    JsonLine line("memset");
    line.add("to", memory_kind(r.memoryKind)).add("bytes", std::uint64_t{r.bytes});
    line.add("async", (r.flags & CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC) != 0);
    add_origin(line, r, r.graphId, r.graphNodeId);
    return add_interval(line, r.start, r.end).text();
  }

  [[nodiscard]] std::string of(const Call& r) const {
    const bool driver = r.kind == CUPTI_ACTIVITY_KIND_DRIVER;
    const char* name = nullptr;
    if (cuptiGetCallbackName(driver ? CUPTI_CB_DOMAIN_DRIVER_API : CUPTI_CB_DOMAIN_RUNTIME_API, r.cbid, &name) != CUPTI_SUCCESS)
      name = nullptr;
    JsonLine line("call");
    line.add("api", driver ? "driver" : "runtime");
    line.add("name", name == nullptr ? "call " + std::to_string(r.cbid) : without_version(name));
    line.add("process", where_.process).add("thread", std::uint32_t{r.threadId});
    line.add("correlation", std::uint32_t{r.correlationId});
    return add_interval(line, r.start, r.end).add("result", std::uint32_t{r.returnValue}).text();
  }

  [[nodiscard]] std::string of(const Synchronization& r) const {
    JsonLine line("sync");
    line.add("kind", synchronization_kind(r.type)).add("process", where_.process).add("context", std::uint32_t{r.contextId});
    if (r.streamId != CUPTI_SYNCHRONIZATION_INVALID_VALUE) line.add("stream", std::uint32_t{r.streamId});
    if (r.cudaEventId != CUPTI_SYNCHRONIZATION_INVALID_VALUE) line.add("event", std::uint32_t{r.cudaEventId});
    add_recording(line, r);
    return add_interval(line.add("correlation", std::uint32_t{r.correlationId}), r.start, r.end).text();
  }

  [[nodiscard]] std::string of(const Event& r) const {
    JsonLine line("event");
    line.add("process", where_.process).add("context", std::uint32_t{r.contextId}).add("stream", std::uint32_t{r.streamId});
    line.add("event", std::uint32_t{r.eventId});
    add_recording(line, r);
    return line.add("correlation", std::uint32_t{r.correlationId}).text();
  }

  [[nodiscard]] std::string of(const Stream& r) const {
    JsonLine line("stream");
    line.add("process", where_.process).add("context", std::uint32_t{r.contextId}).add("stream", std::uint32_t{r.streamId});
    return line.add("priority", static_cast<std::int32_t>(r.priority)).add("kind", stream_kind(r.flag)).text();
  }

  [[nodiscard]] std::string of(const Context& r) const {
    JsonLine line("context");
    line.add("process", where_.process).add("context", std::uint32_t{r.contextId}).add("device", std::uint32_t{r.deviceId});
    return line.add("null_stream", std::uint32_t{r.nullStreamId}).text();
  }

  [[nodiscard]] std::string of(const Device& r) const {
    JsonLine line("device");
    line.add("process", where_.process).add("device", std::uint32_t{r.id}).add("name", r.name).add("uuid", uuid(r.uuid));
    line.add("compute_capability", std::to_string(r.computeCapabilityMajor) + "." + std::to_string(r.computeCapabilityMinor));
    line.add("sms", std::uint32_t{r.numMultiprocessors}).add("threads_per_sm", r.maxWarpsPerMultiprocessor * r.numThreadsPerWarp);
    line.add("threads_per_block", std::uint32_t{r.maxThreadsPerBlock}).add("blocks_per_sm", std::uint32_t{r.maxBlocksPerMultiprocessor});
    line.add("shared_per_sm", std::uint32_t{r.maxSharedMemoryPerMultiprocessor});
    line.add("shared_per_block", std::uint32_t{r.maxSharedMemoryPerBlock});
    line.add("registers_per_sm", std::uint32_t{r.maxRegistersPerMultiprocessor}).add("copy_engines", std::uint32_t{r.numMemcpyEngines});
    return line.add("clock_khz", std::uint32_t{r.coreClockRate}).text();
  }

  [[nodiscard]] std::string of(const Overhead& r) const {
    JsonLine line("overhead");
    line.add("kind", overhead_kind(r.overheadKind)).add("process", where_.process);
    if (r.objectKind == CUPTI_ACTIVITY_OBJECT_THREAD) line.add("thread", std::uint32_t{r.objectId.pt.threadId});
    return add_interval(line, r.start, r.end).text();
  }

  [[nodiscard]] std::int64_t at(std::uint64_t time) const { return static_cast<std::int64_t>(time) - where_.origin; }
  [[nodiscard]] std::uint32_t process() const { return where_.process; }

  JsonLine& add_interval(JsonLine& line, std::uint64_t start, std::uint64_t end) const {
    return line.add("start_ns", at(start)).add("end_ns", at(end < start ? start : end));
  }

 private:
  template <class Record>
  void add_origin(JsonLine& line, const Record& r, std::uint32_t graph, std::uint64_t node) const {
    line.add("process", where_.process).add("device", std::uint32_t{r.deviceId}).add("context", std::uint32_t{r.contextId});
    line.add("stream", std::uint32_t{r.streamId}).add("correlation", std::uint32_t{r.correlationId});
    if (graph != 0) line.add("graph", graph);
    if (node != 0) line.add("graph_node", node);
  }

  /// Which recording of the event.
  template <class Record>
  static void add_recording(JsonLine& line, const Record& r) {
    if constexpr (tells_recordings_of_events) {
      const std::uint64_t number = r.cudaEventSyncId;
      if (number != CUPTI_SYNCHRONIZATION_INVALID_VALUE && number != 0) line.add("record", number);
    }
  }

  static std::array<std::uint32_t, 3> extent(std::int32_t x, std::int32_t y, std::int32_t z) {
    const auto least_one = [](std::int32_t v) { return v < 1 ? 1U : static_cast<std::uint32_t>(v); };
    return {least_one(x), least_one(y), least_one(z)};
  }
  static std::uint64_t natural(std::int32_t bytes) { return bytes < 0 ? 0 : static_cast<std::uint64_t>(bytes); }

  /// `cudaLaunchKernel_v7000`, `cuMemcpyHtoDAsync_v2_ptsz`: the name that programs use.
  static std::string without_version(std::string name) {
    for (;;) {
      const std::size_t at = name.rfind('_');
      if (at == std::string::npos || at + 1 == name.size()) return name;
      const std::string end = name.substr(at + 1);
      const bool version = end[0] == 'v' && end.size() > 1 && end.find_first_not_of("0123456789", 1) == std::string::npos;
      if (!version && end != "ptsz" && end != "ptds") return name;
      name.erase(at);
    }
  }

  static std::string uuid(const CUuuid& id) {
    std::string text = "GPU-";
    for (std::size_t i = 0; i < sizeof id.bytes; ++i) {
      if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
      char digits[3];
      std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(static_cast<unsigned char>(id.bytes[i])));
      text += digits;
    }
    return text;
  }

  static const char* launch_kind(unsigned kind) {
    if (kind == CUPTI_ACTIVITY_LAUNCH_TYPE_REGULAR) return "regular";
    const bool cooperative =
        kind == CUPTI_ACTIVITY_LAUNCH_TYPE_COOPERATIVE_SINGLE_DEVICE || kind == CUPTI_ACTIVITY_LAUNCH_TYPE_COOPERATIVE_MULTI_DEVICE;
    return cooperative ? "cooperative" : "other";
  }

  static const char* direction(unsigned kind) {
    switch (kind) {
      case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
      case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA: return "h2d";
      case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
      case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH: return "d2h";
      case CUPTI_ACTIVITY_MEMCPY_KIND_ATOA:
      case CUPTI_ACTIVITY_MEMCPY_KIND_ATOD:
      case CUPTI_ACTIVITY_MEMCPY_KIND_DTOA:
      case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD: return "d2d";
      case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH: return "h2h";
      case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP: return "p2p";
      default: return "other";
    }
  }

  static const char* memory_kind(unsigned kind) {
    switch (kind) {
      case CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE: return "pageable";
      case CUPTI_ACTIVITY_MEMORY_KIND_PINNED: return "pinned";
      case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE:
      case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC: return "device";
      case CUPTI_ACTIVITY_MEMORY_KIND_ARRAY: return "array";
      case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED:
      case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC: return "managed";
      default: return "unknown";
    }
  }

  static const char* synchronization_kind(unsigned type) {
    switch (type) {
      case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE: return "event";
      case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT: return "wait_event";
      case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE: return "stream";
      case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE: return "context";
      default: return "unknown";
    }
  }

  static const char* stream_kind(unsigned flag) {
    switch (flag) {
      case CUPTI_ACTIVITY_STREAM_CREATE_FLAG_DEFAULT: return "blocking";
      case CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING: return "non_blocking";
      case CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NULL: return "null";
      default: return "unknown";
    }
  }

  static const char* overhead_kind(unsigned kind) {
    switch (kind) {
      case CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER: return "driver_compiler";
      case CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH: return "buffer_flush";
      case CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION: return "instrumentation";
      case CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE: return "resource";
      case 4U << 16U: return "module_loading";
      case 5U << 16U: return "lazy_loading";
      case 6U << 16U: return "command_buffer_full";
      default: return "other";
    }
  }

  Where where_;
};

}  // namespace record
