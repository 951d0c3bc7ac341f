#include "rta/model/quantity.hpp"

#include <algorithm>

namespace rta {

void throw_overflow(const char* operation) {
  throw Overflow(std::string("a ") + operation + " leaves the range of exact numbers; scale the task set's times or workloads down");
}

std::string to_string(Wide value) {
  const bool negative = value < 0;
  std::string digits;
  do {
    const int digit = static_cast<int>(value % 10);
    digits.push_back(static_cast<char>('0' + (negative ? -digit : digit)));
    value /= 10;
  } while (value != 0);
  if (negative) digits.push_back('-');
  std::reverse(digits.begin(), digits.end());
  return digits;
}

}  // namespace rta
