// docs/theory/tightness.md, "segments of a DAG at fixed distances", by the letter: what T10c's third form counts where DAGs of a system
// are segments of one. The product has no such bound.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "support/carried_oracle.hpp"

namespace rta::test {

enum class DistanceMutant : std::uint8_t {
  none,
  nothing_carried,
  at_release,    // x = 0 alone
  reversed,      // later segments count as if they were released earlier
  next_instead,  // own jobs: those of other releases alone
};
inline constexpr std::size_t distance_mutants = 5;

class FixedDistancesOracle : public CarriedOracle {
 public:
  /// `groups`: the DAGs of the system that are segments of one; `Phi`: by how much each is released after it.
  FixedDistancesOracle(const analysis::path::System& system, std::vector<std::vector<std::size_t>> groups, std::vector<std::int64_t> Phi,
                       DistanceMutant mutant = DistanceMutant::none)
      : CarriedOracle(system), groups_(std::move(groups)), Phi_(std::move(Phi)), mutant_(mutant) {}

 protected:
  [[nodiscard]] std::int64_t busy(std::size_t k, std::size_t p, std::int64_t) const override {
    std::int64_t b = 0;
    for (std::size_t q = 0; q < size(k); ++q) b = node(k, q).pool == p ? std::max(b, F_[k][q]) : b;
    const std::int64_t carry = mutant_ == DistanceMutant::nothing_carried ? 0 : chains(p);
    std::int64_t H = 1;
    for (const auto& dag : system_.dags) H = std::lcm(H, dag.T.count());
    std::int64_t most = 0;
    // What counts rises at multiples of a nanosecond; from H on nothing is more than H before.
    for (std::int64_t x = 0; x <= (mutant_ == DistanceMutant::at_release ? 0 : H); ++x) {
      std::int64_t sum = carry - processors(p) * x;
      for (const auto& group : groups_) sum += counted(group, k, p, b, x);
      most = std::max(most, sum);
    }
    return most;
  }

 private:
  // Ages of releases of the group's DAG, relative to the job's segment, at which a node counts: first to last.
  struct Window {
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int64_t C = 0;
  };

  // I_d(x): the most that releases T or more apart count.
  [[nodiscard]] std::int64_t counted(const std::vector<std::size_t>& group, std::size_t k, std::size_t p, std::int64_t b,
                                     std::int64_t x) const {
    const bool own = std::ranges::find(group, k) != group.end();
    const std::int64_t T = period(group.front());
    std::vector<Window> windows;
    for (const std::size_t s : group) {
      const std::int64_t lim = std::min(b, system_.dags[k].Y.count() - system_.dags[s].Y.count());
      const std::int64_t by = mutant_ == DistanceMutant::reversed ? -Phi_[s] : Phi_[s];
      for (std::size_t u = 0; u < size(s); ++u) {
        if (node(s, u).pool != p || work(s, u) == 0) continue;
        const std::int64_t last = is_whole(s, p) ? x : F_[s][u] + x - 1;
        if (last >= -lim) windows.push_back({by - lim, by + last, work(s, u)});
      }
    }
    // Ends of windows, and what lies whole periods from them: some best releases are among these.
    std::set<std::int64_t> at;
    std::int64_t from = 0;
    std::int64_t to = 0;
    for (const Window& window : windows) {
      from = std::min(from, window.first);
      to = std::max(to, window.last);
    }
    for (const Window& window : windows) {
      for (std::int64_t z = window.first; z <= to; z += T) at.insert(z);
      for (std::int64_t z = window.last; z >= from; z -= T) at.insert(z);
    }
    std::map<std::int64_t, std::int64_t> best;  // from this age on
    std::int64_t most = 0;
    for (auto z = at.rbegin(); z != at.rend(); ++z) {
      std::int64_t sum = 0;
      for (const Window& window : windows) sum += window.first <= *z && *z <= window.last ? window.C : 0;
      if (mutant_ == DistanceMutant::next_instead && own && *z == Phi_[k]) sum = 0;
      const auto next = best.lower_bound(*z + T);
      most = std::max(most, sum + (next == best.end() ? 0 : next->second));
      best[*z] = most;
    }
    return most;
  }

  std::vector<std::vector<std::size_t>> groups_;
  std::vector<std::int64_t> Phi_;
  DistanceMutant mutant_;
};

}  // namespace rta::test
