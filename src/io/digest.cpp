#include "rta/io/digest.hpp"

#include <openssl/evp.h>

#include <array>

#include "io/sha256.hpp"
#include "rta/model/error.hpp"

namespace rta::io {
namespace {

EVP_MD_CTX* context_of(void* context) { return static_cast<EVP_MD_CTX*>(context); }

void require_digest(bool done) {
  if (!done) throw UserError("SHA-256 is not available in this OpenSSL; allow it in its configuration (openssl.cnf)");
}

}  // namespace

void Sha256::Free::operator()(void* context) const { EVP_MD_CTX_free(context_of(context)); }

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  require_digest(context_ != nullptr && EVP_DigestInit_ex(context_of(context_.get()), EVP_sha256(), nullptr) == 1);
}

void Sha256::add(std::string_view bytes) { require_digest(EVP_DigestUpdate(context_of(context_.get()), bytes.data(), bytes.size()) == 1); }

std::string Sha256::digits() {
  std::array<unsigned char, 32> digest{};
  unsigned int length = 0;
  require_digest(EVP_DigestFinal_ex(context_of(context_.get()), digest.data(), &length) == 1 && length == digest.size());
  std::string text;
  for (const unsigned char byte : digest) {
    constexpr std::string_view hexadecimal = "0123456789abcdef";
    text.push_back(hexadecimal[byte >> 4U]);
    text.push_back(hexadecimal[byte & 15U]);
  }
  return text;
}

std::string sha256(std::string_view bytes) {
  Sha256 digest;
  digest.add(bytes);
  return digest.digits();
}

}  // namespace rta::io
