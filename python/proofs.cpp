#include "proofs.hpp"

#include <pybind11/stl.h>

#include <functional>
#include <mutex>
#include <stop_token>

#include "cli/analysis_options.hpp"
#include "cli/certificate_check.hpp"
#include "cli/compared_traces.hpp"
#include "cli/picture.hpp"
#include "conversion.hpp"
#include "interruptible.hpp"
#include "rta/analysis/analyze.hpp"
#include "rta/certificate/certificate.hpp"
#include "rta/io/digest.hpp"
#include "rta/report/analysis_report.hpp"
#include "rta/report/comparison_report.hpp"
#include "rta/report/task_set_drawing.hpp"

namespace rta::python {
namespace {

analysis::Analysis proven(const Shared& shared, const analysis::Options& options, const Limit& limit) {
  analysis::Options stoppable = options;
  stoppable.stop = [limit] { return limit.reached(); };
  return analysis::analyze(shared.task_set, stoppable);
}

}  // namespace

std::string analyzed(const Shared& shared, const std::vector<std::string>& explain, const std::optional<double>& time_limit,
                     const py::dict& analysis) {
  analysis::Options options = cli::checked_options(given_options(analysis));
  options.explain = explain;
  (void)limit_of(time_limit, {});  // is refused before anything runs
  return interruptible([&](std::stop_token stop) {
    analysis::Analysis made = proven(shared, options, limit_of(time_limit, std::move(stop)));
    made.warnings.insert(made.warnings.begin(), shared.warnings.begin(), shared.warnings.end());
    return json_of(report::AnalysisReport{made, {}, std::nullopt});
  });
}

std::pair<std::string, std::vector<std::string>> certified(const Shared& shared, const py::dict& analysis) {
  const analysis::Options options = cli::checked_options(given_options(analysis));
  return interruptible([&](std::stop_token stop) {
    const analysis::Analysis made = proven(shared, options, Limit(std::move(stop)));
    const std::string file = shared.as_file();
    auto certificate = certificate::certificate_of(made.proof, *shared.task_set, io::sha256(file));
    cli::add_refused(file, certificate);
    return std::pair(std::move(certificate.text), std::move(certificate.uncertified));
  });
}

std::string drawn(const Shared& shared, bool bounds, const py::dict& analysis) {
  if (!bounds) return report::dot(*shared.task_set, nullptr);
  const analysis::Options options = cli::checked_options(given_options(analysis));
  return interruptible([&](std::stop_token stop) {
    const analysis::Analysis made = proven(shared, options, Limit(std::move(stop)));
    return report::dot(*made.proof.task_set, &made.proof);
  });
}

py::bytes picture_of(const std::string& dot, const std::string& format) {
  std::string drawn;
  {
    const py::gil_scoped_release unlocked;
    static std::mutex one_at_a_time;  // Graphviz keeps what it works on for all threads
    const std::lock_guard lock(one_at_a_time);
    cli::require_pictures(format);
    drawn = cli::picture(dot, format);
  }
  return drawn;
}

std::string compared(const std::vector<std::string>& traces, const Shared& shared, const py::dict& recording, const py::dict& analysis) {
  cli::ComparisonOptions options;
  options.analysis = given_options(analysis);
  if (!recording.empty()) options.recording = chosen_options(recording);
  return interruptible([&](const std::stop_token&) {
    const std::vector<cli::TaskSetInput> inputs{{shared.as_file(), shared.task_set, shared.warnings}};
    const cli::ComparedTraces made = cli::compared_traces(inputs, traces, options);
    return json_of(report::ComparisonReport{*shared.task_set, made.comparisons});
  });
}

py::list analysis_options() {
  py::list all;
  for (const analysis::OptionEntry& entry : analysis::option_table()) {
    const char* const kind = entry.is_flag() ? "flag" : entry.values.empty() ? "number" : "choice";
    all.append(py::make_tuple(entry.key(), kind, entry.values, entry.text));
  }
  return all;
}

}  // namespace rta::python
