// Options whose value is one of a few names.
#pragma once

#include <string>
#include <string_view>

#include "command.hpp"

namespace rta::cli {

template <class T>
struct Choice {
  std::string_view name;
  T value;
};

/// The value of that exact name. Throws `UsageError` naming the option and what is allowed.
template <class T, std::size_t N>
[[nodiscard]] T chosen(std::string_view option, const std::string& name, const Choice<T> (&choices)[N]) {
  std::string allowed;
  for (const Choice<T>& choice : choices) {
    if (choice.name == name) return choice.value;
    allowed += (allowed.empty() ? "" : ", ") + std::string(choice.name);
  }
  throw UsageError("--" + std::string(option) + " '" + name + "': no such value (allowed: " + allowed + ")");
}

}  // namespace rta::cli
