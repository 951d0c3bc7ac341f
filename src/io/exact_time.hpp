// Times that may be no whole number of ns: periods of rates.
#pragma once

#include "rta/model/quantity.hpp"

namespace rta::io {

/// ns, exactly: both are positive.
struct ExactTime {
  Wide numerator = 0, denominator = 1;
  [[nodiscard]] bool is_whole() const { return denominator == 1; }
};
[[nodiscard]] constexpr ExactTime exact_time(Wide numerator, Wide denominator) {
  const Wide common = gcd(numerator, denominator);
  return {numerator / common, denominator / common};
}

}  // namespace rta::io
