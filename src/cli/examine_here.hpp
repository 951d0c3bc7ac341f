// `rta examine` on this machine: builds the program, plays probes until every judge is sure, and measures.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "command.hpp"
#include "rta/report/format.hpp"

namespace rta::cli {

struct LocalExamination {
  std::string folder;  // for results, the program and traces
  std::string groups;  // of rules
  std::vector<std::string> experiments;
  std::vector<std::string> interference;  // its parts
  bool quick = false;                     // few repetitions of these
  std::chrono::nanoseconds time_limit{};
  std::string time_limit_text;  // as it was given
  unsigned gpu = 0;
  bool allow_settings = false;
  bool keep_traces = false;
  bool progress = false;
};

/// Bad input where the program cannot be built or the GPU not asked; standard error says why.
[[nodiscard]] ExitStatus examine_here(const LocalExamination& wanted, const report::Format& format);

}  // namespace rta::cli
