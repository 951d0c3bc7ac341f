// Files that become part of the program when it is built.
#pragma once

#include <cstddef>
#include <string_view>

/// Defines rta_NAME_begin and rta_NAME_end, between which the file at PATH (a literal) stands. For use outside of namespaces, once per
/// name.
#define RTA_EMBED(NAME, PATH)                 \
  asm(".section .rodata\n"                    \
      ".global rta_" #NAME                    \
      "_begin\n"                              \
      ".global rta_" #NAME                    \
      "_end\n"                                \
      "rta_" #NAME                            \
      "_begin:\n"                             \
      ".incbin \"" PATH                       \
      "\"\n"                                  \
      "rta_" #NAME                            \
      "_end:\n"                               \
      ".byte 0\n"                             \
      ".text\n");                             \
  extern "C" const char rta_##NAME##_begin[]; \
  extern "C" const char rta_##NAME##_end[]

namespace rta::io {

/// What stands between the two.
[[nodiscard]] inline std::string_view embedded(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace rta::io
