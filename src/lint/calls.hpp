// Calls, launches and mentions of names in a range of tokens.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "code.hpp"

namespace rta::lint {

struct Call {
  enum class Kind : std::uint8_t {
    call,          // f(...), also x.f(...), f<T>(...)
    launch,        // f<<<...>>>(...)
    construction,  // T x(...), T x{...}, T x;
    declaration,   // nothing happens; never among those that are found
    mention        // f, not called: `&f`, a function given to another one, an attribute; kept where the table knows the name
  };
  Kind kind = Kind::call;
  std::string_view name;         // the last part
  std::uint32_t token = 0;       // of the name
  std::uint32_t begin = 0;       // first token of the name with its qualifiers and of the object it is called on
  std::vector<Range> arguments;  // of a launch: its configuration
  bool polls = false;            // stands in the condition of a loop
  bool on_device = false;        // in a lambda that runs on the GPU
  bool is_member = false;        // x.f(...), x->f(...)
};

/// In the order of their names.
[[nodiscard]] std::vector<Call> calls_in(const Code& code, Range range);

}  // namespace rta::lint
