// T10w: how much work of one DAG fits beside a path on one pool of processors, over all its release patterns.
#pragma once

#include <cstdint>
#include <vector>

namespace rta::analysis::path {

/// All times in halves of a ns. The window is [0, L) after the release of the job in question.
class WorkThatFits {
 public:
  struct Node {
    std::int64_t C = 0;       // > 0
    std::int64_t F = 0;       // its end after its DAG's release
    std::int64_t lim = 0;     // >= 0: of jobs released later it does not count
    std::uint32_t chain = 0;  // of its DAG's nodes on the pool; one of each is executed at a time
  };
  /// `nodes`, at least one, by chains. `m` processors.
  WorkThatFits(std::vector<Node> nodes, std::int64_t T, std::int64_t L, std::int64_t m);

  /// No two jobs meet the window: `most` is exact.
  [[nodiscard]] bool is_one_job() const;

  struct Most {
    std::int64_t work = 0;
    std::int64_t phase = 0;  // 0 <= phase < T: a release that has it, others follow and precede it every T
  };
  /// I_d where nothing counts for more than `w`: no less than the maximum over all real phases, and that where it is at a kink.
  [[nodiscard]] Most most(std::int64_t w) const;
  /// The same for releases at all multiples of T but 0.
  [[nodiscard]] std::int64_t at_periods(std::int64_t w) const;

 private:
  /// Releases at phase, phase + T ...; those after `phase`, where nodes end to count; and those at phase - T, phase - 2 T ...
  struct Sum {
    std::int64_t phase = 0;
    std::int64_t later = 0;
    std::int64_t just_after = 0;
    std::int64_t earlier = 0;
    [[nodiscard]] std::int64_t at() const { return later + earlier; }
    [[nodiscard]] std::int64_t after() const { return just_after + earlier; }
  };
  class Search;

  [[nodiscard]] std::int64_t overlap(std::int64_t x, std::int64_t F) const;
  /// f(x); `after`: its limit from the right.
  [[nodiscard]] std::int64_t f(std::int64_t x, std::int64_t w, bool after) const;
  [[nodiscard]] Sum sum(std::int64_t phase, std::int64_t w) const;
  void add_kinks(std::int64_t C, std::int64_t F, std::vector<std::int64_t>& kinks) const;
  [[nodiscard]] std::vector<std::int64_t> kinks(std::int64_t w) const;

  struct Chain {
    std::size_t end = 0;  // of its nodes
    std::int64_t F = 0;   // the largest
  };
  std::vector<Node> nodes_;
  std::vector<Chain> chains_;
  std::vector<std::int64_t> lims_;  // different ones, least first
  std::int64_t F_ = 0;              // the largest
  std::int64_t lim_ = 0;            // likewise
  std::int64_t T_;
  std::int64_t L_;
  std::int64_t m_;
};

}  // namespace rta::analysis::path
