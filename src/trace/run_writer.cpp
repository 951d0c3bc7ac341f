#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "io/yaml_text.hpp"
#include "rta/trace/run_file.hpp"

namespace rta::trace {
namespace {

using simulate::Execution;
using simulate::ScenarioJob;
using simulate::ScenarioNode;

std::string quoted(const std::string& name) { return io::double_quoted(name); }

template <class List, class Text>
std::string list(const List& items, const Text& text) {
  std::string out;
  for (const auto& item : items) fmt::format_to(std::back_inserter(out), "{}{}", out.empty() ? "" : ", ", text(item));
  return "[" + out + "]";
}

std::string job_text(const Dag& dag, const ScenarioJob& job) {
  std::string text = fmt::format("  - {{dag: {}, release: {} ns", quoted(dag.name()), job.release.count());
  const auto whole = [](const ScenarioNode& node) { return node.execution == simulate::whole; };
  if (!std::all_of(job.nodes.begin(), job.nodes.end(), whole)) {
    text += ", execution: " + list(job.nodes, [](const ScenarioNode& node) { return node.execution; });
  }
  const auto timed = [](const ScenarioNode& node) { return node.takes.has_value(); };
  if (!job.nodes.empty() && std::all_of(job.nodes.begin(), job.nodes.end(), timed)) {
    text += ", takes: " + list(job.nodes, [](const ScenarioNode& node) { return fmt::format("{} ns", node.takes->count()); });
  }
  const auto unranked = [](const ScenarioNode& node) { return node.rank == 0; };
  if (!std::all_of(job.nodes.begin(), job.nodes.end(), unranked)) {
    text += ", rank: " + list(job.nodes, [](const ScenarioNode& node) { return node.rank; });
  }
  return text + "}\n";
}

std::string share_text(const Execution& e) {
  return e.least == e.most ? fmt::format("{}", e.most) : fmt::format("[{}, {}]", e.least, e.most);
}

std::string long_run_text(const TaskSet& task_set, const simulate::Options& run) {
  std::string text =
      fmt::format("duration: {} ns\njitter: {}\nties: {}\ndags:\n", run.duration.count(), run.releases.jitter, to_string(run.ties));
  for (DagId d = 0; d < task_set.dags().size(); ++d) {
    const Time phase = run.releases.phases.empty() ? Time::zero() : run.releases.phases[d];
    text += fmt::format("  - {{dag: {}, phase: {} ns", quoted(task_set.dags()[d].name()), phase.count());
    if (!run.node_execution.empty()) text += ", execution: " + list(run.node_execution[d], share_text);
    text += "}\n";
  }
  return text;
}

}  // namespace

std::string format_run(const RunFile& file, const TaskSet& task_set) {
  const simulate::Options& run = file.run;
  std::string text = "# rta simulate TASK-SET --replay FILE\nrun: 1\n";
  text += fmt::format("task_set_sha256: {}\nrelease: {}\n", quoted(file.task_set_sha256), file.release);
  if (!file.options.empty()) {
    text += "options:\n";
    for (const auto& [name, value] : file.options) text += fmt::format("  {}: {}\n", name, quoted(value));
  }
  text += fmt::format("shows: {{dag: {}, job: {}, response: {} ns}}\n", quoted(task_set.dags()[file.dag].name()), file.job,
                      file.response.count());
  text += fmt::format("placement: {}\ncopy_rules: {}\nstreams: {}\nseed: {}\n", to_string(run.placement), to_string(run.copy_rules),
                      to_string(run.streams), run.seed);
  if (run.slices != simulate::SliceOrder::round_robin) text += fmt::format("slices: {}\n", to_string(run.slices));
  if (run.block_times != simulate::BlockTimes::even) text += fmt::format("block_times: {}\n", to_string(run.block_times));
  if (run.jobs.empty()) return text + long_run_text(task_set, run);
  text += "jobs:\n";
  for (DagId d = 0; d < run.jobs.size(); ++d) {
    for (const ScenarioJob& job : run.jobs[d]) text += job_text(task_set.dags()[d], job);
  }
  return text;
}

}  // namespace rta::trace
