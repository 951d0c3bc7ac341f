// Records of CUPTI in buffers, as the stand-ins for libcupti.so deliver them.
#pragma once

#include <cupti.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "record/cupti_types.hpp"

namespace stand_in {

using Bytes = std::vector<std::uint8_t>;

/// Records lie in a buffer one after the other; each begins with its kind.
template <class Record>
void put(Bytes& all, const Record& record) {
  static_assert(sizeof(Record) % ACTIVITY_RECORD_ALIGNMENT == 0);
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&record);
  all.insert(all.end(), bytes, bytes + sizeof record);
}

template <class Record>
Record zeros(CUpti_ActivityKind kind) {
  Record record;
  std::memset(&record, 0, sizeof record);
  record.kind = kind;
  return record;
}

inline std::size_t size_of(CUpti_ActivityKind kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: return sizeof(record::Kernel);
    case CUPTI_ACTIVITY_KIND_MEMCPY: return sizeof(record::Memcpy);
    case CUPTI_ACTIVITY_KIND_MEMSET: return sizeof(record::Memset);
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER: return sizeof(record::Call);
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION: return sizeof(record::Synchronization);
    case CUPTI_ACTIVITY_KIND_CUDA_EVENT: return sizeof(record::Event);
    case CUPTI_ACTIVITY_KIND_STREAM: return sizeof(record::Stream);
    case CUPTI_ACTIVITY_KIND_CONTEXT: return sizeof(record::Context);
    case CUPTI_ACTIVITY_KIND_DEVICE: return sizeof(record::Device);
    case CUPTI_ACTIVITY_KIND_MARKER: return sizeof(record::Marker);
    case CUPTI_ACTIVITY_KIND_OVERHEAD: return sizeof(record::Overhead);
    default: return 0;
  }
}

/// What cuptiActivityGetNextRecord does.
inline CUptiResult next_record(std::uint8_t* buffer, std::size_t valid, CUpti_Activity** record) {
  std::uint8_t* next = buffer;
  if (*record != nullptr) next = reinterpret_cast<std::uint8_t*>(*record) + size_of((*record)->kind);
  if (next >= buffer + valid) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = reinterpret_cast<CUpti_Activity*>(next);
  return CUPTI_SUCCESS;
}

}  // namespace stand_in
