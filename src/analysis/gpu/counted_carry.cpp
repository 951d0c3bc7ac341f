#include "rta/analysis/gpu/counted_carry.hpp"

#include <algorithm>
#include <optional>

#include "rta/model/error.hpp"

namespace rta::analysis::fifo {
namespace {

using Terms = std::vector<CountedCarry::Term>;

Wide carry(const Terms& terms, Wide room, Wide lambda) {
  Wide sum = checked_mul(lambda, room);
  for (const CountedCarry::Term& term : terms) {
    const Wide rest = checked_sub(term.work, checked_mul(lambda, term.price));
    if (rest > 0) sum = checked_add(sum, checked_mul(term.blocks, rest));
  }
  return sum;
}

/// It is convex in lambda, and piecewise linear between the lambda at which some term is 0: the least whole one by halving.
Wide best_lambda(const Terms& terms, Wide room) {
  Wide low = 0;
  Wide high = 0;
  for (const CountedCarry::Term& term : terms) {
    if (term.price > 0) high = std::max(high, term.work / term.price + 1);
  }
  while (low < high) {
    const Wide middle = low + (high - low) / 2;
    if (carry(terms, room, middle) <= carry(terms, room, middle + 1)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

CountedCarry least_carry(Terms terms, Wide room, Resource resource) {
  const Wide lambda = best_lambda(terms, room);
  return {lambda, resource, room, carry(terms, room, lambda), std::move(terms)};
}

}  // namespace

CountedCarry counted_carry(std::span<const Task> given, const GpuPool& gpu, const GpuBounds& bounds, const Basis& basis) {
  const WeightSet& set = bounds.sets[basis.set];
  std::vector<Task> tasks;
  Terms terms;
  tasks.reserve(given.size());
  terms.reserve(given.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Task& task = tasks.emplace_back(rounded_to_warps(given[i], gpu));
    require(bounds.R[i].has_value(), "carry is counted where every kernel has a bound");
    const Wide jobs = ceil_div(static_cast<Wide>(bounds.R[i]->count()) + task.J.count(), task.T.count());
    terms.push_back({jobs, checked_mul(jobs, static_cast<Wide>(task.B)), checked_mul(set.density[i], task.C.count()), 0});
  }
  if (basis.carry == Carry::counted_light) {
    for (std::size_t i = 0; i < terms.size(); ++i) terms[i].price = checked_mul(set.density[i], static_cast<Wide>(tasks[i].H));
    CountedCarry found = least_carry(std::move(terms), set.below_U, Resource::threads);
    require(found.total <= basis.carried, "smaller bounds give no larger carry");
    return found;
  }
  const Amounts capacity = sm_capacity(gpu);
  std::optional<CountedCarry> least;
  for (const Resource r : all_resources) {
    Wide largest = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      terms[i].price = static_cast<Wide>(block_demand(tasks[i], gpu)[r]);
      largest = std::max(largest, terms[i].price);
    }
    if (largest == 0) continue;
    CountedCarry found = least_carry(terms, checked_mul(Wide{gpu.sms}, static_cast<Wide>(capacity[r])) - largest, r);
    if (!least || found.total < least->total) least = std::move(found);
  }
  require(least && least->total <= basis.carried, "smaller bounds give no larger carry");
  return *std::move(least);
}

}  // namespace rta::analysis::fifo
