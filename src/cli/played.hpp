// A task set as it is played, simulated or measured: released and ordered as `rta analyze` would choose unless told otherwise.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rta/analysis/option_table.hpp"
#include "rta/analysis/proof.hpp"
#include "rta/model/schedule.hpp"
#include "rta/model/task_set.hpp"

namespace rta::cli {

struct Played {
  analysis::Proof proof;
  Schedule schedule;
  analysis::GivenOptions options;  // of the analysis, its release left out: what traces name beside the release
  std::vector<std::string> warnings;
};

/// Without `release` among the options, the best policy that can be played; a release that is asked for is taken, with a warning when it
/// misses a deadline that the best one meets. Throws as analysis::options_of, analysis::analyze and analysis::schedule_of.
[[nodiscard]] Played played(const std::shared_ptr<const TaskSet>& task_set, const analysis::GivenOptions& given);

/// The same for a generated program, of coarse-grained and monolithic DAGs without `schedule`; their bounds hold where all groups have
/// offsets.
[[nodiscard]] Played played_by_program(const std::shared_ptr<const TaskSet>& task_set, const analysis::GivenOptions& given);

/// Where nothing that is played is bounded.
void drop_bounds(analysis::Proof& proof);

}  // namespace rta::cli
