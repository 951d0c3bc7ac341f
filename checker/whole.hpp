// T10d: how much work of one DAG fits beside a path, the DAG taken as a whole.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "number.hpp"

namespace checker {

/// What a job has left when so much is left of the time E after its release: no more than on infinitely many processors.
struct Left {
  struct Item {
    Int end, C;  // where each item starts as soon as it can
  };
  std::vector<Item> items;
  Int longest, E;  // E in halves of a ns

  /// y/of halves of a ns before the end; in 1/of halves.
  [[nodiscard]] Int at(Int y, Int of) const {
    Int sum = 0;
    for (const Item& item : items) sum += std::max(Int(0), std::min(y - 2 * of * (longest - item.end), 2 * of * item.C));
    return sum;
  }
};

/// Jobs of a DAG, nominally at least T apart and each released up to J later, which do their work between their releases and F later, on m
/// processors, beside the window [0, L). Times in ns, work and the times of `within` in halves of them.
struct Whole {
  Int F, T, J, L, m;
  Int last = 0;                           // of jobs released later nothing counts
  std::map<std::size_t, Int> lanes = {};  // work; one item of each runs at a time
  Int longest = 0;                        // of all paths of these items; 0: not known
  /// Of some of these items chains, each of which runs one at a time.
  struct Family {
    std::set<std::size_t> chains;
    Int work = 0;
    void add(std::size_t chain, const Int& vol) {
      if (chain == 0) return;
      chains.insert(chain);
      work += vol;
    }
  };
  std::vector<Family> families = {};
  std::optional<Left> left = {};

  static constexpr Int most_jobs = 100'000;  // that are looked at one by one
  [[nodiscard]] bool is_short() const { return floor_div(F + J + L, T) <= most_jobs; }
  /// The first and the last of n + 1 jobs, by their releases.
  [[nodiscard]] Int apart(Int n) const { return std::max(Int(0), n * T - J); }

  /// The most that one job does in a time of t.
  [[nodiscard]] Int within(Int t) const {
    t = std::max(Int(0), std::min({t, 2 * L, 2 * F}));
    Int all = 0;
    Int one_each = 0;
    for (const auto& [lane, work] : lanes) {
      all += 2 * work;
      one_each += std::min(2 * work, t);
    }
    Int most = std::min({one_each, m * t, all - std::max(Int(0), 2 * longest - t)});
    for (const Family& family : families) most = std::min(most, Int(family.chains.size()) * t + all - 2 * family.work);
    return most;
  }
  /// n + 1 jobs meet the window, the first for `first` at most, the first and the last for `both`: concave, so most with equal shares.
  [[nodiscard]] Int most() const {
    if (last + F <= 0) return 0;
    Int most = within(2 * (last + F));
    if (left && last < 0) most = std::min(most, left->at(2 * last + left->E, 1));
    for (Int n = 1; L + F - apart(n) > 0 && last + F - apart(n) > 0; n += 1) {
      const Int both = L + F - apart(n);
      const Int latest = 2 * (last + F - apart(n));
      const Int first = std::min(both, latest);
      const bool is_less = left && left->at(first + left->E - 2 * F, 1) < within(first);
      const Int work = is_less ? of_two(both, latest) : within(first) + within(2 * both - first);
      most = std::max(most, (n - 1) * within(2 * L) + work);
    }
    return most;
  }
  /// Released at all multiples of T but 0, or up to J closer.
  [[nodiscard]] Int at_periods() const {
    Int sum = 0;
    for (Int j = 1; apart(j) < F; j += 1) sum += within(2 * (F - apart(j)));
    for (Int j = 1; apart(j) < L && apart(j) <= last; j += 1) sum += within(2 * (L - apart(j)));
    return sum;
  }

 private:
  /// Of the first job, `latest` halves at most, and the last, where what the first has left may be less.
  [[nodiscard]] Int of_two(Int both, Int latest) const;
};

}  // namespace checker
