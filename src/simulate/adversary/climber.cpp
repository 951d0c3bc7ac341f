#include "climber.hpp"

namespace rta::simulate {

void Climber::round(std::uint64_t runs, std::uint64_t cost) {
  runs_ = runs;
  cost_ = cost;
  spent_ = 0;
  while (may_go_on()) step();
}

std::optional<Time> Climber::response(const Options& run, DagId target) {
  const Observation seen = simulate(ground_.task_set, ground_.schedule, run);
  --runs_;
  spent_ += cost_of(seen);
  if (seen.ending == Ending::stopped || seen.ending == Ending::timed_out) return std::nullopt;  // cut short: another time it shows more
  records_.look(seen, run, &known_.records);
  const Statistics& s = seen.dags[target].response;
  return s.count() == 0 ? std::nullopt : std::optional(s.max());
}

}  // namespace rta::simulate
