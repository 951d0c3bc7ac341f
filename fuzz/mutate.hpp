// Inputs that are nearly right.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string>

namespace rta::fuzz {

using Random = std::mt19937_64;

/// One of the inputs with up to four changes: bytes, numbers and pieces replaced, left out, repeated, or taken from another input.
[[nodiscard]] std::string mutated(std::span<const std::string> inputs, Random& random);

}  // namespace rta::fuzz
