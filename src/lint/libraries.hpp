// Libraries whose calls run on the stream that their handle was given.
#pragma once

#include <span>
#include <string_view>

namespace rta::lint {

struct Library {
  std::string_view prefix;                   // of its functions
  std::string_view setter;                   // gives the handle (its first argument) a stream (its second)
  std::span<const std::string_view> exempt;  // prefixes of functions that run nothing, or name their stream
  std::span<const std::string_view> only;    // where not empty: prefixes of the functions that run something
};

/// The library whose function this is, when it runs on its handle's stream.
[[nodiscard]] const Library* library_of(std::string_view name);

/// A header of a library that works on the GPU and none of whose calls are in the table.
[[nodiscard]] bool is_unknown_library(std::string_view header);

}  // namespace rta::lint
