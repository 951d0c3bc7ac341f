// T10w: what fits beside a path on pools of processors, and no more than the path can wait for; T10m with the same counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/path/chains/parallel.hpp"
#include "analysis/path/fitting/fitting_wait.hpp"
#include "analysis/path/fitting/work_that_fits.hpp"
#include "analysis/path/points/by_node.hpp"
#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

class FittingPaths {
 public:
  using PerClass = std::vector<std::vector<std::int64_t>>;  // class -> one value per node, ns

  /// Keeps references. `known`: the paths of all classes, none where T10p does not apply.
  explicit FittingPaths(const Ticks& ticks, const std::vector<std::optional<ParallelPaths>>* known = nullptr);
  FittingPaths(const FittingPaths&) = delete;
  FittingPaths& operator=(const FittingPaths&) = delete;
  FittingPaths(FittingPaths&&) = default;

  /// Whether a pool is one of processors, on which nodes run one by one.
  [[nodiscard]] static bool is_processors(const System& system, std::size_t pool);
  static constexpr std::size_t most_nodes = 400;       // equal DAGs once
  static constexpr std::size_t most_slots = last_bit;  // of a DAG
  static constexpr std::int64_t most_jobs = 32;        // of a DAG, that are looked at one by one; of more all that count fit
  /// Its time grows with the third power of the number of different nodes.
  [[nodiscard]] static bool affordable(const Ticks& ticks);
  [[nodiscard]] bool applies(std::size_t k) const { return paths_[k] != nullptr; }

  struct Ends {
    const PerClass& F;
    const PerClass& A;        // bounds on ready times
    std::int64_t enough = 0;  // ns; F of the node if bounds are sought from below: then one between F and the bound will do
    bool likely = false;      // from below: or one up to F where the likely phases have no more
  };
  struct Decisive {
    Tick total;   // `unbounded` where times are out of range
    PoolSet set;  // of the paths that it is of
    bool own_in_length = false;
  };
  /// For node v of class k; `counted`: per slot what T10n counts. Any bound up to F, where that is no less than the least one. Begins where
  /// the last search for the node ended.
  [[nodiscard]] Decisive decisive(std::size_t k, std::size_t v, const Ends& ends, std::span<const Tick> counted) const;

  /// The least one.
  [[nodiscard]] Decisive exact(std::size_t k, std::size_t v, const Ends& ends, std::span<const Tick> counted) const;
  /// Where the last searches for node v of class k ended.
  [[nodiscard]] const std::vector<FittingWait::Last>& last(std::size_t k, std::size_t v) const {
    static_cast<void>(questions(k, v));
    return last_[k][v];
  }
  void set_last(std::size_t k, std::size_t v, std::vector<FittingWait::Last> last) { last_[k][v] = std::move(last); }

  /// The cut of every waiting that the least one takes.
  struct Cut {
    std::size_t local = 0;
    std::uint32_t least_priority = 0;
    std::int64_t halves = 0;
  };
  [[nodiscard]] std::vector<Cut> cuts(std::size_t k, std::size_t v, const Ends& ends) const;
  /// T10m: the best number of disjoint chains for node v of class k.
  struct Family {
    Tick total = unbounded;  // so where it does not apply, or cannot be less than `below`, ns
    std::size_t chains = 0;
    bool whole = false;  // the chains are of all nodes that do not follow v; else of v and those before it
  };
  [[nodiscard]] Family family(std::size_t k, std::size_t v, const Ends& ends, std::int64_t below) const;
  [[nodiscard]] std::vector<bool> family_nodes(std::size_t k, std::size_t v, bool whole) const;
  struct Families {
    Tick own;                   // of the job itself: these nodes, and what can run while one of them waits
    Tick longer;                // by how much the longest path in these nodes is longer than that to v
    std::vector<Tick> weights;  // K_1, K_2, ...; none where some of these nodes is elsewhere
  };
  [[nodiscard]] const Families& families(std::size_t k, std::size_t v, bool whole) const;

  /// Node -> its chain, of those of its pool.
  [[nodiscard]] std::vector<std::uint32_t> lanes(std::size_t k) const;
  [[nodiscard]] bool fits(std::size_t k, std::size_t local) const { return uses_[k][local].fits; }
  [[nodiscard]] const ParallelPaths& paths(std::size_t k) const { return *paths_[k]; }
  /// A path that decides, source first.
  [[nodiscard]] std::vector<std::size_t> path(std::size_t k, std::size_t v, const Decisive& of) const;

  using Wait = FittingWait;
  /// On local pool `local`, which fits, as the least sum has it. None where times are out of range.
  [[nodiscard]] std::optional<Wait> wait(std::size_t k, std::size_t v, const Ends& ends, const Decisive& of, std::size_t local) const;
  /// With no more in it than the jobs that count for T10m.
  [[nodiscard]] std::optional<Wait> others_of(std::size_t k, std::size_t v, const Ends& ends, bool whole) const;

 private:
  struct Place {
    std::size_t u = 0;
    std::int64_t C = 0;  // ns
    std::uint32_t chain = 0;
  };
  /// Per class and local pool.
  struct Use {
    bool fits = false;
    bool known = false;         // what follows, once asked
    std::vector<Place> places;  // nodes with work, by chains
    std::int64_t longest = 0;   // the largest C
    bool one_limit = false;     // no order tells them apart
  };
  struct Asked {
    std::size_t k = 0;
    std::size_t v = 0;
    const Ends& ends;
    std::size_t local = 0;
    std::uint32_t least_priority = 0;
    bool whole = false;  // all nodes that do not follow v wait, not v and those before it alone
  };
  struct Limits;
  class Waits;
  /// A waiting that some path to a node may pay for.
  struct Question {
    std::size_t local = 0;
    std::uint32_t least_priority = 0;
    [[nodiscard]] friend bool operator==(const Question&, const Question&) = default;
  };

  [[nodiscard]] const Use& use(std::size_t k, std::size_t local) const;
  void set_use(std::size_t k, std::size_t local) const;
  [[nodiscard]] const std::vector<Tick>& own_most(std::size_t k, std::size_t local) const;
  void set_longest(std::size_t k) const;
  [[nodiscard]] Families families_of(std::size_t k, std::size_t v, bool whole) const;
  void set_questions(std::size_t k) const;
  /// Of the paths to a node, once asked.
  [[nodiscard]] const std::vector<PoolSet>& longest(std::size_t k, std::size_t v) const {
    if (longest_[k].empty()) set_longest(k);
    return longest_[k][v];
  }
  [[nodiscard]] const std::vector<Question>& questions(std::size_t k, std::size_t v) const {
    if (questions_[k].empty()) set_questions(k);
    return questions_[k][v];
  }
  [[nodiscard]] std::optional<Wait> begin(const Asked& asked) const;
  [[nodiscard]] static std::uint32_t least_priority(const Class& c, std::size_t local, std::uint64_t mask);
  [[nodiscard]] Tick in_ticks(const Wait& wait, std::int64_t work) const;
  [[nodiscard]] std::optional<Wait> wait(const Asked& asked) const;
  [[nodiscard]] std::optional<Wait> others(const Asked& asked) const;
  [[nodiscard]] bool add_jobs(Wait& wait, const Asked& asked, const Limits& limits, std::size_t d, bool own) const;
  void add_own(Wait& wait, const Asked& asked) const;
  [[nodiscard]] std::shared_ptr<const ChainedWork> chained(std::size_t d, std::size_t local, const std::vector<std::int64_t>& F) const;

  const Ticks& ticks_;
  std::vector<std::optional<ParallelPaths>> made_;                     // class, where they were not known
  std::vector<const ParallelPaths*> paths_;                            // class; null where T10w does not apply
  mutable std::vector<std::vector<Use>> uses_;                         // class, local pool
  mutable std::vector<std::vector<std::vector<PoolSet>>> longest_;     // class, node -> the longest paths: e on processors, e - s elsewhere
  mutable std::vector<std::vector<std::vector<Question>>> questions_;  // class, node
  mutable std::vector<std::vector<std::vector<Tick>>> own_most_;       // class, local pool, node: once asked
  /// For ends as they were the last time.
  struct Chained {
    std::vector<std::int64_t> F;
    std::shared_ptr<const ChainedWork> work;
  };
  mutable std::vector<std::vector<std::optional<Families>>> families_;  // class, node * 2 + whole: T10m, once asked
  mutable std::vector<std::vector<Chained>> chained_;                   // class, local pool
  mutable std::vector<std::vector<std::vector<Wait::Last>>> last_;      // class, node, question
  mutable std::vector<std::vector<Wait::Last>> last_of_families_;       // class, node * 2 + whole
};

}  // namespace rta::analysis::path
