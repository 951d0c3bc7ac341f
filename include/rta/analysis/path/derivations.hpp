// The inequalities behind the path bounds of a system.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "rta/analysis/inequality.hpp"
#include "rta/analysis/path/path.hpp"

namespace rta::analysis::path {

/// Pools, DAGs and nodes are those of the system, also in terms.
class Derivations {
 public:
  /// T10's.
  Derivations(const System& system, const Bounds& bounds);
  /// T10n's and those of its refinements. Both constructors keep references to their arguments.
  Derivations(const System& system, const NodeBounds& bounds);

  /// DAG k as a whole; for T10n, its sink that ends last.
  [[nodiscard]] Inequality of(std::size_t k) const;
  /// What carries node v of DAG k. T10n only.
  [[nodiscard]] Inequality of(std::size_t k, std::size_t v) const;
  /// What `by` says of node v of DAG k, which may be carried by something else; nothing where it does not apply. T10n only.
  [[nodiscard]] std::optional<Inequality> by(Support by, std::size_t k, std::size_t v) const;

 private:
  struct Content;
  std::shared_ptr<const Content> content_;
};

}  // namespace rta::analysis::path
