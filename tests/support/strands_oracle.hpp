// T10v by the letter of docs/theory/path.md: what the strands of one job leave for the FIFO pool, whichever of them lose work.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "rta/analysis/path/path.hpp"

namespace rta::test {

enum class AlignedMutant : std::uint8_t {
  none,
  open_left_end,      // a job released just as the path's last node becomes ready is forgotten (releases are multiples of `grid`)
  cut_late_jobs,      // jobs released after J are cut as if they were released before
  whole_path,         // T10v: E over the whole path
  no_GC,              // T10v: kernels that have fully started are forgotten
  no_root,            // T10v: strands are taken to be on their own from the start
  any_number,         // T10v: every strand of every early job loses work
  one_turn,           // of each chain one node counts, however often the path visits the FIFO pool
  turns_on_gel,       // turns are taken on GEL pools, too
  turns_and_strands,  // T10v with turns
  no_queue,           // T10v: strands that lose all count as if they could not keep others waiting for the FIFO pool
  one_fewer_of_all,   // T30: of all jobs together one node of each chain less than the path has turns
  of_all_at_once,     // T30: jobs that overlap count together, too
};

/// Which jobs of a DAG lose work.
struct Early {
  std::int64_t jobs = 0;
  std::int64_t strands = 1;
  std::int64_t given = 1;  // of all jobs
};

/// One DAG that may lose work on FIFO pool `queue` after m processors; work in 1/den ns.
class StrandsOracle {
 public:
  StrandsOracle(const analysis::path::Dag& dag, const std::vector<std::vector<std::size_t>>& before,
                const std::vector<std::vector<bool>>& reaches, const std::vector<std::int64_t>& F, std::size_t queue, std::int64_t m,
                std::int64_t den, AlignedMutant mutant)
      : dag_(dag), before_(before), reaches_(reaches), F_(F), queue_(queue), m_(m), den_(den), mutant_(mutant) {}

  /// What the strands of a job released x before can still have executed while the path waits for the FIFO pool.
  [[nodiscard]] std::int64_t left(std::int64_t x, const std::vector<std::int64_t>& queued, std::int64_t E, const Early& early) const {
    const auto on_queue = [&](std::size_t u) { return dag_.nodes[u].pool == queue_; };
    const auto in_root = [&](std::size_t u) {
      bool any = false;
      for (std::size_t q = 0; q < F_.size(); ++q) {
        if (on_queue(q) && !reaches_[u][q]) return false;
        any = any || on_queue(q);
      }
      return any;
    };
    const auto needed = [&](std::size_t u) {
      for (std::size_t q = u; q < F_.size(); ++q) {
        if (on_queue(q) && (q == u || reaches_[u][q])) return true;
      }
      return false;
    };
    std::vector<std::size_t> strand(F_.size());
    std::iota(strand.begin(), strand.end(), 0);
    std::vector<std::int64_t> root_path(F_.size(), 0), queue_path(F_.size(), 0);
    std::int64_t C_R = 0, GC = 0, F_R = std::numeric_limits<std::int64_t>::min();
    for (std::size_t u = 0; u < F_.size(); ++u) {
      for (const std::size_t w : before_[u]) {
        root_path[u] = std::max(root_path[u], root_path[w]);
        queue_path[u] = std::max(queue_path[u], queue_path[w]);
        if (!needed(u) || in_root(u) || in_root(w)) continue;
        std::ranges::replace(strand, strand[u], strand[w]);
      }
      if (on_queue(u)) queue_path[u] += dag_.nodes[u].e.count();
      GC = std::max(GC, queue_path[u]);
      if (!in_root(u)) continue;
      root_path[u] += dag_.nodes[u].e.count();
      C_R = std::max(C_R, root_path[u]);
      F_R = std::max(F_R, F_[u]);
    }
    if (mutant_ == AlignedMutant::no_GC) GC = 0;
    std::vector<std::int64_t> parts(F_.size(), 0);
    for (std::size_t u = 0; u < F_.size(); ++u) parts[strand[u]] += queued[u];
    std::ranges::sort(parts, std::greater());
    const bool root_over = x >= F_R || mutant_ == AlignedMutant::no_root;
    const std::int64_t first = std::max<std::int64_t>(0, E - GC) * den_ / m_;
    const std::int64_t further = std::max<std::int64_t>(0, E - GC - (root_over ? 0 : C_R)) * den_ / m_;
    // Whichever strands have some of it executed then: `j` of them, the largest. What the others have may have kept them waiting.
    const std::int64_t all = std::accumulate(parts.begin(), parts.end(), std::int64_t{0});
    std::int64_t most = 0;
    std::int64_t sum = 0;
    for (std::int64_t j = 0; j <= static_cast<std::int64_t>(parts.size()); ++j) {
      const std::int64_t lost = j == 0 ? 0 : first + (std::min(j, early.strands) - 1) * further;
      const std::int64_t given = early.given - std::max<std::int64_t>(0, early.strands - j);
      const std::int64_t instead = mutant_ == AlignedMutant::no_queue ? 0 : static_cast<std::int64_t>(ceil_div((all - sum) * given, m_));
      most = std::max(most, sum + instead - lost);
      if (j < static_cast<std::int64_t>(parts.size())) sum += parts[static_cast<std::size_t>(j)];
    }
    return std::min(most, all);
  }

 private:
  const analysis::path::Dag& dag_;
  const std::vector<std::vector<std::size_t>>& before_;
  const std::vector<std::vector<bool>>& reaches_;
  const std::vector<std::int64_t>& F_;
  std::size_t queue_;
  std::int64_t m_;
  std::int64_t den_;
  AlignedMutant mutant_;
};

}  // namespace rta::test
