#include "trace_input.hpp"

#include <array>
#include <cerrno>
#include <filesystem>
#include <iostream>
#include <string_view>
#include <system_error>

#include "io/sha256.hpp"
#include "rta/io/diagnostic.hpp"

namespace rta::cli {

/// Passes on what it reads.
class TraceInput::Buffer : public std::streambuf {
 public:
  explicit Buffer(std::streambuf& from) : from_(from) {}

  std::string digits() {
    while (underflow() != traits_type::eof()) setg(nullptr, nullptr, nullptr);
    return digest_.digits();
  }

 protected:
  int_type underflow() override {
    if (gptr() != egptr()) return traits_type::to_int_type(*gptr());
    const std::streamsize count = from_.sgetn(piece_.data(), static_cast<std::streamsize>(piece_.size()));
    if (count <= 0) return traits_type::eof();
    digest_.add(std::string_view(piece_.data(), static_cast<std::size_t>(count)));
    setg(piece_.data(), piece_.data(), piece_.data() + count);
    return traits_type::to_int_type(*gptr());
  }

 private:
  std::streambuf& from_;
  std::array<char, 65'536> piece_{};
  io::Sha256 digest_;
};

TraceInput::TraceInput(const std::string& path) : name_(path == "-" ? "<stdin>" : path), stream_(nullptr) {
  const auto refuse = [&](const char* what, int error) {
    throw io::InputError({{name_, 0, 0, std::string(what) + ": " + std::generic_category().message(error)}});
  };
  if (path != "-") {
    file_.open(path, std::ios::binary);
    if (!file_) refuse("cannot be opened", errno);
    if (std::filesystem::is_directory(path)) refuse("cannot be read", EISDIR);  // opens, and is empty
  }
  buffer_ = std::make_unique<Buffer>(path == "-" ? *std::cin.rdbuf() : *file_.rdbuf());
  stream_.rdbuf(buffer_.get());
}

TraceInput::~TraceInput() = default;

std::string TraceInput::sha256() { return buffer_->digits(); }

}  // namespace rta::cli
