// A file piece by piece, unpacked where it is gzip: no large file is in memory as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "rta/convert/convert.hpp"

namespace rta::convert {

class Bytes {
 public:
  /// `-` is standard input. Throws `io::InputError` when the file cannot be opened.
  Bytes(const std::filesystem::path& path, Progress progress);
  /// What a program writes to a pipe, called `name` in messages; `patience`: for how many seconds at most it may write nothing.
  Bytes(int pipe, std::string name, std::uint32_t patience, Progress progress);
  /// Bytes in memory, which must outlive this.
  Bytes(std::string_view content, std::string name);
  ~Bytes();
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;

  /// What the file is called in messages.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// The next bytes, at most `most`; 0 at the end. Throws `io::InputError` for what cannot be read or unpacked, and for what unpacks to
  /// more than any file is worth.
  [[nodiscard]] std::size_t read(char* to, std::size_t most);
  /// The first bytes, at most `most`; they are read again afterwards.
  [[nodiscard]] std::string_view head(std::size_t most);
  /// After `head`: whether the file ends there.
  [[nodiscard]] bool ends_with_head() const { return ended_; }
  /// All that is left. Throws `io::InputError` when that is more than `most`.
  [[nodiscard]] std::string rest(std::size_t most);

 private:
  class Raw;
  class Inflater;
  std::size_t read_unpacked(char* to, std::size_t most);

  std::string name_;
  std::unique_ptr<Raw> raw_;
  std::unique_ptr<Inflater> inflater_;
  std::string head_;
  std::size_t head_taken_ = 0;
  bool ended_ = false;
};

}  // namespace rta::convert
