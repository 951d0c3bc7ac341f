// What programs that are run find in their environment.
#pragma once

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): setenv

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rta::cli {

/// Variables of the environment of all that is run, while this object lives.
class Environment {
 public:
  explicit Environment(const std::vector<std::pair<std::string, std::string>>& values) {
    for (const auto& [name, value] : values) {
      const char* const before = std::getenv(name.c_str());
      before_.emplace_back(name, before == nullptr ? std::nullopt : std::optional<std::string>(before));
      ::setenv(name.c_str(), value.c_str(), 1);
    }
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() {
    for (const auto& [name, value] : before_) {
      if (value) {
        ::setenv(name.c_str(), value->c_str(), 1);
      } else {
        ::unsetenv(name.c_str());
      }
    }
  }

 private:
  std::vector<std::pair<std::string, std::optional<std::string>>> before_;
};

}  // namespace rta::cli
