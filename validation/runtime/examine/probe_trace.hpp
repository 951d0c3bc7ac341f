// A run of a probe as a trace: the experiment is one DAG, job 0, and its operations are the nodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "common/check.hpp"
#include "common/trace_file.hpp"
#include "output_file.hpp"
#include "run_memory.hpp"

namespace examine {

/// `NAME-007.jsonl`.
inline std::string trace_name(const std::string& folder, const Probe& probe, unsigned run) {
  char number[16];
  std::snprintf(number, sizeof number, "-%03u.jsonl", run);
  return folder + "/" + probe.name + number;
}

/// The first instant at which the operation ran, and the last.
inline Span whole_span(const Probe& probe, const RunMemory& memory, unsigned o) {
  if (probe.operations[o].kind != OperationKind::kernel) return memory.copy(o);
  Span span{INT64_MAX, INT64_MIN};
  for (std::uint64_t b = 0; b < probe.operations[o].blocks; ++b) {
    span.start = std::min(span.start, memory.block(o, b).start);
    span.end = std::max(span.end, memory.block(o, b).end);
  }
  return span;
}

/// All operations have ended. `origin`: the start of the run, on the host's clock. A job's release is the instant at which it was issued.
inline void write_trace(const std::string& path, const Probe& probe, const RunMemory& memory, std::int64_t origin,
                        const common::HeaderFields& header, const common::Checks& checks) {
  std::vector<common::DagNames> names{{probe.experiment, {}}};
  for (unsigned o = 0; o < probe.operation_count; ++o) names.front().nodes.emplace_back(probe.operations[o].name);
  OutputFile file(path);
  common::TraceFile trace(names, file.stream());
  trace.set_origin(origin);
  trace.header(probe.experiment, header);
  std::int64_t last = origin;
  for (unsigned o = 0; o < probe.operation_count; ++o) {
    const Span span = whole_span(probe, memory, o);
    last = std::max(last, span.end);
    common::Record record{};
    record.node = o;
    record.release = memory.progress[o].issued.load();
    record.start = span.start;
    record.end = span.end;
    record.kind = common::RecordKind::job;
    trace.record(record);
    if (probe.operations[o].kind == OperationKind::kernel) {
      record.kind = common::RecordKind::block;
      for (std::uint64_t b = 0; b < probe.operations[o].blocks; ++b) {
        const BlockSpan& block = memory.block(o, b);
        record.block = static_cast<std::uint32_t>(b);
        record.place = static_cast<std::uint16_t>(block.sm);
        record.start = block.start;
        record.end = block.end;
        trace.record(record);
      }
    } else if (probe.operations[o].kind == OperationKind::call) {
      record.kind = common::RecordKind::run;
      record.place = static_cast<std::uint16_t>(probe.operations[o].engine);
      record.consumed = record.end - record.start;
      trace.record(record);
    } else {
      record.kind = common::RecordKind::copy;
      record.place = static_cast<std::uint16_t>(probe.operations[o].engine);
      trace.record(record);
    }
  }
  common::Record dag{};
  dag.release = origin;
  dag.end = last;
  dag.kind = common::RecordKind::dag;
  trace.record(dag);
  bool valid = true;
  for (const common::Check& check : checks) {
    trace.check(check.name, to_string(check.outcome), check.text);
    valid = valid && check.outcome != common::Outcome::failed;
  }
  trace.end(true, 0, valid);
  trace.flush();
  file.finish(trace.error());
}

}  // namespace examine
