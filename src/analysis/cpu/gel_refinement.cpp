#include "analysis/cpu/gel_refinement.hpp"

#include <algorithm>
#include <optional>

#include "analysis/cpu/gel_demand.hpp"
#include "analysis/cpu/gel_pieces.hpp"
#include "analysis/cpu/gel_release.hpp"
#include "analysis/cpu/priority_order.hpp"

namespace rta::analysis::gel {
namespace {

constexpr int most_rounds = 100;
constexpr std::size_t most_pairs = 40'000'000;  // of tasks that T1r and T1n look at, in all rounds: some tenths of a second
constexpr Wide most_choices = 1024;             // of c, counted from ceil(U); m is always one

}  // namespace

Time bound(const Task& task, const Terms& terms, std::uint32_t processors) {
  const Wide m = processors;
  const FineTime backlog = terms.carry + terms.demand + fine(task.C) * (m - 1);
  return to_time(checked_add(Wide{task.Y.count()} - terms.shift.count(), ceil_div_narrow(backlog.count(), m << fine_bits)));
}

// Whichever of T1n, T1r and T1re proves what is below the bounds from the shared terms; T1n first, which counts jobs of each task.
void set_origins(std::span<const Task> tasks, std::uint32_t processors, const FromRelease& from_release, Pieces& pieces, std::size_t pairs,
                 Bounds& bounds) {
  pieces.count(tasks, bounds.R);
  bounds.c.resize(tasks.size());
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    if (bounds.R[k] >= bound(tasks[k], bounds.terms, processors)) continue;
    const bool affordable = pairs >= tasks.size();
    if (affordable) pairs -= tasks.size();
    if (affordable && follows_from_proven(tasks, processors, bounds.R, k)) {
      bounds.theorem[k] = Theorem::T1n;
      continue;
    }
    const auto origin = from_release.origin(pieces, k, bounds.R[k]);
    bounds.theorem[k] = origin ? origin->theorem : Theorem::T1n;
    bounds.c[k] = origin ? origin->c : 0;
  }
}

namespace {

void add_steps(const ExactDemand& ahead, std::vector<LeftOut>& left_out) {
  using Limit = LeftOut::Limit;
  if (ahead.spent()) {
    left_out.push_back(
        {.what = LeftOut::What::coarser, .theorems = {Theorem::T1e}, .limit = Limit::steps, .most = ExactDemand::most_steps, .where = {}});
  }
  if (ahead.spent_beyond())
    left_out.push_back({.theorems = {Theorem::T1re}, .limit = Limit::steps, .most = ahead.most_steps_beyond(), .where = {}});
}

}  // namespace

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
  if (demand || response) ahead.emplace(tasks, terms.shift, U, V);
  std::vector<std::optional<FineTime>> known(static_cast<std::size_t>(last - first) + 2);  // one more for c = m
  Pieces pieces(carry || response ? tasks : tasks.first(0));

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
  std::optional<FromRelease> from_release;
  if (response) from_release.emplace(tasks, processors, first, pairs);
  bool settled = false;
  for (int round = 0; round < most_rounds && !settled; ++round) {
    if (carry || response) pieces.count(tasks, bounds.R);
    bool improved = false;
    for (Wide c = first; c <= last; ++c) improved |= attempt(c, known[static_cast<std::size_t>(c - first)]);
    if (demand && last < processors) improved |= attempt(processors, known.back());
    if (improved) {
      for (std::size_t k = 0; k < tasks.size(); ++k) bounds.R[k] = std::min(bounds.R[k], bound(tasks[k], terms, processors));
    }
    if (response) {
      if (round == 0) from_release->walk(std::min<Wide>(processors, first + most_choices), *ahead, pieces, bounds.R);
      improved |= from_release->lower(pieces, bounds.R);
      std::vector<Time> R = bounds_from_proven(tasks, processors, bounds.R, pairs);
      improved |= R != bounds.R;
      bounds.R = std::move(R);
    }
    settled = !improved || !(carry || response);
  }
  using Limit = LeftOut::Limit;
  if (demand && last + 1 < processors) {
    bounds.left_out.push_back({.what = LeftOut::What::coarser,
                               .theorems = {Theorem::T1e},
                               .limit = Limit::choices,
                               .most = static_cast<std::size_t>(most_choices) + 2,
                               .found = static_cast<std::size_t>(processors - first + 1),
                               .where = {}});
  }
  if (ahead) add_steps(*ahead, bounds.left_out);
  if (response && from_release->leaves_T1r_out())
    bounds.left_out.push_back({.theorems = {Theorem::T1r}, .limit = Limit::pairs, .most = most_pairs, .where = {}});
  if (response && pairs < tasks.size())
    bounds.left_out.push_back({.theorems = {Theorem::T1n}, .limit = Limit::pairs, .most = most_pairs, .where = {}});
  if (!settled) {
    bounds.left_out.push_back({.what = LeftOut::What::coarser,
                               .theorems = {carry ? Theorem::T1c : Theorem::T1n},
                               .limit = Limit::rounds,
                               .most = static_cast<std::size_t>(most_rounds),
                               .where = {}});
  }
  if (response) set_origins(tasks, processors, *from_release, pieces, pairs, bounds);
}

}  // namespace rta::analysis::gel
