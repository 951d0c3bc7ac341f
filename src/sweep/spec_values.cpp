#include "spec_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "io/decimal.hpp"

namespace rta::sweep {
namespace {

using generate::Fraction;
using io::parse_decimal;
using io::quote;

constexpr std::size_t most_decimals = 9;
constexpr std::int64_t giga = 1'000'000'000;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(" \t") + 1);
}

// Two ends of `a .. b`; the same text twice without `..`.
std::pair<std::string_view, std::string_view> ends(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return {trimmed(text), trimmed(text)};
  return {trimmed(text.substr(0, dots)), trimmed(text.substr(dots + 2))};
}

std::optional<Fraction> reduced(Wide numerator, Wide denominator) {
  Wide a = numerator;
  Wide b = denominator;
  while (b != 0) a = std::exchange(b, a % b);
  if (a != 0) {
    numerator /= a;
    denominator /= a;
  }
  constexpr Wide most = std::numeric_limits<std::int64_t>::max() / 2;
  if (numerator > most || denominator > most) return std::nullopt;
  return Fraction{static_cast<std::int64_t>(numerator), static_cast<std::int64_t>(denominator)};
}

}  // namespace

void SpecValues::error(const Value& at, std::string_view key, std::string_view why) const {
  out_->error(at.mark, fmt::format("{}: {}", key, why));
}

std::optional<std::string_view> SpecValues::text(const Value& value, std::string_view key, std::string_view expected) const {
  if (value.kind == Value::Kind::scalar) return trimmed(value.text);
  if (value.kind != Value::Kind::rejected) error(value, key, fmt::format("{} is expected, not {}", expected, io::kind_text(value)));
  return std::nullopt;
}

std::optional<Fraction> SpecValues::fraction(const Value& value, std::string_view key, Fraction whole) const {
  const auto written = text(value, key, "a number, or a share like `50 %`,");
  if (!written) return std::nullopt;
  const auto number = parse_decimal(*written);
  if (!number || (!number->rest.empty() && number->rest != "%")) {
    error(value, key, fmt::format("{} is not a number nor a share like `50 %`", quote(*written)));
    return std::nullopt;
  }
  if (number->negative && !number->is_zero()) {
    error(value, key, fmt::format("must be zero or more, not {}", quote(*written)));
    return std::nullopt;
  }
  const auto scaled = number->scaled(giga);
  if (!scaled || scaled->floor > static_cast<Wide>(giga) * giga || number->fraction.size() > most_decimals) {
    error(value, key, fmt::format("{} has too many digits (at most {} after the point)", quote(*written), most_decimals));
    return std::nullopt;
  }
  const bool share = !number->rest.empty();
  const auto result =
      share ? reduced(scaled->floor * whole.numerator, static_cast<Wide>(giga) * 100 * whole.denominator) : reduced(scaled->floor, giga);
  if (!result) error(value, key, fmt::format("{} is too large", quote(*written)));
  return result;
}

std::optional<Time> SpecValues::parse_time(std::string_view written, const Value& at, std::string_view key, bool rates, bool zero) const {
  const auto number = parse_decimal(written);
  const auto* unit = io::time_units.end();
  if (number) unit = std::find_if(io::time_units.begin(), io::time_units.end(), [&](const io::Unit& u) { return u.name == number->rest; });
  const bool rate = number && rates && number->rest == "Hz";
  if (!number || (unit == io::time_units.end() && !rate)) {
    error(at, key,
          fmt::format("{} is not a time (a number and a unit: ns, us, ms, s{})", quote(written), rates ? ", or a rate in Hz" : ""));
    return std::nullopt;
  }
  if ((number->negative && !number->is_zero()) || (!zero && number->is_zero())) {
    error(at, key, fmt::format("must {}, not {}", zero ? "be zero or more" : "be positive", quote(written)));
    return std::nullopt;
  }
  const auto scaled = number->scaled(rate ? giga : unit->size);
  if (!scaled || scaled->floor > std::numeric_limits<std::int64_t>::max() || (rate && !scaled->exact)) {
    error(at, key, fmt::format("{} has too many digits", quote(written)));
    return std::nullopt;
  }
  if (rate) {
    const Wide T = static_cast<Wide>(giga) * giga / scaled->floor;
    if (T > 0) return to_time(T);
    error(at, key, fmt::format("{} is more than once a ns", quote(written)));
    return std::nullopt;
  }
  if (!scaled->exact) {
    error(at, key, fmt::format("{} is not a whole number of ns", quote(written)));
    return std::nullopt;
  }
  return to_time(scaled->floor);
}

std::optional<Time> SpecValues::time(const Value& value, std::string_view key, bool rates) const {
  const auto written = text(value, key, "a time");
  return written ? parse_time(*written, value, key, rates) : std::nullopt;
}

std::optional<Time> SpecValues::overhead(const Value& value, std::string_view key) const {
  const auto written = text(value, key, "a time");
  return written ? parse_time(*written, value, key, false, true) : std::nullopt;
}

std::optional<generate::LogUniform> SpecValues::times(const Value& value, std::string_view key) const {
  const auto written = text(value, key, "a range of times like `10 ms .. 100 ms`");
  if (!written) return std::nullopt;
  const auto [first, last] = ends(*written);
  const auto low = parse_time(first, value, key, false);
  const auto high = low ? parse_time(last, value, key, false) : std::nullopt;
  if (!high) return std::nullopt;
  if (*low > *high) {
    error(value, key, fmt::format("the range {} is empty", quote(*written)));
    return std::nullopt;
  }
  return generate::LogUniform{*low, *high};
}

std::optional<generate::Range> SpecValues::range(const Value& value, std::string_view key) const {
  const auto written = text(value, key, "a whole number or a range like `5 .. 20`");
  if (!written) return std::nullopt;
  const auto [first, last] = ends(*written);
  const auto whole = [&](std::string_view part) -> std::optional<std::uint32_t> {
    const auto number = parse_decimal(part);
    const auto count = number ? number->scaled(1) : std::nullopt;
    if (!count || !number->rest.empty() || !count->exact || number->negative || count->floor > std::numeric_limits<std::uint32_t>::max()) {
      error(value, key, fmt::format("{} is not a whole number nor a range like `5 .. 20`", quote(*written)));
      return std::nullopt;
    }
    return static_cast<std::uint32_t>(count->floor);
  };
  const auto low = whole(first);
  const auto high = low ? whole(last) : std::nullopt;
  if (!high) return std::nullopt;
  if (*low > *high) {
    error(value, key, fmt::format("the range {} is empty", quote(*written)));
    return std::nullopt;
  }
  return generate::Range{*low, *high};
}

std::optional<std::uint64_t> SpecValues::integer(const Value& value, std::string_view key, std::uint64_t most) const {
  const auto written = text(value, key, "a whole number");
  if (!written) return std::nullopt;
  const auto number = parse_decimal(*written);
  const auto count = number ? number->scaled(1) : std::nullopt;
  if (!count || !number->rest.empty() || !count->exact || (number->negative && !number->is_zero()) ||
      count->floor > static_cast<Wide>(most)) {
    error(value, key, fmt::format("{} is not a whole number from 0 to {}", quote(*written), most));
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(count->floor);
}

std::optional<std::uint64_t> SpecValues::size(const Value& value, std::string_view key) const {
  const auto written = text(value, key, "a size");
  if (!written) return std::nullopt;
  const auto number = parse_decimal(*written);
  const auto* unit = io::size_units.end();
  if (number) unit = std::find_if(io::size_units.begin(), io::size_units.end(), [&](const io::Unit& u) { return u.name == number->rest; });
  if (number && number->rest.empty() && number->is_zero()) return 0;
  const auto bytes = unit != io::size_units.end() ? number->scaled(unit->size) : std::nullopt;
  if (!bytes || !bytes->exact || number->negative || bytes->floor > std::numeric_limits<std::int64_t>::max()) {
    error(value, key, fmt::format("{} is not a size (a number and a unit: B, KiB, MiB)", quote(*written)));
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(bytes->floor);
}

}  // namespace rta::sweep
