// A schedule file as the commands that deal with traces need it.
#pragma once

#include <string>
#include <vector>

#include "command.hpp"
#include "output.hpp"
#include "rta/static_order/proof.hpp"
#include "rta/static_order/schedule.hpp"

namespace rta::cli {

struct ScheduleInput {
  std::string text;  // the file's bytes
  std::string name;  // without folders
  static_order::Schedule schedule;
  std::vector<static_order::HyperepochProof> proofs;  // by hyperepoch
};

/// Throws `InputError` for what is no schedule, and for one that deadlocks.
[[nodiscard]] ScheduleInput parse_schedule_input(std::string text, const std::string& path);

/// Throws `UsageError` for the first of these options that is given: it has no effect on `what`.
void refuse_options(const boost::program_options::variables_map& given, std::initializer_list<const char*> options, const char* what);

/// The same for all options of an analysis.
void refuse_analysis_options(const boost::program_options::variables_map& given, const char* what);

/// Compares the traces with what is proven of the schedule, writes the report to all targets and warnings to standard error; the result is
/// the command's exit status. Throws `InputError`.
[[nodiscard]] ExitStatus report_static_comparison(const ScheduleInput& input, const std::vector<std::string>& traces,
                                                  const std::vector<Target>& all_targets, bool verbose, bool quiet);

/// Plays the schedule on this machine and reports the comparison (`rta run`).
[[nodiscard]] ExitStatus run_schedule(const boost::program_options::variables_map& given, const ScheduleInput& input);

}  // namespace rta::cli
