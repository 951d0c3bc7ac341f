// T23: one visit to a FIFO pool or GPU.
//
// Theorem. Let v of DAG k be on a FIFO pool or GPU p without time slices, stream priorities and kernel switches, A_v the largest F of its
// predecessors, n = floor(A_v/T_k). For any partition of each DAG's nodes on p into chains, nodes of which each is before the next, let
//
//   front_d(z; w) = sum over chains of the most of kappa_u min(e_u, F_u - z, w) over the nodes u of the chain with F_u > z
//   X_d(w) = front_d(0; w) + front_d(T_d; w) + front_d(2 T_d; w) + ...
//   G(w) = sum over d != k of X_d(w) + sum over 0 <= j < n of front_k(j T_k; w) + sum over j >= 1 of front_k(A_v + j T_k; w)
//          + sum over chains of the most of kappa_u min(e_u, w) over the u parallel to v + (vol_v - s_v)/e_v min(e_v, w)
//
// with kappa_u = vol_u/e_u, what of u's work is done in a unit of time at most (of a kernel whose L is rounded up: w_u B_u),
//
// let w_v be no less than the least of
//   (a) the largest w with cap w <= G(w);
//   (b) processors, engines: with l_1 >= ... >= l_b the parts of G but v's own, for w without limit, the least over 0 <= i < m of
//       l_{i+1} + ... + l_{i+h}, h = floor((b - i)/(m - i)): nothing if b < m;
//   (c) GPU, workers: the sum over the same parts of the longest that a node of the chain takes on an empty pool, and what v takes there
//       less L_v.
// Then F_v >= A_v + w_v + e_v is enough (e_v at least the least unit of time). Proof: docs/theory/path.md.
//
// Right-hand sides fall where A_v rises past a multiple of T_k or own ages do: a solution is sought upwards alone.
//
// Where v may be ready any time up to A_v after its job's release, as T10f has it, the other jobs of its DAG count at ages j T_k, j = 0, 1
// ... but for j = n. That never falls while ends rise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/path/aligned/turns.hpp"
#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// One pool, for all F as they were when it was prepared.
class VisitPool {
 public:
  using Ends = std::vector<std::vector<std::int64_t>>;   // class, node: ns
  enum class By : std::uint8_t { work, pieces, waves };  // (a), (b), (c)

  /// Where more jobs of a DAG may be under way than this, nothing is said.
  static constexpr std::int64_t most_jobs = 64;
  [[nodiscard]] static bool applies(const Ticks& ticks, std::size_t pool);
  /// Whether nodes of the class are asked about; others count all the same.
  [[nodiscard]] static bool asks(const Class& c) { return c.size() <= most_nodes_in_turn; }

  VisitPool(const Ticks& ticks, std::size_t pool);

  void changed(std::size_t k) { stale_[k] = true; }
  /// What is ready of all jobs.
  void prepare(const Ends& F);
  /// Classes of which more jobs are under way: nothing is said of any node on the pool.
  [[nodiscard]] std::vector<std::size_t> too_many() const;

  struct Wait {
    std::int64_t length = no_bound;  // w_v, ns
    By by = By::work;
  };
  /// What of a wait is of use: one longer than `most` may be told as any that is longer, one of no more than `enough` as any up to it.
  struct Asked {
    std::int64_t most = no_bound;
    std::int64_t enough = -1;
  };
  /// How old the job is when its node is ready: A, or anything up to it.
  enum class Age : std::uint8_t { known, up_to };
  /// Of node v of class k, ready by A. Of kernels that may be ready up to then it may be told longer than it is.
  [[nodiscard]] Wait waiting(std::size_t k, std::size_t v, const std::vector<std::int64_t>& F, std::int64_t A, Asked asked,
                             Age age = Age::known) const;

  /// What of a node may be done in a time of w: the least of `most` and `rate` w.
  struct Done {
    Wide most = 0;
    Wide rate = 0;
    std::int64_t bend = 0;  // the last w at which the latter is no more
  };
  /// What may be ready of one chain of one job.
  struct Front {
    std::int64_t longest = 0;  // pieces: l; else how long it takes on an empty pool
    std::vector<Done> nodes;   // none of pieces; none that another one always covers
  };
  /// The parts of G but v's own.
  struct Parts {
    struct Others {
      std::size_t k = 0;
      std::int64_t copies = 1;
      std::span<const Front> fronts;  // of one DAG of the class
    };
    std::vector<Others> others;
    std::span<const Front> beside;  // of the job itself
    std::span<const Front> later;   // of those after it
    std::span<const Front> before;  // of those before it, where its own age is not known
    std::vector<Front> earlier;     // where it is
  };
  /// Nothing where too many jobs are under way, or of classes that are not asked about.
  [[nodiscard]] std::optional<Parts> parts(std::size_t k, std::size_t v, const std::vector<std::int64_t>& F, std::int64_t A,
                                           Age age = Age::known) const;
  /// In a time of w, in units of the pool's work.
  [[nodiscard]] Wide work(std::span<const Front> fronts, std::int64_t w) const;
  /// Of v itself, but for its last piece.
  [[nodiscard]] Wide own_work(std::size_t k, std::size_t v, std::int64_t w) const;
  /// Units of work a ns.
  [[nodiscard]] Wide capacity() const { return capacity_; }
  /// Every node is one piece that takes a processor for e.
  [[nodiscard]] bool has_pieces() const { return pieces_; }
  [[nodiscard]] std::int64_t processors() const { return m_; }
  /// All l of the parts, longest first.
  [[nodiscard]] static std::vector<std::int64_t> lengths(const Parts& parts);

 private:
  struct Use {
    std::size_t k = 0;
    std::vector<std::vector<std::uint32_t>> chains;
    std::vector<std::vector<Front>> parallel;  // node -> what of J may be ready beside it; empty where the class is not asked about
    std::vector<Front> fronts;                 // at ages 0, T, 2 T ...
    std::vector<std::size_t> until;            // age -> where its fronts end
    bool too_many = false;
    Wide sum = 0;  // pieces: of all fronts
  };
  struct Piece {
    std::int64_t length = 0;
    std::size_t use = 0;
  };
  /// Adds what of a job of age z may be ready, a front for each chain.
  void add_fronts(const Use& use, const std::vector<std::int64_t>& F, std::int64_t z, std::vector<Front>& fronts) const;
  void add(const Node& node, std::int64_t fits, Front& front) const;
  [[nodiscard]] Wide work(const Parts& parts, std::size_t k, std::size_t v, std::int64_t w) const;
  void set_fronts(Use& use, const std::vector<std::int64_t>& F) const;
  /// What is ready of so many jobs after the one in question, and of those before it where it may be as young as they leave it.
  [[nodiscard]] static std::span<const Front> later(const Use& own, std::int64_t jobs);
  [[nodiscard]] static std::span<const Front> before(const Use& own, std::int64_t jobs);
  [[nodiscard]] bool set_own_pieces(const Use& own, std::size_t v, const std::vector<std::int64_t>& F, std::int64_t A, Age age) const;
  [[nodiscard]] Wait of_pieces(std::size_t k, std::size_t v, const std::vector<std::int64_t>& F, std::int64_t A, Age age) const;
  [[nodiscard]] Wait of_kernels_or_longer(const Parts& parts, std::size_t k, std::size_t v) const;
  [[nodiscard]] Wait of_kernels(const Parts& parts, std::size_t k, std::size_t v, Asked asked) const;
  [[nodiscard]] const Node& node(std::size_t k, std::size_t u) const {
    return ticks_.system->dags[ticks_.classes[k].dags.front()].nodes[u];
  }

  const Ticks& ticks_;
  std::int64_t m_ = 1;
  Wide capacity_ = 1;
  bool pieces_ = true;
  bool known_alone_ = true;  // of all nodes how long they take on an empty pool
  bool too_many_ = false;    // jobs of some DAG
  std::vector<Use> uses_;
  std::vector<std::size_t> use_of_;  // class
  std::vector<bool> stale_;
  std::vector<Piece> sorted_;                        // pieces of all fronts, a DAG of each class; longest first
  mutable std::vector<std::int64_t> own_, longest_;  // pieces: of the node's own DAG; the longest of all
};

}  // namespace rta::analysis::path
