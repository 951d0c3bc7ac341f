// Reads what `clang -Xclang -ast-dump=json` prints, piece by piece: it is hundreds of megabytes.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "ast.hpp"

namespace rta::lint {

struct AstReading {
  Ast ast;
  bool whole = false;  // the text ended where the tree did
};

/// Functions and calls of files below one of `system` (paths that end in `/`) are left out.
[[nodiscard]] AstReading read_ast(std::istream& in, const std::vector<std::string>& system);

}  // namespace rta::lint
