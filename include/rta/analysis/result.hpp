// A bound, or the reason why there is none.
#pragma once

#include <type_traits>
#include <utility>
#include <variant>

#include "rta/analysis/reason.hpp"

namespace rta::analysis {

/// Either a `T` or the reason why there is none.
template <class T, class Why = Reason>
class Result {
 public:
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}      // NOLINT(google-explicit-constructor): a result is a T
  Result(Why reason) : content_(std::in_place_index<1>, std::move(reason)) {}  // NOLINT(google-explicit-constructor)
  template <class One>                                                         // of the reasons
  requires(!std::is_same_v<std::remove_cvref_t<One>, T> && !std::is_same_v<std::remove_cvref_t<One>, Why> &&
           !std::is_same_v<std::remove_cvref_t<One>, Result> && std::is_constructible_v<Why, One> && !std::is_convertible_v<One, T>)
      Result(One&& reason)  // NOLINT(google-explicit-constructor,bugprone-forwarding-reference-overload): never a Result, see above
      : content_(std::in_place_index<1>, Why(std::forward<One>(reason))) {}

  [[nodiscard]] explicit operator bool() const { return content_.index() == 0; }
  /// Requires a bound.
  [[nodiscard]] const T& operator*() const { return std::get<0>(content_); }
  [[nodiscard]] T& operator*() { return std::get<0>(content_); }
  [[nodiscard]] const T* operator->() const { return &std::get<0>(content_); }
  [[nodiscard]] T* operator->() { return &std::get<0>(content_); }
  /// Requires that there is no bound.
  [[nodiscard]] const Why& reason() const { return std::get<1>(content_); }

 private:
  std::variant<T, Why> content_;
};

}  // namespace rta::analysis
