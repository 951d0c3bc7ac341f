#include "analysis/explain/late_terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>

#include "analysis/explain/counted_terms.hpp"
#include "analysis/explain/longest_pieces.hpp"
#include "analysis/explain/path_kinds.hpp"
#include "analysis/path/late/jitter.hpp"
#include "rta/model/utilization.hpp"

namespace rta::analysis {
namespace {

/// A node with work on the pool.
struct Use {
  std::size_t dag = 0;
  std::size_t node = 0;
  Wide F = 0;  // since the nominal release, as A
  Wide A = 0;
  Wide T = 1;
  Wide point = 0;  // Y
};

class Terms {
 public:
  Terms(const TaskSet& task_set, std::span<const DagId> dags, const SegmentBounds& bounds, const PathSystem::Place& place)
      : system_(bounds.system.system), F_(bounds.bounds.F), place_(place), pool_(node(place.dag, place.node).pool) {
    PathKinds kinds(task_set, dags, bounds, place.dag);
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      const path::Dag& dag = system_.dags[d];
      const std::vector<Wide> A = ready_times(d);
      for (std::size_t u = 0; u < dag.nodes.size(); ++u) {
        if (d == place.dag && u == place.node) own_ready_ = A[u];
        if (dag.nodes[u].pool != pool_ || dag.nodes[u].vol == 0) continue;
        const Time Y = order() == path::Order::gel_by_node ? dag.nodes[u].Y : dag.Y;
        const Wide J = dag.J.count();
        jitter_ = jitter_ || J > 0;
        uses_.push_back({d, u, F_[d][u].count() + J, A[u] + J, dag.T.count(), Y.count()});
        kinds.add(names_, d, u, false);
        U_.add(dag.nodes[u].vol, dag.T.count());
      }
    }
  }

  [[nodiscard]] std::vector<std::string> carry() const {
    return system_.pools[pool_].unit_weights ? carry_of_unit_weights() : carry_of_kernels();
  }

  /// vol_u (1 + A_u/T_u), or C_u max(0, 1 - x_u/T_u) with x_u = Y_u - Y_v + A_v - A_u.
  [[nodiscard]] std::vector<std::string> work() const {
    const bool fifo = order() == path::Order::fifo;
    std::vector<std::size_t> counted;
    std::vector<GroupKey> key;
    for (std::size_t i = 0; i < uses_.size(); ++i) {
      if (!fifo && distance(uses_[i]) >= uses_[i].T) continue;
      counted.push_back(i);
      key.emplace_back(uses_[i].T, 0);
    }
    std::vector<TermLine> lines;
    for (const TaskGroup& group : grouped(counted, key, names_)) {
      Wide once = 0;
      Wide product = 0;
      const Wide T = uses_[group.tasks.front()].T;
      for (const std::size_t i : group.tasks) {
        once = checked_add(once, vol(uses_[i]));
        product = checked_add(product, checked_mul(vol(uses_[i]), fifo ? uses_[i].A : -distance(uses_[i])));
      }
      const Wide sum = checked_add(once, ceil_div(product, T));
      lines.push_back({fmt::format("  {}: {} {} {}/{} = {}", group.name, to_string(once), product < 0 ? "-" : "+",
                                   to_string(product < 0 ? -product : product), to_string(T), to_string(sum)),
                       sum});
    }
    const char* const ready = jitter_ ? "A_u: its predecessors end so late after the nominal release" : "A_u: its predecessors end by then";
    std::vector<std::string> text{
        fifo ? fmt::format("  sum of vol_u (1 + A_u/T_u), {}:", ready)
             : fmt::format("  sum of C_u max(0, 1 - (Y_u - Y_v + A_v - A_u)/T_u), {}; sum C_u less sum C_u (Y_u - Y_v + A_v - A_u) over T:",
                           ready)};
    std::ranges::move(shortened(lines), std::back_inserter(text));
    return text;
  }

 private:
  [[nodiscard]] const path::Node& node(std::size_t d, std::size_t u) const { return system_.dags[d].nodes[u]; }
  [[nodiscard]] path::Order order() const { return system_.pools[pool_].order; }
  [[nodiscard]] Wide vol(const Use& use) const { return node(use.dag, use.node).vol; }
  [[nodiscard]] Wide jobs(const Use& use) const { return ceil_div(use.F, use.T); }

  [[nodiscard]] std::vector<Wide> ready_times(std::size_t d) const {
    std::vector<Wide> A(system_.dags[d].nodes.size(), 0);
    for (const auto& [from, to] : system_.dags[d].edges) A[to] = std::max<Wide>(A[to], F_[d][from].count());
    return A;
  }

  [[nodiscard]] Wide distance(const Use& use) const {
    const Time Y = order() == path::Order::gel_by_node ? node(place_.dag, place_.node).Y : system_.dags[place_.dag].Y;
    return use.point - Y.count() + own_ready_ - use.A;
  }

  [[nodiscard]] std::vector<std::string> carry_of_unit_weights() const {
    LongestPieces left{{}, std::max<Wide>(U_.ceil() - 1, 0)};
    left.tasks.reserve(uses_.size());
    for (const Use& use : uses_) {
      const Wide s = node(use.dag, use.node).s;
      left.tasks.push_back({use.F, use.T, s > 0 ? ceil_div(vol(use), s) : 1, s});
    }
    PieceLines longest = piece_lines(left, names_);
    longest.lines.insert(longest.lines.begin(), fmt::format("  the ceil(U) - 1 = {} longest pieces of ceil(F_u/T_u) jobs, U = {}: {}",
                                                            to_string(left.most), U_.text(), to_string(longest.sum)));
    return longest.lines;
  }

  /// T6c (b) at `lambda`: what a job's blocks count beyond it.
  [[nodiscard]] Wide beyond(const Use& use, Wide lambda) const {
    const Wide e = node(use.dag, use.node).e.count();
    if (e <= lambda) return 0;
    return lambda == 0 ? vol(use) : ceil_div(checked_mul(vol(use), e - lambda), e);
  }

  /// The largest sum of weights of whole blocks that is below U_w, over the pool's unit.
  [[nodiscard]] Wide V() const {
    path::WholeBlocks blocks;
    for (const Use& use : uses_) blocks.add(node(use.dag, use.node));
    return blocks.below(U_);
  }

  [[nodiscard]] Wide carried_with(Wide lambda) const {
    Wide sum = checked_mul(V(), lambda);
    for (const Use& use : uses_) sum = checked_add(sum, checked_mul(jobs(use), beyond(use, lambda)));
    return sum;
  }

  [[nodiscard]] std::vector<std::string> carry_of_kernels() const {
    const std::optional<Wide>& resident = system_.pools[pool_].resident;
    Wide lambda = 0;
    Wide least = carried_with(0);
    for (const Use& use : uses_) {
      const Wide e = node(use.dag, use.node).e.count();
      const Wide sum = carried_with(e);
      if (sum < least) {
        least = sum;
        lambda = e;
      }
    }
    if (resident && *resident < least) {
      return {fmt::format("  (a) (g-1) K + K', what can be resident when an SM is not blocked: {}", to_string(*resident))};
    }
    std::vector<std::string> text{
        fmt::format("  lambda V + sum of n_u vol_u max(0, e_u - lambda)/e_u, n_u = ceil(F_u/T_u), lambda = {} ns, "
                    "V = {}, of whole blocks below U_w = {}: {}",
                    to_string(lambda), to_string(V()), U_.text(), to_string(least))};
    std::vector<CountedTask> counted;
    TaskNames names{names_.kinds, {}};
    for (std::size_t i = 0; i < uses_.size(); ++i) {
      if (beyond(uses_[i], lambda) == 0) continue;
      counted.push_back({uses_[i].F, uses_[i].T, jobs(uses_[i]), beyond(uses_[i], lambda)});
      names.tasks.push_back(names_.tasks[i]);
    }
    std::ranges::move(counted_lines(counted, names), std::back_inserter(text));
    return text;
  }

  const path::System& system_;
  const std::vector<std::vector<Time>>& F_;
  const PathSystem::Place& place_;
  std::size_t pool_;
  Wide own_ready_ = 0;
  bool jitter_ = false;
  std::vector<Use> uses_;
  TaskNames names_;  // one per use
  Utilization U_;
};

}  // namespace

LateTerms late_terms(const TaskSet& task_set, std::span<const DagId> dags, const SegmentBounds& bounds, const PathSystem::Place& place) {
  const Terms terms(task_set, dags, bounds, place);
  return {terms.carry(), terms.work()};
}

}  // namespace rta::analysis
