#include "still_scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "rta/model/error.hpp"
#include "still_expression.hpp"

namespace rta::report {
namespace {

// 1, 2 or 5 times a power of ten: the least with which `length` has at most `most` steps.
double step_of(double length, double most) {
  const double rough = length / most;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

}  // namespace

std::string viridis(double share) {
  using Rgb = std::array<double, 3>;
  constexpr std::array<Rgb, 11> stops{{{68, 1, 84},
                                       {72, 36, 117},
                                       {65, 68, 135},
                                       {53, 95, 141},
                                       {42, 120, 142},
                                       {33, 145, 140},
                                       {34, 168, 132},
                                       {68, 191, 112},
                                       {122, 209, 81},
                                       {189, 223, 38},
                                       {253, 231, 37}}};
  const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const std::size_t below = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  std::string out = "#";
  for (std::size_t part = 0; part < 3; ++part) {
    const double value = std::lerp(stops[below][part], stops[below + 1][part], place - static_cast<double>(below));
    out += fmt::format("{:02x}", static_cast<int>(std::lround(value)));
  }
  return out;
}

StillScale::StillScale(const Json& specification, const std::vector<Json>& domain, std::pair<double, double> pixels)
    : from_(pixels.first), to_(pixels.second) {
  const std::string type = specification.at("type");
  if (type == "band" || type == "point" || type == "ordinal") {
    for (const Json& name : domain) {
      if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
    }
    if (type == "ordinal") {
      for (const Json& one : specification.at("range")) range_.push_back(one);
      return;
    }
    const double padding = specification.value("padding", 0.0), inner = type == "band" ? padding : 1.0;
    const double count = static_cast<double>(names_.size());
    step_ = (to_ - from_) / std::max(1.0, count - inner + 2 * padding);
    band_ = step_ * (1 - inner);
    start_ = from_ + ((to_ - from_) - step_ * (count - inner)) / 2;
    return;
  }
  require(type == "linear" || type == "log", "a type of scale that charts have");
  logarithmic_ = type == "log";
  const bool zero = specification.value("zero", false);
  bool any = zero;
  first_ = last_ = 0;
  for (const Json& value : domain) {
    if (!value.is_number()) continue;
    const double number = value.get<double>();
    first_ = any ? std::min(first_, number) : number;
    last_ = any ? std::max(last_, number) : number;
    any = true;
  }
  if (last_ <= first_) last_ = first_ == 0 ? 1 : first_ + std::abs(first_) / 10;
  if (const double padding = specification.value("padding", 0.0); logarithmic_ && padding > 0) {
    const double more = std::pow(last_ / first_, padding / std::abs(to_ - from_));
    first_ /= more;
    last_ *= more;
  }
  if (!specification.value("nice", false)) return;
  if (logarithmic_) {
    first_ = std::pow(10, std::floor(std::log10(first_)));
    last_ = std::pow(10, std::ceil(std::log10(last_)));
  } else {
    const double step = step_of(last_ - first_, 10);
    first_ = std::floor(first_ / step + 1e-9) * step;
    last_ = std::ceil(last_ / step - 1e-9) * step;
  }
}

double StillScale::place(const Json& value) const {
  if (discrete()) {
    const auto at = std::ranges::find(names_, value);
    return start_ + step_ * static_cast<double>(at - names_.begin());
  }
  const double number = still_number(value);
  const double share = logarithmic_ ? std::log(number / first_) / std::log(last_ / first_) : (number - first_) / (last_ - first_);
  return from_ + (to_ - from_) * share;
}

StillScale::Json StillScale::value(const Json& of) const {
  if (range_.empty()) return viridis((still_number(of) - first_) / (last_ - first_));
  const auto at = std::ranges::find(names_, of);
  return at == names_.end() ? Json() : range_[static_cast<std::size_t>(at - names_.begin()) % range_.size()];
}

std::vector<StillTick> StillScale::ticks(double most, bool percent) const {
  std::vector<StillTick> out;
  if (discrete()) {
    for (const Json& name : names_) out.push_back({place(name) + band_ / 2, name.is_string() ? name.get<std::string>() : name.dump()});
    return out;
  }
  if (logarithmic_) {
    const double decades = std::log10(last_ / first_);
    const int highest = static_cast<int>(std::floor(std::log10(last_) + 1e-9));
    for (int power = static_cast<int>(std::floor(std::log10(first_))); power <= highest; ++power) {
      for (const double factor : {1.0, 2.0, 5.0}) {
        const double number = factor * std::pow(10, power);
        if ((factor > 1 && 3 * decades > most) || number < first_ * (1 - 1e-9) || number > last_ * (1 + 1e-9)) continue;
        out.push_back({place(number), fmt::format("{:g}", number)});
      }
    }
    return out;
  }
  const double step = step_of(last_ - first_, most);
  const int digits = percent ? 0 : std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  const auto highest = static_cast<std::int64_t>(std::floor(last_ / step + 1e-9));
  for (auto n = static_cast<std::int64_t>(std::ceil(first_ / step - 1e-9)); n <= highest; ++n) {
    const double number = static_cast<double>(n) * step;
    out.push_back({place(number), percent ? fmt::format("{:.0f}%", 100 * number) : fmt::format("{:.{}f}", number, digits)});
  }
  return out;
}

}  // namespace rta::report
