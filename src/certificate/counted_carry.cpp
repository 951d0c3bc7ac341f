#include "certificate/counted_carry.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "rta/model/error.hpp"

namespace rta::certificate {
namespace {

namespace fifo = analysis::fifo;

/// A kernel whose unfinished blocks count max(0, work - lambda price) each.
struct Term {
  Wide blocks = 0;
  Wide work = 0;
  Wide price = 0;
};

/// lambda room + sum blocks max(0, work - lambda price).
Wide carry(const std::vector<Term>& terms, Wide room, Wide lambda) {
  Wide sum = checked_mul(lambda, room);
  for (const Term& term : terms) {
    const Wide rest = checked_sub(term.work, checked_mul(lambda, term.price));
    if (rest > 0) sum = checked_add(sum, checked_mul(term.blocks, rest));
  }
  return sum;
}

/// It is convex in lambda, and piecewise linear between the lambda at which some term is 0: the least whole one by halving.
Wide best_lambda(const std::vector<Term>& terms, Wide room) {
  Wide low = 0;
  Wide high = 0;
  for (const Term& term : terms) {
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

}  // namespace

CountedCarry counted_carry(const analysis::KernelEvidence& e, const fifo::Basis& basis) {
  const fifo::WeightSet& set = e.bounds.sets[basis.set];
  std::vector<fifo::Task> tasks;
  std::vector<Term> terms;
  tasks.reserve(e.tasks.size());
  terms.reserve(e.tasks.size());
  for (std::size_t i = 0; i < e.tasks.size(); ++i) {
    const fifo::Task& task = tasks.emplace_back(rounded_to_warps(e.tasks[i], e.gpu));
    require(e.bounds.R[i].has_value(), "carry is counted where every kernel has a bound");
    const Wide jobs = ceil_div(static_cast<Wide>(e.bounds.R[i]->count()) + task.J.count(), task.T.count());
    terms.push_back({checked_mul(jobs, static_cast<Wide>(task.B)), checked_mul(set.density[i], task.C.count()), 0});
  }
  CountedCarry found;
  if (basis.carry == fifo::Carry::counted_light) {
    for (std::size_t i = 0; i < terms.size(); ++i) terms[i].price = checked_mul(set.density[i], static_cast<Wide>(tasks[i].H));
    found.lambda = best_lambda(terms, set.below_U);
    require(carry(terms, set.below_U, found.lambda) <= basis.carried, "smaller bounds give no larger carry");
    return found;
  }
  const fifo::Amounts capacity = fifo::sm_capacity(e.gpu);
  std::optional<Wide> least;
  for (const fifo::Resource r : fifo::all_resources) {
    Wide largest = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      terms[i].price = static_cast<Wide>(block_demand(tasks[i], e.gpu)[r]);
      largest = std::max(largest, terms[i].price);
    }
    if (largest == 0) continue;
    const Wide room = checked_mul(Wide{e.gpu.sms}, static_cast<Wide>(capacity[r])) - largest;
    const Wide lambda = best_lambda(terms, room);
    const Wide carried = carry(terms, room, lambda);
    if (!least || carried < *least) {
      least = carried;
      found = {lambda, r};
    }
  }
  require(least && *least <= basis.carried, "smaller bounds give no larger carry");
  return found;
}

}  // namespace rta::certificate
