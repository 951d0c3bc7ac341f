#include "analysis/path/path_release_jitter.hpp"

#include <algorithm>
#include <utility>

#include "analysis/path/path_inequality.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis::path {
namespace {

using Bits = std::vector<bool>;

/// Per node: itself and those before it, and those after it.
struct Relations {
  std::vector<Bits> above, below;

  explicit Relations(const Class& c) : above(c.size(), Bits(c.size(), false)), below(c.size(), Bits(c.size(), false)) {
    for (const std::uint32_t v : c.order) {
      above[v][v] = true;
      for (const std::uint32_t w : c.predecessors(v)) {
        for (std::size_t u = 0; u < c.size(); ++u) above[v][u] = above[v][u] || above[w][u];
      }
      for (std::size_t u = 0; u < c.size(); ++u) {
        if (u != v && above[v][u]) below[u][v] = true;
      }
    }
  }
};

/// The sums of T12, one node after the other.
class LateReleases {
 public:
  LateReleases(const System& system, const Limits& limits) : system_(system), ticks_(to_ticks(system, limits, false)) {
    for (const Class& c : ticks_.classes) {
      relations_.emplace_back(c);
      F_.push_back(c.longest);
      A_.emplace_back(c.size(), 0);
    }
  }

  std::optional<Reason> solve(const Limits& limits) {
    std::size_t sweeps = 0;
    for (bool changed = true; changed;) {
      changed = false;
      if (limits.stop && limits.stop()) return reason::Stopped{};
      if (sweeps++ == limits.sweeps) return reason::StillGrows{limits.sweeps, false};
      for (std::size_t k = 0; k < ticks_.classes.size(); ++k) {
        for (const std::uint32_t v : ticks_.classes[k].order) {
          for (const std::uint32_t w : ticks_.classes[k].predecessors(v)) A_[k][v] = std::max(A_[k][v], F_[k][w]);
          const Derivation derivation = derived(k, v);
          const std::int64_t next = ceil_to_time(derivation.total).count();
          if (next <= F_[k][v]) continue;
          F_[k][v] = next;
          changed = true;
          if (next > ticks_.classes[k].limit) return past_limit(ticks_, k, most_waited_for(derivation, k, v), limits);
        }
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] NodeBounds bounds() const {
    NodeBounds result;
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      const std::size_t k = ticks_.class_of[d];
      auto& F = result.F.emplace_back();
      auto& support = result.support.emplace_back();
      for (std::size_t v = 0; v < F_[k].size(); ++v) {
        F.emplace_back(F_[k][v]);
        support.push_back(waits_by_priority(k, v) ? Support::fixed : Support::path);
      }
      Time R;
      for (const std::uint32_t v : ticks_.classes[k].sinks) R = std::max(R, F[v]);
      result.R.push_back(R);
    }
    return result;
  }

 private:
  [[nodiscard]] Derivation derived(std::size_t k, std::uint32_t v) const {
    const auto of = [this](const std::vector<std::vector<std::int64_t>>& all) {
      return [this, &all](std::size_t d, std::size_t u) { return all[ticks_.class_of[d]][u]; };
    };
    return Inequality(system_, ticks_, {of(F_), of(A_)}, ticks_.classes[k].dags.front(), true)
        .solve({v}, relations_[k].below[v], relations_[k].above[v]);
  }

  [[nodiscard]] std::size_t most_waited_for(const Derivation& derivation, std::size_t k, std::size_t v) const {
    const auto most = std::ranges::max_element(derivation.waits, {}, &Waiting::length);
    const Class& c = ticks_.classes[k];
    return most == derivation.waits.end() ? c.pools[c.pool_of[v]] : most->pool;
  }

  [[nodiscard]] bool waits_by_priority(std::size_t k, std::size_t v) const {
    const Class& c = ticks_.classes[k];
    for (std::size_t u = 0; u < c.size(); ++u) {
      if (relations_[k].above[v][u] && by_fixed_priority(system_.pools[c.pools[c.pool_of[u]]].order)) return true;
    }
    return false;
  }

  const System& system_;
  Ticks ticks_;
  std::vector<Relations> relations_;  // per class, as the rest
  std::vector<std::vector<std::int64_t>> F_, A_;
};

}  // namespace

bool has_release_jitter(const System& system) {
  return std::ranges::any_of(system.dags, [](const Dag& dag) { return dag.J > Time::zero(); });
}

Result<NodeBounds> bounds_with_release_jitter(const System& system, const Limits& limits) {
  for (const Pool& pool : system.pools) {
    require(!is_non_preemptive(pool.order) || pool.order == Order::fixed_kernels, "T12 is for preemptive pools");
    require(!pool.slices, "T12 knows no slices");
    const auto apart = [](const Dag& dag) { return dag.J < dag.T; };
    require(pool.order != Order::fixed_kernels || std::ranges::all_of(system.dags, apart), "T11g counts releases T - J apart");
  }
  LateReleases late(system, limits);
  if (auto overload = overloaded_pool(system)) return *std::move(overload);
  if (auto reason = late.solve(limits)) return *std::move(reason);
  return late.bounds();
}

}  // namespace rta::analysis::path
