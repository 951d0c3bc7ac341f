#include "analysis/path/late/jitter.hpp"

#include <algorithm>

#include "rta/model/error.hpp"

namespace rta::analysis::path {

JitterPool::JitterPool(const Ticks& ticks, std::size_t pool) : ticks_(ticks) {
  const Pool& p = ticks.system->pools[pool];
  unit_weights_ = p.unit_weights;
  Utilization U;
  WholeBlocks blocks;
  for (const std::size_t k : ticks.users[pool]) {
    const Class& c = ticks.classes[k];
    const Dag& dag = ticks.system->dags[c.dags.front()];
    for (std::size_t u = 0; u < c.size(); ++u) {
      const Node& node = dag.nodes[u];
      if (node.pool != pool || node.vol == 0) continue;
      U.add(checked_mul<Wide>(node.vol, c.copies), c.T);
      blocks.add(node);
      const Wide pieces = node.s > 0 ? ceil_div(node.vol, node.s) : 1;
      uses_.push_back({k, u, static_cast<std::int64_t>(std::min<Wide>(pieces, INT64_MAX))});
    }
  }
  std::stable_sort(uses_.begin(), uses_.end(),
                   [&](const Use& a, const Use& b) { return ticks.classes[a.c].e[a.u] > ticks.classes[b.c].e[b.u]; });
  const Wide D = checked_mul<Wide>(p.capacity, p.unit);
  if (unit_weights_) {
    ceil_U_ = U.ceil();
  } else {
    const Wide V = blocks.below(U);
    lambda_V_.reserve(uses_.size());
    for (const Use& use : uses_) lambda_V_.push_back(ceil_div(checked_mul<Wide>(V, ticks.classes[use.c].e[use.u].count()), D));
    try {
      if (p.resident) resident_ = ceil_div(checked_mul<Wide>(*p.resident, ticks.Q), D);
    } catch (const Overflow&) {
      // What is counted stands.
    }
  }
}

/// The ceil(U) - 1 longest pieces, where at most ceil(F_u/T_u) jobs of u may be unfinished (T1c; processors, workers, engines).
Wide JitterPool::carry_of_unit_weights(const std::vector<std::vector<std::int64_t>>& F) const {
  Wide free = ceil_U_ - 1;
  Wide sum = 0;
  for (const Use& use : uses_) {
    if (free <= 0) break;
    const Class& c = ticks_.classes[use.c];
    const Wide count = std::min<Wide>(free, Wide{jobs_in(F[use.c][use.u], c.T)} * c.copies * use.pieces);
    sum += count * c.s_up[use.u].count();
    free -= count;
  }
  return sum;
}

/// T6c, form (b): min over lambda in {0, L_1 ... L_n} of lambda V + sum of N_i w_i max(0, L_i - lambda), N_i = ceil(F_i/T_i) B_i.
Wide JitterPool::carry_of_kernels(const std::vector<std::vector<std::int64_t>>& F) const {
  // With lambda = L_i (in decreasing order), the kernels before i count sum N w L - lambda sum N w, both accumulated. The second sum is
  // kept in units of 2^-40 and rounded down, which can only raise the carry.
  constexpr int bits = 40;
  Wide work = 0;        // sum of N w L over longer kernels
  Wide per_length = 0;  // sum of N w over longer kernels
  std::optional<Wide> best;
  for (std::size_t i = 0; i < uses_.size(); ++i) {
    const Class& c = ticks_.classes[uses_[i].c];
    const std::int64_t lambda = c.e[uses_[i].u].count();
    const Wide value = lambda_V_[i] + work - floor_div(checked_mul<Wide>(per_length, lambda), Wide{1} << bits);
    best = std::min(best.value_or(value), value);
    const Wide jobs = checked_mul<Wide>(jobs_in(F[uses_[i].c][uses_[i].u], c.T), checked_mul<Wide>(c.copies, c.vol[uses_[i].u].count()));
    work = checked_add(work, jobs);
    if (lambda > 0) per_length += checked_mul<Wide>(jobs, Wide{1} << bits) / lambda;
  }
  return std::min(best.value_or(work), work);  // lambda = 0
}

Tick JitterPool::backlog(const std::vector<std::vector<std::int64_t>>& F, const std::vector<std::vector<std::int64_t>>& A) const {
  Wide sum = carry(F);
  for (const Use& use : uses_) {
    const Class& c = ticks_.classes[use.c];
    sum += c.copies * (c.vol[use.u].count() + ceil_div(Wide{c.vol[use.u].count()} * A[use.c][use.u], c.T));
  }
  return to_tick(sum);
}

}  // namespace rta::analysis::path
