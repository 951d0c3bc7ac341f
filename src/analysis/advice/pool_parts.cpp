// Bounds of one node on one pool, taken apart: a part per term of the theorem's formula.
#include <algorithm>

#include "analysis/advice/parts.hpp"
#include "analysis/cpu/gel_blocking.hpp"
#include "analysis/cpu/gel_pieces.hpp"
#include "analysis/cpu/priority_order.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis {
namespace {

class PoolParts {
 public:
  PoolParts(const Proof& proof, const Basis& basis, Parts& parts) : proof_(proof), k_(basis.place), parts_(parts) {}

  void operator()(const GelEvidence& e) {
    const gel::Task& task = e.tasks[k_];
    execution(fine(task.C));
    const Theorem theorem = e.bounds.theorem[k_];
    if (theorem == Theorem::T1b || theorem == Theorem::T1be || theorem == Theorem::T1bn) return without_preemption(e);
    if (theorem == Theorem::T1n) {
      for (std::size_t i = 0; i < e.tasks.size(); ++i) {
        const Wide length =
            Wide{e.bounds.R[i].count()} + std::min<Wide>(e.bounds.R[k_].count(), Wide{task.Y.count()} - e.tasks[i].Y.count());
        const Wide n = gel::releases_in(e.tasks[i], length);
        const Wide work = checked_mul(n, Wide{e.tasks[i].C.count()}) - (i == k_ ? task.C.count() : 0);
        wait(e.pool, i, work, e.processors);
      }
      return;
    }
    const gel::Terms& terms = e.bounds.terms;
    if (e.bounds.theorem[k_] == Theorem::T1r || e.bounds.theorem[k_] == Theorem::T1re) {
      gel::Pieces pieces(e.tasks);
      pieces.count(e.tasks, e.bounds.R);
      const FineTime carry = fine_ceil(pieces.longest(e.bounds.c[k_] - 1), e.processors);
      parts_.add(Cause::carry, e.pool, carry);
      if (e.bounds.theorem[k_] == Theorem::T1r) return wait_for_released(e, task.Y);
      return wait_for_all(e.pool, fine(e.bounds.R[k_]) - fine(task.C) - carry);
    }
    parts_.add(Cause::priority, e.pool, fine(task.Y) - fine(terms.shift));
    parts_.add(Cause::carry, e.pool, share(terms.carry, e.processors));
    if (terms.exact_demand) {
      wait_for_all(e.pool, share(terms.demand - fine(task.C), e.processors));
      return;
    }
    wait_for_released(e, terms.shift);
  }

  /// What has started before, and the rest as with preemption.
  void without_preemption(const GelEvidence& e) {
    const gel::Task& task = e.tasks[k_];
    const gel::Blocking by = gel::blocking(e.tasks, e.processors, e.bounds.R, k_, e.bounds.c[k_]);
    if (e.bounds.theorem[k_] == Theorem::T1bn) {
      parts_.add(Cause::blocking, e.pool, fine_ceil(by.work, e.processors));
      for (std::size_t i = 0; i < e.tasks.size(); ++i) {
        const Wide jobs = gel::jobs_before_start(e.tasks, e.bounds.R, k_, i);
        wait(e.pool, i, checked_mul(jobs, Wide{e.tasks[i].C.count()}) - (i == k_ ? task.C.count() : 0), e.processors);
      }
      return;
    }
    const FineTime carry = fine_ceil(by.carry, e.processors);
    parts_.add(Cause::carry, e.pool, carry);
    const FineTime blocked = fine_ceil(by.work, e.processors);
    parts_.add(Cause::blocking, e.pool, blocked);
    if (e.bounds.theorem[k_] == Theorem::T1b) return wait_for_released(e, task.Y);
    wait_for_all(e.pool, fine(e.bounds.R[k_]) - fine(task.C) - carry - blocked);
  }

  /// sum C_i max(0, 1 - (Y_i - Y - J_i)/T_i), less the job's own C.
  void wait_for_released(const GelEvidence& e, Time Y) {
    for (std::size_t i = 0; i < e.tasks.size(); ++i) {
      wait(e.pool, i, share(gel::carried_demand(e.tasks[i], Y) - (i == k_ ? fine(e.tasks[k_].C) : FineTime{}), e.processors));
    }
  }

  void operator()(const SequentialEvidence& e) {
    const gel::Task& task = e.tasks[k_];
    Time least = task.Y;
    for (const gel::Task& other : e.tasks) least = std::min(least, other.Y);
    const FineTime later = e.bounds.theorem == Theorem::T4 ? fine(task.T) : fine(task.Y) - fine(least);
    execution(fine(task.C));
    parts_.add(Cause::priority, e.pool, later);
    // x, of all tasks of the pool.
    const FineTime x = e.bounds.theorem == Theorem::T4 ? e.bounds.s : share(std::max(FineTime{}, e.bounds.s - fine(task.C)), e.processors);
    wait_for_all(e.pool, x);
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
        const Wide jobs = ceil_div(Wide{e.bounds.R[i]->count()} + e.tasks[i].J.count(), Wide{e.tasks[i].T.count()});
        wait(e.pool, i, time(checked_mul(jobs, work(i)) - (i == k_ ? last : 0)));
      }
      return;
    }
    if (basis.theorem == Theorem::T14j) return sliced(e, set, basis, own);
    parts_.add(Cause::carry, e.pool, time(basis.carried));
    Wide released = 0;
    for (std::size_t i = 0; i < e.tasks.size(); ++i) released = checked_add(released, work(i));
    if (released != set.released) {  // enqueue jitter, or two priorities
      wait_for_all(e.pool, time(set.released - last));
      return;
    }
    for (std::size_t i = 0; i < e.tasks.size(); ++i) wait(e.pool, i, time(work(i) - (i == k_ ? last : 0)));
  }

  /// T14j: what the kernels would take without slices, and what the slices add to it.
  void sliced(const KernelEvidence& e, const fifo::WeightSet& set, const fifo::Basis& basis, const fifo::Task& own) {
    const Wide last = checked_mul(set.density[k_], own.C.count());
    const FineTime carry = fine_ceil(basis.carried, set.capacity);
    const FineTime waiting = fine_ceil(set.released - last, set.capacity);
    parts_.add(Cause::carry, e.pool, carry);
    wait_for_all(e.pool, waiting);
    parts_.add(Cause::slices, e.pool, fine(*e.bounds.R[k_]) - carry - waiting - fine(own.L));
  }

  void operator()(const QueueEvidence& e) {
    const workers::Terms& terms = e.bounds.terms;
    const auto piece = [&](std::size_t i) { return Wide{(e.tasks[i].L + e.dispatch_overhead).count()}; };
    execution(fine(e.tasks[k_].L + e.dispatch_overhead));
    parts_.add(Cause::carry, e.pool, fine_ceil(terms.carry.count(), e.workers));
    Wide released = 0;
    for (std::size_t i = 0; i < e.tasks.size(); ++i)
      released = checked_add(released, checked_mul(piece(i), static_cast<Wide>(e.tasks[i].B)));
    if (released != terms.released.count() || e.tasks.size() != proof_.pools[e.pool].tasks.size()) {
      wait_for_all(e.pool, fine_ceil(terms.released.count() - piece(k_), e.workers));
      return;
    }
    for (std::size_t i = 0; i < e.tasks.size(); ++i) {
      wait(e.pool, i, checked_mul(piece(i), static_cast<Wide>(e.tasks[i].B)) - (i == k_ ? piece(k_) : 0), e.workers);
    }
  }

  void operator()(const HardEvidence& e) {
    const hard::Task& task = e.tasks[k_];
    execution(fine(task.C));
    wait_for_all(e.pool, fine(e.bounds.R[k_] - task.C));
  }

  void operator()(const PathEvidence&) { require(false, "T10 bounds DAGs, not nodes on one pool"); }

 private:
  static FineTime share(FineTime length, std::uint32_t processors) { return FineTime(ceil_div(length.count(), Wide{processors})); }
  void execution(FineTime length) { parts_.add(Cause::execution, std::nullopt, length); }
  void wait(PoolId pool, std::size_t task, FineTime length) {
    parts_.add(Cause::waiting, pool, proof_.pools[pool].tasks[task].dag, length);
  }
  void wait(PoolId pool, std::size_t task, Wide work, std::uint32_t processors) { wait(pool, task, fine_ceil(work, processors)); }
  void wait_for_all(PoolId pool, FineTime length) { parts_.add(Cause::waiting, pool, length); }

  const Proof& proof_;
  std::size_t k_;
  Parts& parts_;
};

}  // namespace

void add_pool_parts(const Proof& proof, DagId d, NodeId v, Parts& parts) {
  const auto& bound = proof.dags[d].nodes[v].bound;
  require(bound.has_value(), "every node of a critical path has a bound");
  std::visit(PoolParts(proof, bound->basis, parts), proof.evidence[bound->basis.evidence]);
}

}  // namespace rta::analysis
