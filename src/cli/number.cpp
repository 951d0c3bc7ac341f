#include "number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <system_error>

namespace rta::cli {
namespace {

namespace po = boost::program_options;

template <class T>
std::optional<T> all_of(std::string_view text) {
  T number{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || rest != end || text.front() == '-') return std::nullopt;
  return number;
}

}  // namespace

std::optional<std::uint64_t> whole_number(std::string_view text) { return all_of<std::uint64_t>(text); }

std::uint64_t whole_number(const po::variables_map& given, const char* option, std::uint64_t least, std::uint64_t most) {
  const auto& text = given[option].as<std::string>();
  const auto number = whole_number(text);
  if (number && *number >= least && *number <= most) return *number;
  throw UsageError(fmt::format("--{} '{}': must be a whole number within {} .. {}", option, text, least, most));
}

double decimal_number(const po::variables_map& given, const char* option) {
  const auto& text = given[option].as<std::string>();
  const auto number = all_of<double>(text);
  if (number && std::isfinite(*number)) return *number;
  throw UsageError(fmt::format("--{} '{}': must be a number that is not negative, e.g. 0.5", option, text));
}

std::chrono::nanoseconds seconds_option(const po::variables_map& given, const char* option) {
  constexpr double lifetime = 4e9;
  const std::chrono::duration<double> seconds(std::min(decimal_number(given, option), lifetime));
  return std::chrono::ceil<std::chrono::nanoseconds>(seconds);
}

std::uint64_t size_in_bytes(const po::variables_map& given, const char* option) {
  struct SizeUnit {
    std::string_view name;
    std::uint64_t bytes;
  };
  constexpr std::array units{SizeUnit{"GiB", 1U << 30U}, SizeUnit{"MiB", 1U << 20U}, SizeUnit{"KiB", 1U << 10U}, SizeUnit{"B", 1},
                             SizeUnit{"", 1}};
  constexpr std::uint64_t most = std::uint64_t{1} << 60U;
  const auto& text = given[option].as<std::string>();
  const auto* const unit = std::ranges::find_if(units, [&](const SizeUnit& u) { return text.ends_with(u.name); });
  std::string_view digits(text.data(), text.size() - unit->name.size());
  while (digits.ends_with(' ')) digits.remove_suffix(1);
  const auto number = digits.empty() ? std::nullopt : whole_number(digits);
  if (number && *number >= 1 && *number <= most / unit->bytes) return *number * unit->bytes;
  throw UsageError(fmt::format("--{} '{}': must be a size of at least one byte, e.g. 512 MiB or 2 GiB", option, text));
}

std::optional<std::uint32_t> percentage(std::string_view text) {
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  std::string places(point == std::string_view::npos ? "0" : text.substr(point + 1));
  if (whole.size() > 4 || places.empty() || places.size() > 4) return std::nullopt;
  places.resize(4, '0');
  const auto percent = whole_number(whole);
  const auto rest = whole_number(places);
  if (!percent || !rest) return std::nullopt;
  return static_cast<std::uint32_t>(*percent * 10'000 + *rest);
}

}  // namespace rta::cli
