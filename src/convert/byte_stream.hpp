// A file as a stream buffer, for readers that take streams of lines.
#pragma once

#include <array>
#include <streambuf>

#include "bytes.hpp"
#include "notes.hpp"

namespace rta::convert {

/// Throws `io::InputError` for a line of more than 16 MiB.
class ByteStream : public std::streambuf {
 public:
  explicit ByteStream(Bytes& bytes) : bytes_(bytes) {}

 protected:
  int_type underflow() override {
    const std::size_t count = bytes_.read(buffer_.data(), buffer_.size());
    if (count == 0) return traits_type::eof();
    const std::string_view piece(buffer_.data(), count);
    const std::size_t newline = piece.rfind('\n');
    line_length_ = newline == std::string_view::npos ? line_length_ + count : count - newline;
    if (line_length_ > longest_line) refuse(bytes_.name(), "a line is longer than 16 MiB");
    setg(buffer_.data(), buffer_.data(), buffer_.data() + count);
    return traits_type::to_int_type(buffer_.front());
  }

 private:
  static constexpr std::size_t longest_line = 16U << 20U;

  Bytes& bytes_;
  std::size_t line_length_ = 0;
  std::array<char, 65'536> buffer_;
};

}  // namespace rta::convert
