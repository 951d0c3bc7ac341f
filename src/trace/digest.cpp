#include "rta/trace/digest.hpp"

#include <openssl/evp.h>

#include <array>

#include "rta/model/error.hpp"

namespace rta::trace {

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, 32> digest{};
  unsigned int length = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1 || length != digest.size()) {
    throw UserError("SHA-256 is not available in this OpenSSL; allow it in its configuration (openssl.cnf)");
  }
  std::string text;
  for (const unsigned char byte : digest) {
    constexpr std::string_view digits = "0123456789abcdef";
    text.push_back(digits[byte >> 4U]);
    text.push_back(digits[byte & 15U]);
  }
  return text;
}

}  // namespace rta::trace
