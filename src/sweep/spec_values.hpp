// The values of a generation file: shares, ranges, weighted lists. Every wrong one is reported at its place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/fields.hpp"
#include "rta/generate/recipe.hpp"

namespace rta::sweep {

using io::Value;

/// Reads values of one file. Each function reports what is wrong with `value` (as `key: ...`) and then returns nothing.
class SpecValues {
 public:
  explicit SpecValues(io::Diagnostics& out) : out_(&out) {}

  /// `0.25`, or `25 %` of `whole`.
  [[nodiscard]] std::optional<generate::Fraction> fraction(const Value& value, std::string_view key,
                                                           generate::Fraction whole = {1, 1}) const;
  /// `30 ms`; where `rates`, also `30 Hz`: the longest whole number of ns that is not longer than its period.
  [[nodiscard]] std::optional<Time> time(const Value& value, std::string_view key, bool rates = false) const;
  /// `50 us`, or `0 us`.
  [[nodiscard]] std::optional<Time> overhead(const Value& value, std::string_view key) const;
  /// `10 ms .. 100 ms`, or one time.
  [[nodiscard]] std::optional<generate::LogUniform> times(const Value& value, std::string_view key) const;
  /// `5 .. 20`, or one whole number.
  [[nodiscard]] std::optional<generate::Range> range(const Value& value, std::string_view key) const;
  [[nodiscard]] std::optional<std::uint64_t> integer(const Value& value, std::string_view key, std::uint64_t most) const;
  /// `48 KiB`.
  [[nodiscard]] std::optional<std::uint64_t> size(const Value& value, std::string_view key) const;

  /// One value, a list of equally likely ones, or a mapping from values to whole weights.
  template <class T, class ReadOne>
  [[nodiscard]] std::optional<generate::Choice<T>> choice(const Value& value, std::string_view key, ReadOne read_one) const {
    std::vector<generate::Weighted<T>> all;
    bool good = true;
    const auto add = [&](const Value& one, std::uint64_t weight) {
      if (auto read = read_one(one)) {
        all.push_back({std::move(*read), weight});
      } else {
        good = false;
      }
    };
    if (value.kind == Value::Kind::sequence) {
      for (const Value* one = value.first(); one != value.next(); one = one->next()) add(*one, 1);
    } else if (value.kind == Value::Kind::mapping) {
      for (const Value* one = value.first(); one != value.next(); one = one->next()->next()) {
        const auto weight = integer(*one->next(), key, 1'000'000'000);
        good = good && weight.has_value();
        add(*one, weight.value_or(0));
      }
    } else {
      add(value, 1);
    }
    if (!good) return std::nullopt;
    if (all.empty()) {
      error(value, key, "the list is empty");
      return std::nullopt;
    }
    return generate::Choice<T>(std::move(all));
  }

  void error(const Value& at, std::string_view key, std::string_view why) const;
  [[nodiscard]] io::Diagnostics& out() const { return *out_; }

 private:
  /// The text of a scalar.
  [[nodiscard]] std::optional<std::string_view> text(const Value& value, std::string_view key, std::string_view expected) const;
  [[nodiscard]] std::optional<Time> parse_time(std::string_view text, const Value& at, std::string_view key, bool rates,
                                               bool zero = false) const;

  io::Diagnostics* out_;
};

}  // namespace rta::sweep
