// docs/theory/fixed-priority.md, T11j, and docs/theory/jitter.md, T12j, with A_u + J_u for A_u in the sums and F_u + J_u for F_u
#include "urgent.hpp"

#include <algorithm>
#include <optional>

#include "processors.hpp"

namespace checker {

Urgent::Urgent(const System& system, std::size_t queue) : system_(system), queue_(system.queues[queue]) {
  need(queue_.order == Order::fp, "T11j needs a preemptive pool under fixed priorities");
  for (std::size_t kind = 0; kind < system.kinds.size(); ++kind) {
    const Job& job = system.jobs[system.kinds[kind].job];
    for (std::size_t u = 0; u < job.items.size(); ++u) {
      const Item& item = job.items[u];
      if (item.queue == queue) uses_.push_back({kind, u, system.kinds[kind].copies, item.vol, job.T, job.A[u], job.F[u], item.key});
    }
  }
}

const Urgent::Level& Urgent::level(Int key) {
  if (const auto known = levels_.find(key); known != levels_.end()) return known->second;
  Level level;
  Load load;
  std::vector<Piece> pieces;
  for (const Use& use : uses_) {
    if (use.key < key) continue;
    const Int work = use.copies * use.C;
    load.add(work, use.T);
    level.work += work;
    level.late.add(work * use.A, use.T);
    level.above.add(use.key > key || queue_.equals_any ? work : Int(0), use.T);
    if (use.C > 0) pieces.push_back({use.C, jobs_in(use.F, use.T) * use.copies});
  }
  need(load.at_most(queue_.processors), "T11j needs U <= m of what is at least as urgent");
  level.work += longest(std::move(pieces), load.ceil_times(1) - Int(1));
  return levels_.emplace(key, std::move(level)).first->second;
}

/// F_v >= A_v + (carry + sum C_u (1 + A_u/T_u) + (m-1) C_v)/(m - U_>), v itself C_v (1 + floor(A_v/T_v)) unless equals run in any order or
/// its releases are late.
Int Urgent::linear(std::size_t k, std::size_t v) {
  const Job& job = system_.jobs[k];
  const Item& item = job.items[v];
  const Int lateness = system_.lateness(job);
  const Int A = job.A[v] - lateness;
  const Level& of = level(item.key);
  const Int m = queue_.processors;
  Int whole = of.work + (m - Int(1)) * item.vol;
  Load late = of.late;
  if (!queue_.equals_any && lateness == Int(0)) {
    late.add(-(item.vol * A), job.T);
    whole += item.vol * floor_div(A, job.T);
  }
  const Fraction parts = late.rounded_up();
  const Fraction above = of.above.rounded_up();
  const Int rest = m * above.d - above.n;
  need(rest > 0, "T11j needs U < m of what is more urgent");
  const Int sum = whole * parts.d + parts.n;
  return A + (parts.d == above.d ? ceil_div(sum, rest) : ceil_mul_div(sum, above.d, parts.d * rest));
}

/// Jobs of a node that count: up to z of what goes before v whenever it is ready, up to x of equals.
Int Urgent::ready(const Item& item, const Use& use, bool own, Int x, Int z) const {
  if (use.key > item.key || queue_.equals_any) return jobs_in(z + use.A, use.T);
  return own ? floor_div(x, use.T) + Int(1) + floor_div(use.A, use.T) : floor_div(x + use.A, use.T) + Int(1);
}

/// F_v >= A_v + z(x) - x; no x from a jump on that is z + A_v or more matters.
Int Urgent::busy(std::size_t k, std::size_t v, std::span<const Int> z) {
  const Job& job = system_.jobs[k];
  const Item& item = job.items[v];
  const Int lateness = system_.lateness(job);
  const Int ready_by = job.A[v] - lateness;
  need(queue_.processors == Int(1), "busy intervals are for one processor");
  static_cast<void>(level(item.key));
  Int x = 0;
  Int longest = 0;
  for (std::size_t i = 0;; ++i) {
    need(i < z.size(), "the busy interval may be longer");
    Int work = item.vol == Int(0) ? 1 : 0;
    std::optional<Int> jump;
    const auto count = [&](const Use& use, Int copies, bool itself) {
      if (copies == Int(0) || (use.C == Int(0) && !itself)) return;
      const bool own = itself && lateness == Int(0);
      work += ready(item, use, own, x, z[i]) * copies * use.C;
      if (use.key > item.key) return;
      const Int A = own ? Int(0) : use.A;
      const Int next = (floor_div(x + A, use.T) + Int(1)) * use.T - A;
      jump = std::min(jump.value_or(next), next);
    };
    for (const Use& use : uses_) {
      if (use.key < item.key) continue;
      const bool itself = use.kind == job.kind && use.item == v;
      count(use, use.copies - Int(itself ? 1 : 0), false);
      if (itself) count(use, 1, true);
    }
    need(z[i] > 0 && z[i] >= work, "more is ready within the busy interval than it is long");
    longest = std::max(longest, z[i] - x);
    if (queue_.equals_any || z[i] + ready_by <= *jump) return ready_by + longest;
    x = *jump;
  }
}

}  // namespace checker
