// SHA-256 (FIPS 180-4), by which a certificate says which file it is about.
#pragma once

#include <string>
#include <string_view>

namespace checker {

/// 64 hexadecimal digits.
[[nodiscard]] std::string sha256(std::string_view text);

}  // namespace checker
