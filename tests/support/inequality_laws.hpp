// What holds of every inequality that is told: its terms sum to the total, which is no more than the bound.
#pragma once

#include <doctest/doctest.h>

#include <optional>
#include <variant>

#include "rta/analysis/inequality.hpp"

namespace rta::test {

/// `rounding`: of all terms, each of which is rounded up, and of what they are sums of.
inline void check_terms(const analysis::Inequality& of, Time rounding = Time(2)) {
  analysis::FineTime sum;
  for (const analysis::Term& term : of.terms) sum += term.length;
  CHECK(analysis::ceil_to_time(sum) + rounding >= analysis::ceil_to_time(of.total));
  CHECK(analysis::ceil_to_time(sum) <= analysis::ceil_to_time(of.total) + rounding);
}

inline void check_inequality(const analysis::Inequality& of, Time bound, Time rounding = Time(2)) {
  CHECK(analysis::ceil_to_time(of.total) <= bound);
  check_terms(of, rounding);
}

template <class Sum>
[[nodiscard]] Sum sum_of(const std::optional<analysis::Inequality>& of) {
  REQUIRE(of);
  return std::get<Sum>(of->detail);
}

}  // namespace rta::test
