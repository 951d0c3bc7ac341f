#include "analysis/inequality/pool_inequality.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "analysis/cpu/gel_blocking.hpp"
#include "analysis/cpu/gel_pieces.hpp"
#include "analysis/cpu/priority_order.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis {
namespace {

/// n jobs by nominal releases in an interval of this length and J: in none where there is no interval.
CountedTask counted_in(const gel::Task& task, Wide length, Wide n) {
  return {n > 0 ? length + task.J.count() : length, task.T.count(), n, task.C.count()};
}

/// Jobs of each task that were released within this length and J before, one piece each.
LongestPieces pieces_of(std::span<const gel::Task> tasks, std::span<const Time> lengths, Wide most) {
  LongestPieces pieces{{}, most};
  pieces.tasks.reserve(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const Wide late = lengths[i] > Time::zero() ? tasks[i].J.count() : 0;
    pieces.tasks.push_back({lengths[i].count() + late, tasks[i].T.count(), 1, tasks[i].C.count()});
  }
  return pieces;
}

/// T6c's with the final bounds.
CountedCarry counted_carry(const KernelEvidence& e, const fifo::Basis& basis, const fifo::WeightSet& set) {
  const bool light = basis.carry == fifo::Carry::counted_light;
  CountedCarry carry{basis.lambda, basis.resource, set.below_U, 0, {}};
  Wide largest = 0;
  for (std::size_t i = 0; i < e.tasks.size(); ++i) {
    const fifo::Task task = fifo::rounded_to_warps(e.tasks[i], e.gpu);
    require(e.bounds.R[i].has_value(), "carry is counted where every kernel has a bound");
    const Wide jobs = ceil_div(Wide{e.bounds.R[i]->count()} + task.J.count(), task.T.count());
    const Wide price =
        light ? checked_mul(set.density[i], static_cast<Wide>(task.H)) : static_cast<Wide>(fifo::block_demand(task, e.gpu)[basis.resource]);
    largest = std::max(largest, price);
    carry.terms.push_back({jobs, checked_mul(jobs, static_cast<Wide>(task.B)), checked_mul(set.density[i], task.C.count()), price});
  }
  if (!light) carry.room = checked_mul(Wide{e.gpu.sms}, static_cast<Wide>(fifo::sm_capacity(e.gpu)[basis.resource])) - largest;
  carry.total = checked_mul(carry.lambda, carry.room);
  for (const CountedCarry::Term& term : carry.terms) {
    const Wide rest = checked_sub(term.work, checked_mul(carry.lambda, term.price));
    if (rest > 0) carry.total = checked_add(carry.total, checked_mul(term.blocks, rest));
  }
  require(carry.total <= basis.carried, "smaller bounds give no larger carry");
  return carry;
}

class PoolInequality {
 public:
  PoolInequality(const Proof& proof, const Bound& bound, NodeId v) : proof_(proof), k_(bound.basis.place) {
    result_ = {.theorem = bound.basis.theorem, .path = {v}};
  }

  Inequality of(const Evidence& evidence) {
    std::visit(*this, evidence);
    for (const Term& term : result_.terms) result_.total += term.length;
    result_.detail = std::move(sum_);
    return std::move(result_);
  }

  void operator()(const GelEvidence& e) {
    execution(fine(e.tasks[k_].C));
    switch (e.bounds.theorem[k_]) {
      case Theorem::T1n: return by_count(e);
      case Theorem::T1bn: return until_start(e);
      case Theorem::T1b:
      case Theorem::T1be:
      case Theorem::T1r:
      case Theorem::T1re: return from_release(e);
      default: return from_least_point(e);
    }
  }

  void operator()(const SequentialEvidence& e) {
    const gel::Task& task = e.tasks[k_];
    Time least = task.Y;
    for (const gel::Task& other : e.tasks) least = std::min(least, other.Y);
    const FineTime later = e.bounds.theorem == Theorem::T4 ? fine(task.T) : fine(task.Y) - fine(least);
    execution(fine(task.C));
    add(Cause::priority, e.pool, later);
    // x, of all tasks of the pool.
    const FineTime x = e.bounds.theorem == Theorem::T4 ? e.bounds.s : share(std::max(FineTime{}, e.bounds.s - fine(task.C)), e.processors);
    add(Cause::waiting, e.pool, x);
  }

  void operator()(const KernelEvidence& e) {
    const fifo::Basis& basis = e.bounds.basis[k_];
    const fifo::WeightSet& set = e.bounds.sets[basis.set];
    const auto time = [&](Wide credits) { return fine_ceil(checked_mul(credits, set.rate_scale), set.rate); };
    const auto work = [&](std::size_t i) {
      const fifo::Task task = fifo::rounded_to_warps(e.tasks[i], e.gpu);
      return checked_mul(checked_mul(set.density[i], task.C.count()), static_cast<Wide>(task.B));
    };
    const fifo::Task own = fifo::rounded_to_warps(e.tasks[k_], e.gpu);
    const Wide last = checked_mul(set.density[k_], own.C.count());
    execution(fine(own.L));
    if (basis.carry == fifo::Carry::none) {
      for (std::size_t i = 0; i < e.tasks.size(); ++i) {
        const Wide T = e.tasks[i].T.count();
        const Wide length = Wide{e.bounds.R[i]->count()} + e.tasks[i].J.count();
        const CountedTask& counted = sum_.jobs.emplace_back(CountedTask{length, T, ceil_div(length, T), work(i)});
        wait(e.pool, i, time(checked_mul(counted.jobs, counted.work) - (i == k_ ? last : 0)));
      }
      return;
    }
    if (basis.theorem == Theorem::T14j) return sliced(e, set, basis, own);
    if (basis.carry == fifo::Carry::counted || basis.carry == fifo::Carry::counted_light) sum_.counted_carry = counted_carry(e, basis, set);
    add(Cause::carry, e.pool, time(basis.carried));
    Wide released = 0;
    for (std::size_t i = 0; i < e.tasks.size(); ++i) released = checked_add(released, work(i));
    if (released != set.released) {  // enqueue jitter, or two priorities
      add(Cause::waiting, e.pool, time(set.released - last));
      return;
    }
    for (std::size_t i = 0; i < e.tasks.size(); ++i) wait(e.pool, i, time(work(i) - (i == k_ ? last : 0)));
  }

  void operator()(const QueueEvidence& e) {
    const workers::Terms& terms = e.bounds.terms;
    const auto piece = [&](std::size_t i) { return Wide{(e.tasks[i].L + e.dispatch_overhead).count()}; };
    execution(fine(e.tasks[k_].L + e.dispatch_overhead));
    add(Cause::carry, e.pool, fine_ceil(terms.carry.count(), e.workers));
    if (terms.counted) {
      sum_.carry = LongestPieces{{}, terms.ceil_U - 1};
      for (std::size_t i = 0; i < e.tasks.size(); ++i) {
        const workers::Task& task = e.tasks[i];
        sum_.carry->tasks.push_back({Wide{e.bounds.R[i].count()} + task.J.count(), task.T.count(), static_cast<Wide>(task.B), piece(i)});
      }
    }
    Wide released = 0;
    for (std::size_t i = 0; i < e.tasks.size(); ++i)
      released = checked_add(released, checked_mul(piece(i), static_cast<Wide>(e.tasks[i].B)));
    if (released != terms.released.count() || e.tasks.size() != proof_.pools[e.pool].tasks.size()) {
      add(Cause::waiting, e.pool, fine_ceil(terms.released.count() - piece(k_), e.workers));
      return;
    }
    for (std::size_t i = 0; i < e.tasks.size(); ++i) {
      wait(e.pool, i, fine_ceil(checked_mul(piece(i), static_cast<Wide>(e.tasks[i].B)) - (i == k_ ? piece(k_) : 0), e.workers));
    }
  }

  void operator()(const HardEvidence& e) {
    const hard::Task& task = e.tasks[k_];
    execution(fine(task.C));
    add(Cause::waiting, e.pool, fine(e.bounds.R[k_] - task.C));
  }

  void operator()(const PathEvidence&) { require(false, "T10 bounds DAGs, not nodes on one pool"); }
  void operator()(const AdmissionEvidence&) { require(false, "T38 bounds DAGs, not nodes on one pool"); }
  void operator()(const ThreadEvidence&) { require(false, "T21h bounds DAGs, not nodes on one pool"); }
  void operator()(const ExecutorEvidence&) { require(false, "T19 bounds DAGs, not nodes on one pool"); }
  void operator()(const WindowEvidence&) { require(false, "T35 bounds jobs, which follow one another"); }
  void operator()(const ReachEvidence&) { require(false, "T36 bounds jobs, which follow one another"); }

 private:
  void by_count(const GelEvidence& e) {
    const std::vector<Time>& R = e.bounds.R;
    for (std::size_t i = 0; i < e.tasks.size(); ++i) {
      const Wide length = Wide{R[i].count()} + std::min<Wide>(R[k_].count(), Wide{e.tasks[k_].Y.count()} - e.tasks[i].Y.count());
      wait_for_jobs(e, i, length, gel::releases_in(e.tasks[i], length));
    }
  }

  /// What has started before, and the jobs until the start.
  void until_start(const GelEvidence& e) {
    const std::vector<Time>& R = e.bounds.R;
    const gel::Task& task = e.tasks[k_];
    add_started(e, gel::blocking(e.tasks, e.processors, R, k_, 0));
    for (std::size_t i = 0; i < e.tasks.size(); ++i) {
      const Wide length = Wide{R[i].count()} + std::min<Wide>((R[k_] - task.C).count(), Wide{task.Y.count()} - e.tasks[i].Y.count());
      wait_for_jobs(e, i, length, gel::jobs_before_start(e.tasks, R, k_, i));
    }
  }

  /// What is left at the release, what has started before, and what is released from then on.
  void from_release(const GelEvidence& e) {
    const gel::Task& task = e.tasks[k_];
    const Theorem theorem = e.bounds.theorem[k_];
    FineTime rest = fine(e.bounds.R[k_]) - fine(task.C);
    if (theorem == Theorem::T1b || theorem == Theorem::T1be) {
      const gel::Blocking by = gel::blocking(e.tasks, e.processors, e.bounds.R, k_, e.bounds.c[k_]);
      rest -= add_carry(e, by.all, by.carry);
      rest -= add_started(e, by);
    } else {
      gel::Pieces pieces(e.tasks);
      pieces.count(e.tasks, e.bounds.R);
      rest -= add_carry(e, e.bounds.c[k_] - 1, pieces.longest(e.bounds.c[k_] - 1));
    }
    if (theorem == Theorem::T1b || theorem == Theorem::T1r) return wait_for_released(e, task.Y);
    add(Cause::waiting, e.pool, rest);
  }

  void from_least_point(const GelEvidence& e) {
    const gel::Task& task = e.tasks[k_];
    const gel::Terms& terms = e.bounds.terms;
    add(Cause::priority, e.pool, fine(task.Y) - fine(terms.shift));
    add(Cause::carry, e.pool, share(terms.carry, e.processors));
    if (terms.counted_carry) sum_.carry = pieces_of(e.tasks, e.bounds.R, terms.c - 1);
    if (!terms.exact_demand) return wait_for_released(e, terms.shift);
    add(Cause::waiting, e.pool, share(terms.demand - fine(task.C), e.processors));
  }

  FineTime add_carry(const GelEvidence& e, Wide most, Wide work) {
    sum_.carry = pieces_of(e.tasks, e.bounds.R, most);
    return add(Cause::carry, e.pool, fine_ceil(work, e.processors));
  }

  FineTime add_started(const GelEvidence& e, const gel::Blocking& by) {
    sum_.started = pieces_of(e.tasks, gel::blocking_lengths(e.tasks, e.tasks[k_].Y, e.bounds.R), by.later);
    return add(Cause::blocking, e.pool, fine_ceil(by.work, e.processors));
  }

  void wait_for_jobs(const GelEvidence& e, std::size_t i, Wide length, Wide n) {
    const gel::Task& task = e.tasks[i];
    sum_.jobs.push_back(counted_in(task, length, n));
    wait(e.pool, i, fine_ceil(checked_mul(n, Wide{task.C.count()}) - (i == k_ ? task.C.count() : 0), e.processors));
  }

  /// sum C_i max(0, 1 - (Y_i - Y - J_i)/T_i), less the job's own C.
  void wait_for_released(const GelEvidence& e, Time Y) {
    for (std::size_t i = 0; i < e.tasks.size(); ++i) {
      wait(e.pool, i, share(gel::carried_demand(e.tasks[i], Y) - (i == k_ ? fine(e.tasks[k_].C) : FineTime{}), e.processors));
    }
  }

  /// T14j: what the kernels would take without slices, and what the slices add to it.
  void sliced(const KernelEvidence& e, const fifo::WeightSet& set, const fifo::Basis& basis, const fifo::Task& own) {
    const Wide last = checked_mul(set.density[k_], own.C.count());
    const FineTime carry = add(Cause::carry, e.pool, fine_ceil(basis.carried, set.capacity));
    const FineTime waiting = add(Cause::waiting, e.pool, fine_ceil(set.released - last, set.capacity));
    add(Cause::slices, e.pool, fine(*e.bounds.R[k_]) - carry - waiting - fine(own.L));
  }

  static FineTime share(FineTime length, std::uint32_t processors) { return FineTime(ceil_div(length.count(), Wide{processors})); }
  FineTime add(Cause cause, PoolId pool, FineTime length) {
    result_.terms.push_back({.cause = cause, .pool = pool, .length = length});
    return length;
  }
  void execution(FineTime length) { result_.terms.push_back({.cause = Cause::execution, .length = length}); }
  void wait(PoolId pool, std::size_t task, FineTime length) {
    result_.terms.push_back({.cause = Cause::waiting, .pool = pool, .by = proof_.pools[pool].tasks[task].dag, .length = length});
  }

  const Proof& proof_;
  std::size_t k_;
  Inequality result_;
  PoolSum sum_;
};

}  // namespace

Inequality pool_inequality(const Proof& proof, const Bound& bound, NodeId v) {
  return PoolInequality(proof, bound, v).of(proof.evidence[bound.basis.evidence]);
}

}  // namespace rta::analysis
