// JSON as profilers write it: read piece by piece, mended where old ones wrote what is none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <streambuf>
#include <string>
#include <vector>

#include "bytes.hpp"

namespace rta::convert {

/// The characters of a JSON file, as a stream buffer for the JSON library. In texts, a backslash that begins no escape is doubled (old
/// profilers wrote Windows paths so), and control characters become spaces. Throws `io::InputError` with the place for a text or number of
/// more than a megabyte.
class JsonStream : public std::streambuf {
 public:
  explicit JsonStream(Bytes& bytes);

  /// Where the next character stands, from 1; columns count bytes.
  struct Place {
    std::size_t line;
    std::size_t column;
  };
  [[nodiscard]] Place place() const;
  /// Characters that had to be mended so far.
  [[nodiscard]] std::uint64_t mended() const { return mended_; }
  [[nodiscard]] const std::string& name() const { return bytes_.name(); }

 protected:
  int_type underflow() override;

 private:
  enum class State : std::uint8_t { outside, text, escape, unicode };
  void take(char c);
  void finish();
  void put(char c) { ready_.push_back(c); }

  Bytes& bytes_;
  std::array<char, 65'536> read_;
  std::vector<char> ready_;
  State state_ = State::outside;
  std::string digits_;      // of an escape \uXXXX so far
  std::size_t length_ = 0;  // of the text or number so far
  // Of the character up to which lines have been counted.
  mutable Place counted_{1, 1};
  mutable const char* counted_to_ = nullptr;
  std::uint64_t mended_ = 0;
};

}  // namespace rta::convert
