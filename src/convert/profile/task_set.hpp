// A profile as a draft of a task set.
#pragma once

#include <vector>

#include "../draft.hpp"
#include "../notes.hpp"
#include "profile.hpp"
#include "rta/convert/convert.hpp"
#include "rta/trace/record.hpp"

namespace rta::convert {

/// Cuts the profile into jobs, makes a DAG of each family of jobs and pools of what they ran on. What is assumed and what is missing goes
/// to `notes`.
[[nodiscard]] Draft draft_of(Profile profile, const Options& options, Notes& notes);

/// The same jobs as records, by the names of that draft. A job is released when it begins, a node when all that it waits for has ended.
[[nodiscard]] std::vector<trace::Record> job_records(Profile profile, const Options& options, Notes& notes);

}  // namespace rta::convert
