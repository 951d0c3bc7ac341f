#include "rta/sweep/set_analyzer.hpp"

#include <algorithm>
#include <chrono>

#include "analysis/policies/pool_bounds.hpp"
#include "observe.hpp"
#include "rta/analysis/cpu/priority_point.hpp"
#include "rta/analysis/gpu/fifo_bounds.hpp"
#include "rta/model/error.hpp"
#include "rta/sweep/on_threads.hpp"

namespace rta::sweep {
bool AnalysisChoice::is_plain(const generate::Recipe& recipe) const {
  using analysis::CpuBound;
  const CpuPool& cpu = std::get<CpuPool>(recipe.pools[recipe.cpu].resource);
  const Scheduler scheduler = options.scheduler.value_or(cpu.scheduler);
  if (recipe.sequential || periodic || threads) return false;
  if (scheduler == Scheduler::fifo && options.refinement == analysis::gel::Refinement::early) return false;
  if (recipe.gpu && std::get<GpuPool>(recipe.pools[*recipe.gpu].resource).sharing) return false;
  return !simulated && options.preemptive.value_or(cpu.preemptive) && options.release == Release::offsets &&
         options.granularity == analysis::Granularity::fine && scheduler != Scheduler::lp && scheduler != Scheduler::fp &&
         (options.cpu_bound == CpuBound::best || options.cpu_bound == CpuBound::T1);
}

namespace {

/// Whether T35 or T36 came to a limit of their work, or of numbers.
bool is_left_out(const analysis::Proof& proof) {
  using analysis::Theorem;
  const auto is_of_periods = [](Theorem theorem) { return theorem == Theorem::T35 || theorem == Theorem::T36; };
  const auto limited = [&](const analysis::LeftOut& one) {
    return one.what == analysis::LeftOut::What::theorems && std::ranges::any_of(one.theorems, is_of_periods);
  };
  const auto told = [](const std::string& warning) {
    return warning.starts_with("periodic releases are not made use of") || warning.starts_with("T36 is left out");
  };
  return std::ranges::any_of(proof.left_out, limited) || std::ranges::any_of(proof.warnings, told);
}

generate::Grain grain_of(analysis::Granularity granularity) {
  switch (granularity) {
    case analysis::Granularity::fine: break;
    case analysis::Granularity::coarse: return generate::Grain::coarse;
    case analysis::Granularity::monolithic: return generate::Grain::monolithic;
  }
  return generate::Grain::fine;
}

/// Whether all nodes are on one preemptive pool of processors, and what is more urgent does not follow from fixed priorities.
bool has_one_pool(const generate::Recipe& recipe, const analysis::Options& options) {
  const CpuPool& cpu = std::get<CpuPool>(recipe.pools[recipe.cpu].resource);
  return !recipe.gpu && !recipe.sequential && options.granularity == analysis::Granularity::fine &&
         options.preemptive.value_or(cpu.preemptive) && options.scheduler.value_or(cpu.scheduler) != Scheduler::fp;
}

}  // namespace

bool AnalysisChoice::may_be_quick(const generate::Recipe& recipe) const {
  const bool asked = options.enough == analysis::Enough::deadlines && (!options.release || options.release == Release::completion);
  return asked && !periodic && !threads && !simulated && options.priorities != analysis::Priorities::node && has_one_pool(recipe, options);
}

bool AnalysisChoice::is_T10n(const generate::Recipe& recipe) const {
  const CpuPool& cpu = std::get<CpuPool>(recipe.pools[recipe.cpu].resource);
  const bool asked = options.path_bound == analysis::PathBound::T10n && options.release == Release::completion;
  const bool by_dag = options.priorities.value_or(analysis::Priorities::dag) == analysis::Priorities::dag && !options.optimize_priorities &&
                      (options.priorities || options.scheduler.value_or(cpu.scheduler) != Scheduler::lp);
  return asked && by_dag && !periodic && !threads && !simulated && has_one_pool(recipe, options);
}

Outcome outcome_of(std::span<const generate::RandomSet::Dag> dags, std::span<const Time> R) {
  Outcome outcome;
  outcome.answer = Answer::schedulable;
  Wide sum = 0;
  Wide millionths = 0;
  for (std::size_t d = 0; d < dags.size(); ++d) {
    const auto& dag = dags[d];
    sum += R[d].count();
    millionths += ceil_div(static_cast<Wide>(R[d].count()) * 1'000'000, dag.T.count());
    const Time late = R[d] - dag.D.value_or(dag.T);
    if (d == 0 || late > outcome.lateness_max) outcome.lateness_max = late;
    outcome.R_max = std::max(outcome.R_max, R[d]);
    if (dag.D && R[d] > *dag.D) outcome.answer = Answer::deadline_missed;
  }
  const auto n = static_cast<Wide>(dags.size());
  outcome.R_mean = to_time(ceil_div(sum, n));
  outcome.over_period = to_time(ceil_div(millionths, n)).count();
  return outcome;
}

SetAnalyzer::SetAnalyzer(const generate::Recipe& recipe, std::span<const AnalysisChoice> choices)
    : recipe_(recipe), choices_(choices), cpu_pool_(std::get<CpuPool>(recipe.pools[recipe.cpu].resource)) {
  if (recipe.gpu) gpu_pool_ = std::get<GpuPool>(recipe.pools[*recipe.gpu].resource);
  const auto slot = [](std::vector<PoolBounds>& slots, const analysis::Options& options, auto same) {
    const auto at = std::find_if(slots.begin(), slots.end(), [&](const PoolBounds& b) { return same(b.options, options); });
    if (at != slots.end()) return static_cast<std::size_t>(at - slots.begin());
    slots.push_back({options, State::open, {}});
    return slots.size() - 1;
  };
  const auto same_cpu = [](const analysis::Options& a, const analysis::Options& b) {
    return a.scheduler == b.scheduler && a.refinement == b.refinement;
  };
  const auto same_gpu = [](const analysis::Options& a, const analysis::Options& b) {
    return a.gpu_bound == b.gpu_bound && a.shared_weights == b.shared_weights && a.refinement == b.refinement;
  };
  for (const AnalysisChoice& choice : choices) {
    plain_.emplace_back();
    quick_.push_back(choice.may_be_quick(recipe) ? Quick::T10 : choice.is_T10n(recipe) ? Quick::T10n : Quick::none);
    if (choice.is_plain(recipe)) plain_.back() = {slot(cpu_, choice.options, same_cpu), slot(gpu_, choice.options, same_gpu)};
  }
}

const generate::RandomSet& SetAnalyzer::as_played(const generate::RandomSet& set, generate::Grain grain) {
  if (recipe_.split_overhead == Time::zero() || grain == generate::Grain::monolithic) return set;
  generate::RandomSet& played = grain == generate::Grain::fine ? fine_ : coarse_;
  played = set;
  add_split_overhead(recipe_, grain, played);
  return played;
}

void SetAnalyzer::evaluate(const generate::RandomSet& drawn, std::vector<Outcome>& outcomes) {
  using Clock = std::chrono::steady_clock;
  outcomes.clear();
  for (PoolBounds& bounds : cpu_) bounds.state = State::open;
  for (PoolBounds& bounds : gpu_) bounds.state = State::open;
  const generate::RandomSet& set = as_played(drawn, generate::Grain::fine);
  collect(set);
  TaskSets task_sets;
  // T16 to T18 are for DAGs of one node; a pool of nothing else has bounds that the plain ones know nothing of.
  const bool single = std::ranges::all_of(set.dags, [&](const auto& dag) { return set.nodes_of(dag).size() == 1; });
  // With late releases there are bounds by nominal periods as well.
  const bool late = std::ranges::any_of(set.dags, [](const auto& dag) { return dag.jitter > Time::zero(); });
  for (std::size_t a = 0; a < choices_.size(); ++a) {
    const auto start = Clock::now();
    if (const auto found = late ? std::nullopt : quick(set, a)) {
      outcomes.push_back(*found);
    } else if (plain_[a] && !single && !late) {
      outcomes.push_back(plain(set, cpu_[plain_[a]->cpu], gpu_[plain_[a]->gpu]));
    } else {
      outcomes.push_back(whole(drawn, choices_[a], task_sets));
    }
    outcomes.back().time_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
  }
}

void SetAnalyzer::collect(const generate::RandomSet& set) {
  cpu_tasks_.clear();
  gpu_tasks_.clear();
  for (const auto& dag : set.dags) {
    for (const auto& node : set.nodes_of(dag)) {
      if (!node.on_gpu()) {
        cpu_tasks_.push_back({node.length, dag.T, {}});
        continue;
      }
      auto& task = gpu_tasks_.emplace_back();
      task.T = dag.T;
      task.B = node.B;
      task.H = node.H;
      task.C = Workload(static_cast<Wide>(node.H) * node.length.count());
      task.L = node.length;
      task.shared_memory = node.shared_memory;
      task.registers_per_thread = node.registers_per_thread;
    }
  }
}

SetAnalyzer::State SetAnalyzer::bound_cpu(PoolBounds& bounds) {
  const Scheduler scheduler = bounds.options.scheduler.value_or(cpu_pool_.scheduler);
  for (auto& task : cpu_tasks_) task.Y = analysis::priority_point(scheduler, task.T, task.C, cpu_pool_.processors);
  auto proven = analysis::gel::response_bounds(cpu_tasks_, cpu_pool_.processors, bounds.options.refinement);
  if (!proven) return State::unbounded;
  bounds.R = std::move(proven->R);
  return State::bounded;
}

SetAnalyzer::State SetAnalyzer::bound_gpu(PoolBounds& bounds) {
  bounds.R.clear();
  if (gpu_tasks_.empty()) return State::bounded;
  const analysis::Options& options = bounds.options;
  if (options.gpu_bound == analysis::fifo::Bound::T5) {
    auto proven = analysis::fifo::theorem_4_3(gpu_tasks_, gpu_pool_);
    if (!proven) return State::unbounded;
    bounds.R = std::move(proven->R);
    return State::bounded;
  }
  const auto proven = analysis::fifo::gpu_bounds(gpu_tasks_, gpu_pool_, analysis::kernel_options(options));
  if (!proven) return State::unbounded;
  for (const auto& R : proven->R) {
    if (!R) return State::unbounded;
    bounds.R.push_back(*R);
  }
  return State::bounded;
}

Outcome SetAnalyzer::plain(const generate::RandomSet& set, PoolBounds& cpu, PoolBounds& gpu) {
  const auto settle = [](PoolBounds& bounds, auto bound) {
    if (bounds.state != State::open) return;
    try {
      bounds.state = bound(bounds);
    } catch (const Overflow&) {
      bounds.state = State::gave_up;
    }
  };
  settle(cpu, [&](PoolBounds& bounds) { return bound_cpu(bounds); });
  Outcome outcome;
  if (cpu.state == State::bounded || cpu.state == State::gave_up) settle(gpu, [&](PoolBounds& bounds) { return bound_gpu(bounds); });
  if (cpu.state == State::unbounded || gpu.state == State::unbounded) outcome.answer = Answer::unbounded;
  if (cpu.state != State::bounded || gpu.state != State::bounded) return outcome;

  // end[v] = Phi_v + R_v; edges come sorted by their end, which follows its start.
  std::size_t on_cpu = 0;
  std::size_t on_gpu = 0;
  R_.clear();
  try {
    for (const auto& dag : set.dags) {
      const auto nodes = set.nodes_of(dag);
      end_.resize(nodes.size());
      auto edge = set.edges_of(dag).begin();
      const auto last_edge = set.edges_of(dag).end();
      Time longest;
      for (std::uint32_t v = 0; v < nodes.size(); ++v) {
        Time offset;
        for (; edge != last_edge && edge->to == v; ++edge) offset = std::max(offset, end_[edge->from]);
        end_[v] = offset + (nodes[v].on_gpu() ? gpu.R[on_gpu++] : cpu.R[on_cpu++]);
        longest = std::max(longest, end_[v]);
      }
      R_.push_back(longest);
    }
    return outcome_of(set.dags, R_);
  } catch (const Overflow&) {
    return {};
  }
}

Time SetAnalyzer::longest_path(const generate::RandomSet& set, const generate::RandomSet::Dag& dag) {
  const auto nodes = set.nodes_of(dag);
  end_.resize(nodes.size());
  auto edge = set.edges_of(dag).begin();
  const auto last_edge = set.edges_of(dag).end();
  Time longest;
  for (std::uint32_t v = 0; v < nodes.size(); ++v) {
    Time before;
    for (; edge != last_edge && edge->to == v; ++edge) before = std::max(before, end_[edge->from]);
    end_[v] = before + nodes[v].length;
    longest = std::max(longest, end_[v]);
  }
  return longest;
}

std::optional<Outcome> SetAnalyzer::quick(const generate::RandomSet& set, std::size_t a) {
  try {
    switch (quick_[a]) {
      case Quick::none: return std::nullopt;
      case Quick::T10: return by_T10(set, choices_[a]);
      case Quick::T10n: return by_T10n(set, choices_[a]);
    }
  } catch (const Overflow&) {  // the whole analysis may do with less
  }
  return std::nullopt;
}

analysis::path::Order SetAnalyzer::order(const AnalysisChoice& choice) const {
  const bool fifo = choice.options.scheduler.value_or(cpu_pool_.scheduler) == Scheduler::fifo;
  return fifo ? analysis::path::Order::fifo : analysis::path::Order::gel;
}

/// Of the DAG on the pool.
Time SetAnalyzer::priority_point(const generate::RandomSet::Dag& dag, Time longest_path, const AnalysisChoice& choice) const {
  const Time D = dag.D.value_or(dag.T);
  const Scheduler scheduler = choice.options.scheduler.value_or(cpu_pool_.scheduler);
  if (scheduler != Scheduler::g_fl) return D;
  return std::min(D, analysis::priority_point(scheduler, D, longest_path, cpu_pool_.processors));
}

std::optional<Outcome> SetAnalyzer::by_T10(const generate::RandomSet& set, const AnalysisChoice& choice) {
  whole_dags_.clear();
  for (const auto& dag : set.dags) {
    Time volume;
    for (const auto& node : set.nodes_of(dag)) volume += node.length;
    const Time length = longest_path(set, dag);
    const Time most = dag.T * choice.options.most_periods;
    whole_dags_.push_back({.T = dag.T.count(),
                           .Y = priority_point(dag, length, choice).count(),
                           .limit = dag.D ? std::min(*dag.D, most).count() : most.count(),
                           .length = length.count(),
                           .volume = volume.count()});
  }
  if (!analysis::path::ends_within_limits(whole_dags_, cpu_pool_.processors, order(choice), ends_)) return std::nullopt;
  return outcome_of_ends(set);
}

std::optional<Outcome> SetAnalyzer::by_T10n(const generate::RandomSet& set, const AnalysisChoice& choice) {
  // Where all times are whole us the analysis goes on in parts of a ns.
  const auto is_whole = [](Time t) { return t.count() % 1'000 == 0; };
  if (std::ranges::all_of(set.nodes, is_whole, &generate::RandomSet::Node::length)) return std::nullopt;
  one_pool_.clear(cpu_pool_.processors, order(choice));
  for (const auto& dag : set.dags) {
    lengths_.clear();
    edges_.clear();
    for (const auto& edge : set.edges_of(dag)) edges_.push_back({edge.from, edge.to});
    for (const auto& node : set.nodes_of(dag)) lengths_.push_back(node.length.count());
    const Time length = choice.options.scheduler.value_or(cpu_pool_.scheduler) == Scheduler::g_fl ? longest_path(set, dag) : Time();
    one_pool_.add(
        {.T = dag.T.count(), .Y = priority_point(dag, length, choice).count(), .limit = (dag.T * choice.options.most_periods).count()},
        lengths_, edges_);
  }
  using Found = analysis::path::OnePool::Found;
  const Found found = one_pool_.solve(ends_);
  if (found == Found::unknown) return std::nullopt;
  if (found == Found::bounds) return outcome_of_ends(set);
  Outcome outcome;
  outcome.answer = Answer::unbounded;
  return outcome;
}

Outcome SetAnalyzer::outcome_of_ends(const generate::RandomSet& set) {
  R_.clear();
  for (const std::int64_t R : ends_) R_.emplace_back(R);
  return outcome_of(set.dags, R_);
}

Outcome SetAnalyzer::whole(const generate::RandomSet& set, const AnalysisChoice& choice, TaskSets& task_sets) {
  try {
    const generate::Grain grain = choice.threads ? generate::Grain::monolithic : grain_of(choice.options.granularity);
    auto& task_set = (choice.periodic ? task_sets.periodic : task_sets.sporadic)[static_cast<std::size_t>(grain)];
    const auto clock = choice.periodic ? generate::Clock::as_drawn : generate::Clock::unknown;
    if (!task_set) task_set = std::make_shared<const TaskSet>(to_task_set(recipe_, as_played(set, grain), "random", clock));
    analysis::Options options = choice.options;
    options.critical_paths = false;
    const auto played = choice.threads ? std::make_shared<const TaskSet>(on_threads(*task_set, *choice.threads)) : task_set;
    const analysis::Proof proof = analyze(played, options).proof;  // also throws where groups cannot be tasks
    R_.clear();
    for (const auto& dag : proof.dags) {
      if (!dag.bound) {
        Outcome outcome;
        outcome.answer = Answer::unbounded;
        if (choice.periodic) outcome.left_out = is_left_out(proof);
        return outcome;
      }
      R_.push_back(dag.bound->R);
    }
    Outcome outcome = outcome_of(set.dags, R_);
    if (choice.periodic) outcome.left_out = is_left_out(proof);
    if (choice.simulated) add_observed(outcome, observe(proof, *choice.simulated, choice.search_runs));
    return outcome;
  } catch (const Overflow&) {
    return {};
  } catch (const UserError&) {
    return {};
  }
}

void SetAnalyzer::add_observed(Outcome& outcome, std::span<const Time> largest) const {
  Wide sum = 0;
  Wide millionths = 0;
  Wide counted = 0;
  for (std::size_t d = 0; d < largest.size(); ++d) {
    sum += largest[d].count();
    if (largest[d] == Time::zero()) continue;  // not released within the simulated time
    ++counted;
    millionths += ceil_div(static_cast<Wide>(R_[d].count()) * 1'000'000, largest[d].count());
  }
  if (counted == 0) return;
  outcome.observed = true;
  outcome.observed_mean = to_time(ceil_div(sum, static_cast<Wide>(largest.size())));
  outcome.over_observed = to_time(ceil_div(millionths, counted)).count();
}

}  // namespace rta::sweep
