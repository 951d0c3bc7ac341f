#include "rta/report/time_text.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>

namespace rta::report {
namespace {

void trim_zeros(std::string& digits) {
  if (digits.find('.') == std::string::npos) return;
  while (digits.back() == '0') digits.pop_back();
  if (digits.back() == '.') digits.pop_back();
}

}  // namespace

std::string time_text(Time time) {
  struct Unit {
    std::int64_t ns;
    int digits;
    const char* name;
  };
  static constexpr std::array<Unit, 4> units{{{1'000'000'000, 9, "s"}, {1'000'000, 6, "ms"}, {1'000, 3, "us"}, {1, 0, "ns"}}};

  const bool negative = time < Time::zero();
  // The magnitude of the least 64-bit integer does not fit in a signed one.
  const std::uint64_t magnitude =
      negative ? std::uint64_t{0} - static_cast<std::uint64_t>(time.count()) : static_cast<std::uint64_t>(time.count());
  if (magnitude == 0) return "0 ms";
  const Unit* unit = &units[3];
  // Seconds only from 10 s on: response times are read in ms.
  if (magnitude >= 10'000'000'000) {
    unit = &units[0];
  } else if (magnitude >= 1'000'000) {
    unit = &units[1];
  } else if (magnitude >= 1'000) {
    unit = &units[2];
  }
  const auto scale = static_cast<std::uint64_t>(unit->ns);
  std::string digits = fmt::format("{}", magnitude / scale);
  if (unit->digits > 0) digits += fmt::format(".{:0{}}", magnitude % scale, unit->digits);
  trim_zeros(digits);
  return (negative ? "-" : "") + digits + " " + unit->name;
}

std::string number_text(double value, int digits) {
  std::string text = fmt::format("{:.{}f}", value, digits);
  trim_zeros(text);
  return text == "-0" ? "0" : text;
}

}  // namespace rta::report
