// The innermost of many ranges of tokens.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "code.hpp"

namespace rta::lint {

class Intervals {
 public:
  /// The ranges, by their beginnings. Of those that a token is in, the one that begins last is the innermost.
  explicit Intervals(std::span<const Range> ranges);

  /// The index of the innermost range that the token is in, or 0xFFFFFFFF.
  [[nodiscard]] std::uint32_t at(std::uint32_t token) const;

 private:
  struct Change {
    std::uint32_t token;
    std::uint32_t range;  // from there on
  };
  std::vector<Change> changes_;
};

}  // namespace rta::lint
