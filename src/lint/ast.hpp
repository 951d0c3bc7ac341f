// What clang knows of a translation unit: its functions and who calls whom, with what it makes of stream arguments.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace rta::lint {

struct AstFunction {
  std::string key;           // the same in every translation unit for the same function
  std::string name;          // the last part
  std::uint32_t file = 0;    // of Ast::files
  std::uint32_t offset = 0;  // of its name, bytes
  std::uint32_t line = 0, column = 0;
  bool has_body = false;
  bool on_device = false;  // runs on the GPU alone
  bool is_virtual = false;
};

/// What is given to one parameter.
enum class AstArgument : std::uint8_t { other, null, missing };

struct AstCall {
  std::string name;
  bool resolved = false;     // clang knows what is called
  std::int64_t callee = -1;  // of Ast::functions; -1: none that was read
  std::int64_t caller = -1;
  std::uint32_t file = 0;
  std::uint32_t begin = 0, end = 0;  // bytes of the name with its qualifiers; of the macro's name, where it comes from a macro's body
  std::uint32_t line = 0, column = 0;
  bool from_macro = false;
  std::int32_t stream = -1;                          // the parameter that is a stream
  AstArgument stream_argument = AstArgument::other;  // what it is given
  std::uint32_t arguments = 0;                       // how many, defaults included
};

struct Ast {
  std::vector<std::string> files;      // as clang names them
  std::vector<AstFunction> functions;  // those that are defined outside of the system's headers, and those that are called
  std::vector<AstCall> calls;
};

}  // namespace rta::lint
