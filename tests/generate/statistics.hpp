// Goodness of fit for tests with fixed seeds.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

/// Pearson's statistic of observed counts against expected ones.
inline double chi_square(const std::vector<double>& count, const std::vector<double>& expected) {
  double sum = 0;
  for (std::size_t i = 0; i < count.size(); ++i) sum += (count[i] - expected[i]) * (count[i] - expected[i]) / expected[i];
  return sum;
}

/// The value that the statistic passes once in 10^5 times (Wilson and Hilferty's approximation, z = 4.265).
inline double chi_square_limit(std::size_t degrees) {
  const auto k = static_cast<double>(degrees);
  const double a = 2 / (9 * k);
  const double b = 1 - a + 4.265 * std::sqrt(a);
  return k * b * b * b;
}
