#include "rta/model/utilization.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace rta {
namespace {

using Integer = boost::multiprecision::cpp_int;
using Rational = boost::multiprecision::cpp_rational;

Rational exact_sum(const auto& terms) {
  Rational sum = 0;
  for (const auto& term : terms) sum += Rational(Integer(term.work), Integer(term.period));
  return sum;
}

Wide ceil_of(const Rational& value) {
  const Integer n = numerator(value);
  const Integer d = denominator(value);
  const Integer c = (n + d - 1) / d;
  if (c > Integer(std::numeric_limits<std::int64_t>::max()) * std::numeric_limits<std::int64_t>::max()) throw_overflow("utilization");
  return static_cast<Wide>(c);
}

}  // namespace

void Utilization::add(Wide work, Wide period) {
  if (work < 0 || period <= 0) throw std::invalid_argument("utilization needs work >= 0 and a period > 0");
  auto at = std::lower_bound(terms_.begin(), terms_.end(), period, [](const Term& t, Wide p) { return t.period < p; });
  if (at != terms_.end() && at->period == period) {
    at->work = checked_add(at->work, work);
  } else {
    terms_.insert(at, Term{period, work});
  }
}

double Utilization::approximate() const {
  double sum = 0;
  for (const auto& term : terms_) sum += static_cast<double>(term.work) / static_cast<double>(term.period);
  return sum;
}

std::strong_ordering Utilization::compare(Wide capacity) const { return compare(capacity, 1); }

std::strong_ordering Utilization::compare(Wide numerator, Wide denominator) const {
  const double target = static_cast<double>(numerator) / static_cast<double>(denominator);
  const double sum = approximate();
  // All terms are >= 0, so the relative error of the sum is below (terms + 4) roundings.
  const double slack = (static_cast<double>(terms_.size()) + 8) * std::numeric_limits<double>::epsilon() * (sum + std::abs(target));
  if (sum - target > slack) return std::strong_ordering::greater;
  if (target - sum > slack) return std::strong_ordering::less;
  const Rational difference = exact_sum(terms_) - Rational(Integer(numerator), Integer(denominator));
  if (difference < 0) return std::strong_ordering::less;
  if (difference > 0) return std::strong_ordering::greater;
  return std::strong_ordering::equal;
}

Wide Utilization::ceil() const {
  const double sum = approximate();
  if (sum < 1e15) {
    const double slack = (static_cast<double>(terms_.size()) + 8) * std::numeric_limits<double>::epsilon() * (sum + 1);
    const double up = std::ceil(sum);
    if (up - sum > slack && sum - (up - 1) > slack) return static_cast<Wide>(up);
  }
  return ceil_of(exact_sum(terms_));
}

Wide Utilization::ceil_times(Wide factor) const {
  // Whole parts exactly, fractions in units of 2^-60, each rounded down: the sum lies in [whole + f, whole + f + terms) x 2^-60.
  constexpr int bits = 60;
  __extension__ using Unsigned = unsigned __int128;
  Wide whole = 0;
  Unsigned fractions = 0;
  bool integers = true;
  for (const auto& term : terms_) {
    Wide product = 0;
    if (term.period >= Wide{1} << 64 || __builtin_mul_overflow(term.work, factor, &product) ||
        __builtin_add_overflow(whole, product / term.period, &whole)) {
      return ceil_of(exact_sum(terms_) * Rational(Integer(factor)));
    }
    const auto rest = static_cast<Unsigned>(product % term.period);
    fractions += (rest << bits) / static_cast<Unsigned>(term.period);
    integers = integers && rest == 0;
  }
  if (integers) return whole;
  const Unsigned below_one = fractions & ((Unsigned{1} << bits) - 1);
  if (below_one > 0 && below_one + terms_.size() <= Unsigned{1} << bits) {
    return checked_add(whole, static_cast<Wide>(fractions >> bits) + 1);
  }
  return ceil_of(exact_sum(terms_) * Rational(Integer(factor)));
}

std::string Utilization::exact() const {
  const Rational sum = exact_sum(terms_);
  return denominator(sum) == 1 ? numerator(sum).str() : numerator(sum).str() + "/" + denominator(sum).str();
}

}  // namespace rta
