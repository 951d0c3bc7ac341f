#include "rta/analysis/fine.hpp"

#include <fmt/format.h>

namespace rta::analysis {

std::string text(FineTime t) {
  const Wide thousandths = ceil_div(checked_mul(t.count(), Wide{1000}), Wide{1} << fine_bits);
  const Wide magnitude = thousandths < 0 ? -thousandths : thousandths;
  std::string digits =
      fmt::format("{}{}.{:03}", thousandths < 0 ? "-" : "", to_string(magnitude / 1000), static_cast<int>(magnitude % 1000));
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

}  // namespace rta::analysis
