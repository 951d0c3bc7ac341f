// A task set with the execution times that a trace observed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rta/compare/comparison.hpp"
#include "rta/model/task_set.hpp"
#include "rta/trace/reader.hpp"

namespace rta::compare {

struct Calibration {
  TaskSet task_set;
  trace::Header header;
  bool complete = false;
  std::size_t replaced = 0;             // nodes with an observed C or L
  std::vector<SeenOverhead> overheads;  // what the machine adds beside, by pool
  std::vector<std::string> warnings;
};

/// The task set with each node's C or L replaced by what at least `ppm` millionths of its observed executions do not exceed (1'000'000: the
/// maximum): CPU time of a job, length of a block, item or copy. Copies of one DAG (equal but for the name, `camera[0]`, `camera[1]`) share
/// their observations. Percentiles are never below the exact one, and at most 1/128 above it. Nodes that the trace shows nothing of keep
/// their values, with a warning. A least time that is declared falls to the least that was observed. `overheads`, by pool, are added to
/// what was observed; of other pools those with which the trace was played. Throws as `compare` does.
[[nodiscard]] Calibration calibrate(const TaskSet& task_set, const std::string& sha256, std::uint32_t ppm, trace::Reader& reader,
                                    const std::string& name, const std::map<std::string, Time>& overheads = {});
/// The same of jobs that are at hand.
[[nodiscard]] Calibration calibrate(const TaskSet& task_set, std::uint32_t ppm, const Jobs& jobs, const std::string& name);

}  // namespace rta::compare
