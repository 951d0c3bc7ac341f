// Events of PyTorch's profiles, for tests. Times are us.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "conversion.hpp"

namespace rta::test::kineto {

inline convert::Options options(std::uint32_t processors = 2) {
  convert::Options out;
  out.processors = {{"", processors}};
  return out;
}

// A trace of an A100 with these events.
inline std::string trace_of(const std::string& events) {
  return R"({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA A100", "computeMajor": 8, "computeMinor": 0, "maxThreadsPerBlock": 1024,
    "maxThreadsPerMultiprocessor": 2048, "regsPerMultiprocessor": 65536, "warpSize": 32, "sharedMemPerMultiprocessor": 167936, "numSms": 108}],
    "traceEvents": [)" +
         events + "]}";
}
inline std::string call(const char* name, int ts, int dur, int correlation, int tid = 1) {
  return fmt::format(
      R"({{"ph": "X", "cat": "cuda_runtime", "name": "{}", "pid": 5000, "tid": {}, "ts": {}, "dur": {}, "args": {{"correlation": {}}}}},)",
      name, tid, ts, dur, correlation);
}
inline std::string kernel(const char* name, int ts, int dur, int stream, int correlation, const char* grid = "[10, 1, 1]",
                          const char* more = "") {
  return fmt::format(
      R"({{"ph": "X", "cat": "kernel", "name": "{}", "pid": 0, "tid": {}, "ts": {}, "dur": {}, "args": {{"device": 0, "context": 1, "stream": {}, "correlation": {}, "registers per thread": 32, "shared memory": 0, "grid": {}, "block": [64, 1, 1]{}}}}},)",
      name, stream, ts, dur, stream, correlation, grid, more);
}
inline std::string copy(const char* name, int ts, int dur, int stream, int correlation) {
  return fmt::format(
      R"({{"ph": "X", "cat": "gpu_memcpy", "name": "{}", "pid": 0, "tid": {}, "ts": {}, "dur": {}, "args": {{"device": 0, "context": 1, "stream": {}, "correlation": {}, "bytes": 4}}}},)",
      name, stream, ts, dur, stream, correlation);
}
inline std::string range(const char* name, int ts, int dur, int tid = 1) {
  return fmt::format(R"({{"ph": "X", "cat": "user_annotation", "name": "{}", "pid": 5000, "tid": {}, "ts": {}, "dur": {}}},)", name, tid,
                     ts, dur);
}
inline std::string all(std::string events) {
  if (!events.empty()) events.pop_back();
  return trace_of(events);
}

}  // namespace rta::test::kineto
