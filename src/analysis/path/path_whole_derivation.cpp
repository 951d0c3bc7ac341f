#include "analysis/path/path_whole_derivation.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "analysis/path/path_whole.hpp"

namespace rta::analysis::path {
namespace {

class WholeDerivation {
 public:
  WholeDerivation(const FittingInput& input, std::size_t k, std::size_t v)
      : input_(input), ticks_(input.ticks), system_(*input.ticks.system), k_(k), own_(ticks_.class_of[k]), v_(v), paths_(all_paths()) {}

  std::optional<Derivation> solve() {
    const WholePaths whole(ticks_, paths_);
    if (!whole.applies(own_)) return std::nullopt;
    const Class& c = ticks_.classes[own_];
    const WholePaths::Ends ends{input_.F, input_.A};
    const ParallelPaths& of = *paths_[own_];
    std::vector<bool> above(c.size());
    std::vector<bool> below(c.size());
    for (std::size_t u = 0; u < c.size(); ++u) {
      above[u] = u == v_ || of.is_before(u, v_);
      below[u] = of.is_before(v_, u);
    }
    const Inequality inequality(system_, ticks_, input_.ends, k_, true);
    const WholePaths::Decisive decisive = whole.decisive(own_, v_, ends, inequality.counted(below, above).waiting);
    std::vector<std::size_t> path = of.path(v_, decisive.set);
    not_counted_.assign(c.size(), true);
    for (const std::size_t q : path) {
      not_counted_[q] = false;
      for (std::size_t u = 0; u < c.size(); ++u) not_counted_[u] = not_counted_[u] && !of.meanwhile(u, q);
    }
    Derivation derivation = inequality.along(std::move(path), not_counted_, above);
    for (Waiting& wait : derivation.waits) {
      if (!WholePaths::fits(system_, wait.pool)) continue;
      jobs_.clear();
      for (std::size_t slot = 0; slot < c.slot_pool.size(); ++slot) {
        if ((decisive.set.mask & bit_of(slot)) == 0 || c.pools[c.slot_pool[slot]] != wait.pool) continue;
        for (const WholePaths::Jobs& jobs : whole.jobs(own_, v_, slot, ends)) jobs_.push_back(jobs);
      }
      tell(wait);
    }
    derivation.total = fine_ceil(decisive.total, ticks_.Q);
    return derivation;
  }

 private:
  WholePaths::Parallel all_paths() const {
    WholePaths::Parallel paths(ticks_.classes.size());
    for (std::size_t k = 0; k < paths.size(); ++k) {
      if (ParallelPaths::applies(ticks_.classes[k], system_)) paths[k].emplace(ticks_.classes[k], system_);
    }
    return paths;
  }

  /// Puts what fits in place of what is counted.
  void tell(Waiting& wait) const {
    Wide sum = 0;
    for (CountedJobs& counted : wait.jobs) {
      counted.work = counted.dag == k_ ? of_job_itself(wait.pool) : 0;
      for (const WholePaths::Jobs& jobs : jobs_) {
        if (jobs.c != ticks_.class_of[counted.dag] || jobs.own != (counted.dag == k_)) continue;
        counted.work += jobs.work();
        if (jobs.fits >= jobs.counted || jobs.own) continue;
        const CountedJobs::Whole before = counted.whole.value_or(CountedJobs::Whole{});
        counted.whole = CountedJobs::Whole{before.volume + jobs.V, std::max(before.end, Time(jobs.F))};
      }
      sum += counted.work;
    }
    wait.length = fine_ceil(sum - wait.last_pieces, Wide{system_.pools[wait.pool].capacity});
  }

  Wide of_job_itself(std::size_t pool) const {
    Wide work = 0;
    const auto& nodes = system_.dags[k_].nodes;
    for (std::size_t u = 0; u < nodes.size(); ++u) {
      if (nodes[u].pool == pool && !not_counted_[u]) work += nodes[u].vol;
    }
    return work;
  }

  const FittingInput& input_;
  const Ticks& ticks_;
  const System& system_;
  std::size_t k_;
  std::size_t own_;
  std::size_t v_;
  WholePaths::Parallel paths_;
  std::vector<bool> not_counted_;
  std::vector<WholePaths::Jobs> jobs_;  // of one pool
};

}  // namespace

std::optional<Derivation> whole_derivation(const FittingInput& input, std::size_t k, std::size_t v) {
  return WholeDerivation(input, k, v).solve();
}

}  // namespace rta::analysis::path
