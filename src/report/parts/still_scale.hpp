// Scales of charts that stand still.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace rta::report {

struct StillTick {
  double at = 0;  // in pixels
  std::string text;
};

/// Numbers or names to places in pixels, or to colours and dashes.
class StillScale {
 public:
  using Json = nlohmann::ordered_json;
  /// `domain` as values: numbers, or names in order. `pixels`: the range of a scale of places.
  StillScale(const Json& specification, const std::vector<Json>& domain, std::pair<double, double> pixels);

  [[nodiscard]] double place(const Json& value) const;
  [[nodiscard]] double bandwidth() const { return band_; }
  /// Of an ordinal scale, or a colour of the one that runs from colour to colour.
  [[nodiscard]] Json value(const Json& of) const;
  [[nodiscard]] const std::vector<Json>& names() const { return names_; }
  [[nodiscard]] bool discrete() const { return !names_.empty(); }
  /// About `most` of them. `percent`: shares.
  [[nodiscard]] std::vector<StillTick> ticks(double most, bool percent) const;

 private:
  bool logarithmic_ = false;
  double first_ = 0, last_ = 1;  // of numbers
  double from_ = 0, to_ = 1;     // in pixels
  double start_ = 0, step_ = 0, band_ = 0;
  std::vector<Json> names_;
  std::vector<Json> range_;
};

/// Viridis, which every eye sees grow lighter: a share of 0 to 1.
[[nodiscard]] std::string viridis(double share);

}  // namespace rta::report
