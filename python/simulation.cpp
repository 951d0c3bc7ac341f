#include "simulation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <stop_token>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/chain_rows.hpp"
#include "cli/played.hpp"
#include "cli/response_rows.hpp"
#include "interruptible.hpp"
#include "rta/analysis/schedule_of.hpp"
#include "rta/io/time_text.hpp"
#include "rta/model/error.hpp"
#include "rta/report/simulation_report.hpp"
#include "rta/simulate/chains.hpp"
#include "rta/simulate/simulate.hpp"
#include "rta/trace/labels.hpp"
#include "rta/trace/writer.hpp"

namespace rta::python {
namespace {

std::string_view to_string(simulate::Detail detail) {
  return detail == simulate::Detail::dag ? "dag" : detail == simulate::Detail::job ? "job" : "block";
}

template <class Enum, std::size_t N>
Enum named(const char* option, const std::string& name, const std::array<Enum, N>& all) {
  std::string allowed;
  for (const Enum each : all) {
    if (to_string(each) == name) return each;
    allowed += (allowed.empty() ? "" : ", ") + std::string(to_string(each));
  }
  throw UserError(std::string(option) + " '" + name + "': not allowed (" + allowed + ")");
}

Time time_of(const char* option, const std::string& text) {
  const auto time = io::parse_time(text);
  if (!time || *time > simulate::longest_time)
    throw UserError(std::string(option) + " '" + text + "': expected a time, e.g. '10s' or '500 ms'");
  return *time;
}

simulate::PartsPerMillion parts(const char* option, double percent, double most) {
  if (!(percent >= 0 && percent <= most))
    throw UserError(std::string(option) + ": expected a percentage from 0 to " + std::to_string(static_cast<int>(most)));
  return static_cast<simulate::PartsPerMillion>(std::llround(percent * 10'000));
}

simulate::Execution execution_of(const py::object& how) {
  if (py::isinstance<py::str>(how)) {
    const std::string name = py::str(how);
    if (name == "worst") return simulate::worst_case;
    if (name == "uniform") return simulate::uniform;
    throw UserError("execution '" + name + "': not allowed (worst, uniform, a percentage, or two as a pair)");
  }
  const auto [least, most] =
      py::isinstance<py::tuple>(how) ? how.cast<std::pair<double, double>>() : std::pair(how.cast<double>(), how.cast<double>());
  if (least > most) throw UserError("execution: the lesser percentage comes first");
  return {parts("execution", least, 100), parts("execution", most, 100)};
}

/// Of one run; `also` observes it, too.
report::SimulationReport simulated(const Shared& shared, const analysis::GivenOptions& given, const simulate::Options& options,
                                   simulate::Observer* also) {
  const cli::Played system = cli::played(shared.task_set, given);
  report::SimulationReport report;
  report.task_set = shared.task_set->name();
  report.warnings = shared.warnings;
  report.warnings.insert(report.warnings.end(), system.warnings.begin(), system.warnings.end());
  simulate::ChainObserver chains(*shared.task_set);
  std::vector<simulate::Observer*> observers;
  if (!shared.task_set->chains().empty()) observers.push_back(&chains);
  if (also != nullptr) observers.push_back(also);
  simulate::Observers all(observers);
  simulate::Options played_so = options;
  played_so.bodies = bodies_of_groups(system.proof);
  const auto seen = simulate::simulate(nodes_played(system.proof), system.schedule, played_so, observers.empty() ? nullptr : &all);
  cli::add_rows(system, report, seen);
  report.chains = cli::chain_rows(system, options, chains.latencies(), report.warnings);
  report.facts = {{"release", std::string(to_string(system.proof.release))},
                  {"placement", std::string(to_string(options.placement))},
                  {"streams", std::string(to_string(options.streams))},
                  {"seed", "", {{"seed", options.seed}}},
                  {"simulated", "", {{"simulated_ns", static_cast<std::uint64_t>(seen.simulated.count())}}},
                  {"jobs", "", {{"dag_jobs", seen.dag_jobs}, {"node_jobs", seen.jobs}, {"blocks", seen.blocks}}},
                  {"end", cli::ending_text(seen.ending)}};
  const auto is_over = [](const auto& row) { return row.over() || row.missed(); };
  const bool wrong = std::ranges::any_of(report.dags, is_over) || std::ranges::any_of(report.nodes, is_over) ||
                     std::ranges::any_of(report.chains, is_over) || seen.ending == simulate::Ending::backlog || seen.late_releases > 0;
  report.verdict = wrong ? "above a bound or a deadline, or without end" : "within bounds and deadlines";
  return report;
}

simulate::Options options_of(const SimulationChoices& choices) {
  using simulate::CopyRules, simulate::Placement, simulate::Ties;
  constexpr std::array placements{Placement::most_free, Placement::least_free, Placement::first_fit, Placement::round_robin,
                                  Placement::random};
  simulate::Options options;
  options.duration = time_of("duration", choices.duration);
  options.placement = named("placement", choices.placement, placements);
  options.ties = named("ties", choices.ties, std::array{Ties::in_order, Ties::random});
  options.copy_rules = named("copy_rules", choices.copy_rules, std::array{CopyRules::yang2020, CopyRules::amert2017});
  options.execution = execution_of(choices.execution);
  options.releases.jitter = parts("jitter", choices.jitter, 1000);
  options.releases.random_phases = choices.random_phases;
  options.seed = choices.seed;
  return options;
}

std::pair<std::string, std::string> run(const Shared& shared, const analysis::GivenOptions& given, const simulate::Options& options,
                                        const std::optional<simulate::Detail>& detail) {
  if (!detail) return {json_of(simulated(shared, given, options, nullptr)), ""};
  std::ostringstream lines;
  trace::Writer writer(lines, {}, trace::labels(*shared.task_set), *detail);
  std::string json = json_of(simulated(shared, given, options, &writer));
  return {std::move(json), std::move(lines).str()};
}

}  // namespace

std::pair<std::string, std::string> simulate_set(const Shared& shared, const SimulationChoices& choices,
                                                 const std::optional<std::string>& trace, const py::dict& analysis) {
  using simulate::Detail;
  const analysis::GivenOptions given = given_options(analysis);
  const simulate::Options options = options_of(choices);
  (void)limit_of(choices.time_limit, {});  // is refused before anything runs
  std::optional<Detail> detail;
  if (trace) detail = named("trace", *trace, std::array{Detail::dag, Detail::job, Detail::block});
  return interruptible([&](std::stop_token stop) {
    simulate::Options stoppable = options;
    stoppable.limit = limit_of(choices.time_limit, std::move(stop));
    return run(shared, given, stoppable, detail);
  });
}

}  // namespace rta::python
