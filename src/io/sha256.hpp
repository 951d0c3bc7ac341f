// SHA-256 of bytes that come in pieces.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace rta::io {

class Sha256 {
 public:
  Sha256();
  void add(std::string_view bytes);
  /// 64 hexadecimal digits; nothing can be added afterwards.
  [[nodiscard]] std::string digits();

 private:
  struct Free {
    void operator()(void* context) const;
  };
  std::unique_ptr<void, Free> context_;
};

}  // namespace rta::io
