#include "analysis/lp/sparse_cholesky.hpp"

#include <algorithm>
#include <vector>

namespace rta::analysis {

class SparseCholesky::Factors : public Eigen::SimplicialLDLT<Matrix, Eigen::Lower, Eigen::AMDOrdering<int>> {
 public:
  /// Whether the last factorisation found a positive definite matrix, as far as rounding lets it.
  [[nodiscard]] bool positive() const { return info() == Eigen::Success && (m_diag.size() == 0 || m_diag.minCoeff() > 0); }
  /// Multiplications of a factorisation; after `analyzePattern`.
  [[nodiscard]] double work() const {
    double sum = 0;
    for (Eigen::Index c = 0; c < m_nonZerosPerCol.size(); ++c) {
      const double below = m_nonZerosPerCol[c];
      sum += below * (below + 3) / 2;
    }
    return sum;
  }
};

void SparseCholesky::Delete::operator()(Factors* factors) const { delete factors; }

SparseCholesky::SparseCholesky(Matrix matrix, std::unique_ptr<Factors, Delete> factors)
    : matrix_(std::move(matrix)), factors_(std::move(factors)) {}

std::optional<SparseCholesky> SparseCholesky::of(std::size_t size, std::span<const std::pair<int, int>> pairs, double most_work) {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(size + pairs.size());
  for (int i = 0; i < static_cast<int>(size); ++i) entries.emplace_back(i, i, 1);
  for (const auto& [i, j] : pairs) entries.emplace_back(std::max(i, j), std::min(i, j), 0);
  Matrix matrix(static_cast<Eigen::Index>(size), static_cast<Eigen::Index>(size));
  matrix.setFromTriplets(entries.begin(), entries.end());
  std::unique_ptr<Factors, Delete> factors(new Factors);
  factors->analyzePattern(matrix);
  if (factors->work() > most_work) return std::nullopt;
  return SparseCholesky(std::move(matrix), std::move(factors));
}

std::size_t SparseCholesky::slot(int i, int j) const {
  const int row = std::max(i, j), column = std::min(i, j);
  const int* const first = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[column];
  const int* const last = matrix_.innerIndexPtr() + matrix_.outerIndexPtr()[column + 1];
  return static_cast<std::size_t>(std::lower_bound(first, last, row) - matrix_.innerIndexPtr());
}

void SparseCholesky::clear() { std::ranges::fill(values(), 0.0); }

void SparseCholesky::factorise() {
  constexpr double least_shift = 1e-15, most_shift = 1e-3;  // of the largest value
  factors_->setShift(0);
  factors_->factorize(matrix_);
  const double largest = matrix_.nonZeros() > 0 ? matrix_.coeffs().abs().maxCoeff() : 0;
  for (double shift = least_shift; shift < most_shift && !factors_->positive(); shift *= 100) {
    factors_->setShift(shift * largest);
    factors_->factorize(matrix_);
  }
}

void SparseCholesky::solve(std::span<double> x) const {
  Eigen::Map<Eigen::VectorXd> in_place(x.data(), static_cast<Eigen::Index>(x.size()));
  if (factors_->info() == Eigen::Success) in_place = factors_->solve(in_place).eval();
}

}  // namespace rta::analysis
