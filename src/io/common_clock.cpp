#include "common_clock.hpp"

#include <algorithm>
#include <variant>

#include "rta/model/kernel_time.hpp"

namespace rta::io {
namespace {

constexpr Wide most_of_clock = Wide{1} << 62U;  // what a time is multiplied by
constexpr Wide hundred_thousand = 100'000;

// The greatest time of which both are multiples; none where its parts are too large to compute with.
std::optional<ExactTime> common_part(ExactTime a, ExactTime b) {
  const Wide denominators = gcd(a.denominator, b.denominator);
  const Wide to_a = b.denominator / denominators, to_b = a.denominator / denominators;
  if (a.denominator > most_of_clock / to_a || a.numerator > most_of_clock / to_a || b.numerator > most_of_clock / to_b) return std::nullopt;
  return exact_time(gcd(a.numerator * to_a, b.numerator * to_b), a.denominator * to_a);
}

bool has_time_of_its_own(const Pool& pool) {
  const auto* const cpu = std::get_if<CpuPool>(&pool.resource);
  const auto* const gpu = std::get_if<GpuPool>(&pool.resource);
  return (cpu != nullptr && cpu->reservation) || (gpu != nullptr && gpu->sharing);
}

struct OnClock {
  const CommonClock& clock;
  const Pool& pool;

  void operator()(CpuDemand& job) const { job.C = clock.at_least(job.C); }
  void operator()(CopyDemand& copy) const { copy.C = clock.at_least(copy.C); }
  void operator()(WorkerDemand& items) const { items.L = clock.at_least(items.L); }
  void operator()(GpuDemand& kernel) const {
    if (kernel.time) kernel.time = clock.at_least(*kernel.time);
    if (!kernel.has_blocks) {
      GpuDemand longer = kernel_by_time(*kernel.time, std::get<GpuPool>(pool.resource), kernel.priority);
      longer.alone = kernel.alone;
      longer.interference_class = kernel.interference_class;
      kernel = longer;
      return;
    }
    const Time more = clock.at_least(kernel.L) - kernel.L;
    kernel.C = kernel.C + Workload(checked_mul<Wide>(more.count(), kernel.H));
    kernel.L = kernel.L + more;
  }
};

std::optional<Time> exact_of(const CommonClock& clock, std::optional<Time> time) {
  return time ? std::optional(clock.exact(*time)) : std::nullopt;
}

Dag by_clock(const CommonClock& clock, const Dag& dag, ExactTime T, const std::vector<Pool>& pools) {
  std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
  for (Node& node : nodes) {
    std::visit(OnClock{clock, pools[node.pool]}, node.demand);
    node.deadline = exact_of(clock, node.deadline);
  }
  DagAttributes attributes = dag.attributes();
  attributes.jitter = clock.at_least(attributes.jitter);
  attributes.phase = exact_of(clock, attributes.phase);
  if (attributes.T_max) attributes.T_max = std::max(clock.at_least(*attributes.T_max), clock.exact(T));
  return {dag.name(),       clock.exact(T) - attributes.jitter,       exact_of(clock, dag.deadline()),
          std::move(nodes), {dag.edges().begin(), dag.edges().end()}, std::move(attributes)};
}

}  // namespace

bool has_other_clock(std::span<const Pool> pools) { return std::ranges::any_of(pools, has_time_of_its_own); }

std::optional<CommonClock> CommonClock::of(std::span<const ExactTime> times) {
  std::optional<ExactTime> part;
  for (const ExactTime& time : times) {
    part = part ? common_part(*part, time) : std::optional(time);
    if (!part) return std::nullopt;
  }
  if (!part) return std::nullopt;
  // The common part takes so many whole ns, rounded up, by the clock.
  const Wide counts = ceil_div(part->numerator, part->denominator);
  if (counts > most_of_clock / part->denominator) return std::nullopt;
  const CommonClock clock(counts * part->denominator, part->numerator);
  const Wide more = clock.counts_ - clock.ns_;
  if (more > clock.ns_ / hundred_thousand) return std::nullopt;
  return clock;
}

Time CommonClock::exact(ExactTime time) const { return to_time(checked_mul(time.numerator, counts_) / checked_mul(ns_, time.denominator)); }

Time CommonClock::at_least(Time time) const { return to_time(ceil_div(checked_mul(Wide{time.count()}, counts_), ns_)); }

std::optional<PoolsAndDags> on_common_clock(const std::vector<Pool>& pools, const std::vector<Dag>& dags,
                                            std::span<const ExactTime> periods) try {
  if (has_other_clock(pools)) return std::nullopt;
  std::vector<ExactTime> times(periods.begin(), periods.end());
  const auto add = [&](std::optional<Time> time) {
    if (time && *time > Time::zero()) times.push_back({time->count(), 1});
  };
  for (const Dag& dag : dags) {
    add(dag.deadline());
    add(dag.attributes().phase);
    for (const Node& node : dag.nodes()) add(node.deadline);
  }
  const auto clock = CommonClock::of(times);
  if (!clock) return std::nullopt;
  PoolsAndDags result{pools, {}};
  for (Pool& pool : result.pools) {
    if (auto* const workers = std::get_if<WorkerPool>(&pool.resource))
      workers->dispatch_overhead = clock->at_least(workers->dispatch_overhead);
  }
  for (DagId d = 0; d < dags.size(); ++d) {
    if (clock->at_least(dags[d].attributes().jitter) >= clock->exact(periods[d])) return std::nullopt;
    result.dags.push_back(by_clock(*clock, dags[d], periods[d], result.pools));
  }
  return result;
} catch (const Overflow&) {
  return std::nullopt;
}

}  // namespace rta::io
