// T10a's turns: a path that visits a FIFO pool N times waits there for at most N nodes of each chain of a job.
#pragma once

#include <boost/dynamic_bitset.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// Of a DAG whose nodes take turns; of larger ones all may wait for all.
inline constexpr std::size_t most_nodes_in_turn = 1024;

/// Which nodes of a class come before which.
class Ancestors {
 public:
  explicit Ancestors(const Class& c);
  /// False for DAGs that are too large to know; then no node comes before another.
  [[nodiscard]] bool known() const { return !of_.empty(); }
  [[nodiscard]] bool is_before(std::size_t u, std::size_t v) const { return known() && of_[v][u]; }
  [[nodiscard]] std::size_t count(std::size_t v) const { return known() ? of_[v].count() : 0; }

 private:
  std::vector<boost::dynamic_bitset<>> of_;
};

/// A partition of `nodes` into chains, nodes each of which is before the next: by number of ancestors, then by index, each joins the first
/// chain whose last node is before it. The chain of each of them.
[[nodiscard]] std::vector<std::uint32_t> turn_chains(const Ancestors& ancestors, std::span<const std::uint32_t> nodes);

/// The same, each chain with its nodes.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> chains_of(const Ancestors& ancestors, std::span<const std::uint32_t> nodes);

/// Node -> the most nodes on the local pool that a path to it has, itself among them.
[[nodiscard]] std::vector<std::uint32_t> most_visits(const Class& c, std::size_t local);

}  // namespace rta::analysis::path
