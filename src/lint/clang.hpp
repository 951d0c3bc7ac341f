// Asks clang for the syntax trees of sources.
#pragma once

#include <string>
#include <vector>

#include "ast.hpp"

namespace rta::lint {

struct ClangAnswer {
  Ast ast;
  std::string remark;  // why it is missing or may lack something; empty: all is well
};

/// Clang reads sources as C++: launch brackets it does not know, and skips; tokens tell of launches. The headers of the standard library
/// and of CUDA are read once for all sources, and kept for the next Clang with the same flags.
class Clang {
 public:
  /// `flags` as for nvcc: those that say what is compiled are used.
  Clang(std::string program, const std::vector<std::string>& flags);

  /// For at most ten minutes and 4 GiB. Whatever happens to clang, there is an answer.
  [[nodiscard]] ClangAnswer ask(const std::string& file);

 private:
  [[nodiscard]] std::vector<std::string> command() const;

  std::string program_;
  std::vector<std::string> flags_;
  std::vector<std::string> system_;  // folders whose functions are of no interest
};

/// nvcc was told `--default-stream per-thread`, or the macro is defined that says so.
[[nodiscard]] bool default_stream_is_per_thread(const std::vector<std::string>& flags);

}  // namespace rta::lint
