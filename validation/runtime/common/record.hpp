// What happened, as a trace records it.
#pragma once

#include <cstdint>

namespace common {

enum class RecordKind : std::uint8_t { dag, job, block, copy, run };

/// All times on the monotonic clock, but for blocks and items, whose times are the GPU's.
struct Record {
  std::int64_t number;  // of the job
  std::int64_t release;
  std::int64_t start;
  std::int64_t end;
  std::int64_t consumed;  // CPU time of a run
  std::uint32_t node;
  std::uint32_t block;
  std::uint16_t dag;
  std::uint16_t place;  // SM, worker, engine or processor
  RecordKind kind;
};

}  // namespace common
