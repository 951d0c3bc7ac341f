#include "still_expression.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "rta/model/error.hpp"

namespace rta::report {
namespace {

using StillJson = nlohmann::ordered_json;

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

// Each rule of the grammar calls the one that binds closer.
class StillParser {
 public:
  explicit StillParser(std::string_view text) : text_(text) {}

  StillExpression whole() {
    StillExpression out = choice();
    skip_space();
    require(text_.empty(), "an expression of a chart is understood to its end");
    return out;
  }

 private:
  void skip_space() {
    while (!text_.empty() && text_.front() == ' ') text_.remove_prefix(1);
  }
  bool take(std::string_view sign) {
    skip_space();
    if (!text_.starts_with(sign)) return false;
    text_.remove_prefix(sign.size());
    return true;
  }
  void need(std::string_view sign) { require(take(sign), "an expression of a chart is complete"); }

  StillExpression choice() {
    StillExpression condition = any();
    if (!take("?")) return condition;
    StillExpression yes = choice();
    need(":");
    return [condition = std::move(condition), yes = std::move(yes), no = choice()](const StillScope& scope) {
      return still_truth(condition(scope)) ? yes(scope) : no(scope);
    };
  }

  StillExpression any() {
    StillExpression left = all();
    while (take("||")) {
      left = [left = std::move(left), right = all()](const StillScope& scope) {
        StillJson value = left(scope);
        return still_truth(value) ? value : right(scope);
      };
    }
    return left;
  }

  StillExpression all() {
    StillExpression left = equal();
    while (take("&&")) {
      left = [left = std::move(left), right = equal()](const StillScope& scope) {
        StillJson value = left(scope);
        return still_truth(value) ? right(scope) : value;
      };
    }
    return left;
  }

  StillExpression equal() {
    StillExpression left = order();
    while (true) {
      const bool same = take("===");
      if (!same && !take("!==")) return left;
      left = [same, left = std::move(left), right = order()](const StillScope& scope) {
        return StillJson((left(scope) == right(scope)) == same);
      };
    }
  }

  StillExpression order() {
    StillExpression left = sum();
    constexpr std::array<std::string_view, 4> signs{"<=", ">=", "<", ">"};
    const auto sign = std::ranges::find_if(signs, [&](std::string_view one) { return take(one); });
    if (sign == signs.end()) return left;
    return [sign = *sign, left = std::move(left), right = sum()](const StillScope& scope) {
      const double a = still_number(left(scope)), b = still_number(right(scope));
      return StillJson(sign == "<=" ? a <= b : sign == ">=" ? a >= b : sign == "<" ? a < b : a > b);
    };
  }

  StillExpression sum() {
    StillExpression left = product();
    while (true) {
      const bool plus = take("+");
      if (!plus && !take("-")) return left;
      left = [plus, left = std::move(left), right = product()](const StillScope& scope) {
        const double a = still_number(left(scope)), b = still_number(right(scope));
        return StillJson(plus ? a + b : a - b);
      };
    }
  }

  StillExpression product() {
    StillExpression left = single();
    while (true) {
      const bool times = take("*");
      if (!times && !take("/")) return left;
      left = [times, left = std::move(left), right = single()](const StillScope& scope) {
        const double a = still_number(left(scope)), b = still_number(right(scope));
        return StillJson(times ? a * b : a / b);
      };
    }
  }

  StillExpression single() {
    if (take("-")) {
      return [value = single()](const StillScope& scope) { return StillJson(-still_number(value(scope))); };
    }
    StillExpression value = primary();
    while (take(".")) {
      value = [value = std::move(value), member = name()](const StillScope& scope) {
        const StillJson object = value(scope);
        const auto at = object.find(member);
        return at == object.end() ? StillJson() : *at;
      };
    }
    return value;
  }

  StillExpression primary() {
    skip_space();
    if (take("(")) {
      StillExpression inner = choice();
      need(")");
      return inner;
    }
    if (take("[")) {
      return [items = list("]")](const StillScope& scope) {
        StillJson out = StillJson::array();
        for (const StillExpression& item : items) out.push_back(item(scope));
        return out;
      };
    }
    if (take("'")) {
      const std::size_t end = text_.find('\'');
      require(end != std::string_view::npos, "a text in a chart's expression ends");
      StillJson value = std::string(text_.substr(0, end));
      text_.remove_prefix(end + 1);
      return [value = std::move(value)](const StillScope&) { return value; };
    }
    if (!text_.empty() && digit(text_.front())) {
      double number = 0;
      const auto read = std::from_chars(text_.data(), text_.data() + text_.size(), number);
      text_.remove_prefix(static_cast<std::size_t>(read.ptr - text_.data()));
      return [number](const StillScope&) { return StillJson(number); };
    }
    const std::string word = name();
    if (take("(")) return call(word, list(")"));
    if (word == "null") return [](const StillScope&) { return StillJson(); };
    if (word == "datum") {
      require(take("."), "an expression of a chart names what it wants of a datum");
      return [member = name()](const StillScope& scope) {
        const auto at = scope.datum().find(member);
        return at == scope.datum().end() ? StillJson() : *at;
      };
    }
    return [word](const StillScope& scope) { return scope.signal(word); };
  }

  std::string name() {
    skip_space();
    const auto end = std::ranges::find_if_not(text_, [](char c) { return letter(c) || digit(c); });
    std::string word(text_.begin(), end);
    require(!word.empty() && letter(word.front()), "an expression of a chart has a name there");
    text_.remove_prefix(word.size());
    return word;
  }

  std::vector<StillExpression> list(std::string_view end) {
    std::vector<StillExpression> items;
    if (take(end)) return items;
    do items.push_back(choice());
    while (take(","));
    need(end);
    return items;
  }

  static StillExpression call(const std::string& function, std::vector<StillExpression> arguments) {
    if (function == "indata") return [](const StillScope&) { return StillJson(false); };
    if (function == "max" || function == "min") {
      require(arguments.size() == 2, "max and min of two");
      return [largest = function == "max", arguments = std::move(arguments)](const StillScope& scope) {
        const double a = still_number(arguments[0](scope)), b = still_number(arguments[1](scope));
        return StillJson(largest ? std::max(a, b) : std::min(a, b));
      };
    }
    if (function == "scale") {
      require(arguments.size() == 2, "a scale and a value");
      return [arguments = std::move(arguments)](const StillScope& scope) {
        return StillJson(scope.place(arguments[0](scope).get<std::string>(), arguments[1](scope)));
      };
    }
    require(arguments.size() == 1, "a function of one value");
    if (function == "bandwidth") {
      return [arguments = std::move(arguments)](const StillScope& scope) {
        return StillJson(scope.bandwidth(arguments[0](scope).get<std::string>()));
      };
    }
    if (function == "floor") {
      return
          [arguments = std::move(arguments)](const StillScope& scope) { return StillJson(std::floor(still_number(arguments[0](scope)))); };
    }
    require(function == "length", "a function that charts use");
    return [arguments = std::move(arguments)](const StillScope& scope) {
      const StillJson value = arguments[0](scope);
      return StillJson(static_cast<double>(value.is_string() ? value.get_ref<const std::string&>().size() : value.size()));
    };
  }

  std::string_view text_;
};

}  // namespace

bool still_truth(const nlohmann::ordered_json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number()) return value.get<double>() != 0;
  if (value.is_string()) return !value.get_ref<const std::string&>().empty();
  return !value.is_null();
}

double still_number(const nlohmann::ordered_json& value) {
  if (value.is_number()) return value.get<double>();
  return value.is_boolean() && value.get<bool>() ? 1 : 0;
}

StillExpression still_expression(std::string_view text) { return StillParser(text).whole(); }

}  // namespace rta::report
