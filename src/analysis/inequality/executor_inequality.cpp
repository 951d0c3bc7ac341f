#include "analysis/inequality/executor_inequality.hpp"

#include <algorithm>
#include <map>

namespace rta::analysis {
namespace {

using executors::Counted;

class Terms {
 public:
  Terms(const ExecutorEvidence& e, DagId d) : e_(e), d_(e.place_of(d)) {}

  Inequality of(NodeId v) {
    const executors::Derivation derivation = executors::derivation(e_.system.system, e_.bounds, d_, v);
    const auto by_threads = [](const executors::Visited& visited) { return visited.threads > 0; };
    const bool threads = std::ranges::any_of(derivation.by_path.pools, by_threads);
    const auto in_reservation = [](const executors::Visited& visited) { return visited.reserved.has_value(); };
    const bool reserved = std::ranges::any_of(derivation.by_path.pools, in_reservation);
    result_.theorem = derivation.local ? Theorem::T19j : reserved ? Theorem::T22 : threads ? Theorem::T20 : Theorem::T19;
    result_.path = derivation.path;
    result_.total = derivation.total;
    if (derivation.local) {
      add_visit(derivation);
    } else {
      add_path(derivation);
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] const path::Node& node(std::size_t d, std::size_t v) const { return e_.system.system.dags[d].nodes[v]; }

  void add(Cause cause, std::size_t pool, std::optional<std::size_t> by, FineTime length, bool ready = false) {
    if (length == FineTime::zero()) return;
    result_.terms.push_back({.cause = cause, .pool = e_.system.pool_of[pool], .by = by, .length = length, .ready = ready});
  }

  /// The work of each DAG, less `own` of this one's and `before` of all.
  void add_waiting(std::size_t pool, const std::vector<Counted>& counts, FineTime own, FineTime before = FineTime::zero()) {
    const path::Pool& on = e_.system.system.pools[pool];
    std::map<std::size_t, Wide> work;
    for (const Counted& u : counts) {
      const Wide vol = checked_mul(u.n, std::max<Wide>(node(u.dag, u.node).vol, on.supply ? 1 : 0));
      work[u.dag] = checked_add(work[u.dag], u.whole ? checked_mul(vol, Wide{on.capacity}) : vol);
    }
    for (const auto& [dag, of] : work) {
      FineTime length = fine_ceil(of, Wide{on.capacity} * on.unit);
      if (dag == d_) length -= own;
      const FineTime off = std::min(before, length);
      before -= off;
      add(Cause::waiting, pool, e_.dag_at(dag), length - off);
    }
  }

  void add_path(const executors::Derivation& derivation) {
    Time e;
    for (const std::size_t q : derivation.path) e += node(d_, q).e;
    result_.terms.push_back({.cause = Cause::execution, .length = fine(e)});
    for (const executors::Visited& visited : derivation.by_path.pools) {
      const path::Pool& on = e_.system.system.pools[visited.pool];
      FineTime own = fine_floor(visited.last_pieces, Wide{on.capacity} * on.unit);
      for (const std::size_t q : derivation.path) {
        if ((visited.windows > 0 || visited.reserved) && node(d_, q).pool == visited.pool) own += fine(node(d_, q).e);
      }
      add_waiting(visited.pool, visited.counts, own);
      add(Cause::blocking, visited.pool, std::nullopt, visited.blocking);
      if (visited.reserved) add(Cause::slices, visited.pool, std::nullopt, visited.reserved->gaps);
    }
  }

  void add_visit(const executors::Derivation& derivation) {
    const executors::LocalSum& sum = derivation.by_visit;
    const std::size_t pool = node(d_, derivation.node).pool;
    const FineTime e = fine(node(d_, derivation.node).e);
    result_.terms.push_back({.cause = Cause::execution, .length = e});
    if (sum.ready > Time::zero()) result_.terms.push_back({.cause = Cause::waiting, .length = fine(sum.ready), .ready = true});
    FineTime before = fine(sum.x);  // some of it has been executed by then
    if (sum.reserved) {
      const FineTime own = fine(std::max(node(d_, derivation.node).e, Time(1)));
      const FineTime off = std::max(FineTime::zero(), before - (sum.reserved->work - own));
      before -= off;
      add(Cause::slices, pool, std::nullopt, sum.reserved->gaps - off + own - e);
    }
    add_waiting(pool, sum.counts, FineTime::zero(), before);
  }

  static FineTime fine_floor(Wide n, Wide d) { return FineTime::zero() - fine_ceil(-n, d); }

  const ExecutorEvidence& e_;
  DagId d_;
  Inequality result_;
};

}  // namespace

Inequality executor_inequality(const ExecutorEvidence& evidence, DagId d, NodeId v) { return Terms(evidence, d).of(v); }

}  // namespace rta::analysis
