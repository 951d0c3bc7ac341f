#include "simulate_experiment.hpp"

#include <fmt/format.h>

#include <iostream>
#include <map>

#include "rta/io/digest.hpp"
#include "rta/report/simulation_report.hpp"
#include "rta/report/time_text.hpp"
#include "rta/simulate/simulate.hpp"
#include "rta/trace/timeline.hpp"
#include "simulation_results.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;
using simulate::Detail;

// Collects when and where operations ran.
class Operations : public simulate::Observer {
 public:
  explicit Operations(const Experiment& experiment) : Observer(Detail::block), experiment_(experiment) {
    for (const Operation& o : experiment.operations()) {
      rows_.push_back({o.name, o.stream, experiment.pools()[o.pool].name, {}, {}, {}, {}, {}});
    }
    places_.resize(rows_.size());
  }
  void dag(DagId, std::uint64_t, Time, Time) override {}
  void job(simulate::JobId id, Time, Time, Time end) override { rows_[id.node].end = end; }
  void block(simulate::JobId id, std::uint64_t block, std::uint32_t sm, Time start, Time) override {
    started(id, start);
    std::string& blocks = places_[id.node][sm];
    blocks += (blocks.empty() ? "" : " ") + std::to_string(block);
  }
  void copy(simulate::JobId id, std::uint32_t, Time start, Time) override { started(id, start); }
  void run(simulate::JobId id, std::uint32_t, Time start, Time) override { started(id, start); }

  [[nodiscard]] std::vector<report::OperationRow> rows() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      rows_[i].issued = issued(experiment_.operations()[i]);
      for (const auto& [sm, blocks] : places_[i])
        rows_[i].place += fmt::format("{}SM {}: {}", rows_[i].place.empty() ? "" : ", ", sm, blocks);
    }
    return rows_;
  }

 private:
  // Blocks and copies are told as they start, in the order of time.
  void started(simulate::JobId id, Time at) {
    if (!rows_[id.node].start) rows_[id.node].start = at;
  }
  // Known once all that it waits for has ended.
  [[nodiscard]] std::optional<Time> issued(const Operation& operation) const {
    Time at = operation.at;
    for (const std::size_t before : operation.after) {
      if (!rows_[before].end) return std::nullopt;
      at = std::max(at, *rows_[before].end + operation.delay);
    }
    return at;
  }

  const Experiment& experiment_;
  std::vector<report::OperationRow> rows_;
  std::vector<std::map<std::uint32_t, std::string>> places_;
};

void add_waits(const trace::Timeline& timeline, std::vector<report::OperationRow>& rows) {
  const auto waiting = trace::waiting(timeline);
  for (std::size_t j = 0; j < waiting.size(); ++j) {
    for (const trace::Wait& wait : waiting[j].waits) {
      report::OperationWait named{wait.from, wait.to, wait.cause, {}};
      for (const simulate::JobId of : wait.of) named.of.push_back(rows[of.node].name);
      rows[timeline.jobs()[j].id.node].waits.push_back(std::move(named));
    }
  }
}

std::string verdict(const Experiment& experiment, const simulate::Observation& seen) {
  if (seen.ending == simulate::Ending::complete) {
    return fmt::format("{} operations, {} blocks, the last ends at {}", seen.jobs, seen.blocks, report::time_text(seen.simulated));
  }
  return fmt::format("{}: {} of {} operations ended, {} blocks started, simulated until {}",
                     seen.ending == simulate::Ending::stopped ? "interrupted" : "time limit", seen.jobs, experiment.operations().size(),
                     seen.blocks, report::time_text(seen.simulated));
}

}  // namespace

ExitStatus simulate_experiment(const po::variables_map& given, const Limit& limit, const std::string& text,
                               const io::ExperimentResult& read, const std::vector<Target>& all_targets) {
  const Experiment& experiment = read.experiment;
  require_effect_on_experiment(given);
  const simulate::Options options = common_options(given, limit);
  trace::Header header;
  header.source = "simulation";
  header.task_set = experiment.name();
  header.task_set_sha256 = io::sha256(text);
  const Window window = window_option(given, {Time::zero(), simulate::longest_time});
  Results results(given, all_targets, header, trace::labels(experiment));
  Operations operations(experiment);
  auto timeline = trace::timeline(experiment, window.from, window.to, most_bars);
  auto whole = trace::timeline(experiment, Time::zero(), simulate::longest_time, 10 * most_bars);
  std::vector<simulate::Observer*> observers{&operations, &timeline, &whole};
  results.traces().add_to(observers);
  simulate::Observers all(observers);
  const auto seen = simulate::simulate(experiment, options, &all);
  results.traces().finish(seen.ending == simulate::Ending::complete);
  report::SimulationReport report;
  report.task_set = experiment.name();
  report.operations = operations.rows();
  add_waits(whole, report.operations);
  report.verdict = verdict(experiment, seen);
  report.facts = {{"placement", std::string(to_string(options.placement))},
                  {"copy rules", std::string(to_string(options.copy_rules))},
                  {"execution", given["execution"].as<std::string>()}};
  for (const io::Diagnostic& warning : read.warnings) report.warnings.push_back(warning.text());
  report.timeline = &timeline;
  if (!given["quiet"].as<bool>()) {
    for (const std::string& warning : report.warnings) std::cerr << "warning: " << warning << '\n';
  }
  results.write(report);
  return seen.ending == simulate::Ending::complete ? ExitStatus::yes : ExitStatus::no;
}

}  // namespace rta::cli
