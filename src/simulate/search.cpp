#include "rta/simulate/search.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "adversary/option_climber.hpp"
#include "adversary/scenario_climber.hpp"

namespace rta::simulate {
namespace {

constexpr std::size_t climbers = 8;
constexpr std::size_t most_scenario_climbers = 6;
constexpr std::uint64_t round_runs = 32;
constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// Climbers side by side, in rounds: after each, all of them know what each has found, in an order that no thread decides.
class Search {
 public:
  Search(const TaskSet& task_set, const Schedule& schedule, const SearchOptions& options)
      : ground_(task_set, schedule, options), options_(options), known_{{}, Records(task_set)} {
    known_.elite.resize(ground_.targets.size());
    // Scenarios choose when jobs are released, long runs keep to the clock of periodic DAGs.
    const auto is_periodic = [](const Dag& dag) { return dag.attributes().periodic; };
    if (std::ranges::any_of(task_set.dags(), is_periodic)) scenario_climbers_ = 0;
    slots_.resize(ground_.targets.size(), std::vector<std::optional<Trial>>(scenario_climbers_));
    const auto seed = [&](std::uint64_t i) { return mix(options.base.seed ^ mix(i + 1)); };
    for (std::size_t i = 0; i < scenario_climbers_; ++i)
      climbers_.push_back(std::make_unique<ScenarioClimber>(ground_, known_, seed(i), i));
    for (std::size_t i = scenario_climbers_; i < climbers; ++i) {
      climbers_.push_back(std::make_unique<OptionClimber>(ground_, known_, seed(i), i - scenario_climbers_));
    }
    for (const auto& twins : ground_.twins) twins_ += twins.size();
    if (options.max_runs > 0 && options.max_runs < 8 * twins_) twins_ = 0;
  }

  SearchResult run() {
    if (ground_.targets.empty() || ended()) return finish();
    const Options first = classical_run(ground_.task_set, options_.base);
    known_.records.look(simulate(ground_.task_set, ground_.schedule, first), first);
    tell();
    while (!ended()) {
      round();
      tell();
    }
    if (ending_ != Ending::stopped) swap_twins();
    return finish();
  }

 private:
  [[nodiscard]] std::uint64_t tried() const { return known_.records.result().tried; }
  [[nodiscard]] bool ended() {
    ending_ = ending_of(options_.base.limit.cause());
    return ending_ != Ending::complete || (options_.max_runs > 0 && tried() + twins_ >= options_.max_runs);
  }
  void tell() const {
    if (options_.progress) options_.progress(known_.records.result());
  }
  [[nodiscard]] SearchResult finish() {
    known_.records.end(ending_);
    return known_.records.release();
  }

  // Whether some DAG's worst is from a long run.
  [[nodiscard]] bool options_lead() const {
    const SearchResult& so_far = known_.records.result();
    return std::any_of(ground_.targets.begin(), ground_.targets.end(),
                       [&](DagId d) { return so_far.dags[d] && so_far.runs[so_far.dags[d]->run].jobs.empty(); });
  }

  // A long run may cost as much as all scenarios of a climber in the round before, on average; a quarter of it where scenarios show more.
  void round() {
    const std::uint64_t cost = scenario_climbers_ == 0 ? unlimited : std::max<std::uint64_t>(1, options_lead() ? cost_ : cost_ / 4);
    const std::uint64_t left = options_.max_runs == 0 ? unlimited : options_.max_runs - tried() - twins_;
    oneapi::tbb::parallel_for(std::size_t{0}, climbers_.size(), [&](std::size_t i) {
      const std::uint64_t share = left / climbers_.size() + static_cast<std::uint64_t>(i < left % climbers_.size());
      climbers_[i]->round(std::min(round_runs, share), i < scenario_climbers_ ? unlimited : cost);
    });
    cost_ = 0;
    for (std::size_t i = 0; i < climbers_.size(); ++i) {
      Climber& climber = *climbers_[i];
      if (i < scenario_climbers_) cost_ += climber.spent() / scenario_climbers_;
      known_.records.take(climber.records());
      auto offered = climber.offer();
      if (!offered) continue;
      auto& slot = slots_[offered->first][i];
      if (!slot || offered->second.response > slot->response) slot = std::move(offered->second);
    }
    for (std::size_t t = 0; t < slots_.size(); ++t) {
      known_.elite[t].clear();
      for (const auto& slot : slots_[t]) {
        if (slot) known_.elite[t].push_back(*slot);
      }
    }
  }

  // What is bad for one DAG is bad for another that differs in its name only.
  void swap_twins() {
    for (std::size_t t = 0; t < ground_.targets.size() && twins_ > 0; ++t) {
      std::vector<DagId> alike = ground_.twins[t];
      alike.push_back(ground_.targets[t]);
      const auto& dags = known_.records.result().dags;
      const auto less = [&](DagId a, DagId b) { return dags[b] && (!dags[a] || dags[a]->response < dags[b]->response); };
      const DagId worst = *std::max_element(alike.begin(), alike.end(), less);
      if (!dags[worst]) continue;
      const Options run = known_.records.result().runs[dags[worst]->run];
      if (run.jobs.empty()) continue;
      for (const DagId d : alike) {
        if (d == worst) continue;
        Options swapped = run;
        std::swap(swapped.jobs[d], swapped.jobs[worst]);
        known_.records.look(simulate(ground_.task_set, ground_.schedule, swapped), swapped);
      }
    }
    tell();
  }

  Ground ground_;
  const SearchOptions& options_;
  Known known_;
  std::vector<std::vector<std::optional<Trial>>> slots_;  // per target and climber: the worst that it found
  std::vector<std::unique_ptr<Climber>> climbers_;
  std::size_t scenario_climbers_ = most_scenario_climbers;
  std::uint64_t twins_ = 0;  // runs that are kept for them
  std::uint64_t cost_ = 1;
  Ending ending_ = Ending::complete;
};

}  // namespace

SearchResult search(const TaskSet& task_set, const Schedule& schedule, const SearchOptions& options) {
  return Search(task_set, schedule, options).run();
}

}  // namespace rta::simulate
