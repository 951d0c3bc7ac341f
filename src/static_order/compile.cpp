#include "rta/static_order/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "build_problem.hpp"
#include "good_orders.hpp"
#include "rta/model/error.hpp"
#include "rta/static_order/verify.hpp"
#include "search.hpp"

namespace rta::static_order {
namespace {

using Clock = std::chrono::steady_clock;

// Delay first, then what the objective counts.
Cost cost_of(const ScheduledHyperepoch& hyperepoch, const HyperepochProof& proof, Objective objective) {
  Cost cost{std::max(proof.lateness, Time::zero()).count(), proof.length.count()};
  if (objective == Objective::lateness) cost.objective = proof.lateness.count();
  if (objective == Objective::end_to_end) {
    Time longest;
    for (const FrameProof& frame : proof.frames) longest = std::max(longest, frame.end - frame.start);
    cost.objective = longest.count();
  }
  static_cast<void>(hyperepoch);
  return cost;
}

Obstacle obstacle_of(const LowerBound& bound, const HyperepochProblem& hyperepoch, const Problem& problem) {
  Obstacle obstacle;
  using Kind = Obstacle::Kind;
  switch (bound.reason) {
    case LowerBound::Reason::chain: obstacle.kind = Kind::chain; break;
    case LowerBound::Reason::machine: obstacle.kind = Kind::resource; break;
    case LowerBound::Reason::machines: obstacle.kind = Kind::resources; break;
    case LowerBound::Reason::load: obstacle.kind = Kind::gpu; break;
    case LowerBound::Reason::search: obstacle.kind = Kind::search; break;
  }
  obstacle.late = Time(bound.lateness);
  if (obstacle.kind == Kind::search) return obstacle;
  for (const TaskId task : bound.tasks) obstacle.runnables.push_back(hyperepoch.task_name(task));
  for (const MachineId machine : bound.machines) obstacle.resources.push_back(hyperepoch.machine_name(machine));
  if (obstacle.kind == Kind::gpu) obstacle.resources = hyperepoch.load_names(problem.loads[bound.load]);
  obstacle.from = Time(bound.from);
  obstacle.work = Time(bound.work);
  return obstacle;
}

struct CompiledCandidate {
  ScheduledHyperepoch schedule;
  HyperepochProof proof;
  Cost cost;
};

class HyperepochCompiler {
 public:
  HyperepochCompiler(const Graph& graph, HyperepochId id, const CompileOptions& options, std::optional<Clock::time_point> until)
      : options_(options), hyperepoch_(graph, id, options), name_(graph.hyperepochs[id].name), search_(search_options(until)) {}

  CompiledHyperepoch run(ScheduledHyperepoch& schedule) {
    const PlanChoice plans = best_plans();
    const Problem problem = hyperepoch_.problem(plans);
    const auto result = search(problem, search_);
    if (!result) throw UserError(why_none(problem.size()));
    const bool planned = std::ranges::any_of(plans, [](const auto& plan) { return plan.has_value(); });
    std::optional<CompiledCandidate> best;
    if (!planned || options_.gpu != GpuSharing::streams || !may_use_streams())
      best = candidate(hyperepoch_.schedule(problem, plans, result->order, result->times, false));
    if (planned && may_use_streams()) offer_streams(problem, plans, *result, best);
    CompiledHyperepoch compiled = judged(problem, plans, *result, *best);
    schedule = std::move(best->schedule);
    for (std::size_t i = 0; i < schedule.runnables.size(); ++i) {
      schedule.runnables[i].start = best->proof.runnables[i].start;
      schedule.runnables[i].end = best->proof.runnables[i].end;
    }
    schedule.length = best->proof.length;
    if (options_.objective == Objective::length) schedule.lower_bound = compiled.objective_bound;
    compiled.proof = std::move(best->proof);
    return compiled;
  }

 private:
  [[nodiscard]] SearchOptions search_options(std::optional<Clock::time_point> until) const {
    SearchOptions options;
    options.seed = options_.seed;
    options.effort = options_.effort;
    options.until = until;
    options.threads = options_.threads;
    options.stop = options_.stop;
    if (options_.progress) {
      options.progress = [this](const Cost& best, const Cost& bound) {
        options_.progress({name_, Time(best.objective), Time(bound.objective)});
      };
    }
    return options;
  }

  [[nodiscard]] std::string why_none(std::size_t jobs) const {
    if (!search_.over())
      return fmt::format("hyperepoch '{}': no order was found in which every stream keeps the order of its submitters", name_);
    return fmt::format("hyperepoch '{}': {} before a first order of its {} jobs was found", name_,
                       search_.stopped() ? "interrupted" : "the time limit was reached", jobs);
  }

  // T15g asks for the blocks of all kernels, and for kernels that do not start before their submitters end.
  [[nodiscard]] bool may_use_streams() const {
    if (options_.submittee == Submittee::overlap || (options_.gpu != GpuSharing::best && options_.gpu != GpuSharing::streams)) return false;
    return std::ranges::all_of(hyperepoch_.gpus(), [](const GpuKernels& g) { return g.plans.empty() || g.complete; });
  }

  // One at a time, or by the weights with which first orders are shortest.
  [[nodiscard]] PlanChoice best_plans() const {
    const auto& gpus = hyperepoch_.gpus();
    PlanChoice best(gpus.size());
    std::size_t most = 0;
    for (const GpuKernels& gpu : gpus) most = std::max(most, gpu.plans.size());
    if (most == 0) return best;
    std::optional<Cost> least;
    if (options_.gpu == GpuSharing::best) least = first_cost(best);
    for (std::size_t p = 0; p < most && (p == 0 || !search_.over()); ++p) {
      PlanChoice plans(gpus.size());
      for (std::size_t g = 0; g < gpus.size(); ++g) {
        if (!gpus[g].plans.empty()) plans[g] = std::min(p, gpus[g].plans.size() - 1);
      }
      const auto cost = first_cost(plans);
      if (least && (!cost || *cost >= *least)) continue;
      least = cost;
      best = plans;
    }
    return best;
  }

  [[nodiscard]] std::optional<Cost> first_cost(const PlanChoice& plans) const {
    const Problem problem = hyperepoch_.problem(plans);
    GoodOrders pool(problem);
    add_list_schedules(
        problem, pool, [&] { return search_.over(); }, [&] { return search_.hopeless(); });
    return pool.empty() ? std::nullopt : std::optional(pool.best().cost);
  }

  [[nodiscard]] CompiledCandidate candidate(ScheduledHyperepoch schedule) const {
    Cycle cycle;
    auto proof = prove(schedule, cycle);
    require(proof.has_value(), "an order that was found has no cycle");
    const Cost cost = cost_of(schedule, *proof, options_.objective);
    return {std::move(schedule), std::move(*proof), cost};
  }

  void offer_streams(const Problem& problem, const PlanChoice& plans, const SearchResult& result,
                     std::optional<CompiledCandidate>& best) const {
    constexpr std::size_t most_kernels = 2000;
    constexpr std::size_t most_orders = 4;
    std::size_t kernels = 0;
    for (const GpuKernels& gpu : hyperepoch_.gpus()) kernels += gpu.of.size();
    if (best && kernels > most_kernels) return;
    Evaluation evaluate(problem);
    const std::vector<Ns> due = due_for(problem, 0);
    for (std::size_t i = 0; i <= std::min(most_orders, result.others.size()); ++i) {
      const Order& order = i == 0 ? result.order : result.others[i - 1];
      Times times;
      if (!evaluate(order, due, times)) continue;
      CompiledCandidate found = candidate(hyperepoch_.schedule(problem, plans, order, times, true));
      if (!best || found.cost < best->cost) best = std::move(found);
    }
  }

  [[nodiscard]] CompiledHyperepoch judged(const Problem& problem, const PlanChoice& plans, const SearchResult& result,
                                          const CompiledCandidate& best) const {
    CompiledHyperepoch compiled;
    compiled.objective = Time(best.cost.objective);
    compiled.objective_bound = Time(result.bound.objective);
    compiled.reason = obstacle_of(result.reason, hyperepoch_, problem);
    if (result.bound.late > 0) compiled.late = obstacle_of(result.late_reason, hyperepoch_, problem);
    const bool one_at_a_time = std::ranges::none_of(plans, [](const auto& plan) { return plan.has_value(); });
    if (one_at_a_time && options_.gpu != GpuSharing::one &&
        std::ranges::any_of(hyperepoch_.gpus(), [](const GpuKernels& g) { return !g.plans.empty(); }))
      bound_by_sharing(compiled, problem.size());
    using Ending = CompiledHyperepoch::Ending;
    switch (result.ending) {
      case SearchResult::Ending::optimal: compiled.ending = Ending::optimal; break;
      case SearchResult::Ending::effort: compiled.ending = Ending::effort; break;
      case SearchResult::Ending::time_limit: compiled.ending = Ending::time_limit; break;
      case SearchResult::Ending::stopped: compiled.ending = Ending::stopped; break;
    }
    const bool closed = compiled.objective <= compiled.objective_bound;
    if (closed) compiled.ending = Ending::optimal;
    if (!closed && compiled.ending == Ending::optimal) compiled.ending = Ending::effort;  // among orders of one kernel at a time
    return compiled;
  }

  // What holds for one kernel at a time does not for kernels that share: a bound for all ways of sharing.
  void bound_by_sharing(CompiledHyperepoch& compiled, std::size_t tasks) const {
    PlanChoice plans(hyperepoch_.gpus().size());
    for (std::size_t g = 0; g < plans.size(); ++g) {
      if (!hyperepoch_.gpus()[g].plans.empty()) plans[g] = 0;
    }
    const Problem shared = hyperepoch_.problem(plans);
    std::vector<Ns> due(tasks);
    for (TaskId t = 0; t < tasks; ++t) due[t] = -shared.tasks[t].weight;
    const auto enough = [&] { return search_.hopeless(); };
    const LowerBound bound = lower_bound(shared, due, enough);
    compiled.objective_bound = Time(bound.lateness);
    compiled.reason = obstacle_of(bound, hyperepoch_, shared);
    for (TaskId t = 0; t < tasks; ++t) due[t] = shared.tasks[t].due;
    const LowerBound late = lower_bound(shared, due, enough);
    compiled.late.reset();
    if (late.lateness > 0) compiled.late = obstacle_of(late, hyperepoch_, shared);
  }

  const CompileOptions& options_;
  HyperepochProblem hyperepoch_;
  std::string name_;
  SearchOptions search_;
};

}  // namespace

std::string_view to_string(Objective objective) {
  constexpr std::array<std::string_view, 3> words{"length", "lateness", "end-to-end"};
  return words[static_cast<std::size_t>(objective)];
}

std::string_view to_string(GpuSharing sharing) {
  constexpr std::array<std::string_view, 4> words{"best", "one", "weights", "streams"};
  return words[static_cast<std::size_t>(sharing)];
}

bool Compilation::feasible() const {
  return std::ranges::all_of(hyperepochs, [](const CompiledHyperepoch& h) { return h.feasible(); });
}

Compilation compile(const Graph& graph, const CompileOptions& options) {
  Compilation out;
  out.schedule.identifier = graph.identifier;
  out.schedule.submittee = options.submittee;
  for (const Client& client : graph.clients) out.schedule.clients.push_back(client.name);
  auto now = Clock::now();
  for (HyperepochId id = 0; id < graph.hyperepochs.size(); ++id) {
    std::optional<Clock::time_point> until;
    if (options.time_limit) {
      // What is left is shared by those that are left.
      const auto end = now + std::min<Clock::duration>(*options.time_limit, std::chrono::hours(1'000'000));  // within the clock's range
      const auto left = std::max(end - Clock::now(), Clock::duration::zero());
      until = Clock::now() + left / static_cast<int>(graph.hyperepochs.size() - id);
    }
    out.hyperepochs.push_back(HyperepochCompiler(graph, id, options, until).run(out.schedule.hyperepochs.emplace_back()));
  }
  const Verification verified = verify(out.schedule, graph);
  for (const Fault& fault : verified.faults) require(fault.kind == Fault::Kind::late, "a schedule that was found is one of its graph");
  return out;
}

}  // namespace rta::static_order
