#include "trace_size.hpp"

#include <fmt/format.h>

namespace rta::cli {
namespace {

using simulate::Detail;

// Of a line, beside names.
constexpr Wide dag_line = 70, job_line = 100, piece_line = 105;
constexpr Wide large = 100'000'000;

Wide pieces_of(const Node& node) {
  if (const auto* gpu = std::get_if<GpuDemand>(&node.demand)) return static_cast<Wide>(gpu->B);
  if (const auto* worker = std::get_if<WorkerDemand>(&node.demand)) return static_cast<Wide>(worker->B);
  return 1;
}

std::string megabytes(Wide bytes) { return fmt::format("{} MB", to_string((bytes + 999'999) / 1'000'000)); }

}  // namespace

Wide trace_size(const TaskSet& task_set, Time duration, Detail detail) {
  Wide bytes = 0;
  for (const Dag& dag : task_set.dags()) {
    const auto names = static_cast<Wide>(dag.name().size());
    Wide of_job = dag_line + names;
    for (const Node& node : dag.nodes()) {
      const Wide both = names + static_cast<Wide>(node.name.size());
      if (detail >= Detail::job) of_job += job_line + both;
      if (detail >= Detail::block) of_job += pieces_of(node) * (piece_line + both);
    }
    bytes += of_job * ceil_div(static_cast<Wide>(duration.count()), static_cast<Wide>(dag.period().count()));
  }
  return bytes;
}

std::optional<std::string> warning_of_trace_size(const TaskSet& task_set, Time duration, Detail detail) {
  const Wide bytes = trace_size(task_set, duration, detail);
  if (bytes <= large) return std::nullopt;
  std::string text = fmt::format("the trace at level {} will have about {}",
                                 detail == Detail::block ? "block"
                                 : detail == Detail::job ? "job"
                                                         : "dag",
                                 megabytes(bytes));
  if (detail > Detail::dag) {
    const Detail less = detail == Detail::block ? Detail::job : Detail::dag;
    text += fmt::format("; --trace-level {} has about {}", less == Detail::job ? "job" : "dag",
                        megabytes(trace_size(task_set, duration, less)));
  }
  return text + ", and --duration shortens it";
}

}  // namespace rta::cli
