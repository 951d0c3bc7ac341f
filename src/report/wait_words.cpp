#include "wait_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rta/report/time_text.hpp"

namespace rta::report {

using trace::WaitCause;

std::string job_name(const trace::Timeline& timeline, simulate::JobId id) {
  const trace::DagLabel& dag = timeline.labels().dags[id.dag];
  if (timeline.system().experiment) return dag.nodes[id.node].name;
  return fmt::format("{}/{} job {}", dag.name, dag.nodes[id.node].name, id.job);
}

namespace {

// `unit`: the only one of its pool, by its name; empty: one of several.
std::string wait_for(WaitCause cause, std::vector<std::string> of, const std::string& self, const std::string& unit) {
  constexpr std::size_t most_names = 3;
  std::ranges::replace(of, self, std::string("its own blocks"));
  std::string names;
  for (std::size_t i = 0; i < of.size() && i < most_names; ++i) names += (i == 0 ? "" : ", ") + of[i];
  if (of.size() > most_names) names += fmt::format(" and {} more", of.size() - most_names);
  switch (cause) {
    case WaitCause::stream: return names + ", before it in its stream";
    case WaitCause::previous: return names + ", the job before it";
    case WaitCause::queue: return names + ", the head of the queue";
    case WaitCause::room: return (unit.empty() ? "room on an SM" : unit) + " (" + names + ")";
    case WaitCause::engine: return (unit.empty() ? "the copy engine" : unit) + " (" + names + ")";
    case WaitCause::call: return names + ", a call that holds up others";
    case WaitCause::processor: return (unit.empty() ? "a processor" : unit) + " (" + names + ")";
    case WaitCause::worker: return (unit.empty() ? "a worker" : unit) + " (" + names + ")";
  }
  return names;
}

std::string listed(const std::string& self, const std::vector<OperationWait>& waits, const std::string& unit) {
  std::string text;
  for (const OperationWait& wait : waits) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", wait_for(wait.cause, wait.of, self, unit), time_text(wait.to - wait.from));
  }
  return text;
}

}  // namespace

std::string wait_text(WaitCause cause, std::vector<std::string> of, const std::string& self) {
  return wait_for(cause, std::move(of), self, "");
}

std::string waits_text(const std::string& self, const std::vector<OperationWait>& waits) { return listed(self, waits, ""); }

std::string waits_text(const trace::Timeline& timeline, simulate::JobId self, const std::vector<trace::Wait>& waits) {
  std::vector<OperationWait> named;
  const PoolId pool = timeline.pool(self);
  const std::string unit = timeline.units(pool) == trace::Units::single ? timeline.labels().pools[pool].name : "";
  for (const trace::Wait& wait : waits) {
    std::vector<std::string> names;
    names.reserve(wait.of.size());
    for (const simulate::JobId id : wait.of) names.push_back(job_name(timeline, id));
    named.push_back({wait.from, wait.to, wait.cause, std::move(names)});
  }
  return listed(job_name(timeline, self), named, unit);
}

}  // namespace rta::report
