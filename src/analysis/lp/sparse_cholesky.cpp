#include "analysis/lp/sparse_cholesky.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>

namespace rta::analysis {

std::optional<SparseCholesky> SparseCholesky::of(std::size_t size, std::span<const std::pair<int, int>> pairs, double most_work) {
  std::vector<std::vector<int>> neighbours(size);
  for (const auto& [i, j] : pairs) {
    neighbours[static_cast<std::size_t>(i)].push_back(j);
    neighbours[static_cast<std::size_t>(j)].push_back(i);
  }
  for (auto& list : neighbours) {
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  SparseCholesky cholesky(size);
  if (!cholesky.order(std::move(neighbours), most_work)) return std::nullopt;
  cholesky.values_.resize(size + cholesky.rows_.size());
  return cholesky;
}

// Whoever is eliminated makes its neighbours one another's.
bool SparseCholesky::order(std::vector<std::vector<int>> neighbours, double most_work) {
  std::set<std::pair<std::size_t, int>> by_degree;
  for (std::size_t v = 0; v < neighbours.size(); ++v) by_degree.emplace(neighbours[v].size(), static_cast<int>(v));
  begin_.push_back(0);
  std::vector<int> merged;
  double work = 0;
  for (int place = 0; !by_degree.empty(); ++place) {
    const int v = by_degree.begin()->second;
    by_degree.erase(by_degree.begin());
    const auto own = std::move(neighbours[static_cast<std::size_t>(v)]);
    place_[static_cast<std::size_t>(v)] = place;
    const auto degree = static_cast<double>(own.size());
    work += degree * (degree + 3) / 2;
    if (work > most_work) return false;
    for (const int w : own) {
      auto& list = neighbours[static_cast<std::size_t>(w)];
      by_degree.erase({list.size(), w});
      merged.clear();
      std::ranges::set_union(list, own, std::back_inserter(merged));
      std::erase_if(merged, [&](int x) { return x == v || x == w; });
      list = merged;
      by_degree.emplace(list.size(), w);
    }
    rows_.insert(rows_.end(), own.begin(), own.end());
    begin_.push_back(rows_.size());
  }
  for (int& row : rows_) row = place_[static_cast<std::size_t>(row)];
  for (std::size_t c = 0; c + 1 < begin_.size(); ++c) {
    std::sort(rows_.begin() + static_cast<std::ptrdiff_t>(begin_[c]), rows_.begin() + static_cast<std::ptrdiff_t>(begin_[c + 1]));
  }
  return true;
}

std::size_t SparseCholesky::slot(int i, int j) const {
  const int a = place_[static_cast<std::size_t>(i)], b = place_[static_cast<std::size_t>(j)];
  const auto column = static_cast<std::size_t>(std::min(a, b));
  if (a == b) return column;
  const auto first = rows_.begin() + static_cast<std::ptrdiff_t>(begin_[column]);
  const auto last = rows_.begin() + static_cast<std::ptrdiff_t>(begin_[column + 1]);
  return place_.size() + static_cast<std::size_t>(std::lower_bound(first, last, std::max(a, b)) - rows_.begin());
}

void SparseCholesky::clear() { std::fill(values_.begin(), values_.end(), 0.0); }

// Column by column; `next` chains the earlier columns whose first row not yet passed is this one.
void SparseCholesky::factorise() {
  const std::size_t n = place_.size();
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> head(n, none), next(n, none), at(begin_.begin(), begin_.end() - 1);
  const auto enqueue = [&](std::size_t k) {
    if (at[k] == begin_[k + 1]) return;
    const auto row = static_cast<std::size_t>(rows_[at[k]]);
    next[k] = head[row];
    head[row] = k;
  };
  auto& sum = work_space_;
  for (std::size_t c = 0; c < n; ++c) {
    double pivot = values_[c];
    const double before = pivot;
    for (std::size_t r = begin_[c]; r < begin_[c + 1]; ++r) sum[static_cast<std::size_t>(rows_[r])] = values_[n + r];
    for (std::size_t k = head[c], after = none; k != none; k = after) {
      after = next[k];
      const double factor = values_[n + at[k]] * values_[k];
      pivot -= values_[n + at[k]] * factor;
      for (std::size_t r = ++at[k]; r < begin_[k + 1]; ++r) sum[static_cast<std::size_t>(rows_[r])] -= values_[n + r] * factor;
      enqueue(k);
    }
    values_[c] = pivot > 1e-15 * before && pivot > 0 ? pivot : 1e128;
    for (std::size_t r = begin_[c]; r < begin_[c + 1]; ++r) values_[n + r] = sum[static_cast<std::size_t>(rows_[r])] / values_[c];
    enqueue(c);
  }
}

void SparseCholesky::solve(std::span<double> x) const {
  const std::size_t n = place_.size();
  auto& y = work_space_;
  for (std::size_t i = 0; i < n; ++i) y[static_cast<std::size_t>(place_[i])] = x[i];
  for (std::size_t c = 0; c < n; ++c) {
    for (std::size_t r = begin_[c]; r < begin_[c + 1]; ++r) y[static_cast<std::size_t>(rows_[r])] -= values_[n + r] * y[c];
  }
  for (std::size_t c = n; c-- > 0;) {
    y[c] /= values_[c];
    for (std::size_t r = begin_[c]; r < begin_[c + 1]; ++r) y[c] -= values_[n + r] * y[static_cast<std::size_t>(rows_[r])];
  }
  for (std::size_t i = 0; i < n; ++i) x[i] = y[static_cast<std::size_t>(place_[i])];
}

}  // namespace rta::analysis
