#include "number.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <string>
#include <system_error>

namespace rta::cli {
namespace {

namespace po = boost::program_options;

/// Whether all of the text is a number; it has no sign then.
template <class T>
bool read(const std::string& text, T& number) {
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && rest == end && text.front() != '-';
}

}  // namespace

std::uint64_t whole_number(const po::variables_map& given, const char* option, std::uint64_t least, std::uint64_t most) {
  const auto& text = given[option].as<std::string>();
  std::uint64_t number = 0;
  if (read(text, number) && number >= least && number <= most) return number;
  throw UsageError(fmt::format("--{} '{}': must be a whole number within {} .. {}", option, text, least, most));
}

double decimal_number(const po::variables_map& given, const char* option) {
  const auto& text = given[option].as<std::string>();
  double number = 0;
  if (read(text, number) && std::isfinite(number)) return number;
  throw UsageError(fmt::format("--{} '{}': must be a number that is not negative, e.g. 0.5", option, text));
}

}  // namespace rta::cli
