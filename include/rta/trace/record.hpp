// What a trace holds: every job, block, copy and run of a simulation or a measurement, and what was recorded of a CUDA program, on one
// clock (ns from the start of the run).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rta/model/quantity.hpp"
#include "rta/trace/activity.hpp"

namespace rta::trace {

/// The version of the format that this program reads and writes.
inline constexpr int schema = 1;

/// The first line. What is not known is left out.
struct Header {
  std::string source;    // simulation, measurement or recording
  std::string task_set;  // file name
  std::optional<std::string> task_set_sha256;
  std::optional<std::string> release;  // offsets, early, completion, segments or static
  std::optional<std::string> device;
  std::optional<std::string> driver;
  std::optional<Time> clock_error;                           // largest error of the clock, either way
  std::optional<std::string> started;                        // UTC, ISO 8601
  std::vector<std::pair<std::string, std::string>> details;  // whatever else the line says, in its order; values that are no text as JSON
  bool operator==(const Header&) const = default;
};

/// A job of a DAG, or of one of its nodes.
struct Job {
  std::string dag;
  std::string node;  // empty: the DAG
  std::uint64_t job = 0;
  bool operator==(const Job&) const = default;
};

struct DagRecord {
  Job job;
  Time release, end;
  bool operator==(const DagRecord&) const = default;
};
struct JobRecord {
  Job job;
  Time release, start, end;
  bool operator==(const JobRecord&) const = default;
};
/// A block on an SM, or an item on a worker.
struct BlockRecord {
  Job job;
  std::uint64_t block = 0;
  std::uint32_t sm = 0;
  Time start, end;
  bool operator==(const BlockRecord&) const = default;
};
struct CopyRecord {
  Job job;
  std::uint32_t engine = 0;
  Time start, end;
  bool operator==(const CopyRecord&) const = default;
};
/// An interval in which a processor runs a job.
struct RunRecord {
  Job job;
  std::uint32_t cpu = 0;
  Time start, end;
  std::optional<Time> consumed;  // measurements: CPU time used, where the job may have been preempted within the interval
  bool operator==(const RunRecord&) const = default;
};
/// What a measurement found when it checked itself.
struct CheckRecord {
  std::string name;
  std::string outcome;  // ok, warning or failed
  std::string text;
  bool operator==(const CheckRecord&) const = default;
};

using Record = std::variant<DagRecord, JobRecord, BlockRecord, CopyRecord, RunRecord, CheckRecord, Activity>;

}  // namespace rta::trace
