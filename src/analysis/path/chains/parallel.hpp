// T10p: of the job in question only what is parallel to a node of the path can run while the path waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/path/chains/node_bits.hpp"
#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// The paths of one class, with what they count of their own job: once asked for, since of most classes but the order of nodes is.
class ParallelPaths {
 public:
  /// False where the class uses a non-preemptive pool, or has too many nodes.
  [[nodiscard]] static bool applies(const Class& c, const System& system);
  /// The same, but processors may be non-preemptive: less urgent work that has started is then to be added.
  [[nodiscard]] static bool applies_beside_started(const Class& c, const System& system);
  static constexpr std::size_t most_nodes = 512;
  /// Either, whatever the number of nodes.
  [[nodiscard]] static bool suits(const Class& c, const System& system);
  [[nodiscard]] static bool suits_beside_started(const Class& c, const System& system);
  /// Requires that one applies. `only`: sums are of the own job's counted work on this local pool alone, without the path's nodes. Keeps
  /// references.
  ParallelPaths(const Class& c, const System& system, std::optional<std::size_t> only = std::nullopt);

  /// Per set of slots, the largest sum of e - s and of the own job's counted work.
  [[nodiscard]] std::span<const PoolSet> sets_of(std::size_t v) const { return sums().sets[v]; }
  /// With each of them, how many pieces of less urgent work its paths' nodes may find on `pieces_pool`: m a node, but one less where the
  /// node before it on the path has left a processor there.
  [[nodiscard]] std::int64_t pieces_of(std::size_t v, std::size_t set) const { return sums().pieces.empty() ? 0 : sums().pieces[v][set]; }
  /// The first local pool that is non-preemptive.
  [[nodiscard]] std::optional<std::size_t> pieces_pool() const { return pieces_pool_; }
  /// What T10n counts of the own job in a slot, for paths to v.
  [[nodiscard]] Tick own(std::size_t v, std::size_t slot) const { return sums().own[v * slots_ + slot]; }
  /// Of the job's nodes on the local pool those that are parallel to v or an ancestor q of it there of this priority or more, where it is
  /// by priority.
  [[nodiscard]] NodeBits parallel_to_paths(std::size_t v, std::size_t local, std::uint32_t least_priority) const;
  [[nodiscard]] std::size_t size() const { return above_.size(); }
  [[nodiscard]] bool is_before(std::size_t u, std::size_t v) const { return above_[v][u]; }
  /// Whether one of those that follow it has visit(u), in increasing order up to that.
  template <class Visit>
  [[nodiscard]] bool any_after(std::size_t v, Visit visit) const {
    return below_[v].any_of(visit);
  }
  /// T10p's right-hand side, and the set that decides it, of its own length; `waiting`: per slot what T10n counts.
  struct Decisive {
    Tick length;
    PoolSet set;
  };
  [[nodiscard]] Decisive right_hand_side(std::size_t v, std::span<const Tick> waiting) const;
  /// Whether node u of the same job can run while v waits.
  [[nodiscard]] bool meanwhile(std::size_t u, std::size_t v) const { return sums().parallel[v][u]; }

  /// A path behind one of the sets of v, source first.
  [[nodiscard]] std::vector<std::size_t> path(std::size_t v, const PoolSet& set) const;

 private:
  /// Paths of which nothing but this matters for what follows.
  struct State {
    PoolSet set;
    NodeBits pending;  // counted nodes that are parallel to some node yet to come
    std::int64_t pieces = 0;
    std::uint32_t before = 0;
    std::uint32_t state = 0;  // of the node before
  };

  struct Sums {
    std::vector<NodeBits> parallel;  // to each node, and on its pool not after it by priority or point
    std::vector<Tick> own;           // node * slots + slot
    std::vector<std::vector<State>> states;
    std::vector<std::vector<PoolSet>> sets;
    std::vector<std::vector<std::int64_t>> pieces;
  };

  void set_relations();
  void set_pieces_pool();
  [[nodiscard]] const Sums& sums() const {
    if (!sums_) set_sums();
    return *sums_;
  }
  void set_sums() const;
  [[nodiscard]] std::vector<NodeBits> parallel() const;
  void set_own(Sums& sums) const;
  void set_states(Sums& sums) const;
  [[nodiscard]] std::int64_t pieces_at(std::uint32_t v, std::optional<std::uint32_t> before) const;
  static void add(std::vector<State>& states, State added);

  const Class& c_;
  const System& system_;
  std::optional<std::size_t> only_;
  std::size_t slots_ = 0;
  std::vector<NodeBits> above_;  // strict ancestors
  std::vector<NodeBits> below_;  // strict descendants
  std::optional<std::size_t> pieces_pool_;
  std::int64_t processors_ = 0;       // of that
  mutable std::optional<Sums> sums_;  // once asked for
};

}  // namespace rta::analysis::path
