// The records of a trace that the linter judges, in the order in which threads made their calls.
#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rta/lint/lint.hpp"
#include "rta/trace/reader.hpp"

namespace rta::lint {

struct TracedCall {
  std::uint32_t process = 0, thread = 0, correlation = 0;
  std::uint32_t name = 0;  // of TraceEvents::names
  trace::CallInterface interface = trace::CallInterface::runtime;
  Time start, end;
  std::uint32_t line = 0;  // of the trace
};
struct TracedKernel {
  trace::KernelActivity activity;
  std::uint32_t line = 0;
};
struct TracedCopy {
  trace::TransferActivity activity;
  std::uint32_t line = 0;
};
struct TracedMemset {
  trace::MemsetActivity activity;
  std::uint32_t line = 0;
};
struct TracedStream {
  trace::StreamActivity activity;
  std::uint32_t line = 0;
};
/// A range that marks a job, or start-up.
struct TracedRange {
  Time start, end;
  bool is_job = false;
  std::string job;  // without its number
};

struct TraceEvents {
  std::vector<std::string> names;
  std::vector<TracedCall> calls;  // by process, thread and start; none that another one made
  std::vector<TracedKernel> kernels;
  std::vector<TracedCopy> copies;
  std::vector<TracedMemset> memsets;
  std::vector<TracedStream> streams;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> null_streams;       // by process and context
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<TracedRange>> ranges;  // by process and thread, by start
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> by_correlation;       // calls, by process and correlation
  std::vector<std::string> remarks;
  bool has_jobs = false;
};

[[nodiscard]] TraceEvents read_events(std::istream& in, const std::string& name, const std::vector<std::string>& job_ranges);

}  // namespace rta::lint
