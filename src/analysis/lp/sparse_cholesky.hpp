// Cholesky's factors of a sparse matrix whose pattern stays while its values change.
#pragma once

#include <Eigen/SparseCholesky>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace rta::analysis {

/// A = L D L^T of a symmetric positive definite A, in an order of least degrees (Eigen's SimplicialLDLT with AMD).
class SparseCholesky {
 public:
  /// `pairs`: where A may differ from 0 off the diagonal, in any order, also twice. None if a factorisation takes more multiplications than
  /// `most_work`.
  [[nodiscard]] static std::optional<SparseCholesky> of(std::size_t size, std::span<const std::pair<int, int>> pairs, double most_work);

  /// Where to add A's value at (i, j); stays valid. Requires i = j or one of the pairs.
  [[nodiscard]] std::size_t slot(int i, int j) const;
  [[nodiscard]] std::span<double> values() { return {matrix_.valuePtr(), static_cast<std::size_t>(matrix_.nonZeros())}; }
  void clear();
  /// From the values to the factors; where rounding has made a pivot worthless, of A with a little more on its diagonal.
  void factorise();
  /// In place.
  void solve(std::span<double> x) const;

 private:
  using Matrix = Eigen::SparseMatrix<double>;
  class Factors;
  struct Delete {
    void operator()(Factors* factors) const;
  };
  SparseCholesky(Matrix matrix, std::unique_ptr<Factors, Delete> factors);

  Matrix matrix_;  // the lower triangle
  std::unique_ptr<Factors, Delete> factors_;
};

}  // namespace rta::analysis
