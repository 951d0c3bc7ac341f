#include "date.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <string_view>

#include "rta/model/error.hpp"

namespace rta::cli {
namespace {

using Seconds = std::chrono::sys_seconds;

/// https://reproducible-builds.org/specs/source-date-epoch/
Seconds now() {
  const char* const given = std::getenv("SOURCE_DATE_EPOCH");
  if (given == nullptr) return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const std::string_view text = given;
  constexpr std::int64_t end_of_9999 = 253'402'300'799;
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc{} || end != text.data() + text.size() || seconds < 0 || seconds > end_of_9999) {
    throw UserError(fmt::format("SOURCE_DATE_EPOCH '{}': must be whole seconds since 1970 (allowed: 0 to {})", text, end_of_9999));
  }
  return Seconds(std::chrono::seconds(seconds));
}

}  // namespace

std::string today() {
  const std::chrono::year_month_day date(std::chrono::floor<std::chrono::days>(now()));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

}  // namespace rta::cli
