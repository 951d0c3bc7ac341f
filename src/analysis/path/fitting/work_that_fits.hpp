// T10w: how much work of one DAG fits beside a path on one pool of processors, over all its release patterns.
#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace rta::analysis::path {

/// A job's work on the pool: nodes that end by some time after its release, chains of which execute one node at a time. Halves of a ns.
struct ChainedWork {
  struct Node {
    std::int64_t C = 0;  // > 0
    std::int64_t F = 0;
  };
  struct Chain {
    std::size_t end = 0;  // of its nodes
    std::int64_t F = 0;   // the largest
  };
  std::vector<Node> nodes;  // by chains
  std::vector<Chain> chains;
  std::int64_t F = 0;  // the largest
  std::int64_t least_F = INT64_MAX;

  /// To the last chain, or one more.
  void add(const Node& node, bool new_chain);
};

/// All times in halves of a ns. The window is [0, L) after the release of the job in question.
class WorkThatFits {
 public:
  struct Node {
    std::int64_t C = 0;       // > 0
    std::int64_t F = 0;       // its end after its DAG's release
    std::int64_t lim = 0;     // >= 0: of jobs released later it does not count
    std::uint32_t chain = 0;  // of its DAG's nodes on the pool; one of each is executed at a time
  };
  /// Nominal ones are T apart or more, each release follows its own by up to J.
  struct Releases {
    std::int64_t T = 1;
    std::int64_t J = 0;
  };
  /// `nodes`, at least one, by chains. `m` processors.
  WorkThatFits(const std::vector<Node>& nodes, Releases releases, std::int64_t L, std::int64_t m);
  /// Some work; of jobs released later than `lim` nothing counts.
  WorkThatFits(std::shared_ptr<const ChainedWork> work, std::int64_t lim, Releases releases, std::int64_t L, std::int64_t m);

  /// No two jobs meet the window: `most` is exact.
  [[nodiscard]] bool is_one_job() const;
  /// More than one phase may have the most of the other jobs of the DAG of the job in question.
  [[nodiscard]] bool is_late() const { return J_ > 0; }

  struct Most {
    std::int64_t work = 0;
    std::int64_t phase = 0;  // 0 <= phase < T: a nominal release that has it, others follow and precede it every T
  };
  /// I_d where nothing counts for more than `w`: no less than the maximum over all real phases, and that where it is at a kink.
  /// `likely`: a phase to begin with.
  [[nodiscard]] Most most(std::int64_t w, std::int64_t likely = 0) const;
  /// I_d at one phase.
  [[nodiscard]] std::int64_t at_phase(std::int64_t phase, std::int64_t w) const { return sum(phase, w).at(); }
  /// The same for the other jobs of the DAG of the job in question, whose nominal release is up to J before 0: at phase - T, for a phase
  /// from T - J up to T, or from 0 where J > T.
  [[nodiscard]] Most most_of_others(std::int64_t w, std::int64_t likely = 0) const;
  [[nodiscard]] std::int64_t others_at_phase(std::int64_t phase, std::int64_t w) const;

 private:
  /// Nominal releases at phase, phase + T ...; those after `phase`, where nodes end to count; and those at phase - T, phase - 2 T ...
  struct Sum {
    std::int64_t phase = 0;
    std::int64_t later = 0;
    std::int64_t just_after = 0;
    std::int64_t earlier = 0;
    [[nodiscard]] std::int64_t at() const { return later + earlier; }
    [[nodiscard]] std::int64_t after() const { return just_after + earlier; }
  };
  class Search;

  using Kinks = boost::container::small_vector<std::int64_t, 128>;

  /// f(x); `after`: its limit from the right.
  [[nodiscard]] std::int64_t f(std::int64_t x, std::int64_t w, bool after) const;
  [[nodiscard]] Sum sum(std::int64_t phase, std::int64_t w) const;
  [[nodiscard]] std::int64_t least_phase_of_others() const { return std::max<std::int64_t>(0, T_ - J_); }
  void add_kinks(std::int64_t C, std::int64_t F, Kinks& kinks) const;
  [[nodiscard]] Kinks kinks(std::int64_t w, std::int64_t least) const;

  std::shared_ptr<const ChainedWork> of_;
  std::vector<std::int64_t> lim_of_node_;                 // empty: one for all
  boost::container::small_vector<std::int64_t, 1> lims_;  // different ones, least first
  std::int64_t lim_;                                      // the largest
  std::int64_t T_;
  std::int64_t J_;
  std::int64_t L_;
  std::int64_t m_;
};

}  // namespace rta::analysis::path
