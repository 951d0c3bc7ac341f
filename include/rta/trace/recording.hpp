// What the processes of one program recorded, as one trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rta/model/quantity.hpp"

namespace rta::trace {

struct RecordingSummary {
  std::size_t processes = 0, kernels = 0, transfers = 0, memsets = 0, calls = 0, ranges = 0;
  std::vector<std::string> devices;  // products, each once
  std::vector<std::string> faults;   // what checks say that are not ok
  bool complete = true;              // every process ended its recording
  std::uint64_t lost_records = 0;
  std::optional<Time> first, last;  // of what ran on GPUs
  Time overhead;                    // that CUPTI itself reports, of all threads together
};

/// Reads the parts to their ends. Throws io::InputError where one is no trace.
[[nodiscard]] RecordingSummary summary_of(std::span<const std::filesystem::path> parts);

/// What the recorder knows beside what was recorded.
struct RecordingHeader {
  std::vector<std::string> program;             // with its arguments
  std::optional<Time> plain_run, recorded_run;  // wall time without and with recording
};

/// One trace of them all: a header, the parts' records, one end.
void write_recording(std::span<const std::filesystem::path> parts, const RecordingSummary& summary, const RecordingHeader& header,
                     std::ostream& out);

}  // namespace rta::trace
