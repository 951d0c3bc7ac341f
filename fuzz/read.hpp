// What every fuzz target shares: one input, read as a file that somebody else wrote.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "rta/model/error.hpp"
#include "rta/model/quantity.hpp"

namespace rta::fuzz {

/// Everything that a file may be is either read or a mistake of the user; whatever else is thrown is a defect.
template <class Read>
void read(Read&& what) {
  try {
    what();
  } catch (const UserError&) {
    // Refused.
  } catch (const Overflow&) {
    // Refused: a number leaves the range.
  }
}

/// What must hold of everything that was read.
inline void expect(bool holds, const char* what) {
  if (!holds) throw std::logic_error(std::string("does not hold: ") + what);
}

/// Two files in one input: what stands before its first NUL, and what follows it.
inline std::pair<std::string_view, std::string_view> split(std::string_view input) {
  const std::size_t at = input.find('\0');
  if (at == std::string_view::npos) return {input, {}};
  return {input.substr(0, at), input.substr(at + 1)};
}

}  // namespace rta::fuzz
