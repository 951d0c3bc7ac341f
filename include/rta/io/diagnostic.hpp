// What is wrong, or doubtful, in a file, and where.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rta/model/error.hpp"

namespace rta::io {

/// One thing wrong (or doubtful) in a file. Lines and columns count from 1; 0: the file as a whole.
struct Diagnostic {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;
  std::string message;

  /// `file:line:column: message`.
  [[nodiscard]] std::string text() const;
};

/// A file could not be read. Holds everything that is wrong with it, in file order.
class InputError : public UserError {
 public:
  explicit InputError(std::vector<Diagnostic> diagnostics);
  [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

}  // namespace rta::io
