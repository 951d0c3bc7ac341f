// T10d, T10w, T10m: chains of nodes, so that a bound can be verified without searching for them again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "rta/analysis/path/path.hpp"

namespace rta::analysis::path {

class Lanes {
 public:
  Lanes(const System& system, const NodeBounds& bounds);

  /// Per node of DAG k: of those on one pool with one number each is before or after each other.
  [[nodiscard]] std::vector<std::uint32_t> of(std::size_t k) const;
  /// T10d: of the nodes of DAG k on one pool 2, 3, ... disjoint chains of the most work, for each pool: per node the number of its chain,
  /// from 1 on; 0: none.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> families(std::size_t k) const;

 private:
  struct Content;
  std::shared_ptr<const Content> content_;
};

}  // namespace rta::analysis::path
