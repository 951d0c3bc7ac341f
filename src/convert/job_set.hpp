// Job sets of schedule_abstraction (SAG): the jobs of a hyperperiod, one by one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "draft.hpp"
#include "notes.hpp"
#include "rta/convert/convert.hpp"

namespace rta::convert {

/// One row. Times are in units of the file.
struct JobRow {
  std::uint64_t task = 0, job = 0;
  Wide arrival_min = 0, arrival_max = 0, cost_min = 0, cost_max = 0, deadline = 0, priority = 0;
  std::string name;  // DAG/node, where the file has it
  std::size_t line = 0;
};
struct Precedence {
  std::size_t from = 0, to = 0;  // indices of jobs
  std::size_t line = 0;
};
struct JobRows {
  std::vector<JobRow> jobs;
  std::vector<Precedence> precedence;
  std::optional<Time> unit, hyperperiod;  // where the file's first line says so
  std::optional<std::uint32_t> processors;
  std::string pool = "cpu";
  bool sporadic = false;  // the first line says that arrivals are an example: releases are T apart or more
  std::string precedence_file;
};

/// A file of precedence constraints.
struct PrecedenceText {
  std::string name;
  std::string text;
};

/// Reads CSV, or YAML (`jobset`). Throws `io::InputError` with the line of what is wrong.
[[nodiscard]] JobRows read_job_rows(std::string_view text, const std::optional<PrecedenceText>& precedence, Notes& notes);

/// The DAGs whose jobs these are: jobs joined by precedence are one job of a DAG; equal ones at different times are its jobs.
[[nodiscard]] Draft draft_of(const JobRows& rows, const Options& options, Notes& notes);

}  // namespace rta::convert
