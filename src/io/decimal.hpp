// Decimal numbers as written, without floating point.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rta/model/quantity.hpp"

namespace rta::io {

/// A decimal number and what follows it in the text (without the white space between them).
struct Decimal {
  bool negative = false;
  std::string_view whole;     // digits before the point, without leading zeros
  std::string_view fraction;  // digits after it, without trailing zeros
  std::string_view rest;

  [[nodiscard]] bool is_zero() const { return whole.empty() && fraction.empty(); }
  [[nodiscard]] bool is_whole() const { return fraction.empty(); }
  struct Scaled {
    Wide floor;  // largest integer not above the product
    bool exact;  // the product is that integer
  };
  /// The number without its sign, times `factor` > 0. Nothing when it exceeds 10^36.
  [[nodiscard]] std::optional<Scaled> scaled(std::int64_t factor) const;
};

/// Reads an optional sign, digits and optionally a point with digits. Nothing when the text does not begin so.
[[nodiscard]] std::optional<Decimal> parse_decimal(std::string_view text);

/// The same, also with an exponent of ten of at most two digits, as in `1.0E8` or `2e-3`. `written`: where its digits are kept.
[[nodiscard]] std::optional<Decimal> parse_scientific(std::string_view text, std::string& written);

}  // namespace rta::io
