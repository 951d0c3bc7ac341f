#include "analysis/cpu/gel_refinement.hpp"

#include <algorithm>
#include <optional>

#include "analysis/cpu/gel_demand.hpp"
#include "analysis/cpu/gel_pieces.hpp"
#include "analysis/cpu/gel_release.hpp"

namespace rta::analysis::gel {
namespace {

constexpr int most_rounds = 100;
constexpr std::size_t most_pairs = 40'000'000;  // of tasks that T1r and T1n look at, in all rounds: some tenths of a second
constexpr Wide most_choices = 1024;             // of c, counted from ceil(U); m is always one

/// T1r with the carry counted by jobs.
class FromRelease {
 public:
  FromRelease(std::span<const Task> tasks, std::uint32_t processors, Wide ceil_U, std::size_t& budget)
      : tasks_(tasks), m_(processors), pieces_(ceil_U - 1), demands_(released_demands(tasks, budget)) {}

  /// True if it lowers some bound.
  bool lower(const Pieces& pieces, std::vector<Time>& R) const {
    if (demands_.empty()) return false;
    bool improved = false;
    const FineTime left = carry(pieces);
    for (std::size_t k = 0; k < R.size(); ++k) {
      const Time from_release = bound(k, left);
      improved |= from_release < R[k];
      R[k] = std::min(R[k], from_release);
    }
    return improved;
  }

  /// T1r where it proves R, else T1n.
  [[nodiscard]] std::vector<Theorem> theorems(const Pieces& pieces, std::span<const Time> R) const {
    std::vector<Theorem> theorems(R.size(), Theorem::T1n);
    if (demands_.empty()) return theorems;
    const FineTime left = carry(pieces);
    for (std::size_t k = 0; k < R.size(); ++k) {
      if (bound(k, left) <= R[k]) theorems[k] = Theorem::T1r;
    }
    return theorems;
  }

 private:
  [[nodiscard]] FineTime carry(const Pieces& pieces) const { return fine(to_time(pieces.longest(pieces_))); }
  [[nodiscard]] Time bound(std::size_t k, FineTime carry) const { return bound_from_release(tasks_[k], carry, demands_[k], m_); }

  std::span<const Task> tasks_;
  std::uint32_t m_;
  Wide pieces_;
  std::vector<FineTime> demands_;  // empty: more different tasks than there is time for
};

}  // namespace

Time bound(const Task& task, const Terms& terms, std::uint32_t processors) {
  const Wide m = processors;
  const FineTime backlog = terms.carry + terms.demand + fine(task.C) * (m - 1);
  return to_time(checked_add(Wide{task.Y.count()} - terms.shift.count(), ceil_div(backlog.count(), m << fine_bits)));
}

std::vector<Theorem> refine(std::span<const Task> tasks, std::uint32_t processors, const Utilization& U, Refinement refinement,
                            Bounds& bounds) {
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
  Pieces pieces(carry || response ? tasks : tasks.first(0));
  std::size_t pairs = most_pairs;
  std::optional<FromRelease> from_release;
  if (response) from_release.emplace(tasks, processors, first, pairs);

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

  for (int round = 0; round < most_rounds; ++round) {
    if (carry || response) pieces.count(tasks, bounds.R);
    bool improved = false;
    for (Wide c = first; c <= last; ++c) improved |= attempt(c, known[static_cast<std::size_t>(c - first)]);
    if (demand && last < processors) improved |= attempt(processors, known.back());
    if (improved) {
      for (std::size_t k = 0; k < tasks.size(); ++k) bounds.R[k] = std::min(bounds.R[k], bound(tasks[k], terms, processors));
    }
    if (response) {
      improved |= from_release->lower(pieces, bounds.R);
      std::vector<Time> R = bounds_from_proven(tasks, processors, bounds.R, pairs);
      improved |= R != bounds.R;
      bounds.R = std::move(R);
    }
    if (!improved || !(carry || response)) break;
  }
  if (!response) return std::vector<Theorem>(tasks.size(), Theorem::T1n);
  pieces.count(tasks, bounds.R);
  return from_release->theorems(pieces, bounds.R);
}

}  // namespace rta::analysis::gel
