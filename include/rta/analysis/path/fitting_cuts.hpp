// T10w, T10d: at how long a waiting all work may be cut, and chains of nodes, so that a bound can be verified without searching again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "rta/analysis/path/path.hpp"

namespace rta::analysis::path {

class FittingCuts {
 public:
  FittingCuts(const System& system, const NodeBounds& bounds);

  /// On a pool of processors, of paths whose least urgent node there has this priority (0 where priorities do not matter): they wait for
  /// less than this many halves of a ns; 0: not at all.
  struct Cut {
    std::size_t pool = 0;
    std::uint32_t least_priority = 0;
    std::int64_t halves = 0;
  };
  /// All that T10w takes for node v of DAG k, whose bound it carries.
  [[nodiscard]] std::vector<Cut> of(std::size_t k, std::size_t v) const;
  /// Per node of DAG k: of those on one pool with one number each is before or after each other.
  [[nodiscard]] std::vector<std::uint32_t> lanes(std::size_t k) const;
  /// T10d: of the nodes of DAG k on one pool 2, 3, ... disjoint chains of the most work, for each pool: per node the number of its chain,
  /// from 1 on; 0: none.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> families(std::size_t k) const;

 private:
  struct Content;
  std::shared_ptr<const Content> content_;
};

}  // namespace rta::analysis::path
