// What an argument says, as far as its tokens tell.
#pragma once

#include <string_view>

#include "code.hpp"

namespace rta::lint {

/// Without the parentheses and casts around it.
[[nodiscard]] Range stripped(const Code& code, Range range);

/// 0, nullptr, cudaStreamLegacy and the like: the stream that is named by no name.
[[nodiscard]] bool is_null_stream(const Code& code, Range range);
/// 0, or a name that ends in `Default` or `_DEFAULT`.
[[nodiscard]] bool is_default_flag(const Code& code, Range range);

/// The name of a lone variable or member: `s`, `this->s`, `job.s`; empty for anything else.
[[nodiscard]] std::string_view variable(const Code& code, Range range);

/// What a pointer points to.
struct Pointee {
  enum class Kind : std::uint8_t {
    unknown,
    value,    // what the variable `name` holds: a pointer, an array, what `.data()` or `.get()` gives
    address,  // the variable `name` itself
    literal   // a string
  };
  Kind kind = Kind::unknown;
  std::string_view name;
  bool is_member = false;  // of another object
};
[[nodiscard]] Pointee pointee(const Code& code, Range range);

/// The name of the variable or member whose address is given: `&s`, `(void**)&job.s`; empty for anything else.
[[nodiscard]] std::string_view target(const Code& code, Range range);

/// Whether some token of the range is that name.
[[nodiscard]] bool mentions(const Code& code, Range range, std::string_view name);

}  // namespace rta::lint
