// Where errors and warnings of one file are collected while it is read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rta/io/diagnostic.hpp"

namespace rta::io {

/// A position in a file; lines and columns count from 1, columns in characters.
struct Mark {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// What a message is about: `node 'classify'`.
struct Subject {
  std::string_view kind;  // empty: the file
  std::string_view name;
};

/// Keeps the first twenty errors and warnings, and the number of the others.
class Diagnostics {
 public:
  explicit Diagnostics(std::string file) : file_(std::move(file)) {}

  void error(Mark at, std::string message);
  void error(Mark at, Subject subject, std::string_view message);
  void warn(Mark at, Subject subject, std::string_view message);

  /// Of the same file, with nothing in it.
  [[nodiscard]] Diagnostics fresh() const { return Diagnostics(file_); }
  /// The warnings of a later part of the file, as if they had been reported here.
  void append_warnings(Diagnostics later);

  [[nodiscard]] bool failed() const { return errors_.count > 0; }
  [[nodiscard]] std::size_t error_count() const { return errors_.count; }
  /// Throws `InputError` with all errors in file order, if there are any.
  void throw_if_failed();
  /// The warnings in file order.
  [[nodiscard]] std::vector<Diagnostic> take_warnings();

 private:
  struct Kept {
    std::vector<Diagnostic> first;
    std::size_t count = 0;
  };
  void keep(Kept& kept, Mark at, std::string message) const;
  [[nodiscard]] std::vector<Diagnostic> in_file_order(Kept& kept, std::string_view what) const;

  std::string file_;
  Kept errors_, warnings_;
};

/// `text` in single quotes, cut to a length fit for a message, without control characters.
[[nodiscard]] std::string quote(std::string_view text);

}  // namespace rta::io
