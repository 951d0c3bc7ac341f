#include "compared_traces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <utility>

#include "command.hpp"
#include "played.hpp"
#include "rta/analysis/schedule_of.hpp"
#include "rta/io/digest.hpp"
#include "rta/model/error.hpp"
#include "rta/trace/content.hpp"
#include "rta/trace/reader.hpp"
#include "trace_input.hpp"

namespace rta::cli {
namespace {

/// The options that are given and, where they leave something open, those that the trace names among its details.
analysis::GivenOptions completed(analysis::GivenOptions given, const trace::Header& header, std::optional<Release> release) {
  for (const auto& detail : header.details) {
    if (analysis::find_option(detail.first) == nullptr) continue;
    if (std::ranges::find(given, detail.first, &analysis::GivenOptions::value_type::first) == given.end()) given.push_back(detail);
  }
  if (release) given.emplace_back("release", to_string(*release));
  return given;
}

/// What of `name` the jobs were played with: what the trace names, else `otherwise`.
std::string played_with(const trace::Header& header, std::string_view name, std::string_view otherwise) {
  for (const auto& [detail, value] : header.details) {
    if (detail == name) return value;
  }
  return std::string(otherwise);
}

/// Options that say what is played, and not how it is bounded, are the trace's.
void refuse_other_programs(const analysis::GivenOptions& given, const trace::Header& header, const std::string& trace,
                           std::vector<std::string>& warnings) {
  for (const auto& [name, value] : given) {
    if (name == "granularity" && value != played_with(header, name, "fine")) {
      throw UsageError(fmt::format("{}: its jobs were played with --granularity {}: bounds for {} are of another program", trace,
                                   played_with(header, name, "fine"), value));
    }
    if ((name == "scheduler" || name == "non-preemptive") && value != played_with(header, name, "")) {
      warnings.push_back(
          fmt::format("{}: the trace does not say that its jobs were played with --{}{}{}: the bounds are of another "
                      "schedule where the file says otherwise",
                      trace, name, name == "scheduler" ? " " : "", name == "scheduler" ? value : ""));
    }
  }
}

/// Of DAGs whose groups, or which as a whole, were tasks.
compare::Bounds bounds_of_groups(const TaskSetInput& input, const analysis::GivenOptions& options, const std::string& trace,
                                 std::vector<std::string>& warnings) {
  const Played as_played = played_by_program(input.task_set, options);
  for (const std::string& warning : as_played.warnings) warnings.push_back(fmt::format("{}: {}", trace, warning));
  compare::Bounds bounds = compare::no_bounds(*input.task_set);
  if (!as_played.proof.ungrouped || !analysis::groups_have_offsets(as_played.proof)) return bounds;
  for (DagId d = 0; d < as_played.proof.dags.size(); ++d) {
    const auto& bound = as_played.proof.dags[d].bound;
    if (bound) bounds.dag[d] = bound->R;
  }
  return bounds;
}

/// The bounds that hold for the way in which the trace's jobs were released.
compare::Bounds bounds_for(const TaskSetInput& input, const trace::Header& header, const analysis::GivenOptions& given,
                           const std::string& trace, std::vector<std::string>& warnings) {
  refuse_other_programs(given, header, trace, warnings);
  const std::string how = header.release.value_or("offsets");
  const auto release = release_named(how);
  if (release == Release::grouped) return bounds_of_groups(input, completed(given, header, std::nullopt), trace, warnings);
  if (!release) {
    warnings.push_back(trace + ": jobs were released on '" + how + "', for which no bounds are at hand");
    return compare::no_bounds(*input.task_set);
  }
  const Played as_released = played(input.task_set, completed(given, header, *release));
  for (const std::string& warning : as_released.warnings) warnings.push_back(fmt::format("{}: {}", trace, warning));
  return compare::bounds_of(as_released.proof);
}

/// What a program did by itself, beside the bounds for release on completion: a node starts when all that it waits for has ended.
compare::Comparison compare_recording(const TaskSetInput& input, const ComparisonOptions& options, trace::Reader& reader,
                                      const std::string& name) {
  const convert::RecordedJobs jobs = convert::recorded_jobs(reader, name, options.recording.value_or(convert::Options{}));
  trace::Header header = jobs.header;
  header.release = to_string(Release::completion);
  std::vector<std::string> warnings;
  const compare::Bounds bounds = bounds_for(input, header, options.analysis, name, warnings);
  compare::Comparison comparison =
      compare::compare(*input.task_set, bounds, {header, jobs.records, jobs.complete, jobs.lost_records}, name, options.shown);
  warnings.push_back(
      fmt::format("{}: a recording tells when jobs began, not when they should have: response times count from there", name));
  comparison.warnings.insert(comparison.warnings.begin(), warnings.begin(), warnings.end());
  return comparison;
}

/// A task set, and the digests by which traces name it.
struct Candidate {
  const TaskSetInput* input;
  std::string sha256, content;
};

std::vector<Candidate> candidates(std::span<const TaskSetInput> inputs) {
  std::vector<Candidate> all;
  for (const TaskSetInput& input : inputs) all.push_back({&input, io::sha256(input.text), trace::content_sha256(*input.task_set)});
  return all;
}

/// That of the trace; the first where there is none of that name, with which the trace is refused.
const Candidate& task_set_of(const trace::Header& header, const std::vector<Candidate>& all) {
  const auto of = [&](const Candidate& one) {
    return header.task_set_sha256 == one.sha256 || (!one.content.empty() && played_with(header, trace::content_key, "") == one.content);
  };
  const auto found = std::ranges::find_if(all, of);
  return found == all.end() ? all.front() : *found;
}

struct OfTaskSet {
  const TaskSetInput* input;
  compare::Comparison comparison;
};

OfTaskSet compare_one(const std::vector<Candidate>& inputs, const ComparisonOptions& options, std::istream& in, const std::string& name) {
  trace::Reader reader(in, name);
  const Candidate& is = task_set_of(reader.header(), inputs);
  const TaskSetInput& input = *is.input;
  std::vector<std::string> warnings;
  const bool recorded = reader.header().source == "recording";
  if (options.recording && !recorded) throw UsageError(fmt::format("{} is no recording of rta record: its jobs need no options", name));
  if (recorded) return {&input, compare_recording(input, options, reader, name)};
  const compare::Bounds bounds = bounds_for(input, reader.header(), options.analysis, name, warnings);
  compare::Comparison comparison = compare::compare(*input.task_set, bounds, is.sha256, reader, name, options.shown);
  comparison.warnings.insert(comparison.warnings.begin(), warnings.begin(), warnings.end());
  return {&input, std::move(comparison)};
}

}  // namespace

ComparedTraces compared_traces(std::span<const TaskSetInput> inputs, const std::vector<std::string>& traces,
                               const ComparisonOptions& options) {
  const std::vector<Candidate> all = candidates(inputs);
  ComparedTraces compared;
  for (const std::string& path : traces) {
    TraceInput trace(path);
    const std::string name = options.kept ? trace.name() : "this run";
    OfTaskSet found = compare_one(all, options, trace.stream(), name);
    if (options.shown.window && !found.comparison.timeline) {
      found.comparison.warnings.push_back(name + ": no job of a node was released in --window: no timeline of it is drawn");
    }
    compared.comparisons.push_back(std::move(found.comparison));
    compared.variants.push_back(found.input->task_set.get());
    compared.digests.push_back(trace.sha256());
  }
  for (const Candidate& one : all) {
    const auto is_same = [&](const TaskSet* of) { return trace::content_sha256(*of) == one.content; };
    if (std::ranges::find(compared.variants, one.input->task_set.get()) == compared.variants.end() &&
        std::ranges::none_of(compared.variants, is_same))
      throw UserError(fmt::format("{}: none of the traces is of this task set; leave it out", one.input->task_set->name()));
  }
  return compared;
}

}  // namespace rta::cli
