// The expressions of our charts' specifications: what of Vega's language they use.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace rta::report {

/// What an expression may ask for.
class StillScope {
 public:
  StillScope() = default;
  StillScope(const StillScope&) = delete;
  StillScope& operator=(const StillScope&) = delete;
  virtual ~StillScope() = default;
  [[nodiscard]] virtual const nlohmann::ordered_json& datum() const = 0;
  [[nodiscard]] virtual nlohmann::ordered_json signal(const std::string& name) const = 0;
  /// scale(name, value) and bandwidth(name).
  [[nodiscard]] virtual double place(const std::string& scale, const nlohmann::ordered_json& value) const = 0;
  [[nodiscard]] virtual double bandwidth(const std::string& scale) const = 0;
};

using StillExpression = std::function<nlohmann::ordered_json(const StillScope&)>;

/// Numbers, texts, null, lists, `datum`, signals, member access, the operators of arithmetic, comparison and logic, `?:`, and the functions
/// max, min, floor, length, scale, bandwidth, indata (of what the pointer shows: nothing). What else a specification says is a defect.
[[nodiscard]] StillExpression still_expression(std::string_view text);

[[nodiscard]] bool still_truth(const nlohmann::ordered_json& value);
/// 0 where it is no number.
[[nodiscard]] double still_number(const nlohmann::ordered_json& value);

}  // namespace rta::report
