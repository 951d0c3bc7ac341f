// A bound, or the reason why there is none.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace rta::analysis {

/// No bound: what is exceeded, by how much, or which assumption does not hold. One sentence for people.
struct Unbounded {
  std::string reason;
};

/// Either a `T` or `Unbounded`.
template <class T>
class Result {
 public:
  Result(T value) : content_(std::move(value)) {}                  // NOLINT(google-explicit-constructor): a result is a T
  Result(Unbounded unbounded) : content_(std::move(unbounded)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] explicit operator bool() const { return content_.index() == 0; }
  /// Requires a bound.
  [[nodiscard]] const T& operator*() const { return std::get<0>(content_); }
  [[nodiscard]] T& operator*() { return std::get<0>(content_); }
  [[nodiscard]] const T* operator->() const { return &std::get<0>(content_); }
  [[nodiscard]] T* operator->() { return &std::get<0>(content_); }
  /// Requires that there is no bound.
  [[nodiscard]] const std::string& reason() const { return std::get<1>(content_).reason; }

 private:
  std::variant<T, Unbounded> content_;
};

}  // namespace rta::analysis
