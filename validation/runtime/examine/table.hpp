// The tables of a generated examination: probes, each an experiment whose operations are issued once per run. Times are ns.
#pragma once

#include <cstdint>

namespace examine {

enum class OperationKind { kernel, copy_in, copy_out, call };  // copies: to the device, from it

struct Stream {
  const char* name;
  bool is_null;
  bool blocking;      // obeys the NULL stream
  unsigned priority;  // 0 is the lowest
};

struct Operation {
  const char* name;
  OperationKind kind;
  unsigned stream;
  unsigned engine;     // of copies, as traces number them; of calls their thread
  std::int64_t at;     // issued then, after the start of the run, ...
  std::int64_t delay;  // ... or so long after the last of `after` has ended, if that is later
  const unsigned* after;
  unsigned after_count;
  std::int64_t length;  // kernels: L of a block; copies: C
  std::uint64_t blocks;
  unsigned threads;  // per block
  unsigned shared_memory;
  unsigned registers;  // per thread; 0: not said
  const char* call;    // the function of a call
};

struct Probe {
  const char* name;
  const char* experiment;
  bool processes;  // one per stream
  const Stream* streams;
  unsigned stream_count;
  const Operation* operations;
  unsigned operation_count;
};

struct Examination {
  const Probe* probes;
  unsigned probe_count;
};

/// In the generated probes.cpp.
extern const Examination generated;

}  // namespace examine
