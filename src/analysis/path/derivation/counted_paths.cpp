#include "analysis/path/derivation/counted_paths.hpp"

namespace rta::analysis::path {

/// T10c: what was left before of DAGs that are wholly on the pool counts as carry, the rest as waiting; of each an equal share has been
/// worked off.
void add_backlog_terms(const Backlog& backlog, std::size_t pool, std::size_t k, FineTime last_pieces, std::vector<Term>& terms) {
  std::vector<FineTime> lengths{backlog.carry};
  for (const Backlog::Part& part : backlog.parts) {
    const FineTime own = part.dag == k ? backlog.after + last_pieces : FineTime::zero();
    lengths.push_back(part.left + part.released - own);
  }
  Wide of = 0;
  for (const FineTime length : lengths) of = checked_add(of, length.count());
  Wide left = backlog.worked_off.count();
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const Wide share = of > 0 ? ceil_div(checked_mul(left, lengths[i].count()), of) : 0;
    of -= lengths[i].count();
    left -= share;
    const FineTime rest = lengths[i] - FineTime(share);
    if (i == 0) terms.push_back({.cause = Cause::carry, .pool = pool, .length = rest});
    if (i > 0) terms.push_back({.cause = Cause::waiting, .pool = pool, .by = backlog.parts[i - 1].dag, .length = rest});
  }
}

Inequality as_inequality(std::size_t k, CountedPath counted) {
  Inequality result;
  result.terms.push_back({.cause = Cause::execution, .length = fine(counted.sum.execution)});
  for (const Waiting& wait : counted.sum.waits) {
    for (const CountedJobs& jobs : wait.jobs) {
      const Wide work = jobs.work - (jobs.dag == k ? wait.last_pieces : 0);
      result.terms.push_back({.cause = Cause::waiting, .pool = wait.pool, .by = jobs.dag, .length = fine_ceil(work, wait.capacity)});
    }
    if (wait.backlog) add_backlog_terms(*wait.backlog, wait.pool, k, fine_ceil(wait.last_pieces, wait.capacity), result.terms);
    result.terms.push_back({.cause = Cause::blocking, .pool = wait.pool, .length = wait.blocking});
    if (!wait.gaps) continue;
    const FineTime gaps(checked_mul(wait.gaps->count, fine(wait.gaps->gap).count()));
    result.terms.push_back({.cause = Cause::slices, .pool = wait.pool, .length = gaps});
  }
  result.path = std::move(counted.path);
  result.total = counted.total;
  result.detail = std::move(counted.sum);
  return result;
}

}  // namespace rta::analysis::path
