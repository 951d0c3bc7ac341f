#include "schedule_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rta/report/time_text.hpp"

namespace rta::report {
namespace {

using static_order::Decision;
using static_order::Fault;
using static_order::Obstacle;
using static_order::ScheduledHyperepoch;
using static_order::ScheduledRunnable;

// At most this many names in a sentence.
constexpr std::size_t most_names_of_list = 6;

std::string listed(const std::vector<std::string>& names, std::string_view joint) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most_names_of_list); ++i) text += (i == 0 ? "" : std::string(joint)) + names[i];
  return names.size() <= most_names_of_list ? text : text + fmt::format("{}... ({} in all)", joint, names.size());
}

std::string chain_text(const Obstacle& obstacle) {
  std::vector<std::string> names = obstacle.runnables;
  if (names.size() > most_names_of_list) {
    names.resize(most_names_of_list - 2);
    names.emplace_back("...");
    names.push_back(obstacle.runnables.back());
  }
  return fmt::format("{}", fmt::join(names, " -> "));
}

std::string percent(Wide part, Wide whole) { return number_text(100 * static_cast<double>(part) / static_cast<double>(whole), 1) + " %"; }

}  // namespace

std::string runnable_name(const ScheduledHyperepoch& hyperepoch, std::size_t id) {
  const ScheduledRunnable& r = hyperepoch.runnables[id];
  const std::string name = r.role == static_order::Role::frame_sync ? hyperepoch.epochs[r.epoch].name + " " + r.name : r.full_name();
  return hyperepoch.epochs[r.epoch].frames > 1 ? fmt::format("{} [{}]", name, r.frame) : name;
}

std::string resource_names(const ScheduledHyperepoch& hyperepoch, const ScheduledRunnable& runnable) {
  std::vector<std::string> names;
  for (const std::size_t r : runnable.resources) names.push_back(hyperepoch.resources[r].name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string obstacle_text(const Obstacle& obstacle) {
  const std::string span = fmt::format("{} from {} on", time_text(obstacle.work), time_text(obstacle.from));
  switch (obstacle.kind) {
    case Obstacle::Kind::chain: return fmt::format("the chain {} takes {}", chain_text(obstacle), span);
    case Obstacle::Kind::resource:
      return fmt::format("{} runnables of {} take {}: {}", obstacle.runnables.size(), obstacle.resources.front(), span,
                         listed(obstacle.runnables, ", "));
    case Obstacle::Kind::resources:
      return fmt::format("{} runnables of the {} resources {} take {}: {}", obstacle.runnables.size(), obstacle.resources.size(),
                         listed(obstacle.resources, ", "), span, listed(obstacle.runnables, ", "));
    case Obstacle::Kind::gpu:
      return fmt::format("{} kernels take the {} of {} for {}: {}", obstacle.runnables.size(), obstacle.resources.back(),
                         obstacle.resources.front(), span, listed(obstacle.runnables, ", "));
    case Obstacle::Kind::search: return "all other orders were ruled out";
  }
  return "";
}

std::string decision_text(const ScheduledHyperepoch& hyperepoch, const Decision& decision) {
  switch (decision.by) {
    case Decision::By::release: return "its release";
    case Decision::By::dependency: return "dependency";
    case Decision::By::submitter_start: return "start of its submitter";
    case Decision::By::resource: return "before it on " + hyperepoch.resources[decision.resource].name;
    case Decision::By::stream: return "before it in " + hyperepoch.resources[decision.resource].name;
    case Decision::By::path: return "before it on its path";
  }
  return "";
}

std::string fault_text(const static_order::Schedule& schedule, const Fault& fault) {
  const bool there = fault.hyperepoch < schedule.hyperepochs.size();
  const auto runnable = [&](std::size_t i) {
    const ScheduledHyperepoch& h = schedule.hyperepochs[fault.hyperepoch];
    return fmt::format("{} (id {})", runnable_name(h, fault.runnables[i]), fault.runnables[i]);
  };
  const std::string by = fault.by ? time_text(*fault.by) : "";
  switch (fault.kind) {
    case Fault::Kind::graph:
      if (fault.expected.empty()) return fmt::format("'{}' is not in the graph", fault.name);
      return fmt::format("{}: the schedule has {}, the graph {}", fault.name, fault.found, fault.expected);
    case Fault::Kind::missing:
      if (!there) return fmt::format("hyperepoch '{}' is missing", fault.name);
      return fmt::format("{} is missing in frame {} of epoch {}", fault.name, fault.found, fault.expected);
    case Fault::Kind::unknown: return runnable(0) + " is not in the graph, or not in this epoch and frame";
    case Fault::Kind::twice: return runnable(0) + " is there twice";
    case Fault::Kind::resources:
      return fault.found.empty() ? fmt::format("{} lacks {}", runnable(0), fault.expected)
                                 : fmt::format("{} does not need {}", runnable(0), fault.found);
    case Fault::Kind::stream:
      return fmt::format("{}: {} stands before {}, but their submitters the other way round", fault.name, runnable(0), runnable(1));
    case Fault::Kind::dependency: return fmt::format("{} depends on {}, but does not wait for it", runnable(0), runnable(1));
    case Fault::Kind::value:
      if (fault.expected.empty()) return fmt::format("{}: {} is not what the graph says", runnable(0), fault.name);
      return fmt::format("{}: {} is {}, but must be {}", runnable(0), fault.name, fault.found, fault.expected);
    case Fault::Kind::sharing:
      if (fault.runnables.empty())
        return fmt::format("{}: its weights and capacity are not valid: a block may find no room on SMs that hold less", fault.name);
      if (fault.expected.empty()) return runnable(0) + " shares a GPU, but its blocks are not known";
      return fmt::format("{}: there may be no room for {} besides others that hold {} of {}", fault.name, runnable(0), fault.found,
                         fault.expected);
    case Fault::Kind::deadlock: {
      std::vector<std::string> names;
      for (std::size_t i = 0; i < fault.runnables.size(); ++i) names.push_back(runnable(i));
      if (!names.empty()) names.push_back(names.front());
      return fmt::format("deadlock, each waits for the next: {}", listed(names, " -> "));
    }
    case Fault::Kind::claim:
      if (fault.runnables.empty())
        return fmt::format("hyperepoch '{}': {} is {}, {} less than the latest, {}", schedule.hyperepochs[fault.hyperepoch].name,
                           fault.name, fault.found, by, fault.expected);
      return fmt::format("{}: {} is {}, {} less than the latest, {}", runnable(0), fault.name, fault.found, by, fault.expected);
    case Fault::Kind::late: return fmt::format("{} may end {} too late", runnable(0), by);
  }
  return "";
}

std::string_view objective_text(static_order::Objective objective) {
  switch (objective) {
    case static_order::Objective::length: return "length";
    case static_order::Objective::lateness: return "lateness";
    case static_order::Objective::end_to_end: return "longest frame";
  }
  return "";
}

std::string quality(const static_order::CompiledHyperepoch& compiled, static_order::Objective objective) {
  using Ending = static_order::CompiledHyperepoch::Ending;
  if (compiled.ending == Ending::optimal) return "the least possible";
  const Time gap = compiled.objective - compiled.objective_bound;
  std::string text = fmt::format("at most {} above the least possible", time_text(gap));
  if (objective != static_order::Objective::lateness && compiled.objective_bound > Time::zero())
    text = fmt::format("at most {} above the least possible", percent(gap.count(), compiled.objective_bound.count()));
  switch (compiled.ending) {
    case Ending::time_limit: return text + "; the time limit ended the search";
    case Ending::stopped: return text + "; interrupted";
    default: return text;
  }
}

std::string verdict(const ScheduleReport& report) {
  const std::size_t count = report.schedule.hyperepochs.size();
  const std::string all = fmt::format("{} hyperepoch{}", count, count == 1 ? "" : "s");
  std::size_t late = 0;
  for (const HyperepochReport& h : report.hyperepochs)
    late += static_cast<std::size_t>(h.proof != nullptr && h.proof->lateness > Time::zero());
  if (report.faults != nullptr) {
    if (report.faults->empty())
      return fmt::format("sound: the schedule is one of the graph, cannot deadlock, and nothing ends late ({})", all);
    return fmt::format("NOT SOUND: {} fault{}", report.faults->size(), report.faults->size() == 1 ? "" : "s");
  }
  if (late == 0) return fmt::format("in time: nothing ends after its deadline or its period ({})", all);
  return fmt::format("LATE: in {} of {} something may end after its deadline or its period", late, all);
}

std::string scale_text(const static_order::Scale& scale) {
  const Wide thousandths = scale.numerator / scale.denominator * 1000 + scale.numerator % scale.denominator * 1000 / scale.denominator;
  return fmt::format("{}.{:03}", to_string(thousandths / 1000), static_cast<int>(thousandths % 1000));
}

}  // namespace rta::report
