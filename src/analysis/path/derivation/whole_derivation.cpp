#include "analysis/path/derivation/whole_derivation.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "analysis/path/whole/whole.hpp"

namespace rta::analysis::path {
namespace {

class WholeDerivation {
 public:
  WholeDerivation(const FittingInput& input, std::size_t k, std::size_t v)
      : input_(input), ticks_(input.ticks), system_(*input.ticks.system), k_(k), own_(ticks_.class_of[k]), v_(v), paths_(all_paths()) {}

  std::optional<Inequality> solve() {
    WholePaths whole(ticks_, paths_);
    if (!whole.applies(own_)) return std::nullopt;
    const Class& c = ticks_.classes[own_];
    const WholePaths::Ends ends{input_.F, input_.A};
    whole.prepare(ends);
    const ParallelPaths& of = whole.paths(own_);
    std::vector<bool> above(c.size());
    std::vector<bool> below(c.size());
    for (std::size_t u = 0; u < c.size(); ++u) {
      above[u] = u == v_ || of.is_before(u, v_);
      below[u] = of.is_before(v_, u);
    }
    const CountedPaths counted(system_, ticks_, input_.ends, k_, true);
    const WholePaths::Decisive decisive = whole.decisive(own_, v_, ends, counted.counted(below, above).waiting);
    const std::int64_t j = decisive.processors;
    std::vector<std::size_t> path = j > 0 ? longest_path() : of.path(v_, decisive.set);
    not_counted_.assign(c.size(), true);
    for (const std::size_t q : path) {
      not_counted_[q] = false;
      for (std::size_t u = 0; u < c.size(); ++u) not_counted_[u] = not_counted_[u] && !of.meanwhile(u, q);
    }
    if (j > 0) {
      const NodeBits counting = whole.beside_or_before(own_, v_);
      for (std::size_t u = 0; u < c.size(); ++u) not_counted_[u] = !counting[u];
    }
    CountedPath derivation = counted.along(std::move(path), not_counted_, above);
    for (Waiting& wait : derivation.sum.waits) {
      if (!WholePaths::fits(system_, wait.pool)) continue;
      jobs_.clear();
      for (std::size_t slot = 0; slot < c.slot_pool.size(); ++slot) {
        if ((j == 0 && (decisive.set.mask & bit_of(slot)) == 0) || c.pools[c.slot_pool[slot]] != wait.pool) continue;
        for (const WholePaths::Jobs& jobs : whole.jobs(own_, v_, slot, ends, j)) jobs_.push_back(jobs);
      }
      const WholePaths::Blocking blocking = whole.blocking(own_, v_, ticks_.local_pool[own_][wait.pool], ends, j);
      const std::int64_t m = system_.pools[wait.pool].capacity;
      const std::size_t local = ticks_.local_pool[own_][wait.pool];
      const std::int64_t pieces = j == 0 && of.pieces_pool() == local ? decisive.pieces : whole.most_pieces(own_, v_, local);
      const Wide first = blocking.longest(m);
      const Wide all = blocking.longest(pieces);
      wait.blocking = j > 0 ? fine_ceil(first, m) + fine_ceil((all - first) * (j - 1), Wide{j} * (m - 1)) : fine_ceil(all, m);
      if (j > 0) wait.blocked = {{derivation.path.front(), fine_ceil(first, m)}};
      tell(wait, j > 0 ? Wide{j} : m);
    }
    derivation.total = ticks_.fine_ns(decisive.total);
    return as_inequality(k_, std::move(derivation));
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
  void tell(Waiting& wait, Wide processors) const {
    Wide sum = 0;
    for (CountedJobs& counted : wait.jobs) {
      counted.work = counted.dag == k_ ? of_job_itself(wait.pool) : 0;
      for (const WholePaths::Jobs& jobs : jobs_) {
        if (jobs.c != ticks_.class_of[counted.dag] || jobs.own != (counted.dag == k_)) continue;
        counted.work += jobs.work();
        if (jobs.fits >= jobs.counted || jobs.own) continue;
        const CountedJobs::Whole before = counted.whole.value_or(CountedJobs::Whole{});
        counted.whole = CountedJobs::Whole{before.volume + jobs.V, std::max(before.end, Time(jobs.F)), before.as_soon};
        if (jobs.E > 0) counted.whole->as_soon = Time(static_cast<std::int64_t>(ceil_div(jobs.E, 2)));
      }
      sum += counted.work;
    }
    wait.capacity = processors;
    wait.length = fine_ceil(sum - wait.last_pieces, processors) + wait.blocking;
  }

  /// To v, source first.
  std::vector<std::size_t> longest_path() const {
    const Class& c = ticks_.classes[own_];
    std::vector<Tick> length(c.size());
    std::vector<std::uint32_t> before(c.size(), 0);
    for (const std::uint32_t v : c.order) {
      for (const std::uint32_t w : c.predecessors(v)) {
        if (length[w] < length[v]) continue;
        length[v] = length[w];
        before[v] = w;
      }
      length[v] += c.e[v];
    }
    std::vector<std::size_t> path{v_};
    while (!c.predecessors(path.back()).empty()) path.push_back(before[path.back()]);
    std::ranges::reverse(path);
    return path;
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

std::optional<Inequality> whole_derivation(const FittingInput& input, std::size_t k, std::size_t v) {
  return WholeDerivation(input, k, v).solve();
}

}  // namespace rta::analysis::path
