// Traces beside the bounds that hold for them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rta/analysis/option_table.hpp"
#include "rta/compare/comparison.hpp"
#include "rta/convert/convert.hpp"
#include "task_set_input.hpp"

namespace rta::cli {

struct ComparisonOptions {
  analysis::GivenOptions analysis;
  std::optional<convert::Options> recording;
  compare::Shown shown;
  bool verbose = false;
  bool quiet = false;
  std::string file = {};  // the task set's, as the user named it
  bool kept = true;       // traces stay where they are; else they have no name that would mean anything
};

struct ComparedTraces {
  std::vector<compare::Comparison> comparisons;  // by trace
  std::vector<const TaskSet*> variants;          // the one of each
  std::vector<std::string> digests;              // SHA-256 of each trace's bytes
};

/// Bounds are those for the release and the options of the analysis that each trace names; those of `options` override the latter.
/// Recordings are cut into jobs as they say, released on completion.
/// Each trace is compared with the one of `inputs` that it is of, the first where it does not say. Throws `io::InputError`, and `UserError`
/// for an input of which no trace is.
[[nodiscard]] ComparedTraces compared_traces(std::span<const TaskSetInput> inputs, const std::vector<std::string>& traces,
                                             const ComparisonOptions& options);

}  // namespace rta::cli
