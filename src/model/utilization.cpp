#include "rta/model/utilization.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>
#include <span>

#include "rta/model/error.hpp"

namespace rta {
namespace {

using Integer = boost::multiprecision::cpp_int;

// n / d, not in lowest terms. Requires d > 0.
struct Fraction {
  Integer n;
  Integer d;
};

// Past this size a greatest common divisor costs more than the digits that it saves.
constexpr unsigned small_bits = 256;
bool small(const Integer& d) { return msb(d) < small_bits; }

Fraction operator+(const Fraction& a, const Fraction& b) {
  if (a.d == b.d) return {a.n + b.n, a.d};
  if (small(a.d) && small(b.d)) {
    const Integer common = gcd(a.d, b.d);
    const Integer scale_a = b.d / common;
    return {a.n * scale_a + b.n * (a.d / common), a.d * scale_a};
  }
  return {a.n * b.d + b.n * a.d, a.d * b.d};
}

// Halving keeps the factors of each product about equally long.
template <class Term>
Fraction sum_of_halves(std::span<const Term> terms) {
  if (terms.empty()) return {0, 1};
  if (terms.size() == 1) return {Integer(terms[0].work), Integer(terms[0].period)};
  return sum_of_halves(terms.first(terms.size() / 2)) + sum_of_halves(terms.subspan(terms.size() / 2));
}

template <class Term>
Fraction exact_sum(std::vector<Term> terms) {
  std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) { return a.period < b.period; });
  return sum_of_halves(std::span<const Term>(terms));
}

Fraction in_lowest_terms(const Fraction& value) {
  const Integer common = gcd(value.n, value.d);
  return {value.n / common, value.d / common};
}

Wide ceil_of(const Fraction& value) {
  const Integer c = (value.n + value.d - 1) / value.d;  // n >= 0
  if (c > Integer(std::numeric_limits<std::int64_t>::max()) * std::numeric_limits<std::int64_t>::max()) throw_overflow("utilization");
  return static_cast<Wide>(c);
}

double to_double(Wide value) {
  const auto low = static_cast<std::int64_t>(value);
  return low == value ? static_cast<double>(low) : static_cast<double>(value);
}

// Digits of |n| / d after the point, at most `digits` of them; without trailing zeros. `rest` says whether more follow.
std::string decimals(const Fraction& value, int digits, bool& rest) {
  const Integer scale = pow(Integer(10), static_cast<unsigned>(digits));
  const Integer part = (value.n % value.d) * scale;
  rest = part % value.d != 0;
  std::string text = Integer(part / value.d).str();
  text.insert(0, static_cast<std::size_t>(digits) - text.size(), '0');
  if (!rest) text.erase(text.find_last_not_of('0') + 1);
  return text;
}

// For people; see Utilization::text.
std::string decimal_text(const Fraction& value) {
  constexpr int shortest = 6;
  constexpr int longest = 60;
  constexpr std::size_t readable = 24;
  const bool negative = value.n < 0;
  const Fraction v = in_lowest_terms({negative ? Integer(-value.n) : value.n, value.d});
  const std::string sign = negative ? "-" : "";
  const std::string whole = Integer(v.n / v.d).str();
  if (v.d == 1) return sign + whole;

  bool rest = false;
  std::string digits = decimals(v, shortest + 3, rest);
  if (!rest) return sign + whole + "." + digits;
  digits = decimals(v, shortest, rest);
  // A tiny value shows three digits of its own.
  const std::string many = decimals(v, longest, rest);
  const std::size_t first = many.find_first_not_of('0');
  if (whole == "0" && first != std::string::npos && first + 3 > digits.size()) digits = many.substr(0, first + 3);
  const std::string decimal = sign + whole + "." + digits + (rest || digits.size() < many.size() ? "..." : "");
  const std::string fraction = sign + v.n.str() + "/" + v.d.str();
  return fraction.size() <= readable ? fraction + " (" + decimal + ")" : decimal;
}

}  // namespace

void Utilization::add(Wide work, Wide period) {
  require(work >= 0 && period > 0, "utilization needs work >= 0 and a period > 0");
  sum_ += to_double(work) / to_double(period);
  ++additions_;
  Wide merged = 0;
  if (!terms_.empty() && terms_.back().period == period && !__builtin_add_overflow(terms_.back().work, work, &merged)) {
    terms_.back().work = merged;
  } else {
    terms_.push_back({period, work});
  }
}

// All terms are >= 0, each is off by three roundings at most, and each addition by one more.
double Utilization::relative_error() const { return (static_cast<double>(additions_) + 8) * std::numeric_limits<double>::epsilon(); }

std::strong_ordering Utilization::compare(Wide capacity) const { return compare(capacity, 1); }

std::strong_ordering Utilization::compare(Wide numerator, Wide denominator) const {
  const double target = to_double(numerator) / to_double(denominator);
  const double slack = relative_error() * (sum_ + std::abs(target));
  if (sum_ - target > slack) return std::strong_ordering::greater;
  if (target - sum_ > slack) return std::strong_ordering::less;
  const Fraction sum = exact_sum(terms_);
  const int order = Integer(sum.n * Integer(denominator)).compare(Integer(numerator) * sum.d);
  return order < 0 ? std::strong_ordering::less : order > 0 ? std::strong_ordering::greater : std::strong_ordering::equal;
}

Wide Utilization::ceil() const {
  if (sum_ < 1e15) {
    const double slack = relative_error() * (sum_ + 1);
    const double up = std::ceil(sum_);
    if (up - sum_ > slack && sum_ - (up - 1) > slack) return static_cast<Wide>(up);
  }
  return ceil_of(exact_sum(terms_));
}

Wide Utilization::ceil_times(Wide factor) const {
  require(factor >= 0, "a utilization is multiplied by factors >= 0 only");
  // Whole parts exactly, fractions in units of 2^-60, each rounded down: the sum lies in [whole + f, whole + f + terms) x 2^-60.
  constexpr int bits = 60;
  __extension__ using Unsigned = unsigned __int128;
  Wide whole = 0;
  Unsigned fractions = 0;
  bool integers = true;
  bool small = true;
  for (const auto& term : terms_) {
    Wide product = 0;
    small = term.period < Wide{1} << 64 && !__builtin_mul_overflow(term.work, factor, &product) &&
            !__builtin_add_overflow(whole, product / term.period, &whole);
    if (!small) break;
    const auto rest = static_cast<Unsigned>(product % term.period);
    fractions += (rest << bits) / static_cast<Unsigned>(term.period);
    integers = integers && rest == 0;
  }
  if (small && integers) return whole;
  const Unsigned below_one = fractions & ((Unsigned{1} << bits) - 1);
  if (small && below_one > 0 && below_one + terms_.size() <= Unsigned{1} << bits) {
    return checked_add(whole, static_cast<Wide>(fractions >> bits) + 1);
  }
  Fraction sum = exact_sum(terms_);
  sum.n *= Integer(factor);
  return ceil_of(sum);
}

std::string Utilization::exact() const {
  const Fraction sum = in_lowest_terms(exact_sum(terms_));
  return sum.d == 1 ? sum.n.str() : sum.n.str() + "/" + sum.d.str();
}

std::string Utilization::text(Wide subtrahend) const {
  Fraction sum = exact_sum(terms_);
  sum.n -= Integer(subtrahend) * sum.d;
  return decimal_text(sum);
}

}  // namespace rta
