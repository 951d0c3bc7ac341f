// Cholesky's factors of a sparse matrix whose pattern stays while its values change.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace rta::analysis {

/// A = L D L^T of a symmetric positive definite A, in an order of least degrees.
class SparseCholesky {
 public:
  /// `pairs`: where A may differ from 0 off the diagonal, in any order, also twice. None if a factorisation takes more multiplications than
  /// `most_work`.
  [[nodiscard]] static std::optional<SparseCholesky> of(std::size_t size, std::span<const std::pair<int, int>> pairs, double most_work);

  /// Where to add A's value at (i, j); stays valid. Requires i = j or one of the pairs.
  [[nodiscard]] std::size_t slot(int i, int j) const;
  [[nodiscard]] std::span<double> values() { return values_; }
  void clear();
  /// From the values to the factors, in place. A pivot that rounding made worthless counts as infinite: its unknown stays 0.
  void factorise();
  /// In place.
  void solve(std::span<double> x) const;

 private:
  explicit SparseCholesky(std::size_t size) : place_(size), work_space_(size) {}
  bool order(std::vector<std::vector<int>> neighbours, double most_work);

  std::vector<int> place_;          // in the order of elimination
  std::vector<int> rows_;           // column after column, by place, without the diagonal
  std::vector<std::size_t> begin_;  // of each column in rows_
  std::vector<double> values_;      // of the diagonal first, then as rows_
  mutable std::vector<double> work_space_;
};

}  // namespace rta::analysis
