#include "analysis/cpu/gel_refinement.hpp"

#include <algorithm>
#include <optional>

#include "analysis/cpu/gel_demand.hpp"

namespace rta::analysis::gel {
namespace {

constexpr int most_rounds = 100;
constexpr std::size_t most_pairs = 40'000'000;  // of tasks that T1n looks at, in all rounds: some tenths of a second
constexpr Wide most_choices = 1024;             // of c, counted from ceil(U); m is always one

// T1c: the pieces of work that can be left over, ceil(R_i/T_i) of C_i each, longest first.
class Pieces {
 public:
  explicit Pieces(std::span<const Task> tasks) {
    for (std::size_t i = 0; i < tasks.size(); ++i) runs_.push_back({i, tasks[i].C.count(), 0, 0});
    std::sort(runs_.begin(), runs_.end(), [](const Run& a, const Run& b) { return a.C > b.C; });
  }

  void count(std::span<const Task> tasks, std::span<const Time> R) {
    Wide pieces = 0;
    Wide work = 0;
    for (Run& run : runs_) {
      const Wide jobs = ceil_div(R[run.task].count(), tasks[run.task].T.count());
      pieces += jobs;
      work = checked_add(work, checked_mul(jobs, run.C));
      run.pieces = pieces;
      run.work = work;
    }
  }

  // The sum of the `most` longest.
  [[nodiscard]] Wide longest(Wide most) const {
    const auto at = std::lower_bound(runs_.begin(), runs_.end(), most, [](const Run& run, Wide n) { return run.pieces < n; });
    if (at == runs_.end()) return runs_.empty() ? 0 : runs_.back().work;
    return at->work - (at->pieces - most) * at->C;
  }

 private:
  struct Run {
    std::size_t task;
    Wide C;
    Wide pieces;  // of this run and all before
    Wide work;
  };
  std::vector<Run> runs_;
};

}  // namespace

Time bound(const Task& task, const Terms& terms, std::uint32_t processors) {
  const Wide m = processors;
  const FineTime backlog = terms.carry + terms.demand + fine(task.C) * (m - 1);
  return to_time(checked_add(Wide{task.Y.count()} - terms.shift.count(), ceil_div(backlog.count(), m << fine_bits)));
}

void refine(std::span<const Task> tasks, std::uint32_t processors, const Utilization& U, Refinement refinement, Bounds& bounds) {
  const bool all = refinement == Refinement::all;
  const bool early = all || refinement == Refinement::early;
  const bool demand = early || refinement == Refinement::demand;
  const bool carry = early || refinement == Refinement::carry;
  const bool response = all || refinement == Refinement::response;
  Terms& terms = bounds.terms;
  const FineTime V = terms.demand;
  const FineTime C_max = fine(terms.C_max);
  const Wide first = terms.ceil_U;
  const Wide last = demand ? std::min<Wide>(processors, first + most_choices) : first;

  std::optional<ExactDemand> ahead;
  if (demand) ahead.emplace(tasks, terms.shift, U, V);
  std::vector<std::optional<FineTime>> known(static_cast<std::size_t>(last - first) + 2);  // one more for c = m
  Pieces pieces(carry ? tasks : tasks.first(0));

  // True if the choice of c improves the shared terms.
  const auto attempt = [&](Wide c, std::optional<FineTime>& known_demand) {
    const FineTime plain = C_max * (c - 1);
    const FineTime left = carry ? std::min(plain, fine(to_time(pieces.longest(c - 1)))) : plain;
    const FineTime total = terms.carry + terms.demand;
    if (left >= total) return false;
    if (!demand) known_demand = V;
    if (!known_demand) known_demand = (*ahead)(c, total - left);
    if (!known_demand || left + *known_demand >= total) return false;
    terms.c = c;
    terms.carry = left;
    terms.demand = *known_demand;
    terms.counted_carry = left < plain;
    terms.exact_demand = *known_demand < V;
    return true;
  };

  std::size_t pairs = most_pairs;
  for (int round = 0; round < most_rounds; ++round) {
    if (carry) pieces.count(tasks, bounds.R);
    bool improved = false;
    for (Wide c = first; c <= last; ++c) improved |= attempt(c, known[static_cast<std::size_t>(c - first)]);
    if (demand && last < processors) improved |= attempt(processors, known.back());
    if (improved) {
      for (std::size_t k = 0; k < tasks.size(); ++k) bounds.R[k] = std::min(bounds.R[k], bound(tasks[k], terms, processors));
    }
    if (response) {
      std::vector<Time> R = bounds_from_proven(tasks, processors, bounds.R, pairs);
      improved |= R != bounds.R;
      bounds.R = std::move(R);
    }
    if (!improved || !(carry || response)) break;
  }
}

}  // namespace rta::analysis::gel
