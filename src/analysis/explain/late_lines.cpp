#include "analysis/explain/late_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "analysis/explain/late_terms.hpp"
#include "analysis/explain/path_words.hpp"

namespace rta::analysis {
namespace {

/// T14j.
std::vector<std::string> sliced_lines(FineTime total, const path::SporadicSum& late, const path::Pool& pool, Time bound) {
  const std::string share = fmt::format("({} + {})/{}", pool.slices->slice.count(), pool.slices->gap.count(), pool.slices->slice.count());
  std::vector<std::string> all{"T14j: F = A + ((carry + work - s)/capacity + e) (S + G)/S + G"};
  all.push_back(fmt::format("A = {} ns: its predecessors end by then", late.ready.count()));
  all.push_back(fmt::format("(S + G)/S = {}: slices of S ns with up to G ns between them", share));
  all.push_back(fmt::format("carry/capacity (S + G)/S = {} ns: {}", text(late.carry),
                            late.resident ? fmt::format("what fits on pool {} beside room for any block", pool.name)
                                          : fmt::format("left from before pool {} was busy, and what comes in a gap", pool.name)));
  all.push_back(fmt::format("work/capacity (S + G)/S = {} ns: of all jobs on it since then", text(late.work)));
  all.push_back(fmt::format("F = {} + {} + {} + {} + {} = {} {} {} ns, rounded up", late.ready.count(), text(late.carry), text(late.work),
                            text(late.own), late.gap.count(), text(total), ceil_to_time(total) < bound ? "<=" : "=", bound.count()));
  return all;
}

/// T11j (T12j) on one processor.
std::vector<std::string> busy_lines(const SegmentBounds& bounds, const Inequality& of, const path::SporadicSum& late,
                                    const path::Pool& pool, Time bound) {
  const std::int64_t length = (ceil_to_time(of.total) - late.ready).count();
  std::vector<std::string> all{
      fmt::format("{}: F = A + y, y the least with x + y >= the work that is ready within x + y and goes before it, and its own",
                  to_string(of.theorem)),
      fmt::format("A = {} ns: its predecessors end by then", late.ready.count()),
      fmt::format("pool {} ({}) is busy from x = {} ns before it is ready, at the worst:", pool.name, order_in_words(pool),
                  late.busy->before.count())};
  for (const path::CountedJobs& jobs : late.busy->jobs) {
    if (jobs.work == 0) continue;
    const std::string& dag = bounds.system.system.dags[jobs.dag].name;
    all.push_back(fmt::format("  {}: {}, work {}", dag, jobs_in_words(jobs), rta::to_string(jobs.work)));
  }
  all.push_back(
      fmt::format("F = {} + {} {} {} ns", late.ready.count(), length, ceil_to_time(of.total) < bound ? "<=" : "=", bound.count()));
  return all;
}

}  // namespace

std::vector<std::string> late_lines(const TaskSet& task_set, std::span<const DagId> dags, const SegmentBounds& bounds,
                                    const PathSystem::Place& place, const Inequality& of, const path::SporadicSum& late, Time bound) {
  const path::System& system = bounds.system.system;
  const path::Pool& pool = system.pools[system.dags[place.dag].nodes[place.node].pool];
  const std::string_view theorem = to_string(of.theorem);
  if (late.busy) return busy_lines(bounds, of, late, pool, bound);
  if (pool.slices) return sliced_lines(of.total, late, pool, bound);
  const bool urgent = pool.order == path::Order::fixed;
  const char* const capacity = urgent ? "rest" : "capacity";
  std::vector<std::string> all{
      urgent ? fmt::format("{}: F = A + (carry + work + (m-1) C)/rest, rest: the capacity less the utilization of what is more urgent",
                           theorem)
             : fmt::format("{}: F = A + (carry + work)/capacity + e - s/capacity, capacity {}", theorem, capacity_in_words(pool))};
  all.push_back(fmt::format("A = {} ns: its predecessors end by then", late.ready.count()));
  all.push_back(fmt::format("carry/{} = {} ns: left of jobs from before pool {} ({}) was busy{}", capacity, text(late.carry), pool.name,
                            order_in_words(pool), late.resident ? " on every SM" : ""));
  const LateTerms terms = urgent ? LateTerms{} : late_terms(task_set, dags, bounds, place);
  std::ranges::copy(terms.carry, std::back_inserter(all));
  all.push_back(fmt::format("work/{} = {} ns: of all jobs on it{} since then", capacity, text(late.work), urgent ? " as urgent" : ""));
  std::ranges::copy(terms.work, std::back_inserter(all));
  all.push_back(fmt::format("F = {} + {} + {} + {} = {} = {} ns, rounded up", late.ready.count(), text(late.carry), text(late.work),
                            text(late.own), text(of.total), bound.count()));
  return all;
}

}  // namespace rta::analysis
