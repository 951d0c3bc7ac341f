// Files that are read piece by piece, with the digest of what was read.
#pragma once

#include <fstream>
#include <istream>
#include <memory>
#include <string>

namespace rta::cli {

/// A trace, or whatever else is too large to be held. `-` is standard input.
class TraceInput {
 public:
  /// Throws `InputError` for a file that cannot be opened.
  explicit TraceInput(const std::string& path);
  ~TraceInput();
  TraceInput(const TraceInput&) = delete;
  TraceInput& operator=(const TraceInput&) = delete;

  [[nodiscard]] std::istream& stream() { return stream_; }
  [[nodiscard]] const std::string& name() const { return name_; }  // for messages
  /// Of all of the file: reads what is left. Nothing can be read afterwards.
  [[nodiscard]] std::string sha256();

 private:
  class Buffer;

  std::string name_;
  std::ifstream file_;
  std::unique_ptr<Buffer> buffer_;
  std::istream stream_;
};

}  // namespace rta::cli
