// Which bounds rest on theorems whose proofs a machine has checked (docs/theory/machine-checked.md).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rta/analysis/proof.hpp"

namespace rta::analysis {

/// What says that a node's bound holds.
struct Headline {
  std::string_view name;  // of a theorem in proofs/headlines; empty: no machine has checked what carries the bound
  std::string_view form;  // of the bound's theorem, where it has several: `one processor`
};

/// Bounds of nodes by one theorem that no machine has checked.
struct Unchecked {
  Theorem theorem = Theorem::none;
  std::string_view form;
  std::size_t bounds = 0;
};

/// Of all bounds of nodes in a proof. Those of chains (T13) are not among them.
struct MachineChecked {
  std::vector<std::vector<std::optional<Headline>>> nodes;  // per DAG and node; none: no bound
  std::size_t bounds = 0;                                   // of nodes
  std::vector<Unchecked> others;                            // the most frequent first
  /// What the task set has and the model of the proofs has not: then nothing is machine-checked. `DAG 'camera' has sequential nodes`.
  std::vector<std::string> outside;
  /// Headlines by which the bounds hold beside limits of jobs under way and history edges, company, or DAGs without bounds.
  std::vector<std::string_view> carried_by;

  /// Whether there are bounds, and every one rests on machine-checked theorems alone: inequalities read the bounds of other nodes.
  [[nodiscard]] bool all() const { return bounds > 0 && outside.empty() && others.empty(); }
};

[[nodiscard]] MachineChecked machine_checked(const Proof& proof);

/// All names that a `Headline` or `carried_by` may have, each once.
[[nodiscard]] std::vector<std::string_view> headlines();

}  // namespace rta::analysis
